"""Where to draw the nodes of a graph: in layers, parents above children, with few crossings.

Source: Sugiyama, Tagawa and Toda, Methods for visual understanding of hierarchical system
structures, IEEE Transactions on Systems, Man, and Cybernetics, 1981.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import networkx as nx

SWEEPS = 60
PULLS = 600
"""Rounds of pulling: a node far from its only neighbour moves a little in each."""

Arc = tuple[str, str]
Node = str | tuple[str, str, int]
"""A variable, or the place where a long arc passes a layer."""


class Layout(NamedTuple):
    """Nodes by name and arcs by their ends: across, and the layer, from 0 down."""

    nodes: dict[str, tuple[float, float]]
    arcs: dict[Arc, list[tuple[float, float]]]


def layered(names: Sequence[str], arcs: Iterable[Arc], width: float = 1.0) -> Layout:
    """Place nodes at least a width apart, and lead arcs round nodes in between."""
    wanted = list(arcs)
    down = _acyclic(names, wanted)
    layer = _layers(down)
    graph, chains = _with_passes(down, layer)
    rows: list[list[Node]] = [[] for _ in range(max(layer.values()) + 1)]
    for node in nx.lexicographical_topological_sort(graph, key=str):
        rows[_layer_of(node, layer)].append(node)
    rows = _fewest_crossings(graph, rows)
    across = _across(graph, rows, width)
    at = {node: (across[node], float(i)) for i, row in enumerate(rows) for node in row}
    paths = {}
    for a, b in wanted:
        forward = (a, b) in chains
        chain = chains[a, b] if forward else chains[b, a][::-1]
        paths[a, b] = [at[node] for node in chain]
    return Layout({name: at[name] for name in names}, paths)


def _acyclic(names: Sequence[str], arcs: Sequence[Arc]) -> nx.DiGraph[str]:
    """Return the arcs, turned where they would close a cycle with those before."""
    down: nx.DiGraph[str] = nx.DiGraph()
    down.add_nodes_from(names)
    for a, b in arcs:
        if nx.has_path(down, b, a):
            a, b = b, a
        down.add_edge(a, b)
    return down


def _layers(down: nx.DiGraph[str]) -> dict[str, int]:
    """Return layers by the longest path from the top; nodes then sink towards their children."""
    layer: dict[str, int] = {}
    order = list(nx.lexicographical_topological_sort(down))
    for name in order:
        layer[name] = max((layer[p] + 1 for p in down.predecessors(name)), default=0)
    for name in reversed(order):
        children = [layer[c] for c in down.successors(name)]
        # One with more children than parents makes arcs shorter by sinking.
        if children and down.in_degree(name) < len(children):
            layer[name] = min(children) - 1
    return layer


def _layer_of(node: Node, layer: dict[str, int]) -> int:
    return layer[node] if isinstance(node, str) else node[2]


def _with_passes(
    down: nx.DiGraph[str], layer: dict[str, int]
) -> tuple[nx.DiGraph[Node], dict[Arc, list[Node]]]:
    """Return the graph with a node wherever an arc passes a layer, and each arc's nodes."""
    graph: nx.DiGraph[Node] = nx.DiGraph()
    graph.add_nodes_from(down.nodes)
    chains = {}
    for a, b in down.edges:
        passes: list[Node] = [(a, b, i) for i in range(layer[a] + 1, layer[b])]
        chains[a, b] = [a, *passes, b]
        nx.add_path(graph, chains[a, b])
    return graph, chains


def _fewest_crossings(graph: nx.DiGraph[Node], rows: list[list[Node]]) -> list[list[Node]]:
    """Order rows by where their neighbours are, down and up again; keep the best."""
    best, fewest = rows, _crossings(graph, rows)
    rows = [list(row) for row in rows]
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for i in range(len(rows)) if down else reversed(range(len(rows))):
            near = i - 1 if down else i + 1
            if not 0 <= near < len(rows):
                continue
            place = {node: j for j, node in enumerate(rows[near])}
            rows[i] = _by_neighbours(graph, rows[i], place)
        crossings = _crossings(graph, rows)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    return best


def _by_neighbours(graph: nx.DiGraph[Node], row: list[Node], place: dict[Node, int]) -> list[Node]:
    def middle(item: tuple[int, Node]) -> float:
        own, node = item
        near = [place[other] for other in nx.all_neighbors(graph, node) if other in place]
        return sum(near) / len(near) if near else float(own)

    return [node for _, node in sorted(enumerate(row), key=middle)]


def _crossings(graph: nx.DiGraph[Node], rows: list[list[Node]]) -> int:
    count = 0
    for upper, lower in pairwise(rows):
        place = {node: j for j, node in enumerate(lower)}
        ends = [sorted(place[c] for c in graph.successors(node)) for node in upper]
        flat: list[int] = []
        for some in ends:
            count += sum(before > end for end in some for before in flat)
            flat += some
    return count


def _across(graph: nx.DiGraph[Node], rows: list[list[Node]], width: float) -> dict[Node, float]:
    """Pull each node towards its neighbours, in the order of its row."""
    at = {node: j * width for row in rows for j, node in enumerate(row)}
    near = {node: list(nx.all_neighbors(graph, node)) for node in graph}
    for pull in range(PULLS):
        middle = sum(at.values()) / len(at)
        for row in rows if pull % 2 == 0 else reversed(rows):
            wish = [_middle([at[other] for other in near[node]], middle) for node in row]
            at.update(zip(row, _apart(row, wish, width), strict=True))
    return at


def _middle(near: list[float], middle: float) -> float:
    """Return the middle of neighbours, drawn a little to that of all, lest parts drift away."""
    return (sum(near) + 0.02 * middle) / (len(near) + 0.02)


def _apart(row: list[Node], wish: list[float], width: float) -> list[float]:
    """Return places nearest to those wished for, in order and far enough apart.

    Least squares by pooling neighbours that are too close (Kruskal 1964).
    """
    offset = [0.0]
    for one, other in pairwise(row):
        # Passing arcs need less room than names.
        names = isinstance(one, str) + isinstance(other, str)
        offset.append(offset[-1] + width * (0.25, 0.6, 1.0)[names])
    pools: list[tuple[float, float, int]] = []  # mean, weight, size
    for node, place, shift in zip(row, wish, offset, strict=True):
        # Passing arcs give way least, so that they are straight.
        mean, weight, size = place - shift, 1.0 if isinstance(node, str) else 4.0, 1
        while pools and pools[-1][0] > mean:
            before, heavy, count = pools.pop()
            mean = (mean * weight + before * heavy) / (weight + heavy)
            weight, size = weight + heavy, size + count
        pools.append((mean, weight, size))
    flat = [mean for mean, _, size in pools for _ in range(size)]
    return [mean + shift for mean, shift in zip(flat, offset, strict=True)]
