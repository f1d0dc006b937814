"""What A* with the simple heuristic must do in the order graph, however it breaks ties.

A* expands every set that can be placed for less than the optimum, and of those that cost the same
some or all: which, depends on the order among equal estimates. The same holds for an edge whose
ends cost the same: it is counted if its end has not been expanded yet. So the counts of any A* lie
in a range, which follows from the costs alone, without a search.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import dagscape as ds

TIE = 1e-6
"""Costs that differ by less are equal; scores are exact to about 1e-10."""

Floats = npt.NDArray[np.float64]


class Range(NamedTuple):
    """The fewest and the most, both possible bounds for every order among ties."""

    least: int
    most: int

    def __contains__(self, count: object) -> bool:
        return isinstance(count, int | float) and self.least <= count <= self.most


class Counts(NamedTuple):
    """Nodes reached, the first and the last included; edges to nodes not expanded before.

    And what might be counted instead: the nodes expanded, and all edges from these.
    """

    nodes: Range
    edges: Range
    expanded: Range
    all_edges: Range


def count_ranges(parents: ds.CandidateParents) -> Counts:
    """Return between what any A* with the simple heuristic counts.

    Takes 8 n 2^n bytes: 1.6 GB at 23 variables.
    """
    names = parents.names
    n = len(names)
    lost = [regrets(parents, child) for child in range(n)]
    cost = cheapest(lost)
    optimum = cost[-1]
    sets = np.arange(1 << n)
    surely = cost < optimum - TIE
    maybe = cost < optimum + TIE
    maybe[-1] = False  # the goal is never expanded
    reached = [np.zeros(1 << n, dtype=bool), np.zeros(1 << n, dtype=bool)]
    edges, all_edges = [0, 0], [0, 0]
    for child in range(n):
        start = sets[(sets >> child & 1) == 0]
        end = start | 1 << child
        reached[0][end[surely[start]]] = True
        reached[1][end[maybe[start]]] = True
        later = cost[end] - cost[start]
        edges[0] += int(np.count_nonzero(surely[start] & (later > TIE)))
        edges[1] += int(np.count_nonzero(maybe[start] & (later > -TIE)))
        for i, known in enumerate((surely, maybe)):
            all_edges[i] += int(np.count_nonzero(known[start]))
    for known in reached:
        known[0] = known[-1] = True
    nodes = [int(np.count_nonzero(known)) for known in reached]
    expanded = [int(np.count_nonzero(known)) for known in (surely, maybe)]
    return Counts(*(Range(*ends) for ends in (nodes, edges, expanded, all_edges)))


def regrets(parents: ds.CandidateParents, child: int) -> Floats:
    """Return what a child loses against its best parents, by the set of variables available."""
    names = parents.names
    place = {name: i for i, name in enumerate(names)}
    best = np.full(1 << len(names), -np.inf)
    for score, chosen in parents[names[child]]:
        best[sum(1 << place[name] for name in chosen)] = score
    for i in range(len(names)):
        # Seen as (higher bits, bit i, lower bits): with i available there is only more to choose.
        halves = best.reshape(-1, 2, 1 << i)
        np.maximum(halves[:, 1], halves[:, 0], out=halves[:, 1])
    lost: Floats = best[-1] - best
    return lost


def cheapest(lost: list[Floats]) -> Floats:
    """Return the least cost of placing each set, by layers of sets of one size."""
    n = len(lost)
    cost = np.full(1 << n, np.inf)
    cost[0] = 0.0
    sets = np.arange(1 << n)
    sizes = np.zeros(1 << n, dtype=np.int8)
    for i in range(n):
        sizes += (sets >> i & 1).astype(np.int8)
    by_size = np.argsort(sizes, kind="stable")
    starts = np.searchsorted(sizes[by_size], np.arange(n + 2))
    for size in range(1, n + 1):
        layer = by_size[starts[size] : starts[size + 1]]
        for child in range(n):
            end = layer[(layer >> child & 1) == 1]
            start = end ^ (1 << child)
            cost[end] = np.minimum(cost[end], cost[start] + lost[child][start])
    return cost
