"""Many measurements of one cell as least, median and greatest."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from benchmarks.compare.job import Record


@dataclass(frozen=True)
class Spread:
    """Least, median and greatest of some figures."""

    least: float
    middle: float
    most: float


def spread(records: list[Record], name: str) -> Spread | None:
    """Return the spread of a figure over the records that have it; None if none has."""
    figures = [record[name] for record in records if name in record]
    return Spread(min(figures), median(figures), max(figures)) if figures else None


def cells(records: list[Record]) -> dict[tuple[str, str], list[Record]]:
    """Return the records of each case and tool, in the order they came."""
    found: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        found.setdefault((record["case"], record["tool"]), []).append(record)
    return found
