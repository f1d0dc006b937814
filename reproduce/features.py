"""Figures 1 to 5 and Table 1 of the features paper: how far to trust each part of a network.

python reproduce/features.py [--only SET ...] [--k K ...] [--runs N] [--out DIR] [--json FILE]

The score is BIC with the uniform prior on networks, as in the paper.

Source: Peña, Kočka and Nielsen, Featuring multiple local optima to assist the user in the
interpretation of induced Bayesian network models, IPMU 2004.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from _data import add_data_option
from _features_tables import tables
from _kept import Kept
from _optima_data import SETS, load
from _tables import add_output_options, console, put_out

import dagscape as ds

DEFAULT = ("alarm", "alarm-like", "all", "aml")
CHOICES = [name for name in SETS if name.startswith(("alarm", "all", "aml"))]
KINDS = ("edges", "paths", "blankets")
SIZES = (1, 2, 5, 10, 25, 50, 100)
"""Percent of the rows."""
SAMPLES = 5
"""Of each size but the whole, which there is only one of."""

SHARE = 0.8
"""The paper's k; it ran 0.4, 0.7 and 0.9 too, and says in a sentence what came of it."""

STUDY = [(0.4, 1), (0.7, 1), (0.8, 1), (0.8, 10), (0.9, 1)]
"""Settings tried on the whole of Alarm: k, and how many times the runs."""

Record = dict[str, Any]


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    screen = console()
    if options.again:
        records = json.loads(options.again.read_text(encoding="utf-8"))
    else:
        records = []
        kept = Kept(options.store)
        for name in options.only or DEFAULT:
            data = load(name, options.data)
            if data is None:
                screen.print(f"{name}: left out, its file is not in {options.data}")
                continue
            with screen.status(name) as status:
                records += [_record(name, data, k, options, kept, status.update) for k in options.k]
    put_out(screen, options, tables(records), records, drawn=True)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        for path in drawn(records, options.out, options.format):
            screen.print(f"wrote {path}")
    return 0


def drawn(records: list[Record], folder: Path, kind: str = "png") -> list[Path]:
    """Draw the figures of the first k."""
    from _figures import draw

    first = [record for record in records if record["k"] == records[0]["k"]]
    return list(draw(first, folder, kind))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument(
        "--only",
        nargs="+",
        choices=CHOICES,
        metavar="SET",
        help=f"these out of {', '.join(CHOICES)}; {', '.join(DEFAULT)}",
    )
    parser.add_argument("--runs", type=int, default=1000, metavar="N", help="of each sample; 1000")
    parser.add_argument(
        "--k",
        nargs="+",
        type=float,
        default=[SHARE],
        metavar="K",
        help=f"the first has all tables and figures, others are compared with it; {SHARE}",
    )
    parser.add_argument(
        "--sizes",
        nargs="+",
        type=int,
        choices=SIZES,
        default=SIZES,
        metavar="PERCENT",
        help="of the rows; all of the paper's",
    )
    parser.add_argument("--time-limit", type=float, metavar="S", help="of each sample; none")
    parser.add_argument("--threads", type=int, metavar="N", help="all, if not given")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of samples and runs; 0")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="draw the figures there; needs matplotlib"
    )
    parser.add_argument(
        "--format", default="png", choices=("png", "svg", "pdf"), help="of the figures; png"
    )
    parser.add_argument(
        "--store", type=Path, metavar="FILE", help="keep each sample there, and do not run it again"
    )
    parser.add_argument(
        "--again", type=Path, metavar="FILE", help="what an earlier --json wrote, without running"
    )
    add_output_options(parser)
    return parser.parse_args()


