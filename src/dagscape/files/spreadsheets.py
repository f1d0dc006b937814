"""Cells of text files that a spreadsheet would take for formulas.

A name such as ``=1+1`` or ``@all`` is written with an apostrophe before it, which keeps it text in
a spreadsheet. So that every cell comes back, one that looks like that by itself gets another.
Numbers and lone signs are no formulas, and stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

GUARD = "'"
_BEGINS_FORMULA = frozenset("=+-@\t\r\n＝＋－＠")
_FIGURE = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_NUMBER = re.compile(rf"{_FIGURE}(?: \({_FIGURE} to {_FIGURE}\))?")
"""A number, also with its interval, as in "-1.5 (-2.25 to -0.75)"."""


def guarded(cell: str) -> str:
    """Return a cell as it is written: with an apostrophe where it would be taken for a formula."""
    return GUARD + cell if _is_formula(cell.lstrip(GUARD)) else cell


def unguarded(cells: Collection[str]) -> dict[str, str]:
    """Return what the distinct cells of a column were before they were written.

    A column with a formula that has no apostrophe was not written here, and stays as it is.
    """
    if any(map(_is_formula, cells)):
        return {cell: cell for cell in cells}
    return {
        cell: cell[1:] if cell.startswith(GUARD) and _is_formula(cell.lstrip(GUARD)) else cell
        for cell in cells
    }


def guarded_frame(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame whose names and strings can be written."""
    import polars as pl

    columns = []
    for column in frame.iter_columns():
        changed = column.alias(guarded(column.name))
        if column.dtype == pl.String:
            words = column.unique().drop_nulls().to_list()
            others = {word: guarded(word) for word in words if guarded(word) != word}
            changed = changed.replace(list(others), list(others.values())) if others else changed
        columns.append(changed)
    return pl.DataFrame(columns)


def _is_formula(cell: str) -> bool:
    return len(cell) > 1 and cell[0] in _BEGINS_FORMULA and not _NUMBER.fullmatch(cell)
