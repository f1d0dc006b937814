"""Features of essential graphs, from their definitions.

A graph is a set of arcs, an undirected edge both its arcs, as in :mod:`oracles.graphs`.

Source: Peña, Kočka and Nielsen, Featuring multiple local optima to assist the user in the
interpretation of induced Bayesian network models, IPMU 2004, sections 3.1 and 3.3.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING

from oracles.graphs import Arc, Graph, directed, undirected

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Feature = tuple[str, int, int]


def edges(graph: Graph) -> frozenset[Feature]:
    """Return directed edges, and undirected ones with their lower end first."""
    return frozenset(
        [("directed", a, b) for a, b in directed(graph)]
        + [("undirected", a, b) for a, b in undirected(graph)]
    )


def paths(graph: Graph) -> frozenset[Feature]:
    """Return the ordered pairs that a walk along directed edges joins."""
    steps = directed(graph)
    found: set[Arc] = set()
    new = set(steps)
    while new:
        found |= new
        new = {(a, d) for a, b in found for c, d in steps if b == c} - found
    return frozenset(("paths", a, b) for a, b in found)


def blankets(graph: Graph) -> frozenset[Feature]:
    """Return the pairs that are adjacent, or both have a directed edge to a third."""
    adjacent = {tuple(sorted(arc)) for arc in graph}
    arrows = directed(graph)
    married = {(a, b) for (a, c), (b, d) in itertools.product(arrows, arrows) if c == d and a < b}
    return frozenset(("blankets", a, b) for a, b in adjacent | married)


KINDS: dict[str, Callable[[Graph], frozenset[Feature]]] = {
    "edges": edges,
    "paths": paths,
    "blankets": blankets,
}


def confidence(
    kind: str, graphs: Sequence[Graph], weights: Sequence[int]
) -> dict[Feature, Fraction]:
    """Return the share of the weight that graphs with a feature have, for all that some have."""
    total: dict[Feature, int] = {}
    for graph, weight in zip(graphs, weights, strict=True):
        for feature in KINDS[kind](graph):
            total[feature] = total.get(feature, 0) + weight
    return {feature: Fraction(weight, sum(weights)) for feature, weight in total.items()}


def tradeoff(
    confident: dict[Feature, Fraction], reference: frozenset[Feature], threshold: Fraction
) -> tuple[int, int, int]:
    """Return true positives, false positives and false negatives."""
    above = {feature for feature, share in confident.items() if share >= threshold}
    return len(above & reference), len(above - reference), len(reference - above)


def strength(
    graphs: Sequence[Graph], weights: Sequence[int], a: int, b: int
) -> tuple[Fraction, Fraction | None]:
    """Return how much has a and b adjacent, and how much of that a → b, half if undirected."""
    joined = toward = Fraction(0)
    for graph, weight in zip(graphs, weights, strict=True):
        if (a, b) in graph or (b, a) in graph:
            joined += weight
            both = (a, b) in graph and (b, a) in graph
            toward += weight * (Fraction(1, 2) if both else int((a, b) in graph))
    return joined / sum(weights), toward / joined if joined else None
