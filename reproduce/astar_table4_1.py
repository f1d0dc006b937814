"""Table 4.1 of the A* paper: DP, DP-E, systematic search and A* on 16 UCI sets.

python reproduce/astar_table4_1.py [--only SET ...] [--cpu-limit S] [--store FILE] [--json FILE]

The score is BIC with the uniform prior on networks, which is the paper's MDL with its sign turned.
Times are CPU seconds of one thread, of scoring and of the search.

Source: Wu, A heuristic search algorithm for learning optimal Bayesian networks, 2010, Table 4.1.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from _astar_paper import PAPER, Row
from _astar_tables import tables
from _cpu_limit import cpu_limit
from _data import add_data_option, check_folder
from _kept import Kept
from _order_graph import Counts, count_ranges
from _tables import add_output_options, console, put_out

import dagscape as ds
from dagscape.selection import ad_tree_size

Settings = dict[str, Any]


class Method(NamedTuple):
    """How parent sets are pruned, and how they are searched."""

    prune: Any
    search: Settings


PLAIN = {"split": False, "incumbent": False}
METHODS = {
    "DP": Method(("published", "bound"), {"algorithm": "dp", **PLAIN}),
    "DP-E": Method("published", {"algorithm": "dp", **PLAIN}),
    "SS": Method("published", {"algorithm": "systematic", "heuristic": "simple", **PLAIN}),
    "A*": Method(
        "published",
        {"algorithm": "astar", "heuristic": "simple", "forced_moves": False, **PLAIN},
    ),
    "SS, later bounds": Method(True, {"algorithm": "systematic", **PLAIN}),
    "auto": Method(True, {}),
}
"""The paper's four, systematic search as it is here, and what dagscape does when nothing is said.

The published pruning is Theorems 3, 5 and 7; Theorem 5 alone for DP.
"""

MOST_BYTES = 4e9
"""The memory of the paper's machine, for scoring and again for a search."""

LARGEST_RANGE = 23
"""Variables up to which the range of possible counts is computed: 1.6 GB."""

Record = dict[str, Any]


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    screen = console()
    kept = Kept(options.store)
    records = []
    # What is imported on first use is not part of the first time.
    ds.exact(ds.load_network("asia").sample(10, seed=0), score="bic")
    for name in options.only or PAPER:
        with screen.status(name) as status:
            records.append(_record(name, options, kept, status.update))
    put_out(screen, options, tables(records, options.methods), records)
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
        "--cpu-limit", type=float, default=600.0, metavar="S", help="CPU seconds of each run; 600"
    )
    parser.add_argument(
        "--systematic-limit",
        type=float,
        default=60.0,
        metavar="S",
        help="CPU seconds of each systematic search, which often does not end; 60",
    )
    parser.add_argument(
        "--store", type=Path, metavar="FILE", help="keep each run there, and do not run it again"
    )
    add_output_options(parser)
    options = parser.parse_args()
    check_folder(parser, options.data)
    return options


def _record(name: str, options: argparse.Namespace, kept: Kept, tell: Any) -> Record:
    """Run every method on a set; check the scores against the data and each other."""
    row = PAPER[name]
    data = ds.read_data(options.data / row.file)
    runs = {}
    for method in options.methods:
        tell(f"{name}, {method}")
        limit = options.systematic_limit if method.startswith("SS") else options.cpu_limit
        asked = {"data": data.fingerprint, "method": method, "cpu_limit": limit}
        runs[method] = kept.get(asked, partial(_run, data, METHODS[method], limit))
    proven = {run["score"] for run in runs.values() if run["optimal"]}
    if proven and max(proven) - min(proven) > 1e-6:
        raise AssertionError(f"{name}: proven optima differ: {sorted(proven)}")
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
    }
    return record | kept.get({"data": data.fingerprint, "sizes": "all"}, partial(_sizes, data, row))


def _run(data: ds.Data, method: Method, cpu_seconds: float) -> Record:
    start = time.process_time()
    with cpu_limit(cpu_seconds) as scoring:
        parents = ds.candidate_parents(
            data,
            score="bic",
            prior="uniform",
            prune=method.prune,
            max_memory=MOST_BYTES,
            threads=1,
        )
    scored = time.process_time()
    with cpu_limit(cpu_seconds) as searching:
        result = ds.exact(parents, max_memory=MOST_BYTES, threads=1, **method.search)
    done = time.process_time()
    if "interrupt" in (parents.stopped, result.stopped) and not (scoring.over or searching.over):
        raise KeyboardInterrupt  # somebody pressed Ctrl-C
    score = ds.score(data, result.dag, score="bic", prior="uniform")
    if abs(score - result.score) > 1e-9 * abs(score):
        raise AssertionError(f"{result.method} says {result.score}, the data say {score}")
    return {
        "method": result.method,
        "optimal": result.optimal and result.scope == ds.Scope(),
        "stopped": "time" if scoring.over or searching.over else parents.stopped or result.stopped,
        "score": score,
        "bound": result.bound,
        "scoring_seconds": scored - start,
        "search_seconds": done - scored,
        "families_scored": parents.work["families_scored"],
        "parent_sets": len(parents),
        "order_nodes": result.work.get("order_nodes"),
        "order_edges": result.work.get("order_edges"),
        "bytes": result.work.get("bytes"),
    }


def _sizes(data: ds.Data, row: Row) -> Record:
    """Return the AD-tree's size, and what any A* can count in the order graph."""
    size = ad_tree_size(data)
    found: Record = {"ad_tree": size.nodes, "full_ad_tree": size.full_nodes}
    if row.own and data.n_variables <= LARGEST_RANGE:
        counts = count_ranges(ds.candidate_parents(data, score="bic", prior="uniform", threads=1))
        found["any_tie_order"] = counts._asdict()
        found["paper_within"] = _within(row, counts)
    return found


def _within(row: Row, counts: Counts) -> bool:
    """Tell whether the paper's counts are ones that some order among ties gives."""
    return all(
        printed.range.least <= possible.most and possible.least <= printed.range.most
        for printed, possible in ((row.nodes, counts.nodes), (row.edges, counts.edges))
    )


if __name__ == "__main__":
    sys.exit(main())
