"""A graph made ready for any pencil: boxes for variables, lines for edges, all in pixels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import dagscape as ds
from dagscape.report.content import LONGEST, ROW, THICKEST, THINNEST, draw, node_width
from dagscape.report.curves import HALF, arrow_head, cubics, trimmed
from dagscape.report.layout import Point
from dagscape.report.page_pairs import BACK, FORTH, NONE, UNDIRECTED, Models, Pair, pairs_of

PLAIN = 1.8
"""The thickness of an edge about which nothing more is known."""


@dataclass(frozen=True)
class Box:
    """A variable: its name, its middle and its width."""

    name: str
    label: str
    middle: Point
    width: float


@dataclass(frozen=True)
class Line:
    """An edge: its points, the corners of its head if it has one, and how it is meant."""

    points: list[Point]
    head: list[Point]
    thickness: float
    mark: str
    """"same": as in the network; "extra": not in it; "missing": in it, of too little confidence."""


@dataclass(frozen=True)
class Drawing:
    """Boxes and lines, from (0, 0) on."""

    boxes: list[Box]
    lines: list[Line]
    size: Point


def drawing(
    dag: ds.Dag,
    models: Models | None = None,
    *,
    threshold: float | None = None,
    weights: str | None = None,
    known: ds.Mpdag | None = None,
    knowledge: ds.Knowledge | None = None,
) -> Drawing:
    """Draw the essential graph of a network; with models, also the edges of enough confidence.

    ``known`` is that graph with the directions that knowledge gives, which are then drawn;
    tiers of ``knowledge`` are rows.
    """
    pairs = pairs_of(dag, models, None, weights, known)
    return drawn_pairs(dag, pairs, lambda pair: _shown(pair, threshold), knowledge)


def drawing_of(result: ds.Result) -> Drawing:
    """Draw the essential graph of a result with what is known of directions and tiers."""
    return drawing(result.dag, known=result.mpdag, knowledge=result.scope.knowledge)


def drawn_pairs(
    dag: ds.Dag,
    pairs: list[Pair],
    shown: Callable[[Pair], tuple[int, float | None, str]],
    knowledge: ds.Knowledge | None = None,
) -> Drawing:
    """Draw pairs of variables as they are to be shown: kind of edge, its share, and its mark."""
    layout = draw(dag, pairs, knowledge)
    names = dag.names
    width = {name: node_width(name) for name in names}
    pad = 12.0
    left = min((x - width[name] / 2 for name, (x, _) in layout.nodes.items()), default=0.0) - pad

    def spot(point: Point) -> Point:
        return point[0] - left, point[1] * ROW + HALF + pad

    boxes = [Box(n, shortened(n), spot(layout.nodes[n]), width[n]) for n in names]
    lines = []
    for pair in pairs:
        kind, share, mark = shown(pair)
        if kind == NONE:
            continue
        a, b = names[pair.a], names[pair.b]
        if kind == BACK:
            a, b = b, a
        way = layout.arcs.get((a, b)) or layout.arcs.get((b, a), [])[::-1]
        points = [spot(p) for p in way or (layout.nodes[a], layout.nodes[b])]
        points = trimmed(points, width[a], width[b])
        thick = PLAIN if share is None else thickness(share)
        head: list[Point] = []
        if kind != UNDIRECTED:
            points, head = arrow_head(points, thick)
        lines.append(Line(points, head, thick, mark))
    return _framed(boxes, lines, pad)


def thickness(share: float) -> float:
    """Return how thick to draw an edge that has this share."""
    return THINNEST + (THICKEST - THINNEST) * share


def _framed(boxes: list[Box], lines: list[Line], pad: float) -> Drawing:
    """Return a drawing that holds all of its boxes and lines, with some room around them."""
    spots = [
        (box.middle[0] + side * box.width / 2, box.middle[1] + side * HALF)
        for box in boxes
        for side in (-1, 1)
    ]
    for line in lines:
        # A curve stays within the corners of its handles.
        spots += [*line.points, *line.head, *(p for piece in cubics(line.points) for p in piece)]
    if not spots:
        return Drawing(boxes, lines, (2 * pad, 2 * pad))
    (left, right), (top, bottom) = ((min(c), max(c)) for c in zip(*spots, strict=True))

    def moved(point: Point) -> Point:
        return point[0] - left + pad, point[1] - top + pad

    return Drawing(
        [replace(box, middle=moved(box.middle)) for box in boxes],
        [
            replace(line, points=[*map(moved, line.points)], head=[*map(moved, line.head)])
            for line in lines
        ],
        (right - left + 2 * pad, bottom - top + 2 * pad),
    )


def shortened(name: str) -> str:
    """Return a name as it fits in a node."""
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def _shown(pair: Pair, threshold: float | None) -> tuple[int, float | None, str]:
    """Return the edge of a pair to draw, its confidence and how it is meant."""
    if pair.shares is None or threshold is None:
        return pair.drawn, None, "same"
    most = max(pair.shares)
    if most < threshold - 1e-9:
        return pair.found, 0.0, "missing"
    kind = (FORTH, BACK, UNDIRECTED)[pair.shares.index(most)]
    return kind, most, "same" if pair.found == kind else "extra"
