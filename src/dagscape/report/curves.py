"""Lines between nodes: from border to border, smooth through the points between."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dagscape.report.layout import Point

HALF = 13.0
"""Half the height of a node, in pixels."""


def border(middle: Point, toward: Point, width: float, gap: float) -> Point:
    """Return where the way from a node's middle to a point leaves the node."""
    dx, dy = toward[0] - middle[0], toward[1] - middle[1]
    by = min(
        (width / 2 + gap) / abs(dx) if dx else math.inf,
        (HALF + gap) / abs(dy) if dy else math.inf,
        1.0,
    )
    return middle[0] + dx * by, middle[1] + dy * by


def trimmed(points: Sequence[Point], start: float, end: float) -> list[Point]:
    """Return a line that ends at the borders of nodes with these widths."""
    first = border(points[0], points[1], start, 1)
    last = border(points[-1], points[-2], end, 2)
    return [first, *points[1:-1], last]


def cubics(points: Sequence[Point]) -> list[tuple[Point, Point, Point]]:
    """Return Catmull and Rom's curve through points: two handles and an end for each piece."""
    pieces = []
    for i in range(len(points) - 1):
        p, q = points[i], points[i + 1]
        o, r = points[max(0, i - 1)], points[min(len(points) - 1, i + 2)]
        one = (p[0] + (q[0] - o[0]) / 6, p[1] + (q[1] - o[1]) / 6)
        other = (q[0] - (r[0] - p[0]) / 6, q[1] - (r[1] - p[1]) / 6)
        pieces.append((one, other, q))
    return pieces


def arrow_head(points: list[Point], thickness: float) -> tuple[list[Point], list[Point]]:
    """Return a line that makes room for an arrow head at its end, and the head's corners."""
    (x, y), (bx, by) = points[-1], points[-2]
    length = math.hypot(x - bx, y - by) or 1.0
    dx, dy = (x - bx) / length, (y - by) / length
    long, wide = 6.5 + 1.5 * thickness, 2.8 + 0.85 * thickness
    base = x - dx * long, y - dy * long
    corners = [
        (x, y),
        (base[0] - dy * wide, base[1] + dx * wide),
        (base[0] + dy * wide, base[1] - dx * wide),
    ]
    return [*points[:-1], base], corners
