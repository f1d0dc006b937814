"""A* over the order graph, written down from Figure 3.1 of the thesis, with what it counts.

Parent sets are given as ``{child: [(score, parents), ...]}``, variables as 0, 1, ...; scores must
add up without rounding, so that estimates which are equal are equal here.

Sources
-------
Wu, A heuristic search algorithm for learning optimal Bayesian networks, 2010, chapter 3.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from oracles.exact import Lists, Parents


class Search(NamedTuple):
    """What the shortest path costs, nodes put on the lists, edges whose costs were computed.

    And the nodes that were expanded, and all edges from these.
    """

    cost: float
    nodes: int
    edges: int
    expanded: int
    all_edges: int


def larger_then_lower(placed: Parents) -> tuple[int, int]:
    """Of equal estimates, the set with more variables first, then the lower as a number."""
    return -len(placed), sum(1 << v for v in placed)


def astar(lists: Lists, first_of_equals: Callable[[Parents], object] = larger_then_lower) -> Search:
    """Search with OPEN and CLOSED; h lets every variable left have its best parents anywhere."""
    everything = frozenset(lists)
    cheapest = {child: min(-score for score, _ in sets) for child, sets in lists.items()}

    def edge_cost(child: int, placed: Parents) -> float:
        return min(-score for score, parents in lists[child] if parents <= placed)

    def h(placed: Parents) -> float:
        return sum(cheapest[child] for child in everything - placed)

    start: Parents = frozenset()
    g = {start: 0.0}
    opened = [(h(start), first_of_equals(start), 0, start)]
    closed: set[Parents] = set()
    edges = pushed = 0
    while opened:
        _, _, _, placed = heapq.heappop(opened)
        if placed in closed:  # it was reached more cheaply after it had been put on the list
            continue
        if placed == everything:
            all_edges = sum(len(everything - done) for done in closed)
            return Search(g[placed], len(g), edges, len(closed), all_edges)
        closed.add(placed)
        for child in sorted(everything - placed):
            successor = placed | {child}
            if successor in closed:
                continue
            edges += 1
            cost = g[placed] + edge_cost(child, placed)
            if successor not in g or cost < g[successor]:
                g[successor] = cost
                pushed += 1
                entry = (cost + h(successor), first_of_equals(successor), pushed, successor)
                heapq.heappush(opened, entry)
    raise AssertionError("the last node is always reached where every variable has the empty set")
