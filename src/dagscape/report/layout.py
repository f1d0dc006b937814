"""Where to draw the nodes of a graph: in layers, parents above children, with few crossings.

Source: Sugiyama, Tagawa and Toda, Methods for visual understanding of hierarchical system
structures, IEEE Transactions on Systems, Man, and Cybernetics, 1981.

Written here because Graphviz is not under a permissive license, and other layered layouts on the
package registry know no widths of nodes or give another drawing with every hash seed. The order of
names and the order of arcs that close no cycle change nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from dagscape.report.layers import fewest_crossings, layers, narrowed, turned

Arc = tuple[str, str]
Point = tuple[float, float]

PULLS = 300
"""Rounds of pulling: a node far from its only neighbor moves a little in each."""
STILL = 1e-3
"""Of the least width: a round in which no node moves farther is the last."""
WORK = 400_000
"""The most nodes that are pulled in all rounds together: a second or so."""
LEAST_PULLS = 4
"""Rounds of pulling, however many nodes there are."""
PASSING = 40_000
"""The most places where arcs pass a layer. Beyond that the longest arcs are drawn straight: there
is no following them with the eye anyway."""
FEW = 12
"""Nodes that may stand side by side in any case."""
SHAPE = 1.7
"""Width by height of a row, as far as parts without arcs between them can be arranged."""


class Layout(NamedTuple):
    """Nodes by name and arcs by their ends: across, and the layer, from 0 down."""

    nodes: dict[str, Point]
    arcs: dict[Arc, list[Point]]


class _Part(NamedTuple):
    """A connected part of the graph, by itself, from (0, 0) on."""

    nodes: dict[int, Point]
    arcs: dict[tuple[int, int], list[Point]]
    width: float
    height: int


def layered(
    names: Iterable[str],
    arcs: Iterable[Arc],
    widths: Mapping[str, float] | None = None,
    *,
    row: float = 1.0,
    tiers: Mapping[str, int] | None = None,
) -> Layout:
    """Place nodes beside each other by their widths, and lead arcs round nodes in between.

    Parameters
    ----------
    widths
        What a node takes across, its margin included; 1 by default.
    row
        The height of a layer, in the unit of the widths: wide graphs are broken up accordingly.
    tiers
        A number for each name: those of a lower one stand above all those of a higher one.
    """
    ordered = sorted(names)
    number = {name: i for i, name in enumerate(ordered)}
    size = [1.0 if widths is None else float(widths[name]) for name in ordered]
    wanted = [(number[a], number[b]) for a, b in arcs]
    tier = [0 if tiers is None else tiers[name] for name in ordered]
    down = turned(len(ordered), [(a, b) if tier[a] <= tier[b] else (b, a) for a, b in wanted])
    if len(set(tier)) > 1:
        drawn = [_draw([*range(len(ordered))], sorted(set(down)), size, row, tier)]
    else:
        parts = _parts(len(ordered), sorted(set(down)))
        drawn = [_draw(nodes, some, size, row, tier) for nodes, some in parts if some]
        drawn += _alone([nodes[0] for nodes, some in parts if not some], size, drawn, row)
    at: dict[int, Point] = {}
    lines: dict[tuple[int, int], list[Point]] = {}
    for part, (left, top) in zip(drawn, _places(drawn, row), strict=True):
        at |= {node: (x + left, y + top) for node, (x, y) in part.nodes.items()}
        lines |= {arc: [(x + left, y + top) for x, y in line] for arc, line in part.arcs.items()}
    return Layout(
        {name: at[number[name]] for name in ordered},
        {
            (ordered[a], ordered[b]): lines[a, b] if (a, b) in lines else lines[b, a][::-1]
            for a, b in wanted
        },
    )


def _parts(
    count: int, arcs: Sequence[tuple[int, int]]
) -> list[tuple[list[int], list[tuple[int, int]]]]:
    """Return the nodes and arcs of each connected part, the largest first."""
    near: list[list[int]] = [[] for _ in range(count)]
    for a, b in arcs:
        near[a].append(b)
        near[b].append(a)
    part = [-1] * count
    found: list[tuple[list[int], list[tuple[int, int]]]] = []
    for start in range(count):
        if part[start] >= 0:
            continue
        part[start] = len(found)
        nodes = [start]
        for node in nodes:  # it grows on the way
            for other in near[node]:
                if part[other] < 0:
                    part[other] = len(found)
                    nodes.append(other)
        found.append((sorted(nodes), []))
    for a, b in arcs:
        found[part[a]][1].append((a, b))
    return sorted(found, key=lambda item: -len(item[0]))


def _draw(
    nodes: list[int], arcs: list[tuple[int, int]], size: list[float], row: float, tier: list[int]
) -> _Part:
    """Lay out one part."""
    own = {node: i for i, node in enumerate(nodes)}
    down = [(own[a], own[b]) for a, b in arcs]
    widths = [size[node] for node in nodes]
    page = math.sqrt(2 * SHAPE * row * sum(widths))
    limit = max(page, FEW * sum(widths) / len(widths))
    layer = _stacked([tier[node] for node in nodes], down, widths, limit)
    thin = sum(widths) / len(widths) * 0.22  # what a passing arc takes
    above: list[list[int]] = [[] for _ in nodes]
    below: list[list[int]] = [[] for _ in nodes]
    chains = []
    longest = _longest_led([layer[b] - layer[a] for a, b in down])
    for a, b in down:
        if layer[b] - layer[a] > longest:
            chains.append([a, b])
            continue
        chain = [a]
        for at in range(layer[a] + 1, layer[b]):  # a node wherever an arc passes a layer
            chain.append(len(layer))
            layer.append(at)
            widths.append(thin)
            above.append([])
            below.append([])
        chain.append(b)
        chains.append(chain)
        for one, other in pairwise(chain):
            below[one].append(other)
            above[other].append(one)
    rows: list[list[int]] = [[] for _ in range(max(layer) + 1)]
    for node in _walk(len(layer), above, below):
        rows[layer[node]].append(node)
    rows = fewest_crossings(rows, above, below)
    across = _across(rows, above, below, widths, len(nodes))
    left = min(across[i] - widths[i] / 2 for i in range(len(layer)))
    right = max(across[i] + widths[i] / 2 for i in range(len(layer)))
    at_ = [(across[i] - left, float(layer[i])) for i in range(len(layer))]
    return _Part(
        {node: at_[i] for node, i in own.items()},
        {arc: [at_[i] for i in chain] for arc, chain in zip(arcs, chains, strict=True)},
        right - left,
        len(rows),
    )


def _stacked(
    tier: list[int], down: list[tuple[int, int]], widths: list[float], limit: float
) -> list[int]:
    """Return a layer for each node, the tiers one below the other."""
    layer = [0] * len(tier)
    top = 0
    for level in sorted(set(tier)):
        own = [node for node, at in enumerate(tier) if at == level]
        place = {node: i for i, node in enumerate(own)}
        within = [(place[a], place[b]) for a, b in down if tier[a] == tier[b] == level]
        wide = [widths[node] for node in own]
        found = narrowed(layers(len(own), within), within, wide, limit)
        for node, at in zip(own, found, strict=True):
            layer[node] = top + at
        top += max(found) + 1
    return layer


def _longest_led(lengths: Sequence[int]) -> int:
    """Return the layers that an arc may cross to be led round the nodes in between."""
    room = PASSING
    for length, many in sorted(Counter(lengths).items()):
        room -= many * (length - 1)
        if room < 0:
            return length - 1
    return max(lengths, default=0)


def _walk(count: int, above: list[list[int]], below: list[list[int]]) -> list[int]:
    """Return nodes so that those near to each other come together: a start without many knots."""
    seen = [False] * count
    order = []
    for start in sorted(range(count), key=lambda i: len(above[i])):
        stack = [start]
        while stack:
            node = stack.pop()
            if seen[node]:
                continue
            seen[node] = True
            order.append(node)
            stack += [other for other in (*above[node], *below[node]) if not seen[other]]
    return order


def _across(
    rows: list[list[int]],
    above: list[list[int]],
    below: list[list[int]],
    widths: list[float],
    names: int,
) -> list[float]:
    """Pull each node toward its neighbors, in the order of its row."""
    at = [0.0] * len(widths)
    offsets = []
    for row in rows:
        place = 0.0
        offset = [0.0]
        for one, other in pairwise(row):
            place += (widths[one] + widths[other]) / 2
            offset.append(place)
        offsets.append(offset)
        for node, shift in zip(row, offset, strict=True):
            at[node] = shift - place / 2
    near = [[*up, *down] for up, down in zip(above, below, strict=True)]
    # Passing arcs give way least, so that they are straight.
    thin = min(widths)
    weight = [1.0] * names + [4.0] * (len(widths) - names)
    for pull in range(max(LEAST_PULLS, min(PULLS, WORK // len(widths)))):
        steps = list(zip(rows, offsets, strict=True))
        moved = 0.0
        for row, offset in steps if pull % 2 == 0 else reversed(steps):
            wish = [
                sum(at[other] for other in near[node]) / len(near[node]) if near[node] else at[node]
                for node in row
            ]
            for node, place in zip(row, _apart(row, wish, offset, weight), strict=True):
                moved = max(moved, abs(at[node] - place))
                at[node] = place
        if moved < STILL * thin:
            break
    return at


def _apart(
    row: list[int], wish: list[float], offset: list[float], weights: list[float]
) -> list[float]:
    """Return places nearest to those wished for, in order and far enough apart.

    Least squares by pooling neighbors that are too close (Kruskal 1964).
    """
    pools: list[tuple[float, float, int]] = []  # mean, weight, size
    for node, place, shift in zip(row, wish, offset, strict=True):
        mean, weight, size = place - shift, weights[node], 1
        while pools and pools[-1][0] > mean:
            before, heavy, count = pools.pop()
            mean = (mean * weight + before * heavy) / (weight + heavy)
            weight, size = weight + heavy, size + count
        pools.append((mean, weight, size))
    flat = [mean for mean, _, size in pools for _ in range(size)]
    return [mean + shift for mean, shift in zip(flat, offset, strict=True)]


def _page(parts: Sequence[_Part], row: float) -> float:
    """Return how wide the drawing should be."""
    area = sum(part.width * part.height * row for part in parts)
    return max([part.width for part in parts] + [math.sqrt(area * SHAPE)], default=0.0)


def _alone(nodes: list[int], size: list[float], others: list[_Part], row: float) -> list[_Part]:
    """Return nodes without arcs as parts that are rows."""
    if not nodes:
        return []
    wide = max(_page(others, row), math.sqrt(sum(size[node] for node in nodes) * row * SHAPE))
    rows: list[_Part] = []
    here: dict[int, Point] = {}
    x = 0.0
    for node in nodes:
        if here and x + size[node] > wide + 1e-9:
            rows.append(_Part(here, {}, x, 1))
            here, x = {}, 0.0
        here[node] = x + size[node] / 2, 0.0
        x += size[node]
    return [*rows, _Part(here, {}, x, 1)]


def _places(parts: Sequence[_Part], row: float) -> list[Point]:
    """Return where parts go: side by side as long as there is room, then below."""
    wide = _page(parts, row)
    places = []
    x = top = 0.0
    height = 0
    for part in parts:
        if x and x + part.width > wide + 1e-9:
            x, top, height = 0.0, top + height, 0
        places.append((x, top))
        x += part.width
        height = max(height, part.height)
    return places
