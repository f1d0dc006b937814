"""What is known about each pair of variables that some network joins.

An edge between a pair is coded 0 (none), 1 (first → second), 2 (second → first), 3 (undirected).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import dagscape as ds

Models: TypeAlias = "ds.Landscape | ds.Bootstrap"
Edges: TypeAlias = "dict[tuple[int, int], int]"
"""The code of the edge of each pair that has one; the first of the pair is the lower number."""

NONE, FORTH, BACK, UNDIRECTED = range(4)


@dataclass
class Pair:
    """Two variables, and what is known of an edge between them."""

    a: int
    b: int
    shares: tuple[float, float, float] | None = None
    """The shares of models with first → second, second → first, and an undirected edge."""
    found: int = NONE
    """The edge in the essential graph of the network found, and in that of the true one."""
    true: int = NONE
    drawn: int = NONE
    """The edge found, with the directions that knowledge gives."""
    required: bool = False
    """Whether knowledge requires an arc here."""
    arc: int = NONE
    """The arc in the member of the class that was found."""
    change: float | None = None
    """What the score changes by if the arc goes, or comes where there is none."""

    @property
    def strength(self) -> float:
        """The share of models in which the two are adjacent."""
        return min(1.0, sum(self.shares or ()))


def edges_of(graph: ds.Mpdag, names: Iterable[str]) -> Edges:
    """Return the edges of an essential graph, or of one with more directions."""
    number = {name: i for i, name in enumerate(names)}
    edges: Edges = {}
    for one, other in graph.directed:
        a, b = number[one], number[other]
        edges[min(a, b), max(a, b)] = FORTH if a < b else BACK
    for one, other in graph.undirected:
        a, b = sorted((number[one], number[other]))
        edges[a, b] = UNDIRECTED
    return edges


def changes_between(own: Edges, other: Edges) -> list[list[int]]:
    """Return the pairs whose edge differs, with the edge in either: none is 0."""
    return [
        [*pair, own.get(pair, NONE), other.get(pair, NONE)]
        for pair in sorted({*own, *other})
        if own.get(pair) != other.get(pair)
    ]


def shares_of(
    models: Models, names: Iterable[str], weights: str | None
) -> dict[tuple[int, int], tuple[float, float, float]]:
    """Return the shares of models with each kind of edge, by pair."""
    number = {name: i for i, name in enumerate(names)}
    rows = models.features("edges", weights=weights, frame="dict")
    shares: dict[tuple[int, int], list[float]] = {}
    for one, other, kind, share in zip(
        rows["from"], rows["to"], rows["kind"], rows["confidence"], strict=True
    ):
        a, b = number[one], number[other]
        which = 2 if kind == "undirected" else int(a > b)
        shares.setdefault((min(a, b), max(a, b)), [0.0, 0.0, 0.0])[which] += share
    return {pair: (some[0], some[1], some[2]) for pair, some in shares.items() if any(some)}


def pairs_of(
    dag: ds.Dag,
    models: Models | None,
    truth: ds.Cpdag | None,
    weights: str | None,
    known: ds.Mpdag | None = None,
    required: Iterable[tuple[str, str]] = (),
    more: Iterable[tuple[int, int]] = (),
) -> list[Pair]:
    """Return the pairs that the network, a model or the truth joins, the strongest first.

    ``known`` is the essential graph of the network with what knowledge says of directions; ``more``
    are further pairs, by number.
    """
    names = dag.names
    found = edges_of(dag.to_cpdag(), names)
    drawn = found if known is None else edges_of(known, names)
    wanted = {frozenset(pair) for pair in required}
    true = {} if truth is None else edges_of(truth, names)
    number = {name: i for i, name in enumerate(names)}
    arcs = {(number[a], number[b]) for a, b in dag.arcs}
    shares = {} if models is None else shares_of(models, names, weights)
    pairs = [
        Pair(
            a,
            b,
            None if models is None else shares.get((a, b), (0.0, 0.0, 0.0)),
            found.get((a, b), NONE),
            true.get((a, b), NONE),
            drawn.get((a, b), NONE),
            frozenset((names[a], names[b])) in wanted,
            FORTH if (a, b) in arcs else BACK if (b, a) in arcs else NONE,
        )
        for a, b in {*found, *true, *shares, *((min(pair), max(pair)) for pair in more)}
    ]
    return sorted(pairs, key=lambda pair: (-pair.strength, pair.a, pair.b))


def add_changes(pairs: Sequence[Pair], result: ds.Result, data: ds.Data) -> None:
    """Find what the score changes by if an arc is removed, or added where there is none.

    One that comes takes the better direction of those that close no cycle.
    """
    score = score_of(result, data)
    if score is None:
        return
    dag = result.dag
    names = dag.names
    problem = ds.Problem(data, score=score)
    before = {name: ds.local_score(problem, name, dag.parents(name)) for name in names}
    given = data.rows.given
    above = _above(dag, [(names[pair.a], names[pair.b]) for pair in pairs if pair.arc == NONE])

    def gain(start: str, end: str) -> float:
        return ds.local_score(problem, end, [*dag.parents(end), start]) - before[end]

    for pair in pairs:
        one, other = names[pair.a], names[pair.b]
        if pair.arc == NONE:
            ways = [(one, other), (other, one)]
            gains = [gain(s, e) for s, e in ways if (e, s) not in above and e not in given]
            pair.change = max(gains, default=None)
            continue
        start, end = (one, other) if pair.arc == FORTH else (other, one)
        fewer = [name for name in dag.parents(end) if name != start]
        pair.change = ds.local_score(problem, end, fewer) - before[end]


def _above(dag: ds.Dag, pairs: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return the pairs, either way round, of which the first has a path to the second."""
    place = {name: i for i, name in enumerate(dag.topological_order())}
    after: dict[str, list[str]] = {}
    for pair in pairs:
        first, last = sorted(pair, key=place.__getitem__)
        after.setdefault(first, []).append(last)
    found = set()
    for first, others in after.items():
        below = frozenset(dag.descendants(first))
        found |= {(first, last) for last in others if last in below}
    return found


def score_of(result: ds.Result, data: ds.Data) -> ds.Score | None:
    """Return the score of a result, None for one that is not ours.

    Refuses data on which the network scores otherwise than the result says.
    """
    score = result.score_kind
    if score is None:
        return None
    own = ds.score(data, result.dag, score=score)
    if abs(own - result.score) > 1e-6 * max(1.0, abs(result.score)):
        raise ds.ParameterError(
            f"the data are not those of the result: its network scores {own:.4f} on them, "
            f"and the result says {result.score:.4f} ({result.score_name})"
        )
    return score
