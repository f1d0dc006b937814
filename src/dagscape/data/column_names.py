"""A table in memory under names that can be used, and how Python writes a part of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dagscape.data.build import usable_names
from dagscape.notes import MOST_EXAMPLES, Note


def names_as_given(table: Any) -> list[object] | None:
    """Return the names of the columns as they are; None for what is no table with names."""
    if isinstance(table, Mapping):
        return list(table)
    if isinstance(table, np.ndarray):
        return [] if table.ndim == 2 and not table.shape[1] else None
    if hasattr(table, "collect_schema"):  # polars, whose lazy frames warn of the other way
        return list(table.collect_schema().names())
    for attribute in ("column_names", "columns"):  # pyarrow has both, and these are its names
        names = getattr(table, attribute, None)
        if names is not None and not callable(names):
            return list(names)
    return None


def renamed(names: Sequence[object]) -> list[str] | None:
    """Return better names if these cannot be used: numbers can, as text."""
    texts = [
        str(name) if type(name) is int or isinstance(name, np.integer) else name for name in names
    ]
    better = usable_names(texts)
    return None if better == texts else better


def renamed_note(before: Sequence[object], now: Sequence[str]) -> Note:
    """Return the fact that columns were given other names."""
    new = tuple(name for old, name in zip(before, now, strict=True) if old != name)
    return Note("renamed", counts={"columns": len(new)}, examples=new[:MOST_EXAMPLES])


def with_names(table: Any, names: Sequence[str]) -> Any:
    """Return the table under other names."""
    if isinstance(table, Mapping):
        return dict(zip(names, table.values(), strict=True))
    if hasattr(table, "rename_columns"):
        return table.rename_columns(list(names))
    if hasattr(table, "set_axis"):
        return table.set_axis(list(names), axis=1)
    return table.rename(dict(zip(names_as_given(table) or (), names, strict=True)))


def in_words(table: Any, names: Sequence[str] | None) -> str:
    """Write the table in Python, under other names if there are any."""
    if names is None:
        return "frame"
    given = json.dumps(list(names), ensure_ascii=False)
    if isinstance(table, Mapping):
        return f"dict(zip({given}, frame.values()))"
    if hasattr(table, "rename_columns"):
        return f"frame.rename_columns({given})"
    if hasattr(table, "set_axis"):
        return f"frame.set_axis({given}, axis=1)"
    return f"frame.rename(dict(zip(frame.columns, {given})))"
