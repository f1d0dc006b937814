"""Tables of results, in the library of the user's choice."""

from __future__ import annotations

import importlib
from typing import Any

import polars as pl

from dagscape.errors import ParameterError
from dagscape.variables import check_name

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
