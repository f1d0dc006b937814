"""The data of the page as the file holds them: under a version, tables by their columns' names.

Who reads them elsewhere goes by these names; ``docs/reference/page-data.md`` says what each means.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

FORMAT = "dagscape page"
VERSION = 1
"""Of the names and their meanings: one more whenever a reader of the last would go wrong."""

PAIR = ("a", "b", "shares", "found", "truth", "arc", "change", "between", "drawn", "required")
"""What is known of a pair of variables, in the order of :func:`dagscape.report.content.content`."""


def page_data(shown: dict[str, Any]) -> dict[str, Any]:
    """Return what the page shows with its tables by columns: half as large as by rows."""
    pairs = [dict(zip(PAIR, pair, strict=True)) for pair in shown["pairs"]]
    trust = shown["trust"]
    if trust is not None:
        trust = trust | {"edges": by_columns(trust["edges"])}
    effects = shown["effects"]
    if effects is not None:
        effects = effects | {"rows": by_columns(effects["rows"])}
    about = {"format": FORMAT, "format_version": VERSION}
    return about | shown | {"pairs": by_columns(pairs), "trust": trust, "effects": effects}


def by_columns(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return rows of the same names as columns; what is the same in all of them once."""
    found: dict[str, Any] = {"rows": len(rows), "same": {}, "columns": {}}
    for name in rows[0] if rows else ():
        column = [row[name] for row in rows]
        if all(value == column[0] and type(value) is type(column[0]) for value in column):
            found["same"][name] = column[0]
        else:
            found["columns"][name] = column
    return found
