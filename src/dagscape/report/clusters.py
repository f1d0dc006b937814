"""Clusters of a large network, and clusters of these, for a map that opens part by part.

Two clusters grow together where they share most edges beyond what their numbers of edges let
expect (modularity: Clauset, Newman and Moore, Finding community structure in very large networks,
2004), as long as what comes of it is small enough to look at. Time goes with the edges, not pairs.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

Tree: TypeAlias = "list[int] | list[Tree]"
"""The variables of a cluster, by number; or clusters."""

MOST_TOGETHER = 40
"""Variables of a cluster, at most."""
MOST_SIDE_BY_SIDE = 36
"""Clusters that stand beside each other, at most."""


def clusters_of(edges: Iterable[tuple[int, int]]) -> list[Tree]:
    """Return the clusters of all that have an edge, the largest first; small ones by the dozen.

    The order of the edges changes nothing.
    """
    pairs = sorted({(min(pair), max(pair)) for pair in edges})
    joined = sorted({v for pair in pairs for v in pair})
    place = {v: i for i, v in enumerate(joined)}
    between = dict.fromkeys(((place[a], place[b]) for a, b in pairs), 1)
    grown = grown_together(len(joined), between, MOST_TOGETHER)
    items: list[Tree] = _small_together([[joined[i] for i in group] for group in grown], pairs)
    while len(items) > MOST_SIDE_BY_SIDE:
        between = _between(items, pairs)
        groups = _lone_together(grown_together(len(items), between, MOST_SIDE_BY_SIDE), between)
        if len(groups) > MOST_SIDE_BY_SIDE:
            groups = _packed(groups, [_size(item) for item in items])
        items = [
            items[group[0]] if len(group) == 1 else [items[i] for i in group] for group in groups
        ]
        items.sort(key=_order)
    return sorted(items, key=_order)


def _small_together(groups: list[list[int]], pairs: Sequence[tuple[int, int]]) -> list[Tree]:
    """Return the groups, small ones that no edge leaves put together."""
    at = {v: i for i, group in enumerate(groups) for v in group}
    left = {at[v] for pair in pairs if at[pair[0]] != at[pair[1]] for v in pair}
    found: list[Tree] = []
    pack: list[int] = []
    for i, group in sorted(enumerate(groups), key=lambda item: (len(item[1]), item[1])):
        if i in left or len(group) > MOST_TOGETHER // 2:
            found.append(list(group))
            continue
        if len(pack) + len(group) > MOST_TOGETHER:
            found.append(list(pack))
            pack = []
        pack += group
    return [*found, list(pack)] if pack else found


def grown_together(
    count: int, between: Mapping[tuple[int, int], int], most: int
) -> list[list[int]]:
    """Return groups of numbered items, of at most so many, by the edges between them."""
    near: list[dict[int, int]] = [{} for _ in range(count)]
    for (a, b), many in between.items():
        near[a][b] = near[b][a] = many
    degree = [sum(own.values()) for own in near]
    twice = max(1, sum(degree))
    group: list[list[int]] = [[i] for i in range(count)]
    gains: list[tuple[float, int, int]] = []

    def gain(a: int, b: int) -> float:
        return near[a][b] - degree[a] * degree[b] / twice

    def promise(a: int, b: int) -> None:
        if len(group[a]) + len(group[b]) <= most:
            low, high = sorted((a, b))
            heapq.heappush(gains, (-gain(low, high), low, high))

    for a, b in sorted(between):
        promise(a, b)
    while gains:
        promised, a, b = heapq.heappop(gains)
        if b not in near[a] or promised != -gain(a, b):
            continue  # one of them has grown since
        if promised >= 0 or len(group[a]) + len(group[b]) > most:
            continue
        group[a] += group[b]
        group[b] = []
        degree[a] += degree[b]
        for other, many in near[b].items():
            del near[other][b]
            if other != a:
                near[a][other] = near[other][a] = near[a].get(other, 0) + many
        near[b] = {}
        for other in sorted(near[a]):
            promise(a, other)
    return [sorted(own) for own in group if own]


def _lone_together(
    groups: Sequence[list[int]], between: Iterable[tuple[int, int]]
) -> list[list[int]]:
    """Return the groups, items that no edge joins to any other put together."""
    joined = {i for pair in between for i in pair}
    lone = [i for group in groups for i in group if i not in joined]
    return [group for group in groups if group[0] in joined] + _dozens(lone)


def _dozens(items: list[int]) -> list[list[int]]:
    return [items[i : i + MOST_SIDE_BY_SIDE] for i in range(0, len(items), MOST_SIDE_BY_SIDE)]


def _packed(groups: Sequence[list[int]], sizes: Sequence[int]) -> list[list[int]]:
    """Return the largest groups, and the items of all others put together."""
    largest = sorted(groups, key=lambda group: (-sum(sizes[i] for i in group), group))
    kept = largest[: MOST_SIDE_BY_SIDE // 2]
    rest = [i for group in largest[MOST_SIDE_BY_SIDE // 2 :] for i in group]
    return [
        *kept,
        *(rest[i : i + MOST_SIDE_BY_SIDE] for i in range(0, len(rest), MOST_SIDE_BY_SIDE)),
    ]


def _between(items: Sequence[Tree], pairs: Iterable[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Return how many edges join each two."""
    at = {v: i for i, item in enumerate(items) for v in members(item)}
    found: dict[tuple[int, int], int] = {}
    for a, b in pairs:
        low, high = sorted((at[a], at[b]))
        if low != high:
            found[low, high] = found.get((low, high), 0) + 1
    return found


def members(item: Tree) -> list[int]:
    """Return the variables of a cluster and of all in it."""
    return [v for one in item for v in ([one] if isinstance(one, int) else members(one))]


def _size(item: Tree) -> int:
    return len(members(item))


def _order(item: Tree) -> tuple[int, int]:
    own = members(item)
    return -len(own), min(own)
