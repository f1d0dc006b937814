"""Rows counted by groups of columns: one, two or three columns at a time.

A column of many states has groups for those that are most frequent, and one for the others; a
column of numbers is cut at quantiles of the table. Alone, its smallest and its largest number are
cuts as well, beyond which the table has no row and a network may make many.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dagscape.words import counted

if TYPE_CHECKING:
    from dagscape.data import Data

Counts = NDArray[np.float64]
Set = tuple[str, ...]
"""Columns by name."""

MOST_GROUPS = 5
"""States of a column that are told apart beside others, the others together included."""
MOST_ALONE = 12
"""The same of a column alone."""
QUARTERS = (0.25, 0.5, 0.75)
ENDS = (0.0, 0.05, *QUARTERS, 0.95, 1.0)


class ColumnGroups(ABC):
    """How the values of one column are put into groups."""

    words: tuple[str, ...]
    """What is said of a row in each group."""

    @abstractmethod
    def of(self, column: NDArray[Any]) -> NDArray[np.intp]:
        """Return the group of each row."""


class StateGroups(ColumnGroups):
    """The most frequent states, and all others together."""

    def __init__(self, name: str, states: Sequence[str], counts: NDArray[np.intp], most: int):
        order = np.argsort(-counts, kind="stable")
        own = order if len(states) <= most else order[: most - 1]
        rest = len(states) - len(own)
        self._group = np.full(len(states), len(own), dtype=np.intp)
        self._group[own] = np.arange(len(own))
        self.words = tuple(f"{name} = {states[at]}" for at in own)
        if rest:
            self.words += (f"{name} one of {counted(rest, 'other state')}",)

    def of(self, column: NDArray[Any]) -> NDArray[np.intp]:
        """Return the group of each row."""
        return self._group[column.astype(np.intp)]


class NumberGroups(ColumnGroups):
    """Numbers between cuts; a cut belongs to what is below it, the first one to what is above."""

    def __init__(self, name: str, values: NDArray[np.float64], shares: Sequence[float]):
        cuts = np.unique(np.quantile(values, shares))
        self._below = float(cuts[0]) if shares[0] == 0.0 else None
        self._cuts = cuts[1:] if self._below is not None and len(cuts) > 1 else cuts
        said = [f"{cut:.3g}" for cut in self._cuts]
        first = "" if self._below is None else f" from {self._below:.3g}"
        inner = [f"{name} from {a} to {b}" for a, b in pairwise(said)]
        self.words = (f"{name}{first} up to {said[0]}".strip(), *inner, f"{name} above {said[-1]}")
        if self._below is not None:
            self.words += (f"{name} below {self._below:.3g}",)

    def of(self, column: NDArray[Any]) -> NDArray[np.intp]:
        """Return the group of each row."""
        found = np.searchsorted(self._cuts, column, side="left")
        if self._below is not None:
            found[column < self._below] = len(self._cuts) + 1
        return found


def groups_of(data: Data, name: str, *, alone: bool) -> ColumnGroups:
    """Return the groups of a column, by what the table has."""
    if name in data.numbers:
        return NumberGroups(name, data.numbers[name], ENDS if alone else QUARTERS)
    counts = np.array([*data.counts(name).values()])
    return StateGroups(name, data.states[name], counts, MOST_ALONE if alone else MOST_GROUPS)


class Counting:
    """Counts the rows of tables like one table by the groups that this one has."""

    def __init__(self, data: Data, sets: Sequence[Set]) -> None:
        self.sets = tuple(sets)
        size = len(sets[0])
        names = sorted({name for each in sets for name in each})
        self.groups = {name: groups_of(data, name, alone=size == 1) for name in names}
        self._width = max(len(each.words) for each in self.groups.values())
        self._shape = (len(sets), *[self._width] * size)

    def counts(self, data: Data) -> Counts:
        """Return for each set how many rows are in each combination of groups."""
        own = {name: each.of(data.column(name)) for name, each in self.groups.items()}
        width, cells = self._width, self._width ** (len(self._shape) - 1)
        found = np.empty((len(self.sets), cells))
        for at, (first, *others) in enumerate(self.sets):
            codes = own[first]
            for name in others:
                codes = codes * width + own[name]
            found[at] = np.bincount(codes, minlength=cells)
        return found.reshape(self._shape)

    def words(self, at: int, cell: tuple[int, ...]) -> tuple[str, ...]:
        """Return what is said of the rows in a combination of groups."""
        return tuple(self.groups[x].words[k] for x, k in zip(self.sets[at], cell, strict=True))

    def rows_in(self, data: Data, at: int, cell: tuple[int, ...]) -> NDArray[np.bool_]:
        """Tell which rows of a table are in a combination of groups."""
        inside = np.ones(data.n_rows, dtype=bool)
        for name, group in zip(self.sets[at], cell, strict=True):
            inside &= self.groups[name].of(data.column(name)) == group
        return inside


def raked(base: Counts, counts: Counts, rounds: int = 3) -> Counts:
    """Return counts like others, brought near the totals of a table over all but one column.

    What the table has of each column (each pair of columns, where there are three) is then no
    difference any more; only what is beyond it is (iterative proportional fitting, a few rounds).
    """
    inside = tuple(range(1, counts.ndim))
    fitted = base * _ratio(counts.sum(inside, keepdims=True), base.sum(inside, keepdims=True))
    if len(inside) == 1:
        return fitted
    for _ in range(rounds):
        for axis in inside:
            wanted = counts.sum(axis, keepdims=True)
            fitted = fitted * _ratio(wanted, fitted.sum(axis, keepdims=True))
    return fitted


def _ratio(wanted: Counts, had: Counts) -> Counts:
    return np.divide(wanted, had, out=np.ones_like(had), where=had > 0)


def deviances(counts: Counts, expected: Counts) -> Counts:
    """Return for each cell, with the sign of the difference, how surprising its count is.

    The signed square root of 2 (k ln(k / e) - (k - e)), about a standard normal of counts that are
    as often as expected.
    """
    logs = np.log(np.divide(counts, expected, out=np.ones_like(counts), where=counts > 0))
    twice = 2 * (counts * logs - (counts - expected))
    return np.asarray(np.sign(counts - expected) * np.sqrt(np.maximum(0.0, twice)))
