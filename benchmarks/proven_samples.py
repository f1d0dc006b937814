"""Time exact proofs on samples of the rows: `ds.bootstrap(method="exact")`.

python benchmarks/proven_samples.py [--network alarm] [--rows 5000] [--runs 200] [--threads 2]

BIC, at most four parents, uniform prior. Says what it took by the clock, which depends on what else
the machine does, and in seconds of its cores, which depends on that far less.
"""

from __future__ import annotations

import argparse
import sys
import time

import dagscape as ds


def main() -> None:
    """Draw the samples, prove each, and say how long that took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--network", default="alarm")
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    data = ds.load_network(options.network).sample(options.rows, seed=1)
    cores = time.process_time()
    found = ds.bootstrap(
        data,
        method="exact",
        runs=options.runs,
        score="bic",
        max_parents=4,
        threads=options.threads,
    )
    cores = time.process_time() - cores
    sys.stdout.write(
        f"{options.network} x {options.rows:,}: {found.runs} samples proven, "
        f"{len(found.networks)} different classes; {found.seconds:.1f} s by the clock on "
        f"{options.threads} threads, {cores:.1f} s of their cores\n"
    )


if __name__ == "__main__":
    main()
