"""What is called likely where rows are of subjects: nothing related, and strong relations.

python reproduce/repeated_measures.py [--tables 20] [--resamples 20] [--threads 1]

Subjects with several rows each, columns of states and of numbers; all alike within subjects, half
of the columns constant in each, or all. Of tables in which nothing is related it is counted in how
many some edge is called likely: taken as independent rows, and with ``clusters``. Of tables with
strong relations, between subjects and within them, how many of these are called likely.
docs/explain/trust.md has the figures.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dagscape as ds

COLUMNS = 10
LIKELY = ("likely", "near certain")
FLIPPED = 0.12
"""Cells in which a column differs from the one that it repeats, in tables with relations."""

Random = np.random.Generator
Subjects = NDArray[np.intp]
Column = NDArray[Any]
Draw = Callable[[Random, Subjects, bool], Column]


def main() -> None:
    """Tell of each design how many tables have an edge called likely, and how many relations."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--resamples", type=int, default=20)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    settings = {"runs": 0, "resamples": options.resamples, "threads": options.threads}
    for line in chain(unrelated(options.tables, settings), related(options.tables, settings)):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


# Columns: a number between 0 and 1 of each subject, and what its rows make of it.


def states(rng: Random, who: Subjects, constant: bool) -> Column:
    """Return yes and no, of each subject with a share of its own."""
    share = rng.random(who.max() + 1)
    return ((share > 0.5)[who] if constant else rng.random(len(who)) < share[who]).astype(int)


def numbers(rng: Random, who: Subjects, constant: bool) -> Column:
    """Return numbers, half of whose variance is of the subjects."""
    own = rng.normal(size=who.max() + 1)[who]
    return own if constant else own + rng.normal(size=len(who))


DRAWN: dict[str, Draw] = {"states": states, "numbers": numbers}
SIZES: dict[str, Callable[[Random], Subjects]] = {
    "30 subjects, 10 rows each": lambda _: np.repeat(np.arange(30), 10),
    "100 subjects, 1 to 8 rows": lambda rng: np.repeat(np.arange(100), rng.integers(1, 9, 100)),
}
CONSTANT = {"none constant": 0, "half of them constant": COLUMNS // 2, "all constant": COLUMNS}


def unrelated(tables: int, settings: dict[str, Any]) -> Iterator[str]:
    """Yield in how many tables without relations an edge is called likely."""
    for kind, draw in DRAWN.items():
        for size, subjects in SIZES.items():
            for how, constant in CONSTANT.items():
                hits, naive, edges = 0, 0, 0
                for seed in range(tables):
                    rng = np.random.default_rng([seed, 1])
                    who = subjects(rng)
                    frame = {f"x{v}": draw(rng, who, v < constant) for v in range(COLUMNS)}
                    plain = likely(ds.Data(frame, rows_independent=True), settings)
                    hits += bool(likely(ds.Data({**frame, "who": who}, clusters="who"), settings))
                    naive, edges = naive + bool(plain), edges + len(plain)
                yield (
                    f"nothing related, {kind}, {size}, {how}: an edge is called likely in {hits} "
                    f"of {tables} tables; taken as independent rows in {naive}, with "
                    f"{edges / tables:.1f} edges in the mean"
                )


def related(tables: int, settings: dict[str, Any]) -> Iterator[str]:
    """Yield how many strong relations are called likely, and how many others."""
    for size, subjects in SIZES.items():
        found = {frozenset(pair): 0 for pair in (("a", "b"), ("c", "d"))}
        others = 0
        for seed in range(tables):
            rng = np.random.default_rng([seed, 2])
            who = subjects(rng)
            a, c = states(rng, who, True), states(rng, who, False)
            frame = {
                "a": a,
                "b": a ^ (rng.random(who.max() + 1) < FLIPPED)[who],
                "c": c,
                "d": c ^ (rng.random(len(who)) < FLIPPED),
                **{f"x{v}": states(rng, who, v < 3) for v in range(6)},
            }
            named = likely(ds.Data({**frame, "who": who}, clusters="who"), settings)
            for pair in named:
                found[pair] = found.get(pair, 0) + 1
            others += sum(pair not in ({"a", "b"}, {"c", "d"}) for pair in named)
        between, within = (found[frozenset(pair)] for pair in ("ab", "cd"))
        yield (
            f"strong relations, states, {size}: of {tables} between subjects {between} are called "
            f"likely, of {tables} within them {within}; others {others}"
        )


def likely(data: ds.Data, settings: dict[str, Any]) -> list[frozenset[str]]:
    """Return the pairs between which an edge is called likely or more."""
    learned = ds.learn(data, **settings)
    return [frozenset((e.a, e.b)) for e in learned.edges if e.verdict in LIKELY]


if __name__ == "__main__":
    main()
