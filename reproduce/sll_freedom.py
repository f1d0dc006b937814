"""Why tests miss true arcs: the degrees of freedom that are counted.

python reproduce/sll_freedom.py [--only NETWORK ...] [--rows N ...]

Of the true arcs that MMPC does not find, how many can a test separate by true neighbours of either
end, with the degrees of freedom of all cells that the states allow, and with those of the cells
that the data can fill: for each combination of what is held fixed, the states seen there less one.
"""

from __future__ import annotations

import argparse
import math
import sys
from itertools import chain, combinations
from typing import cast

import numpy as np
from _data import add_data_option, check_folder
from _sll_data import NETWORKS, ROWS, sample, truths
from _tables import Table, add_output_options, console, put_out

import dagscape as ds
from dagscape._core import log_chi_square_tail

ALPHA, MOST_FIXED, ROWS_PER_CELL = 0.05, 3, 5


def main() -> int:
    """Do what the command line says; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    small = ("Alarm1", "Child", "Insurance")
    parser.add_argument("--only", nargs="+", choices=NETWORKS, default=small, metavar="NETWORK")
    parser.add_argument("--rows", nargs="+", type=int, choices=ROWS, default=ROWS, metavar="N")
    add_output_options(parser)
    options = parser.parse_args()
    check_folder(parser, options.data)
    lines = []
    for name in options.only:
        truth = truths(options.data, name)[name]
        for rows in options.rows:
            data = sample(options.data, name, rows, 1)
            around = cast(ds.LocalSets, ds.neighbors(data, method="mmpc"))
            missed = [(a, b) for a, b in truth.arcs if b not in around[a]]
            parted = [_separated(data, truth, a, b) for a, b in missed]
            counts = [len(truth.arcs), len(missed), *(sum(p[i] for p in parted) for i in (0, 1))]
            lines.append([name, f"{rows:,}", *map(str, counts)])
    head = ["network", "rows", "true arcs", "missed", "separated, all cells", "cells that can fill"]
    put_out(console(), options, [Table("First data set of each", head, lines)], lines)
    return 0


def _separated(data: ds.Data, truth: ds.Dag, x: str, y: str) -> tuple[bool, bool]:
    """Tell whether any test separates two variables, with either count of degrees of freedom."""
    sets = {
        fixed
        for end in (x, y)
        for near in [sorted(set(truth.neighbors(end)) - {x, y})]
        for fixed in chain.from_iterable(combinations(near, k) for k in range(MOST_FIXED + 1))
    }
    tests = [_test(data, x, y, fixed) for fixed in sets]
    done = [test for test in tests if test is not None]
    least = math.log(ALPHA)
    return (
        any(log_chi_square_tail(g2, freedom) > least for g2, freedom, _ in done),
        any(log_chi_square_tail(g2, freedom) > least for g2, _, freedom in done),
    )


def _test(
    data: ds.Data, x: str, y: str, fixed: tuple[str, ...]
) -> tuple[float, float, float] | None:
    """Return G² and both degrees of freedom; None if there are too few rows for its cells."""
    names = [*fixed, x, y]
    sizes = [data.arities[name] for name in names]
    if data.n_rows < ROWS_PER_CELL * math.prod(sizes):
        return None
    columns = [data.codes[:, data.names.index(name)] for name in names]
    cells = np.bincount(np.ravel_multi_index(columns, sizes), minlength=math.prod(sizes))
    table = cells.reshape(-1, *sizes[-2:]).astype(float)
    of_x, of_y, of_both = table.sum(2), table.sum(1), table.sum((1, 2))
    g2 = 2 * (_information(table) + _information(of_both) - _information(of_x) - _information(of_y))
    seen = np.maximum((of_x > 0).sum(1) - 1, 0) * np.maximum((of_y > 0).sum(1) - 1, 0)
    return g2, float((sizes[-2] - 1) * (sizes[-1] - 1) * table.shape[0]), float(seen.sum())


def _information(counts: np.ndarray) -> float:
    """Return Σ n ln n."""
    some = counts[counts > 0]
    return float((some * np.log(some)).sum())


if __name__ == "__main__":
    sys.exit(main())
