"""How much evidence chance gives, and what asking for more than that costs on known networks.

python reproduce/noise.py [--tables 100] [--networks | --families]

Without structure: tables of 60 coins with 100 flips each, and samples of ALARM with 200 rows whose
columns are shuffled; the most evidence that any pair of any table has, beside what one edge would
need to be called likely. With --families: tables of many kinds without relations
(_noise_families.py), and how many have an arc in the best network, by score. With --networks:
samples of known networks with 100 to 5,000 rows, and how many edges are called less for want of
evidence, true and false ones. docs/explain/trust.md has the figures.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import numpy as np
from _noise_families import FAMILIES

import dagscape as ds
from dagscape.learning.chance import shuffled
from dagscape.learning.noise import STRUCTURED, evidence_for

COINS, FLIPS, ROWS, SEED = 60, 100, (100, 300, 1000, 5000), 5
LIKELY = ds.TRUST_LEVELS["likely"]
PROVEN, MOST_PARENTS = 12, 3
SCORES: dict[str, ds.Score | None] = {
    "default": None,
    "fitted": ds.FittedDirichlet(),
    "BDeu 1": ds.BDeu(1),
    "BDeu 10": ds.BDeu(10),
    "qNML": ds.QNML(),
    "BIC": ds.BIC(),
}
"""Scores to compare, all with the default prior."""


def main() -> None:
    """Tell the strongest pair of tables of noise, or the words that change on known networks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--networks", action="store_true")
    parser.add_argument("--families", action="store_true")
    options = parser.parse_args()
    say = known_networks if options.networks else families if options.families else noise
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


def families(tables: int) -> Iterator[str]:
    """Yield in how many tables of each family the best network joins what is not related."""
    yield f"| {tables} tables of | {' | '.join(SCORES)} |"
    yield f"| --- |{' --: |' * len(SCORES)}"
    for name, family in FAMILIES.items():
        scores = SCORES if family.kind == "states" else {"default": None}
        hit = Counter(
            way
            for seed in range(tables)
            for data in [ds.Data(family.draw(np.random.default_rng(seed)))]
            for way, score in scores.items()
            if any(frozenset(arc) not in family.related for arc in best(data, score).arcs)
        )
        cells = [str(hit[way]) if way in scores else "" for way in SCORES]
        yield f"| {name} | {' | '.join(cells)} |"


def best(data: ds.Data, score: ds.Score | None) -> ds.Dag:
    """Return the best network, by proof if columns are few, with the default prior."""
    kind = ds.default_score(data) if score is None else ds.as_score(score, ds.EdgePrior())
    if data.n_variables <= PROVEN:
        return ds.exact(data, score=kind, max_parents=MOST_PARENTS).dag
    return ds.hill_climb(data, score=kind, max_parents=MOST_PARENTS, seed=0).dag


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
