"""What there is to say of a drawn network, slow and plain: from the definitions, over all networks.

A network is a set of arcs over 0, 1, ...; `total` gives its score.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from oracles.graphs import (
    Graph,
    all_dags,
    d_separated,
    essential_graph,
    is_acyclic,
    skeleton,
)

Total = Callable[[Graph], float]
Statement = tuple[int, int, frozenset[int]]


def absent(n: int, dag: Graph) -> list[tuple[int, int]]:
    """Return the pairs that no arc joins."""
    joined = skeleton(dag)
    return [pair for pair in itertools.combinations(range(n), 2) if pair not in joined]


def minimal(dag: Graph, a: int, b: int, given: frozenset[int]) -> bool:
    """Tell whether a set separates two variables, and no part of it does."""
    parts = (set(p) for k in range(len(given)) for p in itertools.combinations(given, k))
    return d_separated(dag, a, b, given) and not any(d_separated(dag, a, b, p) for p in parts)


def regret(n: int, dag: Graph, total: Total) -> float:
    """Return how much less than the best of all networks one scores."""
    return max(map(total, all_dags(n))) - total(dag)


def worth(dag: Graph, a: int, b: int, total: Total) -> float:
    """Return what an arc between two variables is worth: as it is there, or in the better way."""
    there = [arc for arc in ((a, b), (b, a)) if arc in dag]
    if there:
        return total(dag) - total(dag - set(there))
    ways = [dag | {arc} for arc in ((a, b), (b, a)) if is_acyclic(dag | {arc})]
    return max(map(total, ways)) - total(dag)


def changes(n: int, dag: Graph) -> Iterator[tuple[str, tuple[int, int], Graph]]:
    """Yield every change of one arc that leaves no cycle."""
    for a, b in itertools.permutations(range(n), 2):
        if (a, b) in dag:
            yield "remove", (a, b), dag - {(a, b)}
        elif (b, a) in dag:
            yield "reverse", (a, b), dag - {(b, a)} | {(a, b)}
        else:
            yield "add", (a, b), dag | {(a, b)}


def mends(n: int, dag: Graph, said: Statement, total: Total) -> list[tuple[float, str]]:
    """Return what changes gain after which two variables are no longer said to be independent.

    The two are joined, or any arc is reversed.
    """
    a, b, given = said
    return [
        (total(new) - total(dag), kind)
        for kind, arc, new in changes(n, dag)
        if kind == "reverse" or (kind == "add" and {*arc} == {a, b})
        if is_acyclic(new) and not d_separated(new, a, b, given)
    ]


def hamming(n: int, one: Graph, other: Graph) -> int:
    """Return in how many pairs two essential graphs differ."""
    first, second = essential_graph(one), essential_graph(other)
    return sum(
        any(((x, y) in first) != ((x, y) in second) for x, y in ((a, b), (b, a)))
        for a, b in itertools.combinations(range(n), 2)
    )


def nearest(n: int, dag: Graph, total: Total, within: float) -> int:
    """Return the least distance of a class that scores nearly as high as the best."""
    most = max(map(total, all_dags(n)))
    return min(hamming(n, dag, other) for other in all_dags(n) if total(other) >= most - within)


def relabelings(n: int, dag: Graph, total: Total) -> tuple[int, int]:
    """Return of all relabelings but the same one how many are equivalent, and how many do as well.

    The latter of those that are not equivalent.
    """
    same = good = 0
    for order in itertools.permutations(range(n)):
        if order == tuple(range(n)):
            continue
        other = frozenset((order[a], order[b]) for a, b in dag)
        if essential_graph(other) == essential_graph(dag):
            same += 1
        else:
            good += total(other) >= total(dag) - 1e-7
    return same, good


def holm(ps: list[float]) -> list[float]:
    """Return probabilities corrected for their number, by the definition of the adjusted ones."""
    ordered = sorted(ps)
    return [max(min(1.0, (len(ps) - k) * q) for k, q in enumerate(ordered) if q <= p) for p in ps]
