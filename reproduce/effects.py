"""How often the two intervals of an effect hold the truth, on fixed truths with tiers given.

python reproduce/effects.py [--tables 200] [--rows 100,300,1000] [--design clinic] [--free]
                            [--gaps 0.1] [--store FILE]

For each truth (_effect_designs.py) and number of rows: in what share of the tables the posterior's
95 % interval holds the true effect, and the adjusted one; and their mean widths. With --free, no
tiers are given; with --gaps, such a share of the cells is missing at random. What is done stays in
the file of --store.
docs/howto/effects.md has the figures.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from _effect_designs import DESIGNS, Design
from _kept import Kept, Record

import dagscape as ds

NETWORKS = 500
ROUNDS = 80
"""Of chains with drawn cells."""
INTERVALS = ("posterior", "adjusted")


def main() -> None:
    """Print a row for each truth and number of rows."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rows", default="100,300,1000")
    parser.add_argument("--design", default="", help="those whose name has this in it")
    parser.add_argument("--free", action="store_true", help="without tiers")
    parser.add_argument("--gaps", type=float, default=0.0, help="the share of cells missing")
    parser.add_argument("--store", type=Path, help="a file for what is done")
    options = parser.parse_args()
    rows = [int(each) for each in options.rows.split(",")]
    kept = Kept(options.store)
    for line in coverage(options.tables, rows, options.design, options.free, options.gaps, kept):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def coverage(
    tables: int, rows: list[int], of: str, free: bool, gaps: float, kept: Kept
) -> Iterator[str]:
    """Yield how often each interval held the truth."""
    yield "| truth | effect | rows | posterior | adjusted | widths | seconds each |"
    yield "| --- | --: | --: | --: | --: | --- | --: |"
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
                held.append(np.mean((low <= truth) & (truth <= high)))
                widths.append(np.mean(high - low))
            seconds = np.mean([each["cpu"] for each in ends])
            yield (
                f"| {name} | {truth:.3f} | {many:,} | {held[0]:.3f} | {held[1]:.3f} | "
                f"{widths[0]:.3f}, {widths[1]:.3f} | {seconds:.2f} |"
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
