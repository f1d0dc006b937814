"""Table 4.1 of the A* paper: DP, DP-E, systematic search and A* on 16 UCI sets.

python reproduce/astar_table4_1.py [--only SET ...] [--time-limit S] [--json FILE] [--markdown FILE]

Source: Wu, A heuristic search algorithm for learning optimal Bayesian networks, 2010, Table 4.1.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from _data import add_data_option, check_folder
from _order_graph import Counts, Range, count_ranges
from rich.console import Console
from rich.table import Table

import dagscape as ds

ALL_RULES = ("limit", "bound", "dominance")
PLAIN = {"split": False, "incumbent": False}
METHODS: dict[str, dict[str, Any]] = {
    "DP": {"algorithm": "dp", "prune": ("bound",), **PLAIN},
    "DP-E": {"algorithm": "dp", "prune": ALL_RULES, **PLAIN},
    "SS": {"algorithm": "systematic", "prune": ALL_RULES, **PLAIN},
    "A*": {
        "algorithm": "astar",
        "heuristic": "simple",
        "forced_moves": False,
        "prune": ALL_RULES,
        **PLAIN,
    },
    "auto": {},
}
"""The paper's four, and what dagscape does when nothing is said."""

LARGEST_RANGE = 23
"""Variables up to which the range of possible counts is computed: 1.6 GB."""


class Figure(NamedTuple):
    """A number as the paper prints it, with as many digits as it has there."""

    text: str

    @property
    def range(self) -> Range:
        """The whole numbers that print like this."""
        mantissa, _, exponent = self.text.partition("E")
        if not exponent:
            return Range(int(mantissa), int(mantissa))
        digits = len(mantissa.partition(".")[2])
        half = 10 ** (int(exponent) - digits) // 2
        middle = round(float(self.text))
        return Range(middle - half, middle + half)

    def shown(self) -> str:
        """Return it with commas where it is written out."""
        return f"{int(self.text):,}" if self.text.isdigit() else self.text


class Row(NamedTuple):
    """A line of the paper's table, its slipped columns put right; None where nothing is printed."""

    file: str
    own: bool
    """Whether the file is the paper's own table, as far as its AD-tree sizes can tell."""
    seconds: dict[str, float | None]
    nodes: Figure
    edges: Figure
    ad_tree: Figure | None
    full_ad_tree: Figure | None


def _row(
    file: str, own: bool, seconds: str, nodes: str, edges: str, ad_tree: str, full: str
) -> Row:
    times = [None if word == "-" else float(word) for word in seconds.split()]
    return Row(
        file,
        own,
        dict(zip(("DP", "DP-E", "SS", "A*"), times, strict=True)),
        Figure(nodes),
        Figure(edges),
        Figure(ad_tree) if ad_tree else None,
        Figure(full) if full else None,
    )


# Seconds of DP, DP-E, SS and A*; order nodes and edges; AD-tree nodes, built and full.
PAPER = {
    "iris": _row("ebnsl/iris.csv.gz", True, "0.02 0.00 0.03 0.01", "27", "33", "598", "1024"),
    "liver": _row("uci/liver_t41.csv", True, "0.04 0.02 0.12 0.02", "123", "263", "2181", "2187"),
    "car": _row("uci/car_t41.csv", True, "0.11 0.07 0.16 0.11", "114", "202", "40000", "40000"),
    "acute": _row("uci/acute_t41.csv", True, "0.04 0.02 0.36 0.03", "210", "445", "2942", "8748"),
    "abalone": _row(
        "uci/abalone_t41.csv", False, "0.24 0.26 52.32 0.28", "506", "1647", "23440", "34992"
    ),
    "cmc": _row(
        "uci/cmc_t41.csv", False, "0.43 0.49 0.83 0.49", "961", "2221", "336706", "1080000"
    ),
    "wine": _row(
        "ebnsl/wine.csv.gz", True, "2.97 3.41 26.31 1.45", "13465", "38627", "504436", "6377292"
    ),
    "adult": _row(
        "uci/adult.csv", False, "97.87 135.90 - 128.52", "32750", "207948", "9.015E6", "1.435E7"
    ),
    "credit": _row(
        "uci/credit.csv", False, "21.42 23.10 196.58 16.23", "65517", "332032", "4.348E6", "1.020E8"
    ),
    "zoo": _row(
        "uci/zoo_t41.csv", True, "30.08 31.41 377.46 8.16", "112820", "365685", "4.691E5", "1.291E8"
    ),
    "letter": _row(
        "ebnsl/letter.csv.gz", True, "440.1 779.16 - 695.44", "130879", "1.040E6", "6.869E7", ""
    ),
    "voting": _row(
        "ebnsl/voting.csv.gz", True, "- 26.61 - 12.77", "98177", "263839", "1.708E7", ""
    ),
    "hepatitis": _row(
        "uci/hepatitis.csv", False, "127.92 91.44 - 30.70", "494599", "1.802E6", "1.624E6", ""
    ),
    "meta": _row("uci/meta.csv", False, "- 16171.89 - 944.13", "2.083E6", "8.859E6", "1.726E7", ""),
    "heart": _row(
        "uci/heart.csv", True, "- 5003.64 - 1137.89", "8.034E6", "4.282E7", "4.601E6", ""
    ),
    "parkinson": _row(
        "uci/parkinson.csv", False, "- 26542.40 - 10032.36", "1.662E7", "9.791E7", "", "2.824E11"
    ),
}

