"""The class of networks that is nearest to all others, in the mean over their probabilities."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import permutations
from typing import Any, TypeAlias, TypeVar

import numpy as np

from dagscape import _core
from dagscape.errors import GraphError
from dagscape.graphs import Cpdag, Mpdag
from dagscape.posteriors.pieces import Networks, Table
from dagscape.variables import Variables

MOST_STARTS = 200
"""Of the most probable classes, so many are looked at, and the nearest of them is improved."""

MOST_VARIABLES = 64
"""Beyond this, classes are compared and none is improved."""

SAME = 1e-9
"""Mean distances that differ by less are the same."""


class ConsensusGraph:
    """A graph with its mean distance to all networks; see :meth:`Posterior.consensus`."""

    __slots__ = ()
    _bound: float
    _error: float
    _expected: float

    @property
    def expected_shd(self) -> float:
        """The mean distance."""
        return self._expected

    @property
    def error(self) -> float:
        """The mean distance is off by no more than this, 19 times in 20.

        0 up to five variables, where all networks are listed; otherwise they were drawn, by chains
        or not, and the error comes from how far chains, resamples or parts of the draws differ.
        Infinite where one chain has nothing to be compared with.
        """
        return self._error

    @property
    def bound(self) -> float:
        """No class has a mean distance below this: each pair in its most probable state."""
        return self._bound

    @property
    def optimal(self) -> bool:
        """Whether no class is nearer, which is known where the mean distance is the bound."""
        return self._expected <= self._bound + SAME


class Consensus(ConsensusGraph, Cpdag):
    """An essential graph with its mean distance to all networks; see :meth:`Posterior.consensus`.

    Equal to any graph with the same edges.
    """

    __slots__ = ("_bound", "_error", "_expected")

    def __reduce__(self) -> tuple[Any, ...]:
        return _reduced(self, Cpdag)


class ConsensusOfExperiments(ConsensusGraph, Mpdag):
    """The same where experiments tell more directions than an essential graph of all rows has."""

    __slots__ = ("_bound", "_error", "_expected")

    def __reduce__(self) -> tuple[Any, ...]:
        return _reduced(self, Mpdag)


@dataclass(frozen=True)
class PairStates:
    """For each pair of variables, the probability of its four states in the essential graph."""

    absent: Table
    """Symmetric."""
    directed: Table
    """From the row to the column."""
    undirected: Table
    """Symmetric."""
    balance: float = 0.5
    """What a false edge weighs, of what it and a missing one weigh together; one with another
    direction weighs 1/2. So 1/2 gives the distance between graphs."""

    @classmethod
    def of(cls, classes: Networks) -> PairStates:
        """Count them in classes with their probabilities."""
        directed, undirected = classes.having("directed"), classes.having("undirected")
        undirected = undirected + undirected.T
        return cls(1 - directed - directed.T - undirected, directed, undirected)

    def given(self, arcs: Table) -> PairStates:
        """Return the same with the presence of edges from sums, which are more exact than draws.

        Draws then only tell how an edge that is there is directed; where none has it, its arcs do.
        """
        drawn, present = 1 - self.absent, arcs + arcs.T
        scale = np.divide(present, drawn, out=np.zeros_like(drawn), where=drawn > SAME)
        directed = np.where(drawn > SAME, self.directed * scale, arcs)
        return PairStates(1 - present, directed, self.undirected * scale, self.balance)

    def expected(self, graph: _core.Pdag) -> float:
        """Return the mean distance of a graph: by balance 1/2, Σ over pairs of 1 − P(its state)."""
        left_out, joined = self._left_out, self._joined
        distance = float(np.triu(left_out, 1).sum())
        for a, b in graph.directed:
            distance += joined[a, b] - self.directed[a, b] - left_out[a, b]
        for a, b in graph.undirected:
            distance += joined[a, b] - self.undirected[a, b] - left_out[a, b]
        return float(distance)

    @property
    def _left_out(self) -> Table:
        """What it costs on average that a graph lacks an edge."""
        costs: Table = 2 * (1 - self.balance) * (1 - self.absent)
        return costs

    @property
    def _joined(self) -> Table:
        """What it costs that a graph has it, if its direction is never that of the networks."""
        costs: Table = 2 * self.balance * self.absent + 1 - self.absent
        return costs

    @property
    def bound(self) -> float:
        """The mean distance if each pair had its most probable state, class or not."""
        likeliest = np.maximum(np.maximum(self.directed, self.directed.T), self.undirected)
        least = np.minimum(self._left_out, self._joined - likeliest)
        return float(np.triu(least, 1).sum())

    def by_arcs(self, kinds: Sequence[int] = ()) -> _core.Pdag:
        """Return the class of a network of probable arcs, taken greedily as cycles allow."""
        n = len(self.absent)
        chance = self.directed + self.undirected / 2
        worth = self.absent < 1 - self.balance
        pairs = ((a, b) for a, b in permutations(range(n), 2) if worth[a, b])
        below = np.eye(n, dtype=bool)  # from the row, the column can be reached
        arcs: set[tuple[int, int]] = set()
        for _, a, b in sorted((-chance[a, b], a, b) for a, b in pairs):
            if not below[b, a] and (b, a) not in arcs:
                arcs.add((a, b))
                below |= np.outer(below[:, a], below[b])
        return _core.Dag(n, sorted(arcs)).essential_graph(kinds)


def find_consensus(
    variables: Variables,
    states: PairStates,
    classes: Networks,
    error: Callable[[_core.Pdag], float],
    kinds: Sequence[int] = (),
) -> AnyConsensus:
    """Take the nearest of some classes, and move on to a nearer neighbor while there is one.

    Parameters
    ----------
    error
        Tells how far the mean distance of a class may be off.
    kinds
        Of variables, where experiments make classes smaller: see :func:`kinds_in`.
    """
    best, least = _nearest(states, _starts(states, classes, kinds))
    while len(variables) <= MOST_VARIABLES:
        neighbors = _around(best, kinds) if kinds else _core.neighboring_classes(best)
        nearest, distance = _nearest(states, [best, *neighbors])
        if distance >= least - SAME:
            break
        best, least = nearest, distance
    numbers = (least, states.bound, error(best))
    if kinds:
        return _made(ConsensusOfExperiments._wrap(variables, best), *numbers)
    return _made(Consensus._wrap(variables, best), *numbers)


def _around(graph: _core.Pdag, kinds: Sequence[int]) -> list[_core.Pdag]:
    """Return the classes reached by adding, removing or turning an arc in one of the class."""
    dag = graph.consistent_extension()
    if dag is None:
        return []
    arcs, found = {*dag.arcs}, []
    for a, b in permutations(range(graph.variables), 2):
        if (a, b) in arcs:
            changed = [arcs - {(a, b)}, arcs - {(a, b)} | {(b, a)}]
        elif (b, a) not in arcs:
            changed = [arcs | {(a, b)}]
        else:
            continue
        for one in changed:
            with suppress(GraphError):  # a cycle
                found.append(_core.Dag(graph.variables, sorted(one)).essential_graph(kinds))
    return found


def _starts(states: PairStates, classes: Networks, kinds: Sequence[int]) -> Iterator[_core.Pdag]:
    yield states.by_arcs(kinds)
    yield _core.Pdag(classes.variables, [], [])
    ranked = zip(-classes.weights, classes.codes, strict=True)
    for _, code in heapq.nsmallest(MOST_STARTS, ranked):
        yield _core.decode_graph(classes.variables, code)


def _nearest(states: PairStates, graphs: Iterable[_core.Pdag]) -> tuple[_core.Pdag, float]:
    """Return the nearest; of those that are as near, the first by code."""
    measured = [(states.expected(graph), graph) for graph in graphs]
    least = min(distance for distance, _ in measured)
    near = [pair for pair in measured if pair[0] <= least + SAME]
    distance, graph = min(near, key=lambda pair: _core.encode_graph(pair[1]))
    return graph, distance


AnyConsensus: TypeAlias = Consensus | ConsensusOfExperiments
Made = TypeVar("Made", Consensus, ConsensusOfExperiments)


def _made(made: Made, expected: float, bound: float, error: float) -> Made:
    made._expected, made._bound, made._error = expected, min(bound, expected), error
    return made


def _reduced(graph: AnyConsensus, plain: type[Mpdag]) -> tuple[Any, ...]:
    same = plain(graph.names, graph.directed, graph.undirected)
    return _again, (type(graph), same, graph._expected, graph._bound, graph._error)


def _again(kind: type[Made], graph: Mpdag, expected: float, bound: float, error: float) -> Made:
    return _made(kind._wrap(graph._variables, graph._graph), expected, bound, error)
