"""What A* proves that dynamic programming and the integer program do not: nodes, bytes, CPU time.

python reproduce/astar_reach.py [--only SET ...] [--cpu-limit S] [--store FILE]

For the question whether A* should have more threads, or use a disk: chapter 5 of the A* paper names
both as future work. BIC with the uniform prior on networks; one thread each. Parent sets are scored
before, and no component is split off.

Source: Wu, A heuristic search algorithm for learning optimal Bayesian networks, 2010, chapter 5.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from _cpu_limit import cpu_limit
from _data import add_data_option, check_folder, each_set
from _kept import Kept
from _tables import Table, add_output_options, console, put_out

import dagscape as ds
from dagscape._core import dynamic_programming_bytes

SETS = ("parkinsons", "sensors", "autos", "horse", "steel", "flag", "wdbc", "soybean")
"""Sets of 23 to 36 variables in the folder ``ebnsl``."""

WAYS: dict[str, dict[str, Any]] = {
    "A*": {"algorithm": "astar"},
    "integer program": {"algorithm": "ilp"},
}
MOST_BYTES = 4e9
MOST_PARENTS = 4
"""Where the score leaves more, sets of up to so many are enough to compare searches."""

Record = dict[str, Any]


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    screen = console()
    kept = Kept(options.store)
    records = []
    for name, data in each_set(screen, options, "ebnsl"):
        with screen.status(name):
            asked = {
                "data": data.fingerprint,
                "cpu_limit": options.cpu_limit,
                "reach": MOST_PARENTS,
            }
            found = kept.get(asked, partial(_record, data, options.cpu_limit))
            records.append({"set": name, **found})
    put_out(screen, options, [_table(records)], records)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--only", nargs="+", choices=SETS, default=SETS, metavar="SET")
    parser.add_argument(
        "--cpu-limit", type=float, default=20.0, metavar="S", help="CPU seconds of each; 20"
    )
    parser.add_argument("--store", type=Path, metavar="FILE", help="keep each set there")
    add_output_options(parser)
    options = parser.parse_args()
    check_folder(parser, options.data)
    return options


def _record(data: ds.Data, cpu_seconds: float) -> Record:
    parents = ds.candidate_parents(
        data, score="bic", prior="uniform", max_parents=MOST_PARENTS, threads=1
    )
    runs = {}
    for way, settings in WAYS.items():
        start = time.process_time()
        with cpu_limit(cpu_seconds) as limit:
            result = ds.exact(parents, split=False, max_memory=MOST_BYTES, threads=1, **settings)
        runs[way] = {
            "cpu_seconds": time.process_time() - start,
            "optimal": result.optimal,
            "stopped": "time" if limit.over else result.stopped,
            "nodes": result.work.get("order_nodes"),
            "bytes": result.work.get("bytes"),
        }
    return {"variables": data.n_variables, "parent_sets": len(parents), "runs": runs}


def _table(records: list[Record]) -> Table:
    rows = []
    for record in records:
        search = record["runs"]["A*"]
        nodes = search["nodes"] or 0
        row = [record["set"], str(record["variables"]), f"{record['parent_sets']:,}"]
        row += [f"{dynamic_programming_bytes(record['variables'], 1) / 1e9:,.2f}", f"{nodes:,}"]
        row.append(f"{search['bytes'] / nodes:.0f}" if nodes and search["bytes"] else "")
        rows.append([*row, *(_time(record["runs"][way]) for way in WAYS)])
    header = ["set", "n", "parent sets", "DP, GB", "A*: nodes", "bytes per node"]
    return Table("What proves", [*header, *(f"{way}: CPU s" for way in WAYS)], rows)


def _time(run: Record) -> str:
    spent = f"{run['cpu_seconds']:.1f}"
    return spent if run["optimal"] else f"> {spent}, {run['stopped']}"


if __name__ == "__main__":
    sys.exit(main())