def _record(
    name: str, data: ds.Data, k: float, options: argparse.Namespace, kept: Kept, tell: Any
) -> Record:
    """Find the optima of samples of all sizes, and how their features compare."""
    # Alarm is compared with the truth, the others with the best model found on the same sample.
    truth = ds.load_network("alarm") if name.startswith("alarm") else None
    asked = {"set": name, "k": k, "runs": options.runs, "time_limit": options.time_limit}
    asked |= {"seed": options.seed, "data": data.fingerprint}
    sizes = []
    for percent in sorted(set(options.sizes)):
        samples = []
        for i in range(1 if percent == 100 else SAMPLES):
            tell(f"{name}, k = {k:g}, {percent} % of the rows, sample {i + 1}")
            samples.append(
                kept.get(
                    {**asked, "percent": percent, "sample": i},
                    partial(_piece, data, truth, k, percent, i, options),
                )
            )
        sizes.append({"percent": percent, "samples": samples})
    record = {"set": name, "k": k, "rows": data.n_rows, "names": data.names, "sizes": sizes}
    seconds = sum(sample["cpu_seconds"] for size in sizes for sample in size["samples"])
    if 100 in options.sizes:
        record["whole"] = {"edges": sizes[-1]["samples"][0]["edges"]}
        if truth is not None and k == options.k[0]:
            tell(f"{name}, other settings")
            study = kept.get({**asked, "study": STUDY}, partial(_study, data, truth, options))
            record["study"] = study["lines"]
            seconds += study["cpu_seconds"]
    return {**record, "runs": options.runs, "cpu_seconds": seconds}


def _piece(
    data: ds.Data,
    truth: ds.Network | None,
    k: float,
    percent: int,
    i: int,
    options: argparse.Namespace,
) -> Record:
    """Find the optima of one sample; of the whole, keep the edges for the figures of graphs."""
    start = time.process_time()
    sample = data if percent == 100 else _sample(data, percent, i, options.seed)
    found = _optima(sample, k, options.runs, options)
    piece = _compared(sample, found, truth)
    if percent == 100:
        piece["edges"] = _edges(found, truth)
    return {**piece, "cpu_seconds": time.process_time() - start}


def _sample(data: ds.Data, percent: int, i: int, seed: int) -> ds.Data:
    """Return some of the rows, each at most once, with all states that the whole has."""
    rng = np.random.default_rng([seed, percent, i])
    rows = rng.choice(data.n_rows, size=round(data.n_rows * percent / 100), replace=False)
    return ds.Data.from_codes(data.codes[np.sort(rows)], data.states)


def _optima(data: ds.Data, k: float, runs: int, options: argparse.Namespace) -> ds.Landscape:
    return ds.local_optima(
        data,
        k=k,
        runs=runs,
        score="bic",
        prior="uniform",
        time_limit=options.time_limit,
        threads=options.threads,
        seed=options.seed,
    )


def _compared(data: ds.Data, found: ds.Landscape, truth: ds.Network | None) -> Record:
    best = found.best
    score = ds.score(data, best.dag, score="bic")
    if abs(score - best.score) > 1e-9 * abs(score):
        raise AssertionError(f"the optimum says {best.score}, the data say {score}")
    return {
        "rows": data.n_rows,
        "runs": found.runs,
        "stopped": found.stopped,
        "distinct": len(found.optima),
        "best": score,
        "truth": None if truth is None else ds.score(data, truth.dag, score="bic"),
        "in_best": {kind: int(found.features(kind)["in_best"].sum()) for kind in KINDS},
        "tradeoff": {kind: found.tradeoff(kind, truth).rows() for kind in KINDS},
    }


def _edges(found: ds.Landscape, truth: ds.Network | None) -> list[list[Any]]:
    """Return what the figures of graphs show: ends, kind, confidence, whether it is true."""
    table = found.features("edges", reference=truth or found.best)
    return [list(row) for row in table["from", "to", "kind", "confidence", "in_reference"].rows()]


def _study(data: ds.Data, truth: ds.Network, options: argparse.Namespace) -> Record:
    """Look for what moves the outcome: k, more runs, other weights."""
    start = time.process_time()
    lines = []
    for k, times in STUDY:
        found = _optima(data, k, options.runs * times, options)
        for weights in ("optima", "visits", "score"):
            least = {}
            for kind in KINDS:
                t = found.threshold(kind, reference=truth, weights=weights)
                least[kind] = found.tradeoff(kind, truth, [t], weights=weights).row(0)
            lines.append(
                {
                    "k": k,
                    "runs": found.runs,
                    "weights": weights,
                    "distinct": len(found.optima),
                    "best": found.best.score,
                    "truth": ds.score(data, truth.dag, score="bic"),
                    "least": least,
                }
            )
    return {"lines": lines, "cpu_seconds": time.process_time() - start}


if __name__ == "__main__":
    sys.exit(main())
