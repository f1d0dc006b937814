"""Shapes as an SVG file."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from dagscape.report.layout import Point
from dagscape.report.scene import ROUND, SOFT, Area, Curve, Frame, Scene, Shape


def svg_file(scene: Scene) -> str:
    """Return a whole SVG file."""
    width, height = scene.size
    shapes = "\n".join(map(_svg, scene.shapes))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" font-family="Helvetica, Arial, sans-serif">\n'
        f'<rect width="100%" height="100%" fill="white"/>\n{shapes}\n</svg>\n'
    )


def _svg(shape: Shape) -> str:
    if isinstance(shape, Curve):
        path = f"M{spots([shape.start])}" + "".join(f"C{spots(p)}" for p in shape.pieces)
        dashes = f' stroke-dasharray="{_numbers(shape.dashes)}"' if shape.dashes else ""
        return (
            f'<path d="{path}" fill="none" stroke="{shape.color}" '
            f'stroke-width="{shape.thickness:.2f}"{dashes}/>'
        )
    if isinstance(shape, Area):
        return f'<path d="M{spots(shape.spots, "L")}Z" fill="{shape.color}"/>'
    if isinstance(shape, Frame):
        return (
            f'<rect x="{shape.left:.1f}" y="{shape.top:.1f}" width="{shape.width:.1f}" '
            f'height="{shape.height:.1f}" rx="{ROUND:g}" fill="white" stroke="{SOFT}">'
            f"<title>{escape(shape.name)}</title></rect>"
        )
    x, y = shape.at
    anchor = ' text-anchor="middle"' if shape.centered else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}"{anchor} font-size="{shape.size:g}" '
        f'fill="{shape.color}">{escape(shape.text)}</text>'
    )


def spots(points: Iterable[Point], between: str = " ") -> str:
    """Return points as paths have them."""
    return between.join(f"{x:.1f} {y:.1f}" for x, y in points)


def _numbers(numbers: Iterable[float]) -> str:
    return " ".join(f"{number:g}" for number in numbers)
