"""Tables on the screen and in Markdown, and the options that say where to write them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from _results import keep
from rich import table as rich_table
from rich.console import Console


class Table(NamedTuple):
    """Words in rows; the first column is a name, the others are numbers."""

    title: str
    header: list[str]
    rows: list[list[str]]

    def markdown(self) -> str:
        """Return it with its title as a line above."""
        lines = [f"{self.title}:", "", "| " + " | ".join(self.header) + " |"]
        lines.append("| --- |" + " --: |" * (len(self.header) - 1))
        lines += ["| " + " | ".join(row) + " |" for row in self.rows]
        return "\n".join(lines)


def console() -> Console:
    """Return a screen that is wide enough where its width is not known."""
    return Console(width=None if sys.stdout.isatty() else 150, highlight=False)


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``, ``--markdown`` and ``--keep``."""
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything as JSON")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables")
    parser.add_argument(
        "--keep", type=Path, metavar="FILE", help="write what reproduce/pages.py makes pages of"
    )


def put_out(
    screen: Console,
    options: argparse.Namespace,
    tables: Iterable[Table],
    content: Any,
    *,
    drawn: bool = False,
) -> None:
    """Show the tables, and write what the options ask for; of what is drawn, keep all."""
    tables = list(tables)
    for table in tables:
        shown = rich_table.Table(
            title=table.title, box=None, pad_edge=False, title_justify="left", show_edge=False
        )
        for i, column in enumerate(table.header):
            shown.add_column(column, justify="right" if i else "left")
        for row in table.rows:
            shown.add_row(*row)
        screen.print(shown)
        screen.print()
    if options.json:
        options.json.write_text(f"{json.dumps(content, indent=2)}\n", encoding="utf-8")
    if options.markdown:
        text = "\n\n".join(table.markdown() for table in tables)
        options.markdown.write_text(f"{text}\n", encoding="utf-8")
    if options.keep:
        keep(options.keep, [table._asdict() for table in tables], content if drawn else None)
