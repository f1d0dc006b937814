"""Table 1 of the KES paper: the best of 1,000 runs, and how many beat greedy search.

python reproduce/kes_table1.py [--only SET ...] [--runs N] [--time-limit S] [--json FILE]

Source: Nielsen, Kočka and Peña, On local optima in learning Bayesian networks, UAI 2003, Table 1.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

from _data import add_data_option
from _optima_data import SETS, load
from _tables import Table, add_output_options, console, put_out

import dagscape as ds

SHARES = (0.0, 0.4, 0.8, 1.0)
"""The values of k in the paper; 1 is greedy search (GES), 0 stochastic (SES)."""

SAME = 1e-6
"""Scores that differ by less are equal."""


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

Record = dict[str, Any]


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    screen = console()
    records = []
    for name in options.only or SETS:
        data = load(name, options.data)
        if data is None:
            screen.print(f"{name}: left out, its file is not in {options.data}")
            continue
        with screen.status(name):
            records.append(_record(name, data, options))
    put_out(screen, options, [_effectiveness(records), _ranks(records)], records)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--only", nargs="+", choices=SETS, metavar="SET", help="these sets alone")
    parser.add_argument("--runs", type=int, default=1000, metavar="N", help="of each k; 1000")
    parser.add_argument(
        "--time-limit", type=float, metavar="S", help="seconds for each set and k; none"
    )
    parser.add_argument(
        "--neighbourhood",
        default="exact",
        choices=("exact", "sampled"),
        help="all neighbours listed, or drawn in the paper's way (k < 1); exact",
    )
    parser.add_argument("--threads", type=int, metavar="N", help="all, if not given")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the runs; 0")
    add_output_options(parser)
    return parser.parse_args()


def _record(name: str, data: ds.Data, options: argparse.Namespace) -> Record:
    """Run every k on a set, and compare with greedy search."""
    found, seconds = {}, {}
    for k in reversed(SHARES):  # greedy search first, the others share its counts
        start = time.process_time()
        found[k] = _runs(data, k, options)
        seconds[k] = time.process_time() - start
    greedy = found[1.0].best.score
    lines = [
        {"k": k, **_compared(data, found[k], greedy), "cpu_seconds": seconds[k]} for k in SHARES
    ]
    return {
        "set": name,
        "variables": data.n_variables,
        "rows": data.n_rows,
        "neighbourhood": options.neighbourhood,
        "seed": options.seed,
        "lines": lines,
    }


def _runs(data: ds.Data, k: float, options: argparse.Namespace) -> ds.Landscape:
    greedy = k == 1  # draws nothing, if all neighbours are listed
    return ds.local_optima(
        data,
        k=k,
        runs=1 if greedy else options.runs,
        neighbourhood="exact" if greedy else options.neighbourhood,
        time_limit=options.time_limit,
        threads=options.threads,
        seed=options.seed,
    )


def _compared(data: ds.Data, found: ds.Landscape, greedy: float) -> Record:
    """Count what scores higher than greedy search, and what lower."""
    best = found.best
    score = ds.score(data, best.dag)
    if abs(score - best.score) > 1e-9 * abs(score):
        raise AssertionError(f"the optimum says {best.score}, the data say {score}")
    above = [optimum for optimum in found.optima if optimum.score > greedy + SAME]
    below = [optimum for optimum in found.optima if optimum.score < greedy - SAME]
    return {
        "best": score,
        "runs": found.runs,
        "stopped": found.stopped,
        "distinct": len(found.optima),
        "above": sum(optimum.visits for optimum in above),
        "above_distinct": len(above),
        "below": sum(optimum.visits for optimum in below),
        "below_distinct": len(below),
    }


def _printed(name: str) -> dict[float, Printed]:
    """Return what the paper has for a set, or for the one that it stands for."""
    return PAPER[name.partition("-")[0]]


def _effectiveness(records: Iterable[Record]) -> Table:
    rows = []
    for record in records:
        for line in record["lines"]:
            paper = _printed(record["set"])[line["k"]]
            greedy = line["k"] == 1
            rows.append(
                [
                    record["set"],
                    f"{line['k']:g}",
                    f"{line['best']:.1f}",
                    f"{line['best'] / math.log(10):.0f}",
                    str(paper.best),
                    "–" if greedy else f"{line['above']} ({line['above_distinct']})",
                    paper.above,
                    "–" if greedy else f"{line['below']} ({line['below_distinct']})",
                    paper.below,
                    f"{line['cpu_seconds']:.1f}"
                    + ("" if line["stopped"] is None else f" ({line['runs']} runs)"),
                ]
            )
    return Table(
        "Best score, runs that end above and below greedy search (distinct models in brackets)",
        ["set", "k", "best", "log 10", "paper", "> GES", "paper", "< GES", "paper", "CPU s"],
        rows,
    )


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


if __name__ == "__main__":
    sys.exit(main())
