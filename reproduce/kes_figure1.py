"""Figure 1 of the KES paper: scores of 1,000 runs in ascending order, for seven values of k.

python reproduce/kes_figure1.py [--set all] [--score bdeu] [--out DIR] [--store FILE]

The score is BIC, or BDeu with an equivalent sample size of 1, each with the uniform prior on
networks. The figure is drawn in log base 10, as the paper prints BIC.

Source: Nielsen, Kočka and Peña, On local optima in learning Bayesian networks, UAI 2003, Figure 1.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from _data import add_data_option
from _kept import Kept
from _optima_data import SETS, load
from _tables import Table, add_output_options, console, put_out
from kes_table1 import SAME, SCORES

import dagscape as ds

SHARES = (0.0, 0.005, 0.02, 0.1, 0.4, 0.8, 1.0)
CLOSE_UP = (0.4, 0.8, 1.0)
"""The values of k in the paper's right panel."""

FIGURE = "figure1.svg"

Record = dict[str, Any]


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    screen = console()
    data = load(options.set, options.data)
    if data is None:
        screen.print(f"{options.set}: its file is not in {options.data}")
        return 1
    kept = Kept(options.store)
    lines = []
    for k in SHARES:
        with screen.status(f"k = {k:g}"):
            asked = {"data": data.fingerprint, "k": k, "runs": options.runs, "seed": options.seed}
            asked |= {"score": SCORES[options.score], "figure": 1}
            lines.append(kept.get(asked, partial(_line, data, k, options)))
    content = {"set": options.set, "lines": lines}
    put_out(screen, options, [_table(lines, options.set)], content, drawn=True)
    if options.out:
        drawn(content, options.out)
        screen.print(f"wrote {options.out / FIGURE}")
    return 0


def drawn(content: Record, folder: Path) -> None:
    """Draw all runs, and a close-up."""
    from _score_curves import draw

    curves = {
        line["k"]: [score / math.log(10) for score in line["scores"]] for line in content["lines"]
    }
    panels = {"all": curves, "close-up": {k: curves[k] for k in CLOSE_UP}}
    draw(panels, "runs, in ascending order", "score, log base 10", folder / FIGURE)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--set", default="all", choices=SETS, metavar="SET", help="all")
    parser.add_argument("--score", default="bic", choices=SCORES, help="bic")
    parser.add_argument("--runs", type=int, default=1000, metavar="N", help="of each k; 1000")
    parser.add_argument("--threads", type=int, metavar="N", help="all, if not given")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the runs; 0")
    parser.add_argument("--out", type=Path, metavar="DIR", help="draw there; needs matplotlib")
    parser.add_argument(
        "--store", type=Path, metavar="FILE", help="keep each k there, and do not run it again"
    )
    add_output_options(parser)
    return parser.parse_args()


def _line(data: ds.Data, k: float, options: argparse.Namespace) -> Record:
    """Return the scores of all runs, the lowest first."""
    start = time.process_time()
    found = ds.local_optima(
        data,
        k=k,
        runs=1 if k == 1 else options.runs,
        score=SCORES[options.score],
        prior="uniform",
        neighborhood="exact",
        threads=options.threads,
        seed=options.seed,
    )
    scores = sorted(optimum.score for optimum in found.optima for _ in range(optimum.visits))
    spent = time.process_time() - start
    return {"k": k, "scores": scores, "distinct": len(found.optima), "cpu_seconds": spent}


def _table(lines: list[Record], name: str) -> Table:
    """Make the figure in numbers."""
    greedy = lines[-1]["scores"][0]
    rows = []
    for line in lines:
        scores = line["scores"]
        cuts = [scores[round(share * (len(scores) - 1))] for share in (0, 0.25, 0.5, 0.75, 1)]
        above = sum(score > greedy + SAME for score in scores)
        rows.append(
            [
                f"{line['k']:g}",
                *(f"{score / math.log(10):.0f}" for score in cuts),
                "–" if line["k"] == 1 else str(above),
                str(line["distinct"]),
                f"{line['cpu_seconds']:.1f}",
            ]
        )
    header = ["k", "lowest", "quarter", "median", "three quarters", "highest", "> GES"]
    title = f"Figure 1: scores of the runs on {name}, log base 10"
    return Table(title, [*header, "distinct", "CPU s"], rows)


if __name__ == "__main__":
    sys.exit(main())
