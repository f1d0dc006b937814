"""Show the relative score that order search reaches in given times, by moves and initial orders.

python benchmarks/order_table.py [--quick] [--sets NAME ...] [--seconds S ...] [--data DIR]

Five sets, six searches and 5, 15 and 60 s take 40 minutes; `--seconds 5 15` takes 10, `--quick`
(two sets, 2 and 5 s) 90 s. Scoring is included in each time, and nothing is kept from one run to
the next.
"""

from __future__ import annotations

import argparse
import itertools
import os
import time
from pathlib import Path

from cases.order import GOALS
from rich.console import Console

import dagscape as ds

BESIDE = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
SETS = ("plants", "accidents", "baudio", "dna", "pumsb_star")
SECONDS = (5.0, 15.0, 60.0)
QUICK = {"sets": ["plants", "dna"], "seconds": [2.0, 5.0]}


def main() -> None:
    """Do what the command line says: a line for each search, as soon as it is done."""
    options = _options()
    table = Console(highlight=False, markup=False, soft_wrap=True)
    times = " | ".join(f"{seconds:g} s" for seconds in options.seconds)
    table.print(f"| set | moves | from | {times} | score at last | from the goal | latest |")
    table.print("| --- | --- | --- |" + " --: |" * (len(options.seconds) + 3))
    for name in options.sets:
        data = ds.read_data(options.data / "debd" / f"{name}.csv.gz")
        empty = ds.score(data, ds.Dag(data.names, []), score="bic")
        for moves, init in itertools.product(options.moves, options.inits):
            cells, score, late = [], empty, 0.0
            for seconds in options.seconds:
                begun = time.perf_counter()
                found = ds.order_search(
                    data,
                    score="bic",
                    neighborhood=moves,
                    init=init,
                    time_limit=seconds,
                    threads=options.threads,
                    seed=options.seed,
                )
                late = max(late, time.perf_counter() - begun - seconds)
                score = ds.score(data, found.dag, score="bic")
                if abs(score - found.score) > 1e-9 * abs(score):
                    raise AssertionError(f"the search says {found.score}, the data say {score}")
                cells.append(f"{(score - empty) / abs(empty):.5f}")
            goal = f"{score - GOALS[name]:+.1f}" if name in GOALS else ""
            words = [name, moves, init, *cells, f"{score:.1f}", goal, f"{late:+.1f} s"]
            table.print(f"| {' | '.join(words)} |")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="plants and dna, 2 and 5 s")
    parser.add_argument("--sets", nargs="+", default=list(SETS), metavar="NAME")
    parser.add_argument("--seconds", nargs="+", type=float, default=list(SECONDS), metavar="S")
    parser.add_argument("--moves", nargs="+", default=["insert", "swap"], metavar="NAME")
    parser.add_argument("--inits", nargs="+", default=["random", "dfs", "fas"], metavar="NAME")
    parser.add_argument("--threads", type=int, default=2, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    given = os.environ.get("DAGSCAPE_DATA")
    parser.add_argument("--data", type=Path, default=given or BESIDE, metavar="DIR")
    options = parser.parse_args()
    options.data = Path(options.data)
    if options.quick:
        options.sets, options.seconds = QUICK["sets"], QUICK["seconds"]
    for name in options.sets:
        if not (options.data / "debd" / f"{name}.csv.gz").is_file():
            parser.error(f"debd/{name}.csv.gz is not in {options.data}; --data names the folder")
    return options


if __name__ == "__main__":
    main()
