"""Search over orders by definition: plain lists, nothing kept from one order to the next.

Parent sets are given as ``{child: [(score, parents), ...]}``, as in ``oracles.exact``; graphs are
sets of arcs, with weights where an arc is worth something. Every order is scored from scratch.

Sources
-------
Perez and Mauá, Better initialization heuristics for order-based Bayesian network structure
learning, JIDM 2016: score of an order (Eq. 5), search (Algorithm 2), graph of best parents (Eq. 6),
goodness (Eq. 7), Algorithm 3, weights (Eq. 8), Algorithm 4.
Length of the cycles as a bound on what Algorithm 4 pays: Demetrescu and Finocchi 2003.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from oracles.exact import NO_NETWORK

if TYPE_CHECKING:
    from oracles.exact import Lists, Parents
    from oracles.graphs import Arc

Order: TypeAlias = tuple[int, ...]
Weights: TypeAlias = Mapping[tuple[int, int], float]


# --- scores -------------------------------------------------------------------------------------


def best_among(lists: Lists, child: int, before: Iterable[int]) -> float:
    """Return the child's best score with parents among those before it."""
    allowed = frozenset(before)
    return max((score for score, parents in lists[child] if parents <= allowed), default=NO_NETWORK)


def order_score(lists: Lists, order: Sequence[int]) -> float:
    """Eq. 5: every variable has its best parents among those before it."""
    return sum(best_among(lists, child, order[:at]) for at, child in enumerate(order))


def best_order_score(lists: Lists) -> float:
    """Try all orders."""
    return max(order_score(lists, order) for order in itertools.permutations(lists))


def shortened(lists: Lists, longest: int) -> dict[int, list[tuple[float, Parents]]]:
    """Keep each child's best sets and the least, which is within all others; whole without one."""
    short = {}
    for child, sets in lists.items():
        by_score = sorted(sets, key=lambda s: (-s[0], len(s[1]), sorted(s[1])))
        least = [at for at, (_, s) in enumerate(by_score) if all(s <= t for _, t in by_score)]
        if len(sets) > longest and least:
            by_score = [*by_score[: min(longest - 1, least[0])], by_score[least[0]]]
        short[child] = by_score
    return short


# --- moves --------------------------------------------------------------------------------------


def swapped(order: Sequence[int], at: int) -> Order:
    """Swap the variables at a position and the next."""
    return (*order[:at], order[at + 1], order[at], *order[at + 2 :])


def swap_climb(lists: Lists, order: Sequence[int], most_steps: int) -> tuple[Order, int]:
    """Algorithm 2: the best swap of neighbors, the first of several, as long as one gains."""
    here = tuple(order)
    for step in range(most_steps):
        neighbors = [swapped(here, at) for at in range(len(here) - 1)]
        scores = [order_score(lists, neighbor) for neighbor in neighbors]
        if not scores or max(scores) <= order_score(lists, here):
            return here, step
        here = neighbors[scores.index(max(scores))]
    return here, most_steps


def insertions(order: Sequence[int]) -> Iterator[Order]:
    """Yield the orders in which one variable is elsewhere."""
    for at, v in enumerate(order):
        rest = (*order[:at], *order[at + 1 :])
        for to in range(len(order)):
            yield (*rest[:to], v, *rest[to:])


def block_moves(order: Sequence[int], start: int, length: int, within: int) -> Iterator[Order]:
    """Yield the orders with a block moved as a whole by up to so many positions."""
    block, rest = tuple(order[start : start + length]), (*order[:start], *order[start + length :])
    for to in range(max(0, start - within), min(len(rest), start + within) + 1):
        yield (*rest[:to], *block, *rest[to:])


# --- the graph of best parents ------------------------------------------------------------------


def best_parents(lists: Lists, child: int) -> Parents:
    """Return the best set; of several the smallest, then the one whose members come first."""
    return min(lists[child], key=lambda item: (-item[0], len(item[1]), sorted(item[1])))[1]


def weights(lists: Lists) -> dict[tuple[int, int], float]:
    """Eq. 8: what the child loses without a parent.

    Where the set without it is not listed, the best one among the parents that remain stands for
    it: a set is left out of a list only if one within it is as good.
    """
    found = {}
    for child in lists:
        best = best_parents(lists, child)
        for parent in best:
            found[parent, child] = max(s for s, _ in lists[child]) - best_among(
                lists, child, best - {parent}
            )
    return found


