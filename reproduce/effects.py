"""How often the two intervals of an effect hold the truth, on fixed truths with tiers given.

python reproduce/effects.py [--tables 200] [--rows 100,300,1000] [--design clinic] [--free]
                            [--gaps 0.1] [--store FILE] [--keep FILE]

For each truth (_effect_designs.py) and number of rows: in what share of the tables the posterior's
95 % interval holds the true effect, and the adjusted one; and their mean widths. With --free, no
tiers are given; with --gaps, such a share of the cells is missing at random. What is done stays in
the file of --store.
docs/howto/effects.md has the figures.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path

import numpy as np
from _effect_designs import DESIGNS, Design
from _kept import Kept, Record
from _tables import Table, add_output_options, console, put_out

import dagscape as ds

NETWORKS = 500
ROUNDS = 80
"""Of chains with drawn cells."""
INTERVALS = ("posterior", "adjusted")


def main() -> None:
    """Show a row for each truth and number of rows."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rows", default="100,300,1000")
    parser.add_argument("--design", default="", help="those whose name has this in it")
    parser.add_argument("--free", action="store_true", help="without tiers")
    parser.add_argument("--gaps", type=float, default=0.0, help="the share of cells missing")
    parser.add_argument("--store", type=Path, help="a file for what is done")
    add_output_options(parser)
    options = parser.parse_args()
    rows = [int(each) for each in options.rows.split(",")]
    found = coverage(
        options.tables, rows, options.design, options.free, options.gaps, Kept(options.store)
    )
    put_out(console(), options, [found], None)


def coverage(tables: int, rows: list[int], of: str, free: bool, gaps: float, kept: Kept) -> Table:
    """Return how often each interval held the truth, by truth and rows and in all."""
    lines, all_held = [], []
    for name, design in DESIGNS.items():
        if of not in name:
            continue
        truth = design.truth()
        for many in rows:
            asked = {"design": name, "rows": many, "free": free, "gaps": gaps}
            ends = [
                kept.get(
                    {**asked, "seed": seed}, partial(intervals, design, many, seed, free, gaps)
                )
                for seed in range(tables)
            ]
            held, widths = [], []
            for interval in INTERVALS:
                low, high = np.array([each[interval] for each in ends]).T
                held.append(float(np.mean((low <= truth) & (truth <= high))))
                widths.append(float(np.mean(high - low)))
            all_held.append(held)
            cells = [truth, *held, *widths]
            lines.append([f"{name}, {many:,} rows", str(tables), *(f"{x:.3f}" for x in cells)])
    if len(lines) > 1:
        means = [f"{share:.3f}" for share in np.mean(all_held, axis=0)]
        lines.append(["mean", f"{tables * len(lines):,}", "", *means, "", ""])
    lost = f", a share of {gaps:g} of the cells missing" if gaps else ""
    tiers = "without tiers" if free else "with tiers given"
    head = ["truth", "tables", "effect", "posterior's", "adjusted", "width, posterior's"]
    head.append("width, adjusted")
    return Table(
        f"Shares of tables whose 95 % interval holds the effect, {tiers}{lost}", head, lines
    )


def intervals(design: Design, rows: int, seed: int, free: bool, gaps: float) -> Record:
    """Return both intervals on one table."""
    begun = time.process_time()
    rng = np.random.default_rng(seed)
    frame = design.draw(rng, rows, {})
    if gaps:
        frame = {
            x: [None if lost else cell for cell, lost in zip(cells, lost_cells, strict=True)]
            for x, cells in frame.items()
            for lost_cells in [rng.random(rows) < gaps]
        }
    data = ds.Data(frame, missing="keep")
    knowledge = None if free else ds.Knowledge(tiers=[list(tier) for tier in design.tiers])
    rounds = {"rounds": ROUNDS} if gaps else {}
    weighed = ds.posterior(data, knowledge=knowledge, threads=1, **rounds)
    found = ds.effect(weighed, design.cause, design.outcome, networks=NETWORKS)
    ends: Record = {}
    for interval in INTERVALS:
        change = found.difference(design.after, design.before, interval=interval)
        _, low, high = change[design.state] if isinstance(change, dict) else change
        ends[interval] = (float(low), float(high))
    return ends | {"cpu": round(time.process_time() - begun, 2)}


if __name__ == "__main__":
    main()
