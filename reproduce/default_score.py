"""What the default score and prior change: calibration, and tables of probabilities.

python reproduce/default_score.py [--seconds 200] [--fit]

How well probabilities of edges are calibrated on small samples of known and random networks, under
the default and what it was compared with; with --fit, how probable fresh rows are in networks whose
tables have an equivalent sample size of 1, and of their own. docs/explain/trust.md and
docs/reproduce/accuracy.md have the figures.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from itertools import combinations
from statistics import mean, median

import numpy as np
from _accuracy_truths import TRUTHS
from _sizes import likely_size

import dagscape as ds
from dagscape.scores import as_score

WAYS: dict[str, Callable[[ds.Data], ds.Score]] = {
    "BDeu by rule, 2 neighbors": lambda data: as_score(ds.BDeu(likely_size(data)), ds.EdgePrior(2)),
    "fitted, 2 neighbors": lambda _: as_score(ds.FittedDirichlet(), ds.EdgePrior(2)),
    "fitted, 1 neighbor": lambda _: as_score(ds.FittedDirichlet(), ds.EdgePrior(1)),
}
ROWS, FIRST, RESAMPLES, LEAST = (100, 250, 500, 1000, 2000, 5000), 700, 6, 0.02
FRESH, FITTED_ROWS = 5000, (250, 1000)


def main() -> None:
    """Tell one of the two."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=200, help="no new table after that")
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    until = time.monotonic() + options.seconds
    for line in (fits if options.fit else calibration)(until):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def small_tables() -> Iterator[tuple[ds.Network, ds.Data]]:
    """Yield samples of ASIA, SACHS and random networks, for ever."""
    seed = FIRST
    while True:
        for place, rows in enumerate(ROWS):
            for at, name in enumerate(("asia", "sachs", "random")):
                if (place + at + seed) % 2 == 0:
                    random = name == "random"
                    truth = (
                        ds.random_network(10, max_parents=3, states=(2, 4), seed=seed)
                        if random
                        else ds.load_network(name)
                    )
                    yield truth, truth.sample(rows, seed=seed)
        seed += 1


def calibration(until: float) -> Iterator[str]:
    """Yield how right the mean of the plain and the bagged posterior was, by way."""
    said: dict[str, list[tuple[float, bool]]] = {way: [] for way in WAYS}
    number = 0
    for truth, data in small_tables():
        if time.monotonic() > until:
            break
        number += 1
        joined = {frozenset(arc) for arc in truth.dag.arcs}
        for way, score in WAYS.items():
            halves = [
                ds.posterior(data, score=score(data), max_parents=3, resamples=resamples)
                for resamples in (0, RESAMPLES)
            ]
            for a, b in combinations(data.names, 2):
                both = mean(half.probability(a, b, "adjacencies") for half in halves)
                said[way].append((both, frozenset((a, b)) in joined))
    for way, pairs in said.items():
        found = np.array(pairs, dtype=float)
        p, true = found.T
        tenth = np.minimum((p * 10).astype(int), 9)
        error = (
            sum(
                abs((p - true)[some].sum())
                for some in ((tenth == k) & (p >= LEAST) for k in range(10))
            )
            / (p >= LEAST).sum()
        )
        near, sure = (p >= 0.7) & (p < 0.9), p >= 0.95
        yield (
            f"{number} tables, {way}: ECE {error:.3f}, Brier {np.mean((p - true) ** 2):.4f}, "
            f"0.7-0.9 true in {true[near].mean():.2f} ({near.sum()}), "
            f"0.95 and more in {true[sure].mean():.3f} ({sure.sum()})"
        )


def fits(until: float) -> Iterator[str]:
    """Yield what fresh rows gain over BDeu by rule with an ess of 1 for all tables."""
    gains: dict[str, list[float]] = {}
    first = f"{next(iter(WAYS))}, ess 1"
    for rows in FITTED_ROWS:
        for named in TRUTHS.values():
            if time.monotonic() > until:
                break
            truth = named.make(0)
            data, fresh = truth.sample(rows, seed=0), truth.sample(FRESH, seed=1_000_000)
            found = {}
            for way, score in WAYS.items():
                dag = ds.hill_climb(data, score=score(data), restarts=10, threads=1, seed=0).dag
                for name, ess in (("ess 1", 1.0), ("its own", None)):
                    found[f"{way}, {name}"] = ds.fit(dag, data, ess).log_likelihood(fresh) / FRESH
            for way, value in found.items():
                gains.setdefault(way, []).append(value - found[first])
    for way, values in gains.items():
        yield (
            f"{len(values)} tables, {way}: mean {mean(values):+.3f}, median {median(values):+.3f}, "
            f"below in {sum(value < -1e-3 for value in values)}"
        )


if __name__ == "__main__":
    main()
