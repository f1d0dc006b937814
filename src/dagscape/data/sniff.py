"""What the first lines of a text file look like: what separates cells, whether names come first."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from dagscape.data.formats import split_ending
from dagscape.data.labels import look_like_values
from dagscape.data.lines import LONGEST_RECORD, records
from dagscape.data.text_tables import SEPARATORS
from dagscape.errors import DataError
from dagscape.files.compression import open_binary
from dagscape.files.endings import TEXT

LOOKED_AT = 1 << 16
"""Bytes from the start of the file; more where its first line is longer, as with many columns."""
LINES = 30
_LINE_END = re.compile(rb"[\r\n]")
_QUOTED = re.compile(r'"[^"]*"')


def first_lines(file: Path) -> str:
    """Return the beginning of a text file, whole lines of it."""
    with open_binary(file, "rb") as stream:
        start = bytearray(more := stream.read(LOOKED_AT))
        while len(more) == LOOKED_AT and len(start) < LONGEST_RECORD and not _LINE_END.search(more):
            start += (more := stream.read(LOOKED_AT))
    text = start.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    if "\n" not in text:  # as on old Macs, and as it will be read
        text = text.replace("\r", "\n")
    lines = text.splitlines(keepends=True)
    return "".join(lines[:-1] if len(more) == LOOKED_AT and len(lines) > 1 else lines)


def usual_separator(file: Path) -> str:
    """Return what separates cells by the ending of the name; a comma where that says nothing."""
    return TEXT.get(split_ending(file)[0], ",")


def separator_of(text: str, usual: str) -> str:
    """Return what seems to separate the cells: the mark that most lines have equally many of."""
    bare = _QUOTED.sub("", text)
    lines = [line for line in bare.splitlines() if line.strip()][:LINES]

    def fit(mark: str) -> tuple[int, int]:
        widths = Counter(line.count(mark) for line in lines)
        often, lines_with = max(widths.items(), key=lambda each: (each[1], each[0]), default=(0, 0))
        return (lines_with, often) if often else (0, 0)

    marks = [usual, *(mark for mark in SEPARATORS if mark != usual)]
    best = max(marks, key=fit)  # ties go to the usual one
    # A decimal comma is in every line too: what stands between more cells is no decimal mark.
    if fit(best)[0]:
        return best
    return " " if len(lines) > 1 and fit(" ")[0] == len(lines) else usual


def names_of(text: str, separator: str) -> list[str]:
    """Return the cells of the first line."""
    try:
        record = next(records(text, separator), None)
    except DataError:
        return []
    return [] if record is None else record.cells


def has_names(names: list[str]) -> bool:
    """Tell whether the first line can be a line of names."""
    return not look_like_values(names)
