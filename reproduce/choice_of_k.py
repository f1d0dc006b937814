"""Which k finds the best networks and the truest edges: the table of docs/explain/landscape.md.

python reproduce/choice_of_k.py [--only alarm-1000 ...] [--k 0.4 0.8] [--prove SECONDS]
"""

from __future__ import annotations

import argparse
import sys
from statistics import mean

import dagscape as ds

CASES = {
    f"{network}-{rows}": (network, rows)
    for network in ("alarm", "insurance")
    for rows in (1000, 20_000)
}
SEEDS = range(5)
RUNS, MOST_PARENTS = 1000, 3


def main() -> None:
    """Print a line for each case and k: means over five samples."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--k", nargs="+", type=float, default=[0, 0.2, 0.4, 0.6, 0.8, 0.9, 1])
    parser.add_argument("--prove", type=float, default=120.0, metavar="S", help="for each sample")
    options = parser.parse_args()
    sys.stdout.write("case\tk\toptima\tbelow\twrong, alike\twrong, by score\tproven\n")
    for name in options.only:
        truth = ds.load_network(CASES[name][0])
        samples = [truth.sample(CASES[name][1], seed=seed) for seed in SEEDS]
        best = [
            ds.exact(data, score="bic", max_parents=MOST_PARENTS, time_limit=options.prove)
            for data in samples
        ]
        for k in options.k:
            found = [
                ds.local_optima(data, k=k, runs=RUNS, max_parents=MOST_PARENTS) for data in samples
            ]
            below = [
                proof.score - landscape.best.score
                for proof, landscape in zip(best, found, strict=True)
                if proof.optimal and not proof.scope.candidates_only
            ]
            wrong = [
                mean(_wrong(landscape, truth.dag, weights) for landscape in found)
                for weights in ("optima", "score")
            ]
            optima = mean(len(landscape.optima) for landscape in found)
            lacking = f"{mean(below):.1f}" if below else "-"
            sys.stdout.write(
                f"{name}\t{k:g}\t{optima:.0f}\t{lacking}\t{wrong[0]:.1f}\t{wrong[1]:.1f}"
                f"\t{len(below)} of {len(samples)}\n"
            )
            sys.stdout.flush()


def _wrong(landscape: ds.Landscape, truth: ds.Dag, weights: str) -> int:
    """Return the least fp + fn of edges over thresholds."""
    rows = landscape.tradeoff("edges", truth, weights=weights)
    return int((rows["fp"] + rows["fn"]).min())


if __name__ == "__main__":
    main()
