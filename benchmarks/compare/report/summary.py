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
    """Return the records of each case and tool, in the order they came.

    Variants of a tool, other than its main way, are left out.
    """
    found: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        if not record.get("variant"):
            found.setdefault((record["case"], record["tool"]), []).append(record)
    return found


def variants(records: list[Record], case: str, tool: str) -> dict[str, list[Record]]:
    """Return the records of each other way that a tool was asked in a case."""
    mine = [r for r in records if (r["case"], r["tool"]) == (case, tool) and r.get("variant")]
    return {
        variant: [record for record in mine if record["variant"] == variant]
        for variant in dict.fromkeys(record["variant"] for record in mine)
    }
