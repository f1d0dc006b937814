"""How much longer work takes by the default score than by BDeu: CPU time, as ratios of one run.

python benchmarks/score_times.py [--repeat 3]

Each line does the same with both scores and the same prior, in turn, on samples of networks of the
literature and on noise; the least of several times counts, and the table is read anew for each, so
that nothing is remembered. docs/explain/scores.md has the ratios.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import dagscape as ds

SCORES = ("bdeu", "fitted")
Make = Callable[[], ds.Data]
Do = Callable[..., Any]


def main() -> None:
    """Tell a line for each kind of work."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    sys.stdout.write("| work | BDeu, CPU s | default, CPU s | ratio |\n| --- | --: | --: | --: |\n")
    for words, (make, do) in WORK.items():
        first, second = least(make, do, options.repeat)
        sys.stdout.write(f"| {words} | {first:.3f} | {second:.3f} | {second / first:.1f} |\n")
        sys.stdout.flush()


def least(make: Make, do: Do, repeat: int) -> tuple[float, float]:
    """Return the least CPU seconds by either score; they take turns."""
    seconds: dict[str, list[float]] = {score: [] for score in SCORES}
    for _ in range(repeat):
        for score in SCORES:
            data = make()
            data.fingerprint  # noqa: B018 - not timed
            begun = time.process_time()
            do(data, score=score, prior="edges", threads=1)
            seconds[score].append(time.process_time() - begun)
    return min(seconds["bdeu"]), min(seconds["fitted"])


def sample(name: str, rows: int) -> Make:
    """Return what draws a sample of a network."""
    network = ds.load_network(name)
    return lambda: network.sample(rows, seed=0)


def coins() -> ds.Data:
    """Return 80 coins and 20,000 rows."""
    flips = np.random.default_rng(0).integers(0, 2, (20_000, 80), dtype=np.uint8)
    return ds.Data(flips, names=[f"X{i:02}" for i in range(80)], rows_independent=True)


def listing(most: int) -> Do:
    """Return what scores all sets of up to so many parents."""
    return lambda data, **asked: ds.candidate_parents(data, max_parents=most, **asked)


def proof(data: ds.Data, **asked: Any) -> ds.Result:
    """Prove the best network with at most three parents."""
    return ds.exact(data, max_parents=3, **asked)


def optima(data: ds.Data, **asked: Any) -> ds.Landscape:
    """Run k-greedy search a thousand times."""
    return ds.local_optima(data, runs=1000, **asked)


def chains(data: ds.Data, **asked: Any) -> ds.Posterior:
    """Run eight chains of networks with at most three parents."""
    return ds.posterior(data, max_parents=3, method="mcmc", rounds=500, **asked)


WORK: dict[str, tuple[Make, Do]] = {
    "candidate parents to 4, ALARM × 20,000": (sample("alarm", 20_000), listing(4)),
    "candidate parents to 3, HAILFINDER × 5,000": (sample("hailfinder", 5_000), listing(3)),
    "candidate parents to 3, 80 coins × 20,000": (coins, listing(3)),
    "exact, INSURANCE × 5,000": (sample("insurance", 5_000), proof),
    "exact, ALARM × 1,000": (sample("alarm", 1_000), proof),
    "1,000 local optima, ALARM × 5,000": (sample("alarm", 5_000), optima),
    "1,000 local optima, INSURANCE × 1,000": (sample("insurance", 1_000), optima),
    "chains, ALARM × 1,000": (sample("alarm", 1_000), chains),
}


if __name__ == "__main__":
    main()
