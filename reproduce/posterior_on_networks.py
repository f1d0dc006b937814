"""Whether probabilities are kept on networks that no prior drew: the posterior and the bagged one.

python reproduce/posterior_on_networks.py [--seeds N] [--resamples B] [--only asia ...]

Tables are samples of known networks. Of the pairs of variables that are said to be adjacent with
probability p, the share that is, by level of p; ECE, the mean distance of the two; Brier score.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Callable

import numpy as np

import dagscape as ds

NETWORKS = ("asia", "sachs", "survey", "cancer", "earthquake")
ROWS = (250, 1000, 5000)
LEVELS = (0.0, 0.02, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0 + 1e-9)


def main() -> None:
    """Print a table for each way to probabilities."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--resamples", type=int, default=20, metavar="B")
    parser.add_argument("--only", nargs="+", choices=NETWORKS, default=NETWORKS)
    options = parser.parse_args()
    ways: dict[str, Callable[[ds.Data], ds.Posterior]] = {
        "uniform prior": lambda data: ds.posterior(data, score="bdeu", prior="uniform"),
        "fair prior": lambda data: ds.posterior(data, score="bdeu", prior="fair"),
        "fair prior, bagged": lambda data: ds.posterior(
            data, score="bdeu", prior="fair", resamples=options.resamples
        ),
    }
    found: dict[str, list[tuple[float, bool]]] = {way: [] for way in ways}
    for name in options.only:
        truth = ds.load_network(name)
        adjacent = {frozenset(arc) for arc in truth.dag.arcs}
        for rows in ROWS:
            for seed in range(options.seeds):
                data = truth.sample(rows, seed=seed)
                for way, compute in ways.items():
                    said = compute(data).features("adjacencies", frame="dict")
                    ends = zip(said["from"], said["to"], said["probability"], strict=True)
                    found[way] += [(p, frozenset((a, b)) in adjacent) for a, b, p in ends]
    heads = [f"{low:g}-{min(high, 1):g}" for low, high in itertools.pairwise(LEVELS)]
    sys.stdout.write("\t".join(["way", "ECE", "Brier", *heads]) + "\n")
    for way, pairs in found.items():
        sys.stdout.write("\t".join([way, *_judged(np.array(pairs))]) + "\n")


def _judged(pairs: np.ndarray) -> list[str]:
    """Return error, score, and for each level what was said, what was so and of how many."""
    said, true = pairs[:, 0], pairs[:, 1]
    level = np.digitize(said, LEVELS) - 1
    cells, missed = [], 0.0
    for at in range(len(LEVELS) - 1):
        here = level == at
        if not here.any():
            cells.append("-")
            continue
        cells.append(f"{said[here].mean():.3f}:{true[here].mean():.3f} of {here.sum()}")
        missed += abs(said[here].sum() - true[here].sum())
    return [f"{missed / len(pairs):.4f}", f"{((said - true) ** 2).mean():.4f}", *cells]


if __name__ == "__main__":
    main()
