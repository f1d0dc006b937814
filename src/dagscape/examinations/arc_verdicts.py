"""Every pair of variables: as drawn, and what the table says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from dagscape.claims.verdicts import word_of
from dagscape.graphs import Dag
from dagscape.posteriors.adjacencies import adjacencies
from dagscape.posteriors.probable_features import rank

if TYPE_CHECKING:
    from dagscape.graphs import Mpdag
    from dagscape.learning import LearnedEdge, LearnResult
    from dagscape.posteriors.adjacencies import Adjacency
    from dagscape.problem import Problem

Pair = tuple[str, str]

COLUMNS = {
    "from": pl.String,
    "to": pl.String,
    "drawn": pl.String,
    "told_by_data": pl.Boolean,
    "probability": pl.Float64,
    "direction": pl.Float64,
    "worth": pl.Float64,
    "verdict": pl.String,
    "reason": pl.String,
}


class Arc(NamedTuple):
    """A pair of variables; None where something was not asked or had."""

    a: str
    b: str
    """From the first to the second: as drawn, else as is more probable."""
    drawn: str
    """"directed", "undirected", or "" where the graph has no edge."""
    told_by_data: bool | None
    """Whether all networks equivalent to the drawn one have the arc in this direction."""
    probability: float | None
    direction: float | None
    """The probability of a → b, given that there is an edge."""
    worth: float | None
    """What the score gains by the arc, all others kept; negative where it loses."""
    verdict: str
    reason: str


def arcs_of(
    problem: Problem, graph: Dag | Mpdag, dag: Dag, learned: LearnResult
) -> tuple[Arc, ...]:
    """Return all pairs: those drawn, then the others, the most probable first."""
    known: dict[frozenset[str], Adjacency] = {}
    if learned.posterior is not None:
        known = {frozenset((each.a, each.b)): each for each in adjacencies(learned.posterior)}
    judged = {frozenset((edge.a, edge.b)): edge for edge in learned.edges}
    directed = dict.fromkeys(graph.arcs if isinstance(graph, Dag) else graph.directed, "directed")
    lines = {} if isinstance(graph, Dag) else dict.fromkeys(graph.undirected, "undirected")
    compelled = {*dag.to_cpdag().directed}
    worths = _Worths(problem, dag)
    names, found = problem.variables.in_engine_order(), []
    drawn = {frozenset(pair): (pair, how) for pair, how in (directed | lines).items()}
    for at, b in enumerate(names):
        for a in names[:at]:
            key = frozenset((a, b))
            row, edge = known.get(key), judged.get(key)
            forth = None if row is None else row.forth
            pair, how = drawn.get(key, ((a, b) if forth is None or forth >= 0.5 else (b, a), ""))
            verdict, reason = _called(row, edge)
            if forth is not None and pair != (a, b):
                forth = 1 - forth
            found.append(
                Arc(
                    *pair,
                    how,
                    None if how != "directed" else pair in compelled,
                    None if row is None else row.probability,
                    forth,
                    worths.of(pair),
                    verdict,
                    reason,
                )
            )
    return tuple(sorted(found, key=lambda arc: (not arc.drawn, rank(arc.probability), arc[:2])))


def _called(row: Adjacency | None, edge: LearnedEdge | None) -> tuple[str, str]:
    """Return the word for an edge, as learning has it, and why not a higher one."""
    if edge is not None:
        return edge.verdict, edge.reason
    return ("" if row is None else word_of(row.probability)), ""


class _Worths:
    """What single arcs are worth to a network."""

    def __init__(self, problem: Problem, dag: Dag) -> None:
        self._scorer, self._number = problem.scorer, problem.variables.number
        self._parents = {name: set(dag.parents(name)) for name in dag.names}
        self._above = {name: set(dag.ancestors(name)) for name in dag.names}
        self._own: dict[str, float] = {}

    def of(self, pair: Pair) -> float | None:
        """Return what an arc is worth: of one that is there, as it is; else in the better way."""
        ways = [(a, b) for a, b in (pair, pair[::-1]) if a in self._parents[b]]
        if ways:
            ((a, b),) = ways
            return self._local_of(b) - self._local(b, self._parents[b] - {a})
        open_ways = [(a, b) for a, b in (pair, pair[::-1]) if b not in self._above[a]]
        return max(self._local(b, self._parents[b] | {a}) - self._local_of(b) for a, b in open_ways)

    def _local_of(self, name: str) -> float:
        if name not in self._own:
            self._own[name] = self._local(name, self._parents[name])
        return self._own[name]

    def _local(self, name: str, parents: set[str]) -> float:
        return self._scorer.local(self._number(name), sorted(map(self._number, parents)))
