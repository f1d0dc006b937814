"""A small picture of a graph for notebooks: SVG inside HTML, without further libraries."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from dagscape.report.curves import HALF, cubics
from dagscape.report.drawing import Drawing, Line
from dagscape.report.layout import Point

WIDEST, HIGHEST = 720.0, 480.0
"""Pixels that the picture may take."""
STYLES = {"same": ("#2f7fc1", "none"), "extra": ("#c14a00", "7 4"), "missing": ("#808893", "2 4")}


def svg(picture: Drawing) -> str:
    """Return a drawing as SVG that takes the colors of what is around it."""
    width, height = picture.size
    scale = min(1.0, WIDEST / width, HIGHEST / height)
    parts = [line_svg(line) for line in picture.lines]
    for box in picture.boxes:
        x, y = box.middle
        parts.append(
            f"<g><title>{escape(box.name)}</title>"
            f'<rect x="{x - box.width / 2:.1f}" y="{y - HALF:.1f}" width="{box.width:.1f}" '
            f'height="{2 * HALF:.0f}" rx="5" fill="none" stroke="currentColor" '
            'stroke-opacity="0.6"/>'
            f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" fill="currentColor" '
            f'font-size="12" font-family="sans-serif">{escape(box.label)}</text></g>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width * scale:.0f}" height="{height * scale:.0f}" role="img" '
        f'aria-label="graph of {len(picture.boxes)} variables and {len(picture.lines)} edges">'
        f"{''.join(parts)}</svg>"
    )


def line_svg(line: Line) -> str:
    """Return an edge as SVG: its shaft, and its head if it has one."""
    start, *_ = line.points
    path = f"M{_spots([start])}" + "".join(f"C{_spots(piece)}" for piece in cubics(line.points))
    color, dashes = STYLES[line.mark]
    shaft = (
        f'<path d="{path}" fill="none" stroke="{color}" '
        f'stroke-width="{line.thickness:.2f}" stroke-dasharray="{dashes}"/>'
    )
    head = f'<path d="M{_spots(line.head, "L")}Z" fill="{color}"/>' if line.head else ""
    return shaft + head


def _spots(points: Iterable[Point], between: str = " ") -> str:
    return between.join(f"{x:.1f} {y:.1f}" for x, y in points)
