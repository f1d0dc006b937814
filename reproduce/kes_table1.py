"""Table 1 of the KES paper: the best of 1,000 runs, and how many beat greedy search.

python reproduce/kes_table1.py [--only SET ...] [--score bdeu] [--rows N ...] [--json FILE]

The score is BIC, or BDeu with an equivalent sample size of 1, each with the uniform prior on
networks: both as the paper ran them. ``--rows`` takes small parts of a set in place of the whole.

Source: Nielsen, Kočka and Peña, On local optima in learning Bayesian networks, UAI 2003, Table 1,
and the last paragraph of its section 4.3.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from _data import add_data_option
from _kept import Kept
from _kes_tables import SHARES, tables
from _optima_data import SETS, load
from _tables import add_output_options, console, put_out

import dagscape as ds

SCORES = {"bic": "bic", "bdeu": "bdeu(ess=1)"}
"""The paper's two; its table is of BIC."""

PARTS = 5
"""Parts of a set that ``--rows`` takes: its first rows, those after them, and so on."""

SAME = 1e-6
"""Scores that differ by less are equal."""


Record = dict[str, Any]


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    screen = console()
    kept = Kept(options.store)
    records = []
    for name in options.only or SETS:
        data = load(name, options.data)
        if data is None:
            screen.print(f"{name}: left out, its file is not in {options.data}")
            continue
        with screen.status(name):
            parts = _parts(data, options.rows)
            records += [_record(name, part, options, kept) for part in parts]
    put_out(screen, options, tables(records, options.rows is not None), records)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--only", nargs="+", choices=SETS, metavar="SET", help="these sets alone")
    parser.add_argument(
        "--score", default="bic", choices=SCORES, help="bic, or bdeu of size 1; bic"
    )
    parser.add_argument(
        "--rows",
        nargs="+",
        type=int,
        metavar="N",
        help=f"parts of so many rows, the first {PARTS} of a set, in place of the whole",
    )
    parser.add_argument("--runs", type=int, default=1000, metavar="N", help="of each k; 1000")
    parser.add_argument(
        "--time-limit", type=float, metavar="S", help="seconds for each set and k; none"
    )
    parser.add_argument(
        "--neighborhood",
        default="exact",
        choices=("exact", "sampled"),
        help="all neighbors listed, or drawn in the paper's way (k < 1); exact",
    )
    parser.add_argument("--threads", type=int, metavar="N", help="all, if not given")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the runs; 0")
    parser.add_argument(
        "--store", type=Path, metavar="FILE", help="keep each line there, and do not run it again"
    )
    add_output_options(parser)
    return parser.parse_args()


class Part(NamedTuple):
    """Some rows of a set, one after another; the states are those of the whole."""

    data: ds.Data
    start: int


def _parts(data: ds.Data, sizes: list[int] | None) -> Iterator[Part]:
    if sizes is None:
        yield Part(data, 0)
        return
    for size in sizes:
        for start in range(0, min(PARTS * size, data.n_rows - size + 1), size):
            yield Part(ds.Data.from_codes(data.codes[start : start + size], data.states), start)


def _record(name: str, part: Part, options: argparse.Namespace, kept: Kept) -> Record:
    """Run every k on a set, and compare with greedy search."""
    data = part.data
    settings = {
        "set": name,
        "variables": data.n_variables,
        "rows": data.n_rows,
        "first_row": part.start,
        "score": SCORES[options.score],
        "prior": "uniform",
        "neighborhood": options.neighborhood,
        "seed": options.seed,
    }
    limits = {"runs": options.runs, "time_limit": options.time_limit}
    greedy: float | None = None
    lines: dict[float, Record] = {}
    for k in reversed(SHARES):  # greedy search first, the others share its counts
        lines[k] = kept.get(
            {**settings, **limits, "k": k, "data": data.fingerprint},
            lambda k=k, greedy=greedy: _line(data, k, greedy, options),  # type: ignore[misc]
        )
        greedy = lines[1.0]["best"]
    return {**settings, "lines": [lines[k] for k in SHARES]}


def _line(data: ds.Data, k: float, greedy: float | None, options: argparse.Namespace) -> Record:
    start = time.process_time()
    found = _runs(data, k, options)
    seconds = time.process_time() - start
    reference = found.best.score if greedy is None else greedy
    return {"k": k, **_compared(data, found, reference), "cpu_seconds": seconds}


def _runs(data: ds.Data, k: float, options: argparse.Namespace) -> ds.Landscape:
    greedy = k == 1  # draws nothing, if all neighbors are listed
    return ds.local_optima(
        data,
        k=k,
        runs=1 if greedy else options.runs,
        score=SCORES[options.score],
        prior="uniform",
        neighborhood="exact" if greedy else options.neighborhood,
        time_limit=options.time_limit,
        threads=options.threads,
        seed=options.seed,
    )


def _compared(data: ds.Data, found: ds.Landscape, greedy: float) -> Record:
    """Count what scores higher than greedy search, and what lower."""
    best = found.best
    score = ds.score(data, best.dag, score=found.score_kind)
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


if __name__ == "__main__":
    sys.exit(main())
