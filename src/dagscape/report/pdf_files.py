"""Shapes as a PDF file: one page of vectors, with letters of the fonts that every reader has.

Helvetica need not be part of the file, but has Western European letters alone; others are shown by
their plain form where they have one, else by a bullet, and a line says so. Source: ISO 32000-1.
"""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Iterable, Sequence
from functools import cache

from dagscape.report.layout import Point
from dagscape.report.scene import LINE, ROUND, SOFT, Area, Curve, Frame, Label, Scene, Shape

SCALE = 0.75
"""Points of a pixel."""
LARGEST = 14_400
"""Points that a page may measure."""
BOW = 0.5523
"""How far the handles of a quarter circle lie, in radii."""
ENCODING = "cp1252"
STROKED = dict(zip("ŁłĐđĦħŦŧı", "LlDdHhTti", strict=True))
"""Letters that have a plain form, though Unicode takes them for letters of their own."""
LACKING = "\N{BULLET}"
NOT_ALL = f"{LACKING}: a letter that this file cannot show; the .svg has it"
WIDTHS = dict(
    zip(
        map(chr, range(32, 127)),
        (
            *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
            *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556),
            *(1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778),
            *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556),
            *(333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556),
            *(556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
        ),
        strict=True,
    )
)
"""Widths of Helvetica's letters in thousandths of its size, from Adobe's metrics of the font."""


def pdf_file(scene: Scene) -> bytes:
    """Return a whole PDF file."""
    width, height = scene.size
    shapes = list(scene.shapes)
    if any(LACKING in in_helvetica(shape.text) for shape in shapes if isinstance(shape, Label)):
        shapes.append(Label((12, height + 4), NOT_ALL, 11, SOFT, centered=False))
        height += LINE
    scale = min(SCALE, LARGEST / max(width, height))
    # From the top down and in pixels, as shapes are.
    content = [f"{scale:.6g} 0 0 {-scale:.6g} 0 {height * scale:.2f} cm"]
    content += [_pdf(shape) for shape in shapes]
    packed = zlib.compress("\n".join(content).encode(ENCODING))
    return _assembled(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            (
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width * scale:.2f} "
                f"{height * scale:.2f}] /Contents 4 0 R "
                "/Resources << /Font << /F1 5 0 R >> >> >>"
            ).encode(),
            b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(packed), packed),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        ]
    )


def _assembled(objects: Sequence[bytes]) -> bytes:
    """Return a file of objects, with their numbers and where each begins."""
    file, starts = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, content in enumerate(objects, start=1):
        starts.append(len(file))
        file += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    size = len(objects) + 1
    return file + (
        b"xref\n0 %d\n0000000000 65535 f \n%btrailer\n<< /Size %d /Root 1 0 R >>\n"
        b"startxref\n%d\n%%%%EOF\n" % (size, table, size, len(file))
    )


def _pdf(shape: Shape) -> str:
    if isinstance(shape, Curve):
        ways = "".join(f"\n{_spots(piece)} c" for piece in shape.pieces)
        dashes = " ".join(f"{dash:g}" for dash in shape.dashes)
        return (
            f"{_color(shape.color)} RG {shape.thickness:.2f} w [{dashes}] 0 d\n"
            f"{_spots([shape.start])} m{ways} S"
        )
    if isinstance(shape, Area):
        first, *rest = shape.spots
        sides = " ".join(f"{_spots([spot])} l" for spot in rest)
        return f"{_color(shape.color)} rg\n{_spots([first])} m {sides} h f"
    if isinstance(shape, Frame):
        return f"1 1 1 rg {_color(SOFT)} RG 1 w [] 0 d\n{_rounded(shape)} b"
    text = in_helvetica(shape.text)
    x, y = shape.at
    if shape.centered:
        x -= width_of(text, shape.size) / 2
    shown = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    # The page is upside down, and letters are not to be.
    return (
        f"BT /F1 {shape.size:g} Tf {_color(shape.color)} rg "
        f"1 0 0 -1 {x:.2f} {y:.2f} Tm ({shown}) Tj ET"
    )


def _rounded(frame: Frame) -> str:
    """Return the way around a box with round corners."""
    left, top, r = frame.left, frame.top, ROUND
    right, bottom, k = left + frame.width, top + frame.height, ROUND * (1 - BOW)
    return (
        f"{_spots([(left + r, top)])} m {_spots([(right - r, top)])} l "
        f"{_spots([(right - k, top), (right, top + k), (right, top + r)])} c "
        f"{_spots([(right, bottom - r)])} l "
        f"{_spots([(right, bottom - k), (right - k, bottom), (right - r, bottom)])} c "
        f"{_spots([(left + r, bottom)])} l "
        f"{_spots([(left + k, bottom), (left, bottom - k), (left, bottom - r)])} c "
        f"{_spots([(left, top + r)])} l "
        f"{_spots([(left, top + k), (left + k, top), (left + r, top)])} c"
    )


def in_helvetica(text: str) -> str:
    """Return a text in letters that the font has."""
    return "".join(_plain(letter) for letter in text)


@cache
def _plain(letter: str) -> str:
    for form in (letter, STROKED.get(letter, unicodedata.normalize("NFKD", letter)[:1])):
        try:
            form.encode(ENCODING)
        except UnicodeEncodeError:
            continue
        return form if form.isprintable() else LACKING
    return LACKING


def width_of(text: str, size: float) -> float:
    """Return how long a text is in Helvetica."""
    return size / 1000 * sum(WIDTHS.get(letter, 556) for letter in text)


def _color(name: str) -> str:
    return " ".join(f"{int(name[i : i + 2], 16) / 255:.3f}" for i in (1, 3, 5))


def _spots(points: Iterable[Point]) -> str:
    return " ".join(f"{x:.2f} {y:.2f}" for x, y in points)
