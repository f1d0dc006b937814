"""The probability of new rows, averaged over networks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dagscape import _core
from dagscape.data.contents import stored_codes
from dagscape.errors import DataError
from dagscape.networks.network import codes_by_label
from dagscape.posteriors.estimates import Estimates
from dagscape.posteriors.pieces import Networks
from dagscape.scores import Score

if TYPE_CHECKING:
    from dagscape.data import Data

TOGETHER = 4_000_000
"""Numbers that are added up at once."""


def predicted(
    estimates: Estimates, data: Data, test: Data, score: Score, *, error: bool
) -> NDArray[np.float64]:
    """Return ln P(row | data) for each row, and in a second row how far these may be off."""
    if data.numbers:
        raise DataError(
            f'column "{next(iter(data.numbers))}" holds numbers, and predictive is for states '
            "alone; of one network, ds.fit(dag, data).log_likelihood(rows) tells it"
        )
    mean = log_predictive(data, test, estimates.networks, score)
    if not error:
        return mean

    def beside_mean(networks: Networks) -> NDArray[np.float64]:
        return np.exp(log_predictive(data, test, networks, score) - mean)

    return np.stack([mean, np.log1p(estimates.error_of_mean(beside_mean))])


def log_predictive(data: Data, test: Data, networks: Networks, score: Score) -> NDArray[np.float64]:
    """Return ln Σ_G P(G) Π_v P(value of v | values of its parents, G, data) for each row.

    Given a network, the probability of a row is the product of the means of its parameters: no
    parameter has a part in two factors of it.
    """
    families = Families(data, test, score)
    n = data.n_variables
    chosen = np.array([families.of_network(code) for code in networks.codes])
    logs = families.logs()
    total = np.full(test.n_rows, -math.inf)
    step = max(1, TOGETHER // max(1, n * test.n_rows))
    for first in range(0, len(chosen), step):
        some = chosen[first : first + step]
        with np.errstate(divide="ignore"):
            weights = np.log(networks.weights[first : first + step])
        rows = logs[some].sum(axis=1) + weights[:, None]
        total = np.logaddexp(total, np.logaddexp.reduce(rows, axis=0))
    return total


class Families:
    """How likely the test rows' values are, for every child with its parents that is asked for."""

    def __init__(self, data: Data, test: Data, score: Score) -> None:
        variables = data.variables
        self._names = variables.in_engine_order()
        self._arities = [data.arities[name] for name in self._names]
        self._rows = np.stack([stored_codes(data, name) for name in self._names], axis=1)
        self._each = data.rows.each
        self._test = np.stack(
            [codes_by_label(name, data.states[name], test) for name in self._names], axis=1
        ).astype(np.int64)
        self._score = score.base
        self._numbers: dict[tuple[int, tuple[int, ...]], int] = {}
        self._logs: list[NDArray[np.float64]] = []

    def of_network(self, code: bytes) -> list[int]:
        """Return the number of the family of each variable."""
        parents: list[list[int]] = [[] for _ in self._names]
        for a, b in _core.decode_graph(len(self._names), code).directed:
            parents[b].append(a)
        return [self._number(v, tuple(given)) for v, given in enumerate(parents)]

    def logs(self) -> NDArray[np.float64]:
        """Return the log probability of each test row's value, a family to a line."""
        return np.stack(self._logs)

    def _number(self, child: int, parents: tuple[int, ...]) -> int:
        key = (child, parents)
        if key not in self._numbers:
            self._numbers[key] = len(self._logs)
            self._logs.append(self._log_mean(child, parents))
        return self._numbers[key]

    def _log_mean(self, child: int, parents: tuple[int, ...]) -> NDArray[np.float64]:
        """Return the log of the posterior mean of the parameter that each test row meets."""
        above, above_test = self._cells(parents, self._rows), self._cells(parents, self._test)
        states = self._arities[child]
        cells = above * states + self._rows[:, child]
        cells_test = above_test * states + self._test[:, child]
        members = (child, *parents)
        values, counts = _counted(cells, self._each)
        size = math.prod(self._arities[v] for v in members)
        cell_prior = self._score.imagined(counts, size, len(members))
        seen = _wanted(values, counts, cells_test) + cell_prior
        known = _wanted(*_counted(above, self._each), above_test)
        return np.log(seen / (known + cell_prior * states))

    def _cells(self, members: tuple[int, ...], rows: NDArray[np.int64]) -> NDArray[np.int64]:
        cells = np.zeros(len(rows), dtype=np.int64)
        for v in members:
            cells = cells * self._arities[v] + rows[:, v]
        return cells


def _counted(
    cells: NDArray[np.int64], each: NDArray[np.float64] | None
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the cells that occur, and how often, each row as often as it counts."""
    values, places = np.unique(cells, return_inverse=True)
    return values, np.bincount(places.reshape(-1), each).astype(np.float64)


def _wanted(
    values: NDArray[np.int64], counts: NDArray[np.float64], wanted: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return how often each wanted cell occurs."""
    at = np.minimum(np.searchsorted(values, wanted), len(values) - 1)
    return np.where(values[at] == wanted, counts[at], 0.0)
