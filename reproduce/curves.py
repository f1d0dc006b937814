"""Columns that follow a third along a curve, and whether they are called related to each other.

Tables of numbers whose relations are squares and steep rises are learned with the default score,
which takes relations for lines, so that what a column passes on along a curve looks like an edge.
Counted are the arcs found that stand out from shuffled rows, as an edge must to be called near
certain, with and without the numbers along a curve that are held fixed. With --thirds, relations
are lines, and all columns are cut into thirds: what is held fixed is what they were before.

    python reproduce/curves.py --tables 8
    python reproduce/curves.py --tables 8 --thirds
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from unittest import mock

import numpy as np

import dagscape as ds
from dagscape.chance import Shuffles, chances_of, pairs

COLUMNS, SHARE = 10, 0.25
MOST = 0.05
"""The share of chance that near certain edges have at most."""


def table(rows: int, rng: np.random.Generator, thirds: bool) -> tuple[ds.Data, set[frozenset[str]]]:
    """Return a table, and which columns of it are joined."""
    joined = np.triu(rng.random((COLUMNS, COLUMNS)) < SHARE, 1)
    slopes = rng.uniform(0.5, 1.2, joined.shape) * rng.choice([-1, 1], joined.shape)
    values = np.zeros((COLUMNS, rows))
    for child in range(COLUMNS):
        values[child] = rng.normal(size=rows)
        for parent in np.flatnonzero(joined[:, child]):
            x = values[parent]
            curve = x**2 - 1 if (parent + child) % 2 else 1.2 * np.tanh(2 * x)
            values[child] += slopes[parent, child] * (x if thirds else curve)
        values[child] /= values[child].std()
    true = {frozenset((f"x{a}", f"x{b}")) for a, b in np.argwhere(joined)}
    frame = {f"x{at}": column for at, column in enumerate(values)}
    return ds.Data(frame, discretize=("quantile", 3) if thirds else None), true


def standing(data: ds.Data, dag: ds.Dag) -> set[frozenset[str]]:
    """Return the arcs that stand out from shuffled rows."""
    arcs = [tuple(sorted(arc)) for arc in dag.arcs]
    found = chances_of(data, dag, arcs)
    return {frozenset(pair) for pair, one in found.items() if max(one.alone, one.given) <= MOST}


def main() -> None:
    """Print a row for each number of rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--thirds", action="store_true")
    parser.add_argument("--rows", default="100,400,2000")
    asked = parser.parse_args()
    for rows in map(int, asked.rows.split(",")):
        counts: Counter[str] = Counter()
        for seed in range(asked.tables):
            data, true = table(rows, np.random.default_rng(seed), asked.thirds)
            dag = ds.learn(data, runs=0, resamples=0).dag
            found = {frozenset(arc) for arc in dag.arcs}
            after = standing(data, dag)
            with (
                mock.patch.object(Shuffles, "curved", return_value=[]),
                mock.patch.object(pairs, "given_numbers", return_value=-math.inf),
            ):
                before = standing(data, dag)
            counts += Counter(
                {
                    "true": len(found & true),
                    "true stand": len(after & true),
                    "false": len(found - true),
                    "false before": len(before - true),
                    "false after": len(after - true),
                }
            )
        cells = ("true", "true stand", "false", "false before", "false after")
        told = [f"{rows:,}", *(str(counts[name]) for name in cells)]
        sys.stdout.write(f"| {' | '.join(told)} |\n")


if __name__ == "__main__":
    main()
