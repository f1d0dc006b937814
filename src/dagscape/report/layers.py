"""Rows of a drawing: which row each node goes to, parents above children, and in which order."""

from __future__ import annotations

import math
from bisect import bisect_right, insort
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

Arc = tuple[int, int]

ITERATIONS = 15_000
"""Of the linear program, a second or so; where that is not enough, layers need not be the best."""


def turned(count: int, arcs: Sequence[Arc]) -> list[Arc]:
    """Return the arcs, each turned where it would close a cycle with those before."""
    if _acyclic(count, arcs):
        return list(arcs)
    below: list[list[int]] = [[] for _ in range(count)]
    down = []
    for a, b in arcs:
        if _leads(below, b, a):
            a, b = b, a
        below[a].append(b)
        down.append((a, b))
    return down


def _acyclic(count: int, arcs: Sequence[Arc]) -> bool:
    return len(_topological(count, arcs)[0]) == count


def _topological(count: int, arcs: Sequence[Arc]) -> tuple[list[int], list[list[int]]]:
    """Return nodes with parents before children, those below a cycle left out, and children."""
    below: list[list[int]] = [[] for _ in range(count)]
    above = [0] * count
    for a, b in arcs:
        below[a].append(b)
        above[b] += 1
    order = [node for node in range(count) if not above[node]]
    for node in order:  # it grows on the way
        for child in below[node]:
            above[child] -= 1
            if not above[child]:
                order.append(child)
    return order, below


def _below_parents(count: int, down: Sequence[Arc]) -> list[int]:
    """Return layers in which each node is right below the lowest of its parents."""
    order, below = _topological(count, down)
    layer = [0] * count
    for node in order:
        for child in below[node]:
            layer[child] = max(layer[child], layer[node] + 1)
    return layer


def _leads(below: list[list[int]], start: int, end: int) -> bool:
    seen, stack = {start}, [start]
    while stack:
        node = stack.pop()
        if node == end:
            return True
        for child in below[node]:
            if child not in seen:
                seen.add(child)
                stack.append(child)
    return False


def layers(count: int, down: Sequence[Arc]) -> list[int]:
    """Return a layer for each node, from 0, so that arcs without a cycle go down and are short.

    The least sum of lengths is a linear program with whole numbers at its corners (Gansner,
    Koutsofios, North and Vo, A technique for drawing directed graphs, 1993).
    """
    if not down:
        return [0] * count
    import highspy

    program = highspy.Highs()  # type: ignore[no-untyped-call]
    options: dict[str, bool | int | str] = {
        "output_flag": False,
        "solver": "simplex",
        "threads": 1,
        "simplex_iteration_limit": ITERATIONS,
    }
    for name, value in options.items():
        program.setOptionValue(name, value)
    ends = np.array(down, np.int32)
    cost = np.bincount(ends[:, 1], minlength=count) - np.bincount(ends[:, 0], minlength=count)
    none = np.empty(0, np.int32)
    zeros, most = np.zeros(count), np.full(count, float(count))
    program.addCols(count, cost.astype(float), zeros, most, 0, none, none, np.empty(0))
    arcs = len(down)
    program.addRows(
        arcs,
        np.ones(arcs),
        np.full(arcs, highspy.kHighsInf),
        2 * arcs,
        np.arange(0, 2 * arcs, 2, dtype=np.int32),
        ends.ravel(),
        np.tile([-1.0, 1.0], arcs),
    )
    program.run()
    if program.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return _below_parents(count, down)
    at = np.rint(np.array(program.getSolution().col_value)).astype(int)
    return [int(layer) for layer in at - at.min()]


