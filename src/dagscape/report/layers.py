"""Layers of a graph: which row each node of a drawing goes to, parents above children."""

from __future__ import annotations

import math
from collections.abc import Sequence

import highspy
import numpy as np

Arc = tuple[int, int]


def turned(count: int, arcs: Sequence[Arc]) -> list[Arc]:
    """Return the arcs, each turned where it would close a cycle with those before."""
    below: list[list[int]] = [[] for _ in range(count)]
    down = []
    for a, b in arcs:
        if _leads(below, b, a):
            a, b = b, a
        below[a].append(b)
        down.append((a, b))
    return down


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
    program = highspy.Highs()  # type: ignore[no-untyped-call]
    for name, value in (("output_flag", False), ("solver", "simplex"), ("threads", 1)):
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
    for at in range(max(layer, default=-1) + 1):
        nodes = [node for node, own in enumerate(layer) if own == at]
        held = [node for node in nodes if node in starts and node in ends]
        free = [node for node in nodes if node not in held]
        room = limit - sum(widths[node] for node in held)
        first: list[int] = []
        while free and widths[free[0]] <= room:
            room -= widths[free[0]]
            first.append(free.pop(0))
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
