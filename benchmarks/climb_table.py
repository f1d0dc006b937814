"""Compare hill climbing with other packages' over several orders of the columns.

python benchmarks/climb_table.py [--networks NAME ...] [--rows N ...] [--files CSV ...] [--orders N]

Scores are BIC, computed by this package for all, on the states that occur; those of a package
stand as differences from `ds.hill_climb(data)`: below 0 is worse. Each package is run with its
defaults on one thread, once for each order of the columns, the first as it is and the others
shuffled with fixed seeds; the best, the worst and the least CPU seconds are shown. PyBNesian and
pyAgrum are left out where they are not installed. With both, the whole table takes some minutes.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

import dagscape as ds

Arcs = list[tuple[str, str]]
Columns = dict[str, list[str]]

OURS: dict[str, dict[str, Any]] = {
    "plain": {"tabu": 0, "wander": False, "restarts": 0},
    "tabu": {"wander": False, "restarts": 0},
    "one climb": {"restarts": 0},
    "default": {},
}


def main() -> None:
    """Do what the command line says: a line for each table of data, as soon as it is done."""
    options = _options()
    others = {name: run for name, (module, run) in OTHERS.items() if _is_there(module)}
    table = Console(highlight=False, markup=False, soft_wrap=True)
    heads = ["data", *OURS, "CPU s"]
    for name in others:
        heads += [name, "worst", "CPU s"]
    table.print(f"| {' | '.join(heads)} |")
    table.print("| --- |" + " --: |" * (len(OURS) + 1 + 3 * len(others)))
    for name, columns in _tables(options):
        data = ds.Data(columns)
        scores, seconds = [], 0.0
        for settings in OURS.values():
            found, seconds = _ours(data, settings)
            scores.append(found)
        default = scores[-1]
        cells = [f"{score - default:.1f}" for score in scores[:-1]]
        cells += [f"{default:.1f}", f"{seconds:.3f}"]
        for run in others.values():
            runs = [_scored(data, *run(shuffled)) for shuffled in _orders(columns, options.orders)]
            found = [score - default for score, _ in runs]
            least = min(cpu for _, cpu in runs)
            cells += [f"{max(found):.1f}", f"{min(found):.1f}", f"{least:.3f}"]
        table.print(f"| {name} | {' | '.join(cells)} |")


def _ours(data: ds.Data, settings: dict[str, Any]) -> tuple[float, float]:
    """Return the score, and the least CPU seconds of three runs."""
    least = float("inf")
    for _ in range(3):
        begun = time.process_time()
        found = ds.hill_climb(data, score="bic", threads=1, **settings)
        least = min(least, time.process_time() - begun)
    return ds.score(data, found.dag, score="bic"), least


def _scored(data: ds.Data, arcs: Arcs, seconds: float) -> tuple[float, float]:
    return ds.score(data, ds.Dag(data.names, arcs), score="bic"), seconds


def _pybnesian(columns: Columns) -> tuple[Arcs, float]:
    import pandas as pd
    import pybnesian

    frame = pd.DataFrame(columns).astype("category")
    begun = time.process_time()
    # It has no default moves for discrete networks.
    found = pybnesian.hc(frame, bn_type=pybnesian.DiscreteBNType(), score="bic", operators=["arcs"])
    return list(found.arcs()), time.process_time() - begun


def _pyagrum(columns: Columns) -> tuple[Arcs, float]:
    import pandas as pd
    import pyagrum

    learner = pyagrum.BNLearner(pd.DataFrame(columns))
    learner.useScoreBIC()
    learner.useNoPrior()
    learner.useGreedyHillClimbing()
    learner.setNumberOfThreads(1)
    begun = time.process_time()
    found = learner.learnDAG()
    seconds = time.process_time() - begun
    names = learner.names()
    return [(names[a], names[b]) for a, b in found.arcs()], seconds


OTHERS = {"PyBNesian": ("pybnesian", _pybnesian), "pyAgrum": ("pyagrum", _pyagrum)}


def _is_there(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def _columns(data: ds.Data) -> Columns:
    """Return the table with labels that nobody takes for numbers."""
    return {x: [f"s{code}" for code in data.codes[:, v]] for v, x in enumerate(data.names)}


def _tables(options: argparse.Namespace) -> Iterator[tuple[str, Columns]]:
    for name in options.networks:
        for rows in options.rows:
            sample = ds.load_network(name).sample(rows, seed=0)
            yield f"{name}, {rows:,} rows", _columns(sample)
    for path in options.files:
        yield path.name, _columns(ds.read_data(path))


def _orders(columns: Columns, orders: int) -> Iterator[Columns]:
    for order in range(orders):
        names = list(columns)
        if order > 0:
            np.random.default_rng(order).shuffle(names)
        yield {x: columns[x] for x in names}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--networks", nargs="*", default=["alarm", "insurance", "hailfinder", "child"]
    )
    parser.add_argument("--rows", nargs="*", type=int, default=[1000, 5000, 20000])
    parser.add_argument("--files", nargs="*", type=Path, default=[])
    parser.add_argument("--orders", type=int, default=10)
    return parser.parse_args()


if __name__ == "__main__":
    main()
