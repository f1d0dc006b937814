"""How much HITON depends on the degrees of freedom that its tests count.

python reproduce/sll_freedom.py [--only NETWORK ...] [--rows N ...]

HITON-PC as the package has it, written out slowly, with two counts. Plain: of all cells that the
declared states allow, as the package's tests have it. Adjusted: for each combination of what is
held fixed, (states of one variable seen there − 1)(states of the other − 1), summed. With both it
must find what the package finds.

Source: Aliferis, Statnikov, Tsamardinos, Mani and Koutsoukos, Local causal and Markov blanket
induction for causal discovery and feature selection for classification, JMLR 2010.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from functools import cache
from itertools import chain, combinations
from typing import Any, cast

import numpy as np
from _data import add_data_option, check_folder
from _sll_data import NETWORKS, ROWS, sample, truths
from _tables import Table, add_output_options, console, put_out

import dagscape as ds
from dagscape._core import log_chi_square_tail
from dagscape.search import LocalSets

LOG_ALPHA, MOST_FIXED, ROWS_PER_CELL = math.log(0.05), 5, 5
DEFAULT = [name for name in NETWORKS if name != "Barley"]
"""Barley takes long: few of its tests have rows enough, so little is dropped, and sets grow."""

WAYS = ("SLL", "HITON, plain", "HITON, adjusted")

Record = dict[str, Any]
Test = Callable[[str, str, tuple[str, ...]], "tuple[float, float] | None"]
"""Returns ln p and −G²; None where there are too few rows."""


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    records: list[Record] = []
    for name in options.only:
        truth = truths(options.data, name)[name]
        for rows in options.rows:
            data = sample(options.data, name, rows, 1)
            ours = _learned(data, method="sll", score=ds.BDeu(ess=1.0), prior="uniform")
            package = _learned(data, method="hiton", degrees="declared")
            plain, adjusted = (_hiton(data, adjust) for adjust in (False, True))
            fitted = _learned(data, method="hiton", degrees="adjusted")
            if (package, fitted) != (plain, adjusted):
                raise AssertionError(f"the package finds other neighbors on {name}, {rows} rows")
            found = zip(WAYS, (ours, plain, adjusted), strict=True)
            distances = {way: ds.slhd(sets, truth) for way, sets in found}
            records.append({"network": name, "rows": rows, **distances})
    put_out(console(), options, [_distances(records), _ahead(records)], records)
    return 0


def _distances(records: list[Record]) -> Table:
    lines = [
        [record["network"], f"{record['rows']:,}", *(str(record[way]) for way in WAYS)]
        for record in records
    ]
    title = "SLHD of neighbors, first data set of each"
    return Table(title, ["network", "rows", *WAYS], lines)


def _ahead(records: list[Record]) -> Table:
    """Count in how many cells which is nearer to the truth."""
    lines = []
    sizes = sorted({record["rows"] for record in records})
    for one, other in combinations(WAYS, 2):
        for rows in (None, *sizes):
            cells = [record for record in records if rows in (None, record["rows"])]
            apart = [record[one] - record[other] for record in cells]
            counts = (sum(d < 0 for d in apart), apart.count(0), sum(d > 0 for d in apart))
            shown = "all" if rows is None else f"{rows:,}"
            lines.append([one, other, shown, *map(str, counts)])
    head = ["one", "other", "rows", "one is nearer", "same", "other is nearer"]
    return Table("Which is nearer to the truth, in how many cells", head, lines)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--only", nargs="+", choices=NETWORKS, default=DEFAULT, metavar="NETWORK")
    parser.add_argument("--rows", nargs="+", type=int, choices=ROWS, default=ROWS, metavar="N")
    add_output_options(parser)
    options = parser.parse_args()
    check_folder(parser, options.data)
    return options


def _learned(data: ds.Data, **settings: Any) -> dict[str, set[str]]:
    sets = cast(LocalSets, ds.neighbors(data, **settings))
    return {x: set(near) for x, near in sets.items()}


def _hiton(data: ds.Data, adjust: bool) -> dict[str, set[str]]:
    """Return the neighbors of all variables: pairs in which each finds the other."""
    test = _tester(data, adjust)
    found = {x: _around(x, data.names, test) for x in data.names}
    return {x: {y for y in near if x in found[y]} for x, near in found.items()}


def _around(target: str, names: tuple[str, ...], test: Test) -> set[str]:
    """Take in what depends on the target, the closest first, and drop what a subset separates."""

    def separated(v: str, others: list[str]) -> bool:
        sets = chain.from_iterable(combinations(others, k) for k in range(1, MOST_FIXED + 1))
        tests = (test(target, v, fixed) for fixed in sets)
        return any(done is not None and done[0] > LOG_ALPHA for done in tests)

    alone = {v: test(target, v, ()) for v in names if v != target}
    near = {v: done for v, done in alone.items() if done is not None and done[0] <= LOG_ALPHA}
    kept: list[str] = []
    for v in sorted(near, key=lambda v: (near[v], v)):
        if not separated(v, kept):
            kept.append(v)
    for v in list(kept):
        others = [u for u in kept if u != v]
        if separated(v, others):
            kept = others
    return set(kept)


def _tester(data: ds.Data, adjust: bool) -> Test:
    """Return the G² test of the data, which remembers what it was asked."""
    column = {name: data.codes[:, i].astype(np.int64) for i, name in enumerate(data.names)}

    @cache
    def ordered(x: str, y: str, fixed: tuple[str, ...]) -> tuple[float, float] | None:
        names = [*fixed, x, y]
        sizes = [data.arities[name] for name in names]
        if data.n_rows < ROWS_PER_CELL * math.prod(sizes):
            return None
        key = np.ravel_multi_index([column[name] for name in names], sizes)
        counts = np.bincount(key, minlength=math.prod(sizes)).reshape(-1, *sizes[-2:])
        of_x, of_y = counts.sum(2), counts.sum(1)
        g2 = 2 * (_sum(counts) + _sum(counts.sum((1, 2))) - _sum(of_x) - _sum(of_y))
        if adjust:
            free = np.maximum((of_x > 0).sum(1) - 1, 0) * np.maximum((of_y > 0).sum(1) - 1, 0)
            freedom = float(free.sum())
        else:
            freedom = float((sizes[-2] - 1) * (sizes[-1] - 1) * len(counts))
        return log_chi_square_tail(max(0.0, g2), freedom), -g2

    return lambda x, y, fixed: ordered(min(x, y), max(x, y), tuple(sorted(fixed)))


def _sum(counts: np.ndarray) -> float:
    """Return Σ n ln n."""
    some = counts[counts > 0]
    return float((some * np.log(some)).sum())


if __name__ == "__main__":
    sys.exit(main())
