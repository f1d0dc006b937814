"""A drawn graph with its legend as plain shapes, for whatever file they are written to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dagscape.report.curves import HALF, cubics
from dagscape.report.drawing import Box, Drawing, Line, thickness
from dagscape.report.layout import Point

INK, SOFT = "#16191d", "#5b6571"
STYLES: dict[str, tuple[str, tuple[float, ...]]] = {
    "same": ("#2f7fc1", ()),
    "extra": ("#c14a00", (7, 4)),
    "missing": ("#808893", (2, 4)),
}
"""Color and dashes of lines, by how they are meant."""
ROUND = 5.0
"""Radius of the corners of a box."""
LINE = 19.0
"""Pixels between two lines of the legend."""
LEGEND_WIDTH = 400.0
LINES = 2
"""Lines of a name in a box: as many as its height holds."""

DIRECTED = "the direction follows from the table, or from what was known"
UNDIRECTED = "either direction fits the table equally well"
PROBABLE = "the thicker, the more probable: 0.3, 0.7 and 1"


@dataclass(frozen=True)
class Curve:
    """A line from its first point through pieces of two handles and an end each."""

    start: Point
    pieces: Sequence[Sequence[Point]]
    color: str
    thickness: float
    dashes: tuple[float, ...] = ()

    @property
    def spots(self) -> list[Point]:
        """Points between which the line stays, but for half its thickness."""
        return [self.start, *(point for piece in self.pieces for point in piece)]


@dataclass(frozen=True)
class Area:
    """A filled shape of straight sides."""

    spots: Sequence[Point]
    color: str


@dataclass(frozen=True)
class Frame:
    """A white box with round corners, and what it stands for."""

    left: float
    top: float
    width: float
    height: float
    name: str


@dataclass(frozen=True)
class Label:
    """A line of text, around its middle or from its left end."""

    at: Point
    text: str
    size: float
    color: str
    centered: bool = True


Shape = Curve | Area | Frame | Label


@dataclass(frozen=True)
class Scene:
    """Shapes on white, from (0, 0) to the size."""

    size: Point
    shapes: Sequence[Shape]


def scene(picture: Drawing, *, probable: bool = False) -> Scene:
    """Return the shapes of a drawing and of its legend.

    ``probable`` says that thickness tells how probable an edge is.
    """
    shapes: list[Shape] = [shape for line in picture.lines for shape in _edge(line)]
    for box in picture.boxes:
        shapes += _box(box)
    legend = _legend(picture.size[1], probable)
    rows = 3 if probable else 2
    size = max(picture.size[0], LEGEND_WIDTH), picture.size[1] + LINE * rows + 8
    return Scene(size, [*shapes, *legend])


def name_lines(box: Box) -> list[str]:
    """Return a name in lines that fit its box; what does not fit ends in an ellipsis."""
    if box.label == box.name:
        return [box.name]
    most = max(len(box.label), int(box.width / 5.6))  # letters of the smaller size
    lines = _wrapped(box.name, most)
    if len(lines) > LINES:
        lines = [*lines[: LINES - 1], lines[LINES - 1][: most - 1] + "…"]
    return lines


def _wrapped(name: str, most: int) -> list[str]:
    """Break a name where its words end, be that at a blank, a hyphen, an underscore or a point."""
    lines = [""]
    for word in re.findall(r"[^\s_./-]*[\s_./-]*", name):
        while len(lines[-1] + word.rstrip()) > most:
            if lines[-1]:
                lines.append("")
            else:  # a single word that is too long
                lines[-1], word = word[:most], word[most:]
                lines.append("")
        lines[-1] += word
    return [line.strip() for line in lines if line.strip()] or [name]


def _edge(line: Line) -> list[Shape]:
    color, dashes = STYLES[line.mark]
    shaft = Curve(line.points[0], cubics(line.points), color, line.thickness, dashes)
    return [shaft, Area(line.head, color)] if line.head else [shaft]


def _box(box: Box) -> list[Shape]:
    x, y = box.middle
    lines = name_lines(box)
    size = 12.0 if len(lines) == 1 and box.label == box.name else 9.5
    first = y + size / 3 - (len(lines) - 1) * (size + 1) / 2
    words = [Label((x, first + i * (size + 1)), t, size, INK) for i, t in enumerate(lines)]
    return [Frame(x - box.width / 2, y - HALF, box.width, 2 * HALF, box.name), *words]


def _legend(top: float, probable: bool) -> list[Shape]:
    """Say what arrows, lines and their thickness mean."""
    color, _ = STYLES["same"]
    y = top + 12
    shapes: list[Shape] = [
        *_stroke(12, 38, y, color, 1.8),
        Area([(46, y), (37, y - 4), (37, y + 4)], color),
        Label((56, y + 4), DIRECTED, 11, SOFT, centered=False),
        *_stroke(12, 46, y + LINE, color, 1.8),
        Label((56, y + LINE + 4), UNDIRECTED, 11, SOFT, centered=False),
    ]
    if probable:
        for i, share in enumerate((0.3, 0.7, 1.0)):
            start = 12 + 12 * i
            shapes += _stroke(start, start + 9, y + 2 * LINE, color, thickness(share))
        shapes.append(Label((56, y + 2 * LINE + 4), PROBABLE, 11, SOFT, centered=False))
    return shapes


def _stroke(start: float, end: float, y: float, color: str, thick: float) -> list[Shape]:
    return [Curve((start, y), cubics([(start, y), (end, y)]), color, thick)]
