"""Read the golden files."""

from __future__ import annotations

import csv
import itertools
import json
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """A table of counts and what an independent program makes of it."""

    how: str
    child: str
    parents: list[str]
    states: dict[str, list[str]]  # of the parents, then of the child
    counts: list[list[int]]  # by parent configuration (last parent fastest) and child state
    dataset: str = ""
    rows: int = 0
    values: dict[str, float] = field(default_factory=dict)  # natural logs
    bits: dict[str, float] = field(default_factory=dict)  # base 2
    fractions: dict[str, Fraction] = field(default_factory=dict)  # the probability itself

    def __str__(self) -> str:
        return f"{self.dataset}{self.rows or ''} {self.child}|{','.join(self.parents)}".strip()

    @property
    def arities(self) -> list[int]:
        return [len(states) for states in self.states.values()]

    def codes(self) -> list[list[int]]:
        """Return the rows that give these counts: the parents' codes, then the child's."""
        cells = itertools.product(*map(range, self.arities))
        counts = itertools.chain(*self.counts)
        return [list(cell) for cell, n in zip(cells, counts, strict=True) for _ in range(n)]


def read_counts(name: str) -> list[Case]:
    """Return the cases of one of the JSON files."""
    cases = json.loads((HERE / name).read_text(encoding="utf-8"))["cases"]
    for case in cases:
        exact = case.get("fractions", {})
        case["fractions"] = {score: Fraction(text) for score, text in exact.items()}
    return [Case(**case) for case in cases]


Family = tuple[int, str, tuple[str, ...]]  # rows, child, parents


def read_bnlearn_scores() -> dict[str, dict[Family, dict[str, float]]]:
    """Return bnlearn's values by data set, family and score."""
    values: dict[str, dict[Family, dict[str, float]]] = {}
    with (HERE / "bnlearn_scores.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            parents = tuple(row["parents"].split(";")) if row["parents"] else ()
            family = (int(row["rows"]), row["child"], parents)
            of_family = values.setdefault(row["dataset"], {}).setdefault(family, {})
            of_family[row["score"]] = float(row["value"])
    return values
