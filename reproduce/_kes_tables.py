"""What Table 1 of the KES paper prints, beside what was found."""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import mean
from typing import Any, NamedTuple

from _tables import Table

Record = dict[str, Any]

SHARES = (0.0, 0.4, 0.8, 1.0)
"""The values of k in the table; 1 is greedy search (GES), 0 stochastic (SES)."""


class Printed(NamedTuple):
    """A line of the paper's table: log base 10, and runs with distinct models in brackets."""

    best: int
    above: str = "–"
    below: str = "–"


PAPER = {
    "alarm": {
        0.0: Printed(-95207, "0", "1000 (1000)"),
        0.4: Printed(-94288, "0", "918 (477)"),
        0.8: Printed(-94288, "0", "565 (69)"),
        1.0: Printed(-94288),
    },
    "trap": {
        0.0: Printed(-227932, "1000 (840)", "0"),
        0.4: Printed(-227955, "857 (343)", "88 (3)"),
        0.8: Printed(-227977, "275 (39)", "276 (3)"),
        1.0: Printed(-227999),
    },
    "all": {
        0.0: Printed(-130154, "0", "1000 (1000)"),
        0.4: Printed(-126856, "222 (222)", "774 (774)"),
        0.8: Printed(-126873, "656 (606)", "324 (316)"),
        1.0: Printed(-127010),
    },
    "aml": {
        0.0: Printed(-74503, "0", "1000 (1000)"),
        0.4: Printed(-73956, "32 (32)", "968 (968)"),
        0.8: Printed(-73952, "227 (131)", "719 (524)"),
        1.0: Printed(-73998),
    },
    "coil": {
        0.0: Printed(-10964, "11 (11)", "989 (983)"),
        0.4: Printed(-10964, "114 (43)", "879 (674)"),
        0.8: Printed(-10967, "221 (19)", "740 (126)"),
        1.0: Printed(-10969),
    },
}


def tables(records: list[Record], in_parts: bool = False) -> list[Table]:
    """Return the paper's table and the ranks in it; or one of parts of sets."""
    return [_sizes(records)] if in_parts else [_effectiveness(records), _ranks(records)]


def _printed(name: str) -> dict[float, Printed]:
    """Return what the paper has for a set, or for the one that it stands for."""
    return PAPER[name.partition("-")[0]]


def _effectiveness(records: Iterable[Record]) -> Table:
    rows = []
    for record in records:
        for line in record["lines"]:
            paper = _printed(record["set"])[line["k"]]
            best = str(paper.best) if _as_printed(record) else "–"
            greedy = line["k"] == 1
            rows.append(
                [
                    record["set"],
                    f"{line['k']:g}",
                    f"{line['best']:.1f}",
                    f"{line['best'] / math.log(10):.0f}",
                    best,
                    "–" if greedy else f"{line['above']} ({line['above_distinct']})",
                    paper.above,
                    "–" if greedy else f"{line['below']} ({line['below_distinct']})",
                    paper.below,
                    f"{line['cpu_seconds']:.1f}"
                    + ("" if line["stopped"] is None else f" ({line['runs']} runs)"),
                ]
            )
    return Table(
        "Best score, runs that end above and below greedy search (distinct models in brackets); "
        "the paper's counts are of BIC",
        ["set", "k", "best", "log 10", "paper", "> GES", "paper", "< GES", "paper", "CPU s"],
        rows,
    )


def _as_printed(record: Record) -> bool:
    """Tell whether the paper prints scores for these settings."""
    return bool(record["score"] == "bic")


def _sizes(records: Iterable[Record]) -> Table:
    """Show how often runs on parts of a set end above greedy search on the same part."""
    parts: dict[tuple[str, int, float], list[Record]] = {}
    for record in records:
        for line in record["lines"]:
            if line["k"] < 1:
                parts.setdefault((record["set"], record["rows"], line["k"]), []).append(line)
    rows = []
    for (name, size, k), lines in parts.items():
        keys = ("above", "below", "runs")
        above, below, runs = (sum(line[key] for line in lines) for key in keys)
        rows.append(
            [
                name,
                f"{size:,}",
                f"{k:g}",
                f"{100 * above / runs:.0f} %",
                ", ".join(str(line["above"]) for line in lines),
                f"{100 * below / runs:.0f} %",
                ", ".join(str(line["below"]) for line in lines),
                f"{mean(line['distinct'] for line in lines):.0f}",
            ]
        )
    header = ["set", "rows", "k", "> GES", "in each part", "< GES", "in each part", "distinct"]
    return Table("Runs that end above and below greedy search, on parts of a set", header, rows)


def _ranks(records: Iterable[Record]) -> Table:
    """Compare what can be compared where the data are others: which k does best."""
    rows = []
    for record in records:
        printed = _printed(record["set"])
        ours = {line["k"]: line for line in record["lines"]}
        tied = {k: round(line["best"] / math.log(10)) for k, line in ours.items()}
        above = {k: line["above"] for k, line in ours.items() if k < 1}
        theirs = {k: int(line.above.split()[0]) for k, line in printed.items() if k < 1}
        rows.append(
            [
                record["set"],
                _ordered(tied),
                _ordered({k: line.best for k, line in printed.items()}),
                _ordered(above),
                _ordered(theirs),
            ]
        )
    header = ["set", "by best score", "paper", "by runs above GES", "paper"]
    return Table("Values of k, the best first; = where they are the same", header, rows)


def _ordered(values: dict[float, int]) -> str:
    """Return the keys from the highest value down: "0.4 = 0.8, 1, 0"."""
    levels = sorted(set(values.values()), reverse=True)
    return ", ".join(
        " = ".join(f"{k:g}" for k, value in values.items() if value == level) for level in levels
    )