Record = dict[str, Any]


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    console = Console(width=None if sys.stdout.isatty() else 150, highlight=False)
    records = []
    for name in options.only or PAPER:
        with console.status(name):
            records.append(_record(name, options))
    for title, header, rows in _tables(records):
        table = Table(title=title, box=None, pad_edge=False, title_justify="left")
        for i, column in enumerate(header):
            table.add_column(column, justify="right" if i else "left")
        for row in rows:
            table.add_row(*row)
        console.print(table)
        console.print()
    if options.json:
        options.json.write_text(f"{json.dumps(records, indent=2)}\n", encoding="utf-8")
    if options.markdown:
        options.markdown.write_text(_markdown(records), encoding="utf-8")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--only", nargs="+", choices=PAPER, metavar="SET", help="these sets alone")
    parser.add_argument(
        "--methods",
        nargs="+",
        choices=METHODS,
        default=list(METHODS),
        metavar="METHOD",
        help=f"these alone, out of {', '.join(METHODS)}",
    )
    parser.add_argument(
        "--time-limit", type=float, default=60.0, metavar="S", help="seconds of each run; 60"
    )
    parser.add_argument(
        "--threads", type=int, default=1, metavar="N", help="of the paper's four; auto takes all"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything as JSON")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables")
    options = parser.parse_args()
    check_folder(parser, options.data)
    return options


def _record(name: str, options: argparse.Namespace) -> Record:
    """Run every method on a set; check the scores against the data and each other."""
    row = PAPER[name]
    data = ds.read_data(options.data / row.file)
    runs = {}
    for method in options.methods:
        threads = None if method == "auto" else options.threads
        runs[method] = _run(data, METHODS[method], options.time_limit, threads)
    proven = {run["score"] for run in runs.values() if run["optimal"]}
    if proven and max(proven) - min(proven) > 1e-6:
        raise AssertionError(f"{name}: proven optima differ: {sorted(proven)}")
    size = ds.ad_tree_size(data)
    record = {
        "set": name,
        "file": row.file,
        "own": row.own,
        "variables": data.n_variables,
        "rows": data.n_rows,
        "optimum": max(proven) if proven else None,
        "runs": runs,
        "full_nodes": 2**data.n_variables,
        "full_edges": data.n_variables * 2 ** (data.n_variables - 1),
        "ad_tree": size.nodes,
        "full_ad_tree": size.full_nodes,
    }
    if row.own and data.n_variables <= LARGEST_RANGE:
        counts = count_ranges(ds.candidate_parents(data, prune=ALL_RULES, threads=options.threads))
        record["any_tie_order"] = counts._asdict()
        record["paper_within"] = _within(row, counts)
    return record


def _run(data: ds.Data, settings: dict[str, Any], time_limit: float, threads: int | None) -> Record:
    result = ds.exact(data, score="bic", time_limit=time_limit, threads=threads, **settings)
    score = ds.score(data, result.dag)
    if abs(score - result.score) > 1e-9 * abs(score):
        raise AssertionError(f"{result.method} says {result.score}, the data say {score}")
    stages = dict(result.work["stages"])
    return {
        "method": result.method,
        "optimal": result.optimal and result.scope == ds.Scope(),
        "stopped": result.stopped,
        "score": score,
        "bound": result.bound,
        "scoring_seconds": stages["scoring"],
        "search_seconds": sum(stages.values()) - stages["scoring"],
        "parent_sets": result.work["parent_sets"],
        "order_nodes": result.work.get("order_nodes"),
        "order_edges": result.work.get("order_edges"),
        "bytes": result.work.get("bytes"),
    }


def _within(row: Row, counts: Counts) -> bool:
    """Tell whether the paper's counts are ones that some order among ties gives."""
    return all(
        printed.range.least <= possible.most and possible.least <= printed.range.most
        for printed, possible in ((row.nodes, counts.nodes), (row.edges, counts.edges))
    )


Lines = list[list[str]]


def _tables(records: Iterable[Record]) -> list[tuple[str, list[str], Lines]]:
    records = list(records)
    return [
        (
            "Seconds, scoring + search (paper's in brackets); - is not proven within the limit",
            ["set", "n", "N", *METHODS, "ran", "optimal BIC"],
            [_times(record) for record in records],
        ),
        (
            "Order graph: nodes and edges of A* (paper's in brackets), and of the full graph",
            ["set", "nodes", "any tie order", "full", "edges", "any tie order", "full", "paper"],
            [_graph(record) for record in records],
        ),
        (
            "AD-tree: nodes built and full (paper's in brackets)",
            ["set", "built", "full"],
            [_ad_tree(record) for record in records],
        ),
    ]


def _times(record: Record) -> list[str]:
    cells = [record["set"], str(record["variables"]), f"{record['rows']:,}"]
    for method in METHODS:
        run = record["runs"].get(method)
        cell = "" if run is None else "-"
        if run is not None and run["optimal"]:
            cell = f"{run['scoring_seconds']:.2f} + {run['search_seconds']:.2f}"
        if method != "auto":
            printed = PAPER[record["set"]].seconds[method]
            cell += f" ({'-' if printed is None else f'{printed:,.2f}'})"
        cells.append(cell)
    best = record["optimum"]
    auto = record["runs"].get("auto")
    ran = auto["method"].removeprefix("exact: ") if auto else ""
    return [*cells, ran, "-" if best is None else f"{best:.4f}"]


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


def _ad_tree(record: Record) -> list[str]:
    row = PAPER[record["set"]]
    cells = [record["set"]]
    for key, printed in (("ad_tree", row.ad_tree), ("full_ad_tree", row.full_ad_tree)):
        cells.append(f"{record[key]:,.0f} ({printed.shown() if printed else 'not printed'})")
    return cells


def _markdown(records: Iterable[Record]) -> str:
    parts = []
    for title, header, rows in _tables(records):
        lines = [f"{title}:", "", "| " + " | ".join(header) + " |"]
        lines.append("| --- |" + " --: |" * (len(header) - 1))
        lines += ["| " + " | ".join(row) + " |" for row in rows]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.exit(main())
