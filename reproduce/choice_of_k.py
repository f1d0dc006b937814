"""Which k finds the best networks and the truest edges, for docs/explain/landscape.md.

python reproduce/choice_of_k.py [--only alarm-1000 ...] [--k 0.4 0.8] [--prove SECONDS]
python reproduce/choice_of_k.py --figure docs/explain/landscape.svg     # needs matplotlib

BIC with the uniform prior on networks, at most three parents.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

from _data import add_data_option
from _optima_data import load

import dagscape as ds

CASES = {
    f"{network}-{rows}": (network, rows)
    for network in ("alarm", "insurance")
    for rows in (1000, 20_000)
}
COIL = "coil"
"""Real data: the same rows five times, with other seeds of the search."""

SEEDS = range(5)
RUNS, MOST_PARENTS = 1000, 3
DRAWN = (0.2, 0.4, 0.8, 1.0)
"""Values of k in the figure, which is of the first sample of alarm-1000."""

BIC: dict[str, Any] = {"score": "bic", "prior": "uniform", "max_parents": MOST_PARENTS}


def main() -> None:
    """Print a line for each case and k: means over five samples; or draw the figure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--only", nargs="+", choices=[*CASES, COIL], default=[*CASES, COIL])
    parser.add_argument("--k", nargs="+", type=float, default=[0, 0.2, 0.4, 0.6, 0.8, 0.9, 1])
    parser.add_argument("--prove", type=float, default=120.0, metavar="S", help="for each sample")
    parser.add_argument("--runs", type=int, default=RUNS, metavar="N", help=f"of each k; {RUNS:,}")
    parser.add_argument("--figure", type=Path, metavar="FILE", help="draw, and do nothing else")
    options = parser.parse_args()
    if options.figure:
        _draw(options)
        return
    sys.stdout.write("case\tk\toptima\tbelow\twrong, alike\twrong, by score\tproven\n")
    for name in options.only:
        for line in _lines(name, options):
            sys.stdout.write("\t".join(line) + "\n")
            sys.stdout.flush()


def _lines(name: str, options: argparse.Namespace) -> Iterator[list[str]]:
    truth = None if name == COIL else ds.load_network(CASES[name][0])
    if truth is None:
        coil = load(COIL, options.data)
        if coil is None:
            sys.stderr.write(f"{COIL}: left out, its file is not in {options.data}\n")
            return
        samples = [coil] * len(SEEDS)
        best = [ds.exact(coil, time_limit=options.prove, **BIC)] * len(SEEDS)
    else:
        samples = [truth.sample(CASES[name][1], seed=seed) for seed in SEEDS]
        best = [ds.exact(data, time_limit=options.prove, **BIC) for data in samples]
    for k in options.k:
        found = [
            ds.local_optima(data, k=k, runs=options.runs, seed=seed if truth is None else 0, **BIC)
            for seed, data in zip(SEEDS, samples, strict=True)
        ]
        below = [
            proof.score - landscape.best.score
            for proof, landscape in zip(best, found, strict=True)
            if proof.optimal and not proof.scope.candidates_only
        ]
        wrong = ["-", "-"]
        if truth is not None:
            wrong = [
                f"{mean(_wrong(landscape, truth.dag, weights) for landscape in found):.1f}"
                for weights in ("optima", "score")
            ]
        optima = mean(len(landscape.optima) for landscape in found)
        lacking = f"{mean(below):.1f}" if below else "-"
        proven = f"{len(below)} of {len(samples)}"
        yield [name, f"{k:g}", f"{optima:.0f}", lacking, *wrong, proven]


def _wrong(landscape: ds.Landscape, truth: ds.Dag, weights: str) -> int:
    """Return the least fp + fn of edges over thresholds."""
    rows = landscape.tradeoff("edges", truth, weights=weights)
    return int((rows["fp"] + rows["fn"]).min())


def _draw(options: argparse.Namespace) -> None:
    """Draw the scores of all runs against the best network's."""
    from _score_curves import draw

    data = ds.load_network("alarm").sample(1000, seed=SEEDS[0])
    best = ds.exact(data, time_limit=options.prove, **BIC)
    if not best.optimal:
        raise RuntimeError(f"no proof within {options.prove:g} s; --prove gives it longer")
    curves = {}
    for k in DRAWN:
        found = ds.local_optima(data, k=k, runs=1 if k == 1 else options.runs, **BIC)
        scores = [optimum.score for optimum in found.optima for _ in range(optimum.visits)]
        curves[k] = [score - best.score for score in sorted(scores, reverse=True)]
    draw({"": curves}, "runs, best first", "BIC against that of the best network", options.figure)


if __name__ == "__main__":
    main()
