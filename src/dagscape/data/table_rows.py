"""Tables of some of the rows of another, or of the same rows with less said of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dagscape.data.build import Built
from dagscape.data.contents import narrow, rows_to_take
from dagscape.data.row_weights import check_written_out, stored
from dagscape.data.rows import Rows
from dagscape.errors import ParameterError
from dagscape.shows_itself import ShowsItself
from dagscape.variables import suggest

if TYPE_CHECKING:
    from dagscape.data.data import Data


class TableRows(ShowsItself, ABC):
    """The rows of a table; a part of :class:`Data`."""

    __slots__ = ("_rows_of", "_written_out")
    _rows_of: Rows
    _written_out: Data | None

    @abstractmethod
    def _data(self) -> Data:
        """Return the table."""

    @property
    def plain(self) -> Data:
        """The same table, with nothing said of its rows but how often they occur."""
        if set(self._rows_of.facts) <= {"weights", "series"}:
            return self._data()
        return self._data()._saying(Rows(self._rows_of.independent, self._rows_of.weights))

    @property
    def pooled(self) -> Data:
        """The same table, in which rows are in no groups."""
        if self._rows_of.groups is None:
            return self._data()
        return self._data()._saying(self._rows_of.but(groups=None))

    @property
    def untouched(self) -> Data:
        """The same table, in which no row comes from an experiment."""
        if self._rows_of.interventions is None:
            return self._data()
        return self._data()._saying(self._rows_of.but(interventions=None))

    def group(self, label: str) -> Data:
        """Return the rows of one group, which are in no groups any more."""
        groups = self._rows_of.groups
        if groups is None:
            raise ParameterError("the rows are in no groups; name the column: groups=")
        if label not in groups.labels:
            hint = suggest(str(label), groups.labels)
            raise ParameterError(f'column "{groups.column}" has no value {label!r}{hint}')
        return self.take(np.flatnonzero(groups.codes == groups.labels.index(label))).pooled

    def by_group(self) -> list[Data]:
        """Return the rows of every group that has some; the whole table where there are none."""
        groups = self._rows_of.groups
        if groups is None:
            return [self._data()]
        return [self.group(groups.labels[code]) for code in np.unique(groups.codes)]

    def head(self, n: int = 5) -> Data:
        """Return a table of the first rows; the states stay as they are."""
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
            raise ParameterError(f"n must be an integer of 1 or more, got {n!r}")
        return self._rows(np.arange(min(n, self._data().n_rows)))

    def take(self, rows: Sequence[int] | NDArray[Any]) -> Data:
        """Return a table of these rows, counted from 0, as often as each is named.

        The states stay as they are.
        """
        return self._rows(rows_to_take(rows, self._data().n_rows))

    def _some(self, n: int) -> Data:
        """Return so many rows at random; where rows are counted, each as often as it is drawn."""
        rng = np.random.default_rng(0)
        times = self._rows_of.times
        if times is None:
            return self.take(np.sort(rng.choice(self._data().n_rows, n, replace=False)))
        return self._with_times(rng.multinomial(n, times / times.sum()))

    def _with_times(self, times: NDArray[np.int64]) -> Data:
        """Return the table in which the stored rows occur these numbers of times."""
        weights = self._rows_of.weights
        if weights is None:
            raise TypeError("rows that are written out occur as often as they are there")
        data, there = self._data(), times > 0
        states = tuple(data.states.values())
        codes = narrow(data._codes[there], states)
        rows = self._rows_of.but(weights=replace(weights, times=times))
        made = data._of(Built(data.names, states, codes, data._lasting))
        return made._of_rows(rows.take(there))

    @property
    def _written(self) -> Data:
        """The same table with every row as often as it occurs."""
        times = self._rows_of.times
        if times is None:
            return self._data()
        if self._written_out is None:
            data = self._data()
            check_written_out(data.n_rows, data.n_variables)
            self._written_out = self._rows(np.arange(data.n_rows))
        return self._written_out

    def part(self, rows: NDArray[Any], without: str) -> Data:
        """Return a table of these rows, without one of the facts about them."""
        made = self._rows(rows)
        return made._of_rows(made.rows.but(**{without: None}))

    def _rows(self, chosen: NDArray[Any]) -> Data:
        rows, of_rows = stored(self._rows_of, chosen)
        data = self._data()
        states = tuple(data.states.values())
        codes = narrow(data._codes[rows], states)
        numbers = {name: values[rows] for name, values in data.numbers.items()}
        made = data._of(Built(data.names, states, codes, data._lasting, numbers))
        return made._of_rows(of_rows)
