"""How much evidence chance gives, and what asking for more than that costs on known networks.

python reproduce/noise.py [--tables 100] [--networks]

Without structure: tables of 60 coins with 100 flips each, and samples of ALARM with 200 rows whose
columns are shuffled; the most evidence that any pair of any table has, beside what one edge would
need to be called likely. With --networks: samples of known networks with 100 to 5,000 rows, and
how many edges are called less for want of evidence, true and false ones. docs/explain/trust.md has
the figures.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import numpy as np

import dagscape as ds
from dagscape.learning.chance import shuffled
from dagscape.learning.noise import STRUCTURED, evidence_for

COINS, FLIPS, ROWS, SEED = 60, 100, (100, 300, 1000, 5000), 5
LIKELY = ds.TRUST_LEVELS["likely"]


def main() -> None:
    """Tell the strongest pair of tables of noise, or the words that change on known networks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--networks", action="store_true")
    options = parser.parse_args()
    say = known_networks if options.networks else noise
    for line in say(options.tables):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def coins(seed: int) -> ds.Data:
    """Return flips of fair coins."""
    flips = np.random.default_rng(seed).integers(2, size=(FLIPS, COINS))
    return ds.Data.from_codes(flips, {f"c{i}": ["0", "1"] for i in range(COINS)})


def noise(tables: int) -> Iterator[str]:
    """Yield the most evidence of any pair, in all tables of a kind."""
    kinds = {
        f"{COINS} coins, {FLIPS} flips": coins,
        "alarm, 200 rows, shuffled": lambda seed: shuffled(
            ds.load_network("alarm").sample(200, seed=seed), seed, 0
        ),
    }
    for kind, table in kinds.items():
        most, needed = -math.inf, 0.0
        for seed in range(tables):
            data = table(seed)
            score = ds.default_score(data)
            found = ds.hill_climb(data, score=score, max_parents=4, seed=0)
            pairs = list(combinations(data.names, 2))
            needed = math.log(STRUCTURED * len(pairs))
            most = max(most, *evidence_for(data, found.dag, pairs, score).values())
        yield (
            f"{kind}: in {tables} tables the strongest pair has {most:.1f} nats; "
            f"to be called likely it needs {needed:.1f}"
        )


def known_networks(_: int) -> Iterator[str]:
    """Yield how many edges are called less for want of evidence."""
    total: Counter[str] = Counter()
    for name in ("asia", "child", "insurance", "alarm"):
        truth = ds.load_network(name)
        joined = {frozenset(arc) for arc in truth.dag.arcs}
        for rows in ROWS:
            data = truth.sample(rows, seed=SEED)
            learned = ds.learn(data, runs=0, resamples=12, time_limit=40)
            for edge in learned.edges:
                if (edge.share or 0.0) >= LIKELY:
                    kind = "true" if frozenset((edge.a, edge.b)) in joined else "false"
                    kept = edge.reason != "chance"
                    total[f"{kind} edges {'kept their word' if kept else 'called less'}"] += 1
        yield f"up to {name}: {', '.join(f'{many} {what}' for what, many in total.items())}"


if __name__ == "__main__":
    main()