def narrowed(
    layer: Sequence[int], down: Sequence[Arc], widths: Sequence[float], limit: float
) -> list[int]:
    """Return layers in which wide ones are broken up: a hub has its children in several rows.

    Only nodes with arcs to one side move, away from that side: without children down, without
    parents up.
    """
    starts, ends = {a for a, _ in down}, {b for _, b in down}
    rows: list[list[int]] = []
    members: list[list[int]] = [[] for _ in range(max(layer, default=-1) + 1)]
    for node, at in enumerate(layer):
        members[at].append(node)
    for nodes in members:
        held = [node for node in nodes if node in starts and node in ends]
        free = [node for node in nodes if node not in starts or node not in ends]
        room = limit - sum(widths[node] for node in held)
        fit = 0
        while fit < len(free) and widths[free[fit]] <= room:
            room -= widths[free[fit]]
            fit += 1
        first, free = free[:fit], free[fit:]
        upper = _filled([node for node in free if node in starts], widths, limit)
        lower = _filled([node for node in free if node not in starts], widths, limit)
        middle = [held + first] if held or first else []
        rows += [*upper[::-1], *middle, *lower]
    found = [0] * len(layer)
    for i, row in enumerate(rows):
        for node in row:
            found[node] = i
    return found


def _filled(nodes: list[int], widths: Sequence[float], limit: float) -> list[list[int]]:
    """Return rows of about the same width, none above the limit if a node is not."""
    count = min(len(nodes), math.ceil(sum(widths[node] for node in nodes) / limit))
    return [nodes[i::count] for i in range(count)]


# The order of nodes within rows: few arcs should cross.


SWEEPS = 40
SWITCHES = 6
"""How often neighbors in a row change places, as long as that helps."""
WORK = 60_000
"""The most nodes that are ordered in all sweeps together: a second or so."""
LEAST_SWEEPS = 2
"""However many nodes there are: one down, one up."""
SWITCHED = 200_000
"""The most pairs of arcs that are compared to switch neighbors, in a round."""

Rows = list[list[int]]
Near = list[list[int]]
"""The neighbors of each node in the row above, or below."""


def fewest_crossings(rows: Rows, above: Near, below: Near) -> Rows:
    """Order rows by where their neighbors are, down and up again; keep the best."""
    best, fewest = [list(row) for row in rows], crossings(rows, below)
    rows = [list(row) for row in rows]
    nodes = len(above)
    for sweep in range(max(LEAST_SWEEPS, min(SWEEPS, WORK // nodes))):
        if not fewest:
            break
        down = sweep % 2 == 0
        for i in range(1, len(rows)) if down else range(len(rows) - 2, -1, -1):
            place = {node: j for j, node in enumerate(rows[i - 1 if down else i + 1])}
            rows[i] = _by_neighbors(rows[i], above if down else below, place)
        if nodes * SWEEPS <= WORK:
            _switch(rows, above, below)
        count = crossings(rows, below)
        if count < fewest:
            best, fewest = [list(row) for row in rows], count
    _switch(best, above, below)
    return best


def crossings(rows: Rows, below: Near) -> int:
    """Return how often arcs between rows cross."""
    count = 0
    for upper, lower in pairwise(rows):
        place = {node: j for j, node in enumerate(lower)}
        ends: list[int] = []
        for node in upper:
            here = sorted(place[child] for child in below[node])
            count += sum(len(ends) - bisect_right(ends, end) for end in here)
            for end in here:
                insort(ends, end)
    return count


def _by_neighbors(row: list[int], near: Near, place: dict[int, int]) -> list[int]:
    """Return a row in the order of the middles of neighbors; without any, a node stays."""
    middle = {
        node: sum(place[other] for other in near[node]) / len(near[node])
        if near[node]
        else own * len(place) / len(row)
        for own, node in enumerate(row)
    }
    return sorted(row, key=middle.__getitem__)


def _switch(rows: Rows, above: Near, below: Near) -> None:
    """Exchange neighbors where that removes crossings."""
    place = {node: j for row in rows for j, node in enumerate(row)}
    pairs = sum(
        len(near[a]) * len(near[b])
        for row in rows
        for a, b in pairwise(row)
        for near in (above, below)
    )
    for _ in range(min(SWITCHES, SWITCHES * SWITCHED // max(1, pairs))):
        better = False
        for row in rows:
            for j in range(len(row) - 1):
                a, b = row[j], row[j + 1]
                now = turned = 0
                for near in (above, below):
                    left, right = ([place[o] for o in near[node]] for node in (a, b))
                    now += sum(x > y for x in left for y in right)
                    turned += sum(x < y for x in left for y in right)
                if turned < now:
                    row[j], row[j + 1] = b, a
                    place[a], place[b] = j + 1, j
                    better = True
        if not better:
            return
