"""Rows of findings as frames and as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

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