# --- initial orders by in-degree and goodness ---------------------------------------------------


def goodness(arcs: Iterable[Arc], v: int, unvisited: Iterable[int]) -> int:
    """Eq. 7: the product over unvisited children of how many unvisited parents they have."""
    inside = [(a, b) for a, b in arcs if {a, b} <= set(unvisited)]
    children = [b for a, b in inside if a == v]
    return math.prod(sum(b == child for _, b in inside) for child in children)


def next_by_degree(arcs: Iterable[Arc], unvisited: Iterable[int]) -> set[int]:
    """Algorithm 3, lines 4 and 5: least in-degree among the unvisited, then least goodness."""
    arcs, left = list(arcs), set(unvisited)
    rank = {v: (sum(b == v and a in left for a, b in arcs), goodness(arcs, v, left)) for v in left}
    return {v for v in left if rank[v] == min(rank.values())}


def orders_by_degree(arcs: Iterable[Arc], n: int) -> set[Order]:
    """Return all orders that Algorithm 3 can give."""
    arcs, orders = list(arcs), {()}
    for _ in range(n):
        orders = {
            (*order, v)
            for order in orders
            for v in next_by_degree(arcs, set(range(n)) - set(order))
        }
    return orders


def is_by_degree(arcs: Iterable[Arc], order: Sequence[int]) -> bool:
    """Tell whether Algorithm 3 can give this order."""
    arcs = list(arcs)
    return all(v in next_by_degree(arcs, order[at:]) for at, v in enumerate(order))


# --- feedback arcs ------------------------------------------------------------------------------


def find_cycle(arcs: Iterable[Arc]) -> list[Arc]:
    """Return the first cycle that a depth-first search meets, lowest variables first; or none."""
    children: dict[int, list[int]] = {}
    for a, b in sorted(arcs):
        children.setdefault(a, []).append(b)
    done: set[int] = set()

    def walk(path: list[int]) -> list[int]:
        for child in children.get(path[-1], ()):
            if child in path:
                return [*path[path.index(child) :], child]
            if child not in done and (cycle := walk([*path, child])):
                return cycle
        done.add(path[-1])
        return []

    for start in sorted(children):
        if start not in done and (cycle := walk([start])):
            return list(itertools.pairwise(cycle))
    return []


def feedback_arcs(weighted: Weights) -> set[Arc]:
    """Algorithm 4; arcs are put back dearest first."""
    left, removed = dict(weighted), []
    while cycle := find_cycle(left):
        least = min(left[arc] for arc in cycle)
        for arc in cycle:
            if left[arc] == least:  # infinite weights stay infinite
                removed.append(arc)
                del left[arc]
            elif left[arc] < math.inf:
                left[arc] -= least
    kept = set(left)
    for arc in sorted(removed, key=lambda arc: -weighted[arc]):
        if not find_cycle(kept | {arc}):
            kept.add(arc)
    return set(weighted) - kept


def is_minimal(arcs: Iterable[Arc], feedback: Iterable[Arc]) -> bool:
    """Tell whether the graph has no cycle without these arcs, and has one with any of them."""
    removed = set(feedback)
    kept = set(arcs) - removed
    return not find_cycle(kept) and all(find_cycle(kept | {arc}) for arc in removed)


def least_feedback(weighted: Weights, n: int) -> float:
    """Return what the cheapest feedback arcs weigh: of all orders, the least that one violates."""
    return min(
        sum(w for (a, b), w in weighted.items() if order.index(a) > order.index(b))
        for order in itertools.permutations(range(n))
    )


def longest_cycle(arcs: Iterable[Arc], n: int) -> int:
    """Return the number of arcs of the longest cycle, by trying all paths."""
    there = set(arcs)

    def longest(path: tuple[int, ...]) -> int:
        here = len(path) if len(path) > 1 and (path[-1], path[0]) in there else 0
        onward = [v for v in range(n) if v not in path and (path[-1], v) in there]
        return max([here, *(longest((*path, v)) for v in onward)])

    return max((longest((v,)) for v in range(n)), default=0)


def is_topological(arcs: Iterable[Arc], order: Sequence[int]) -> bool:
    """Tell whether all arcs point forward."""
    return all(order.index(a) < order.index(b) for a, b in arcs)
