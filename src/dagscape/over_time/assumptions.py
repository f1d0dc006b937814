"""What a network over time takes for granted, and what the table says of it.

Its parameters stay the same, no trend is left, and the lags are all the memory there is. Each is
asked of every series alone: whether two halves of the time with parameters of their own score
higher; and whether what the network does not foretell goes up or down with time, or follows from
what it did not foretell one step before.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dagscape.networks.fit import fit
from dagscape.networks.nodes import GaussianNode
from dagscape.networks.nodes.node import row_of, split
from dagscape.scores import as_score
from dagscape.scoring import local_score
from dagscape.words import first_of

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.graphs import Dag
    from dagscape.networks.network import Network
    from dagscape.scores import Score

Floats = NDArray[np.float64]

CLEAR = 3.0
"""Nats by which two halves must score higher together."""

LEVEL = 0.01
"""Of all tests of a kind together: so seldom does one speak where nothing is."""

LEAST_ROWS = 20
NAMED = 6


@dataclass(frozen=True)
class Assumption:
    """What is taken for granted, and where the table says otherwise."""

    kind: str
    """"stays": parameters stay the same; "trend": none is left; "memory": none beyond the lags."""
    tested: int
    """How many series were looked at."""
    fails: tuple[str, ...]
    """Those in which it does not hold, the clearest first."""

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against it."""
        return not self.fails

    def __str__(self) -> str:
        said, but = WORDS[self.kind]
        if self.holds:
            return f"{said}: nothing speaks against it in {self.tested:,} series"
        return f"{said}: not in {first_of(list(self.fails), NAMED)}, {but}"


WORDS = {
    "stays": (
        "parameters stay the same over time",
        "where the first and the second half of the steps score higher with parameters of their "
        "own: look at parts of the time, or add a known column that tells them apart",
    ),
    "trend": (
        "no trend is left beside the parents",
        "which goes up or down with time beyond what its parents say: take the trend away first, "
        "or arcs may only say that series share it",
    ),
    "memory": (
        "the lags are all the memory there is",
        "of which something follows from what was not foretold one step before: try more lags, or "
        "something outside the table has a memory",
    ),
}


def check_assumptions(data: Data, dag: Dag, score: Score) -> tuple[Assumption, ...]:
    """Return what a table of series says of what its network takes for granted."""
    series = data.rows.series
    if series is None or data.n_rows < LEAST_ROWS:
        return ()
    names = [x for x in dag.names if x in series.variables]
    left = _left_over(fit(dag, data), data, names)
    return (
        Assumption("stays", len(names), tuple(_changing(data, dag, score, names))),
        Assumption("trend", len(names), tuple(_trending(data, left))),
        Assumption("memory", len(names), tuple(_remembering(data, left))),
    )


def _changing(data: Data, dag: Dag, score: Score, names: list[str]) -> Iterator[str]:
    series = data.rows.series
    assert series is not None  # noqa: S101
    late = np.zeros(data.n_rows, dtype=np.bool_)
    for code in range(len(series.labels)):
        own = np.flatnonzero(series.codes == code)
        late[own] = series.steps[own] > np.median(series.steps[own])
    if late.sum() < LEAST_ROWS / 2:
        return
    halves = [data.take(np.flatnonzero(part)) for part in (~late, late)]
    alone = as_score(score.base, "uniform")  # the arcs are the same: no prior counts twice
    gains = {}
    for x in names:
        parents = dag.parents(x)
        whole = local_score(data, x, parents, score=alone)
        gains[x] = sum(local_score(half, x, parents, score=alone) for half in halves) - whole
    need = CLEAR + math.log(max(1, len(names)))
    yield from (x for x in sorted(gains, key=lambda x: -gains[x]) if gains[x] > need)


def expected(network: Network, x: str, data: Data) -> Floats:
    """Return what parents say of a variable in each row: a mean, or each state's probability."""
    above = [data.column(p) for p in network.dag.parents(x)]
    node = network.node(x)
    if not isinstance(node, GaussianNode):
        states = range(len(network.states[x]))
        full = [np.full(data.n_rows, state) for state in states]
        return np.exp(np.column_stack([node.log_density(codes, above) for codes in full]))
    discrete, floats = split(above)
    row = row_of(discrete, node.mean.shape)
    mean = np.broadcast_to(node.mean.reshape(-1)[row], (data.n_rows,))
    if floats:
        slopes = node.slopes.reshape(-1, len(floats))[row]
        mean = mean + ((np.column_stack(floats) - node.centers) * slopes).sum(axis=-1)
    return mean[:, None]


def _left_over(network: Network, data: Data, names: list[str]) -> dict[str, Floats]:
    """Return what the network does not foretell: the residuals of each variable, with mean 0."""
    found = {}
    for x in names:
        values = data.column(x)
        if x in data.numbers:
            values = values[:, None]
        else:
            values = np.equal.outer(values, np.arange(len(data.states[x]))).astype(np.float64)
        left = values - expected(network, x, data)
        found[x] = left - left.mean(axis=0)
    return found


def _trending(data: Data, left: dict[str, Floats]) -> Iterator[str]:
    series = data.rows.series
    assert series is not None  # noqa: S101
    time = series.steps.astype(np.float64)
    for code in range(len(series.labels)):
        own = series.codes == code
        time[own] -= time[own].mean()
    yield from _clear(
        {x: [_correlation(column, time) for column in own.T] for x, own in left.items()}, len(time)
    )


def _remembering(data: Data, left: dict[str, Floats]) -> Iterator[str]:
    series = data.rows.series
    assert series is not None  # noqa: S101
    order = np.lexsort((series.steps, series.codes))
    one, two = order[:-1], order[1:]
    next_ = (series.codes[one] == series.codes[two]) & (series.steps[two] - series.steps[one] == 1)
    one, two = one[next_], two[next_]
    if len(one) < LEAST_ROWS:
        return
    before = [column[one] for own in left.values() for column in own.T]
    yield from _clear(
        {
            x: [_correlation(column[two], other) for column in own.T for other in before]
            for x, own in left.items()
        },
        len(one),
    )


def _correlation(a: Floats, b: Floats) -> float:
    a, b = a - a.mean(), b - b.mean()
    spread = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / spread if spread > 0 else 0.0


def _clear(correlations: dict[str, list[float]], rows: int) -> Iterator[str]:
    """Yield those with a correlation that chance would hardly bring, of all that were looked at."""
    most = {x: max(map(abs, found), default=0.0) for x, found in correlations.items()}
    tests = sum(map(len, correlations.values()))
    for x in sorted(most, key=lambda x: -most[x]):
        if tests * math.erfc(most[x] * math.sqrt(rows / 2)) < LEVEL:
            yield x
