"""What a consensus has and lacks as its balance of false and missing edges is chosen.

python reproduce/balance.py [--seeds N] [--store FILE] [--markdown FILE]

Tables of the published design (causes that add up, 320 rows) on 80 variables and on HEPAR2's graph;
the posterior by the defaults with at most three parents. A balance of 0.8 counts a false edge four
times a missing one.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any

from _accuracy_truths import PUBLISHED, PUBLISHED_ROWS
from _kept import Kept
from _tables import Table, add_output_options, console, put_out

import dagscape as ds

BALANCES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
MAX_PARENTS = 3

Record = dict[str, Any]


def main() -> int:
    """Do what the command line says; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="tables of each; 3")
    parser.add_argument(
        "--store", type=Path, metavar="FILE", help="keep each table's results there"
    )
    add_output_options(parser)
    options = parser.parse_args()
    screen, kept = console(), Kept(options.store)
    records = []
    for design in PUBLISHED:
        for seed in range(options.seeds):
            with screen.status(f"{design}, table {seed}"):
                asked = {"design": design, "seed": seed, "balances": BALANCES}
                found = kept.get(asked, partial(shares, design, seed))
            records.append({"design": design, **found})
    put_out(screen, options, [_curve(records)], records)
    return 0


def shares(design: str, seed: int) -> Record:
    """Return the shares of true and of false edges for each balance, of the number of true ones."""
    net = PUBLISHED[design](seed)
    known = ds.posterior(net.sample(PUBLISHED_ROWS, seed=seed), max_parents=MAX_PARENTS, seed=seed)
    true = {frozenset(arc) for arc in net.dag.arcs}
    found = []
    for balance in BALANCES:
        graph = known.consensus(balance)
        edges = {frozenset(pair) for pair in (*graph.directed, *graph.undirected)}
        found.append((len(edges & true) / len(true), len(edges - true) / len(true)))
    return {"shares": found}


def _curve(records: list[Record]) -> Table:
    designs = {record["design"]: [] for record in records}
    for record in records:
        designs[record["design"]].append(record["shares"])
    rows = [
        [str(balance), *(_means([each[at] for each in some]) for some in designs.values())]
        for at, balance in enumerate(BALANCES)
    ]
    title = "Edges of the skeleton, true / false, as shares of the number of true ones"
    return Table(title, ["balance", *designs], rows)


def _means(pairs: list[list[float]]) -> str:
    return " / ".join(f"{mean(column):.2f}" for column in zip(*pairs, strict=True))


if __name__ == "__main__":
    sys.exit(main())
