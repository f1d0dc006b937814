"""What the search on very many variables reaches, and what it takes.

    python benchmarks/wide_table.py beside               # beside order search and hill climbing
    python benchmarks/wide_table.py learn 1000 10000     # ds.learn on random networks of so many
    python benchmarks/wide_table.py wide 10000           # ds.wide_search alone, as long as it takes
    python benchmarks/wide_table.py blanket 20000        # one variable's among so many columns
    python benchmarks/wide_table.py short 1000           # 100 rows: groups of numbers, and noise

Quality and time together; CPU seconds, since the machine may be busy.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable

import numpy as np
import polars as pl

import dagscape as ds

TRUTHS = {
    "ten copies of alarm, BIC": (lambda: ds.load_network("alarm").tile(10), "bic"),
    "random, 300": (
        lambda: ds.random_network(300, neighbors=4, states=(2, 4), seed=1),
        None,
    ),
    "random, 1,000": (lambda: ds.random_network(1000, seed=1), None),
}


def told(name: str, search: Callable[[], ds.Result], truth: ds.Dag) -> None:
    """Print what a search found and what it took."""
    begun, at = time.process_time(), time.monotonic()
    found = search()
    cpu, wall = time.process_time() - begun, time.monotonic() - at
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    line = (
        f"{name}: score {found.score:.1f}, {len(found.dag.arcs)} arcs of {len(truth.arcs)}, "
        f"SHD {ds.shd(found.cpdag, truth)}, {cpu:.1f} CPU s, {wall:.0f} s, "
        f"{memory:.0f} MB so far ({found.method})"
    )
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def beside() -> None:
    """Compare searches on three tables of 1,000 rows."""
    for name, (make, score) in TRUTHS.items():
        truth = make()
        data = truth.sample(1000, seed=0)
        one = {"score": score, "threads": 1}
        told(f"{name}: wide", lambda d=data, o=one: ds.wide_search(d, **o), truth.dag)
        told(
            f"{name}: order",
            lambda d=data, o=one: ds.order_search(d, parent_sets="grown", restarts=1, **o),
            truth.dag,
        )
        told(f"{name}: climb", lambda d=data, o=one: ds.hill_climb(d, **o), truth.dag)


def searched(sizes: list[int]) -> None:
    """Search 1,000 rows of random networks of so many variables, without a time limit."""
    for size in sizes:
        truth = ds.random_network(size, seed=1)
        data = truth.sample(1000, seed=0)
        told(f"wide, {size:,} variables", lambda d=data: ds.wide_search(d), truth.dag)


def learned(sizes: list[int], seconds: float) -> None:
    """Learn from 1,000 rows of random networks of so many variables."""
    for size in sizes:
        truth = ds.random_network(size, seed=1)
        data = truth.sample(1000, seed=0)
        told(
            f"learn, {size:,} variables",
            lambda d=data: ds.learn(d, seed=0, time_limit=seconds),
            truth.dag,
        )


def one_blanket(sizes: list[int]) -> None:
    """Find the blanket and the neighbors of one column among so many, of states and of numbers."""
    for size in sizes:
        rng = np.random.default_rng(0)
        numbers = rng.normal(size=(100, size))
        numbers[:, 0] = numbers[:, 1] + numbers[:, 2] + 0.5 * rng.normal(size=100)
        numbers[:, 3] = numbers[:, 0] + 0.5 * rng.normal(size=100)
        states = rng.integers(0, 2, size=(1000, size))
        for child, parent in ((0, 1), (3, 0)):
            flip = rng.random(1000) < 0.2
            states[:, child] = np.where(flip, 1 - states[:, parent], states[:, parent])
        for kind, cells in (("states", states), ("numbers", numbers)):
            frame = pl.DataFrame({f"v{i}": cells[:, i] for i in range(size)})
            begun = time.process_time()
            data = ds.Data(frame)
            line = f"{kind}, {len(cells):,} x {size:,}: read in {time.process_time() - begun:.1f}"
            for search in (ds.markov_blanket, ds.neighbors):
                begun = time.process_time()
                found = search(data, "v0")
                spent = time.process_time() - begun
                line += f", {search.__name__} {spent:.1f} CPU s ({', '.join(found)})"
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            sys.stdout.write(f"{line}, {memory:.0f} MB so far\n")
            sys.stdout.flush()


def modules(size: int) -> tuple[np.ndarray, set[frozenset[str]]]:
    """Return 100 rows in which 6 of every 20 numbers hang together, and the pairs that do."""
    rng = np.random.default_rng(3)
    numbers, true = rng.normal(size=(100, size)), set()
    for hub in range(0, size - 19, 20):
        for other in range(hub + 1, hub + 5):
            numbers[:, other] = 0.9 * numbers[:, hub] + 0.6 * rng.normal(size=100)
            true.add(frozenset((f"v{hub}", f"v{other}")))
        numbers[:, hub + 5] = numbers[:, hub + 4] + 0.7 * rng.normal(size=100)
        true.add(frozenset((f"v{hub + 4}", f"v{hub + 5}")))
    return numbers, true


def short(sizes: list[int], seconds: float) -> None:
    """Learn from 100 rows of so many numbers, of which some hang together, or none do."""
    for size in sizes:
        noise = np.random.default_rng(4).normal(size=(100, size)), set()
        for kind, (numbers, true) in (("modules", modules(size)), ("noise", noise)):
            data = ds.Data(pl.DataFrame({f"v{i}": numbers[:, i] for i in range(size)}))
            begun, at = time.process_time(), time.monotonic()
            found = ds.learn(data, time_limit=seconds)
            cpu, wall = time.process_time() - begun, time.monotonic() - at
            words = []
            for word in ("near certain", "likely", "open"):
                named = [frozenset((e.a, e.b)) for e in found.edges if e.verdict == word]
                words.append(f"{len(named)} {word} ({sum(e in true for e in named)} true)")
            tables = 0 if found.stability is None else found.stability.runs
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            sys.stdout.write(
                f"{kind}, 100 x {size:,}: {len(found.dag.arcs)} arcs, {len(true)} true pairs, "
                f"{', '.join(words)}, {tables} resampled tables, {cpu:.0f} CPU s, {wall:.0f} s, "
                f"{memory:.0f} MB so far\n"
            )
            sys.stdout.flush()


def main() -> None:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("beside", "learn", "wide", "blanket", "short"))
    parser.add_argument("sizes", type=int, nargs="*", default=[1000])
    parser.add_argument("--seconds", type=float, default=120.0, help="time limit of ds.learn")
    given = parser.parse_args()
    if given.what == "beside":
        beside()
    elif given.what == "blanket":
        one_blanket(given.sizes)
    elif given.what == "wide":
        searched(given.sizes)
    elif given.what == "short":
        short(given.sizes, given.seconds)
    else:
        learned(given.sizes, given.seconds)


if __name__ == "__main__":
    main()
