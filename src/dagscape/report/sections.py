"""Sections of the page that are words, tables and pictures: made here, and shown as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

MOST_ROWS = 500
"""Of a table; more would make the page long and large."""


@dataclass(frozen=True)
class Section:
    """A heading, sentences by title, tables, and pictures side by side."""

    title: str
    lines: Mapping[str, Sequence[str]]
    tables: Mapping[str, tuple[Sequence[str], Sequence[Sequence[Any]]]]
    """By title: the names of columns, and rows."""
    graph: Mapping[str, Any] | None = None
    """A graph to draw in a circle: "names", and "arcs" of two numbers and a label."""
    pictures: Mapping[str, str] = field(default_factory=dict)
    """By title: addresses of images that hold these themselves (``data:``)."""

    def content(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "title": self.title,
            "graph": self.graph,
            "lines": [[title, list(lines)] for title, lines in self.lines.items() if lines],
            "tables": [
                {
                    "title": title,
                    "columns": [name.replace("_", " ") for name in columns],
                    "rows": [[_cell(value) for value in row] for row in rows[:MOST_ROWS]],
                    "more": max(0, len(rows) - MOST_ROWS),
                }
                for title, (columns, rows) in self.tables.items()
            ],
            "pictures": [[title, address] for title, address in self.pictures.items()],
        }


def _cell(value: Any) -> str | float:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return value if abs(value) >= 1e-3 or value == 0 else f"{value:.1e}"
    if isinstance(value, list | tuple):
        return ", ".join(value) or "none"
    return "" if value is None else str(value)
