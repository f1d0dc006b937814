"""Ancestral graphs by brute force, from the definitions.

A graph gives the two marks of each of its pairs: {(a, b): (mark at a, mark at b)} with a < b, marks
"tail" and "head". All graphs over a few nodes are listed, put together by their separations, and
what all of a class share is its PAG.

Sources
-------
Richardson and Spirtes, Ancestral graph Markov models, 2002; Zhang, Causal reasoning with ancestral
graphs, JMLR 2008.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache

Pair = tuple[int, int]
Marks = tuple[str, str]
Graph = dict[Pair, Marks]

KINDS: tuple[Marks, ...] = (("tail", "head"), ("head", "tail"), ("head", "head"))


def mark(graph: Graph, at: int, other: int) -> str:
    """Return the mark at one end of the edge of two nodes, or nothing."""
    if (at, other) in graph:
        return graph[at, other][0]
    return graph[other, at][1] if (other, at) in graph else ""


def neighbors(graph: Graph, node: int) -> set[int]:
    """Return the nodes joined to one."""
    return {a + b - node for a, b in graph if node in (a, b)}


def above(graph: Graph, node: int) -> set[int]:
    """Return the nodes with a directed path of at least one arrow to one."""
    found: set[int] = set()
    stack = [node]
    while stack:
        x = stack.pop()
        for y in neighbors(graph, x):
            if mark(graph, y, x) == "tail" and mark(graph, x, y) == "head" and y not in found:
                found.add(y)
                stack.append(y)
    return found


def is_ancestral(graph: Graph) -> bool:
    """No node is above itself, or above one that a head comes from."""
    return not any(
        (mark(graph, a, b) == "head" and a in above(graph, b)) or a in above(graph, a)
        for pair in graph
        for a, b in (pair, pair[::-1])
    )


def paths(graph: Graph, a: int, b: int) -> Iterator[tuple[int, ...]]:
    """Yield all paths between two nodes."""

    def further(path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for x in neighbors(graph, path[-1]) - {*path}:
            if x == b:
                yield (*path, x)
            else:
                yield from further((*path, x))

    return further((a,))


def separated(graph: Graph, a: int, b: int, given: frozenset[int]) -> bool:
    """No path is open: colliders on it given or above what is given, and none of the others."""

    def opened(path: tuple[int, ...]) -> bool:
        for x, y, z in zip(path, path[1:], path[2:], strict=False):
            if mark(graph, y, x) == mark(graph, y, z) == "head":
                if y not in given and not any(y in above(graph, s) for s in given):
                    return False
            elif y in given:
                return False
        return True

    return not any(map(opened, paths(graph, a, b)))


def separations(graph: Graph, n: int) -> frozenset[tuple[int, int, frozenset[int]]]:
    """Return all pairs and sets that separate them."""
    return frozenset(
        (a, b, frozenset(given))
        for a, b in itertools.combinations(range(n), 2)
        for size in range(n - 1)
        for given in itertools.combinations([x for x in range(n) if x not in (a, b)], size)
        if separated(graph, a, b, frozenset(given))
    )


def is_maximal(graph: Graph, n: int) -> bool:
    """Any two nodes that are not joined can be separated."""
    apart = {(a, b) for a, b, _ in separations(graph, n)}
    return all(p in graph or p in apart for p in itertools.combinations(range(n), 2))


@cache
def all_classes(n: int) -> tuple[tuple[Graph, ...], ...]:
    """Return the maximal ancestral graphs over n nodes, put together by their separations."""
    classes: dict[object, list[Graph]] = {}
    pairs = list(itertools.combinations(range(n), 2))
    for chosen in itertools.product([None, *KINDS], repeat=len(pairs)):
        graph = {pair: kind for pair, kind in zip(pairs, chosen, strict=True) if kind}
        if is_ancestral(graph) and is_maximal(graph, n):
            classes.setdefault(separations(graph, n), []).append(graph)
    return tuple(map(tuple, classes.values()))


def shared(graphs: tuple[Graph, ...]) -> Graph:
    """Return the marks on which graphs agree, and circles elsewhere."""

    def common(marks: set[str]) -> str:
        return marks.pop() if len(marks) == 1 else "circle"

    return {
        pair: (common({g[pair][0] for g in graphs}), common({g[pair][1] for g in graphs}))
        for pair in graphs[0]
    }


def marginal(arcs: frozenset[Pair], n: int, hidden: frozenset[int]) -> Graph:
    """Return the ancestral graph of a network's seen nodes, by its separations."""
    network: Graph = {
        (min(a, b), max(a, b)): ("tail", "head") if a < b else ("head", "tail") for a, b in arcs
    }
    seen = [x for x in range(n) if x not in hidden]
    graph: Graph = {}
    for a, b in itertools.combinations(seen, 2):
        rest = [x for x in seen if x not in (a, b)]
        if not any(
            separated(network, a, b, frozenset(given))
            for size in range(len(rest) + 1)
            for given in itertools.combinations(rest, size)
        ):
            graph[a, b] = (
                "tail" if a in above(network, b) else "head",
                "tail" if b in above(network, a) else "head",
            )
    return graph


def visible(graph: Graph, a: int, b: int) -> bool:
    """Tell whether no hidden cause can stand beside an arrow: Zhang 2008, definition 8."""
    apart = set(itertools.chain(*graph)) - neighbors(graph, b) - {a, b}
    for c in apart:
        for path in paths(graph, c, a):
            if mark(graph, a, path[-2]) != "head":
                continue
            inner = path[1:-1]
            colliders = all(
                mark(graph, path[i], path[i - 1]) == mark(graph, path[i], path[i + 1]) == "head"
                for i in range(1, len(path) - 1)
            )
            parents = all((mark(graph, x, b), mark(graph, b, x)) == ("tail", "head") for x in inner)
            if colliders and parents and b not in path:
                return True
    return False
