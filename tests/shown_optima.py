"""What optima and features show, read back."""

from __future__ import annotations

import csv

FEW = ("--runs", "60", "--k", "0.5")
COLUMNS = ["score", "difference", "visits", "first_run", "edges"]
KINDS = ["edges", "paths", "blankets"]


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines(keepends=True), delimiter="\t"))


def typed(columns: dict[str, list[object]]) -> list[dict[str, str]]:
    """Return what a table of the package looks like as text."""

    def cell(value: object) -> str:
        if value is None:
            return ""
        return str(value).lower() if isinstance(value, bool) else str(value)

    lists = zip(*columns.values(), strict=True)
    return [dict(zip(columns, map(cell, row), strict=True)) for row in lists]


def refused(result, said: str) -> None:
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("dagscape: ")
    assert said in line
