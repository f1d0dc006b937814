"""Findings as frames and as plain values."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from dagscape.errors import ParameterError
from dagscape.variables import check_name

NAMES = pl.List(pl.String)


def frame_of(rows: Sequence[NamedTuple], columns: dict[str, Any]) -> pl.DataFrame:
    """Return rows as a frame; `columns` has the name and the type of each."""
    cells = zip(*rows, strict=True) if rows else [()] * len(columns)
    series = [
        pl.Series(name, [list(cell) if kind == NAMES else cell for cell in column], dtype=kind)
        for (name, kind), column in zip(columns.items(), cells, strict=True)
    ]
    return pl.DataFrame(series)


def plain_rows(rows: Sequence[NamedTuple], columns: dict[str, Any]) -> list[dict[str, Any]]:
    """Return rows as plain values."""
    return [
        {
            name: list(cell) if isinstance(cell, tuple) else cell
            for name, cell in zip(columns, row, strict=True)
        }
        for row in rows
    ]


# The same in the library of the user's choice.

FRAMES = ("polars", "pandas", "pyarrow", "dict")
"""What a table can be returned as."""


def as_frame(columns: dict[str, pl.Series], frame: str) -> Any:
    """Return columns of equal length as a table of the library named."""
    check_name("frame", frame, FRAMES)
    if frame == "polars":
        return pl.DataFrame(columns)
    lists = {name: column.to_list() for name, column in columns.items()}
    if frame == "dict":
        return lists
    try:
        library = importlib.import_module(frame)
    except ModuleNotFoundError:
        raise ParameterError(f'frame="{frame}" needs {frame}: pip install {frame}') from None
    return library.DataFrame(lists) if frame == "pandas" else library.table(lists)
