"""What Table 4.1 of the A* paper prints, beside what was found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from _astar_paper import PAPER
from _tables import Table

Record = dict[str, Any]


def tables(records: list[Record], methods: Iterable[str]) -> list[Table]:
    """Return times, and the sizes of order graphs and AD-trees."""
    methods = list(methods)
    times = "CPU seconds, scoring + search (paper's in brackets)"
    return [
        Table(
            f"{times}; > is not proven after so many",
            ["set", "n", "N", *methods, "ran", "optimal BIC"],
            [_times(record, methods) for record in records],
        ),
        Table(
            "Order graph: nodes and edges of A* (paper's in brackets), and of the full graph",
            ["set", "nodes", "any tie order", "full", "edges", "any tie order", "full", "paper"],
            [_graph(record) for record in records],
        ),
        Table(
            "If A* counted otherwise: what any tie order gives (paper's in brackets)",
            ["set", "nodes expanded", "nodes, paper", "all edges", "edges, paper"],
            [_otherwise(record) for record in records if "any_tie_order" in record],
        ),
        Table(
            "AD-tree: nodes built and full (paper's in brackets)",
            ["set", "built", "full"],
            [_ad_tree(record) for record in records],
        ),
    ]


def _times(record: Record, methods: list[str]) -> list[str]:
    cells = [record["set"], str(record["variables"]), f"{record['rows']:,}"]
    printed = PAPER[record["set"]].seconds
    for method in methods:
        cell = _seconds(record["runs"][method])
        if method in printed:
            there = printed[method]
            cell += f" ({'-' if there is None else f'{there:,.2f}'})"
        cells.append(cell)
    best = record["optimum"]
    auto = record["runs"].get("auto")
    ran = auto["method"].removeprefix("exact: ") if auto else ""
    return [*cells, ran, "-" if best is None else f"{best:.4f}"]


def _seconds(run: Record) -> str:
    """Return the time of both parts; of a run that was stopped, what it took until then."""
    if run["optimal"]:
        return f"{run['scoring_seconds']:.2f} + {run['search_seconds']:.2f}"
    return f"> {run['scoring_seconds'] + run['search_seconds']:.0f}, {run['stopped']}"


def _graph(record: Record) -> list[str]:
    row, run = PAPER[record["set"]], record["runs"].get("A*")
    cells = [record["set"]]
    for what, printed in (("nodes", row.nodes), ("edges", row.edges)):
        count = f"{run[f'order_{what}']:,}" if run and run["optimal"] else "-"
        cells.append(f"{count} ({printed.shown()})")
        possible = record.get("any_tie_order", {}).get(what)
        cells.append(f"{possible[0]:,} to {possible[1]:,}" if possible else "")
        cells.append(f"{record[f'full_{what}']:,}")
    within = record.get("paper_within")
    cells.append("" if within is None else "within" if within else "outside")
    return cells


def _otherwise(record: Record) -> list[str]:
    row, possible = PAPER[record["set"]], record["any_tie_order"]
    cells = [record["set"]]
    for what, printed in (("expanded", row.nodes), ("all_edges", row.edges)):
        least, most = possible[what]
        cells += [f"{least:,} to {most:,}", f"({printed.shown()})"]
    return cells


def _ad_tree(record: Record) -> list[str]:
    row = PAPER[record["set"]]
    cells = [record["set"]]
    for key, printed in (("ad_tree", row.ad_tree), ("full_ad_tree", row.full_ad_tree)):
        cells.append(f"{record[key]:,.0f} ({printed.shown() if printed else 'not printed'})")
    return cells
