"""Edges of two results: how they differ, and how probable either calls them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from dagscape.claims.verdicts import TRUST_LEVELS, word_of
from dagscape.learning import LearnResult
from dagscape.posteriors.adjacencies import adjacencies

if TYPE_CHECKING:
    from dagscape.graphs import Mpdag
    from dagscape.posteriors.adjacencies import Adjacency
    from dagscape.results import Result

COLUMNS = {
    "a": pl.String,
    "b": pl.String,
    "first": pl.String,
    "second": pl.String,
    "probability_first": pl.Float64,
    "probability_second": pl.Float64,
    "verdict_first": pl.String,
    "verdict_second": pl.String,
    "matters": pl.Boolean,
}
LIKELY = TRUST_LEVELS["likely"]
EVEN = 0.5


class EdgeChange(NamedTuple):
    """A pair of variables in two results; None where a result has no probabilities."""

    a: str
    b: str
    first: str
    """"a -> b", "a <- b", "a - b", or "" where the network does not join them."""
    second: str
    probability_first: float | None
    probability_second: float | None
    verdict_first: str
    verdict_second: str
    matters: bool | None
    """Whether one calls the edge likely and the other calls none more probable than one."""


def edges_of(first: Result, second: Result) -> tuple[EdgeChange, ...]:
    """Return the pairs that a network joins, or that one calls likely: what differs most first."""
    drawn = _drawn(first.mpdag), _drawn(second.mpdag)
    known = _probabilities(first), _probabilities(second)
    likely = {pair for each in known for pair, row in each.items() if row.probability >= LIKELY}
    found = []
    for pair in {*drawn[0], *drawn[1], *likely}:
        a, b = sorted(pair)
        shares = _probability(known[0], pair), _probability(known[1], pair)
        words = _word(shares[0]), _word(shares[1])
        one, other = (_marks(each.get(pair), a, b) for each in drawn)
        found.append(EdgeChange(a, b, one, other, *shares, *words, _matters(*shares)))
    return tuple(sorted(found, key=_order))


def _probability(known: dict[frozenset[str], Adjacency], pair: frozenset[str]) -> float | None:
    return known[pair].probability if pair in known else None


def _word(probability: float | None) -> str:
    return "" if probability is None else word_of(probability)


def _matters(one: float | None, other: float | None) -> bool | None:
    if one is None or other is None:
        return None
    return max(one, other) >= LIKELY and min(one, other) < EVEN


def _order(edge: EdgeChange) -> tuple[bool, bool, float, str, str]:
    one, other = edge.probability_first, edge.probability_second
    apart = 0.0 if one is None or other is None else abs(one - other)
    return not edge.matters, edge.first == edge.second, -apart, edge.a, edge.b


def _drawn(graph: Mpdag) -> dict[frozenset[str], tuple[str, str, str]]:
    edges = {frozenset(pair): (*pair, "->") for pair in graph.directed}
    return edges | {frozenset(pair): (*pair, "-") for pair in graph.undirected}


def _marks(edge: tuple[str, str, str] | None, a: str, b: str) -> str:
    if edge is None:
        return ""
    start, _, mark = edge
    return f"{a} {mark if mark == '-' or start == a else '<-'} {b}"


def _probabilities(result: Result) -> dict[frozenset[str], Adjacency]:
    if not isinstance(result, LearnResult) or result.posterior is None:
        return {}
    return {frozenset((row.a, row.b)): row for row in adjacencies(result.posterior)}
