"""A drawn graph in a file of its own: SVG, with a legend and names in lines."""

from __future__ import annotations

from html import escape
from textwrap import wrap

from dagscape.report.curves import HALF
from dagscape.report.drawing import Box, Drawing
from dagscape.report.small import line_svg

LEGEND = 46.0
"""Pixels for the legend below the graph."""
LEAST_WIDTH = 330.0
"""What the legend takes across."""
INK, SOFT = "#16191d", "#5b6571"
LINES = 2
"""Lines of a name in a box: as many as its height holds."""


def svg_file(picture: Drawing) -> str:
    """Return a whole SVG file: the graph on white, and what its lines mean."""
    width, graph = max(picture.size[0], LEAST_WIDTH), picture.size[1]
    height = graph + LEGEND
    parts = [line_svg(line) for line in picture.lines]
    parts += [_box(box) for box in picture.boxes]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" font-family="sans-serif">\n'
        f'<rect width="100%" height="100%" fill="white"/>\n{"".join(parts)}\n{_legend(graph)}\n'
        "</svg>\n"
    )


def _box(box: Box) -> str:
    x, y = box.middle
    lines = name_lines(box)
    size = 12.0 if len(lines) == 1 else 9.5
    first = y + size / 3 - (len(lines) - 1) * (size + 1) / 2
    words = "".join(
        f'<text x="{x:.1f}" y="{first + i * (size + 1):.1f}" text-anchor="middle" fill="{INK}" '
        f'font-size="{size:g}">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    return (
        f"<g><title>{escape(box.name)}</title>"
        f'<rect x="{x - box.width / 2:.1f}" y="{y - HALF:.1f}" width="{box.width:.1f}" '
        f'height="{2 * HALF:.0f}" rx="5" fill="white" stroke="{SOFT}"/>{words}</g>'
    )


def name_lines(box: Box) -> list[str]:
    """Return a name in lines that fit its box; what does not fit ends in an ellipsis."""
    if box.label == box.name:
        return [box.name]
    most = max(len(box.label), int(box.width / 5.6))  # letters of the smaller size
    lines = wrap(box.name, most, break_on_hyphens=True) or [box.label]
    if len(lines) > LINES:
        lines = [*lines[: LINES - 1], lines[LINES - 1][: most - 1] + "…"]
    return lines


def _legend(top: float) -> str:
    """Say what arrows and lines mean."""
    rows = (
        (
            "M12 {y} L38 {y}",
            "M46 {y} L37 {a} L37 {b} Z",
            "the direction follows from the table, or from what was known",
        ),
        ("M12 {y} L46 {y}", "", "either direction fits the table equally well"),
    )
    shown = []
    for i, (shaft, head, words) in enumerate(rows):
        y = top + 12 + 19 * i
        at = {"y": f"{y:.1f}", "a": f"{y - 4:.1f}", "b": f"{y + 4:.1f}"}
        shown.append(f'<path d="{shaft.format(**at)}" stroke="#2f7fc1" stroke-width="1.8"/>')
        shown.append(f'<path d="{head.format(**at)}" fill="#2f7fc1"/>' if head else "")
        shown.append(f'<text x="56" y="{y + 4:.1f}" font-size="11" fill="{SOFT}">{words}</text>')
    return "".join(shown)
