"""Read the golden files of local learning."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "local"


@dataclass(frozen=True)
class Table:
    """A small table of codes."""

    names: list[str]
    arities: list[int]
    codes: list[list[int]]

    @property
    def states(self) -> dict[str, list[str]]:
        return {
            name: [str(state) for state in range(arity)]
            for name, arity in zip(self.names, self.arities, strict=True)
        }


def read(name: str) -> dict[str, Any]:
    """Return what one of the files holds."""
    content: dict[str, Any] = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    return content


@cache
def read_table(name: str) -> Table:
    """Return one of the tables, its rows in the order of their codes."""
    table = read("tables")["tables"][name]
    codes = []
    for word in table["rows"].split():
        row, _, count = word.partition("x")
        codes += [[int(code) for code in row]] * int(count or 1)
    return Table(table["names"], table["arities"], codes)
