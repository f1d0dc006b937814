"""Whether fresh rows are ever less probable under the default's network than under BIC's.

python reproduce/accuracy_heldout.py [--seeds N] [--rows 100 250 ...] [--only asia ...]

For each network and number of rows, samples with other seeds (random networks are drawn anew), the
network that hill climbing finds by the default score and prior and by BIC, both fitted to the same
sample, and the log-likelihood of 10,000 fresh rows under each. There are two kinds of noise: which
fresh rows were drawn (the error of a difference on one sample, paired row by row), and which sample
was learned from (the error of the mean over samples, paired sample by sample).
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np
from _accuracy_truths import TRUTHS
from _accuracy_ways import FRESH_ROWS
from _kept import Kept
from _tables import Table, add_output_options, console, put_out

import dagscape as ds

ROWS = (100, 250, 1000, 5000)
MANY = 2.0
"""Standard errors from which a difference is told."""

Record = dict[str, Any]


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    kept = Kept(options.store)
    records = []
    for rows in options.rows:
        for truth in options.only:
            for seed in range(options.seeds):
                asked = {"heldout": truth, "rows": rows, "seed": seed}
                records.append({**asked, **kept.get(asked, partial(_compared, truth, rows, seed))})
    put_out(console(), options, [_summary(records), _below(records)], records)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20, metavar="N", help="20")
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS, metavar="N")
    parser.add_argument("--only", nargs="+", choices=TRUTHS, default=list(TRUTHS), metavar="TRUTH")
    parser.add_argument(
        "--store", type=Path, metavar="FILE", help="keep each sample there, and do not run it again"
    )
    add_output_options(parser)
    return parser.parse_args()


def _compared(truth: str, rows: int, seed: int) -> Record:
    """Return what the default gains on fresh rows over BIC, a row, and its error by the rows."""
    network = TRUTHS[truth].make(seed)
    data = network.sample(rows, seed=seed)
    fresh = network.sample(FRESH_ROWS, seed=seed + 1_000_000)
    default, bic = (
        ds.hill_climb(data, score=score, threads=1, seed=seed).dag
        for score in (ds.default_score(data), ds.BIC())
    )
    gain = row_likelihoods(ds.fit(default, data), fresh) - row_likelihoods(ds.fit(bic, data), fresh)
    return {"gain": float(gain.mean()), "error": float(gain.std(ddof=1)) / len(gain) ** 0.5}


def row_likelihoods(network: ds.Network, data: ds.Data) -> np.ndarray:
    """Return the log-likelihood of each row."""
    column = {name: data.codes[:, i] for i, name in enumerate(data.names)}
    total = np.zeros(data.n_rows)
    for x in network.names:
        family = (*(column[p] for p in network.dag.parents(x)), column[x])
        total += np.log(network.table(x)[family])
    return total


def _cells(records: list[Record]) -> dict[tuple[str, int], list[Record]]:
    found: dict[tuple[str, int], list[Record]] = {}
    for record in records:
        found.setdefault((record["heldout"], record["rows"]), []).append(record)
    return found


def _error(some: list[Record]) -> float:
    """Return the standard error of the mean gain over samples."""
    return stdev(record["gain"] for record in some) / len(some) ** 0.5 if len(some) > 1 else 0.0


def _summary(records: list[Record]) -> Table:
    lines = []
    for rows in sorted({record["rows"] for record in records}):
        cells = [some for (_, size), some in _cells(records).items() if size == rows]
        gains = [(mean(record["gain"] for record in some), _error(some)) for some in cells]
        lines.append(
            [
                f"{rows:,}",
                str(len(cells)),
                str(len(cells[0])),
                f"{mean(gain for gain, _ in gains):+.3f}",
                str(sum(gain < 0 for gain, _ in gains)),
                str(sum(-gain > MANY * error for gain, error in gains)),
                str(sum(gain > MANY * error for gain, error in gains)),
            ]
        )
    header = ["rows", "networks", "samples of each", "mean gain a row", "networks below BIC"]
    header += [f"by more than {MANY:g} errors", f"above by more than {MANY:g} errors"]
    return Table("Log-likelihood of fresh rows, the default's less BIC's", header, lines)


def _below(records: list[Record]) -> Table:
    lines = []
    for (truth, rows), some in _cells(records).items():
        gain = mean(record["gain"] for record in some)
        if gain >= 0:
            continue
        worst = min(some, key=lambda record: record["gain"])
        lines.append(
            [
                f"{truth}, {rows:,} rows",
                str(len(some)),
                f"{gain:+.4f} ± {_error(some):.4f}",
                str(sum(record["gain"] < 0 for record in some)),
                f"{worst['gain']:+.3f} ± {worst['error']:.3f}",
            ]
        )
    header = ["network", "samples", "mean gain ± error over samples", "samples below BIC"]
    header.append("lowest sample ± error over fresh rows")
    return Table("Networks on which the default is below BIC on average", header, lines)


if __name__ == "__main__":
    sys.exit(main())
