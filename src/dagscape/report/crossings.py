"""The order of nodes within the rows of a drawing: few arcs should cross."""

from __future__ import annotations

from bisect import bisect_right, insort
from itertools import pairwise

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
    """Let neighbors change places where that takes crossings away."""
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
