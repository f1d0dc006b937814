"""Tables in which nothing is related, of the kinds on which scores go wrong.

A family draws a table; some have related columns beside the others, which are named then. Rare
events, many states, few rows, skewed numbers: what a table in the world has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

Rng = np.random.Generator
Frame = dict[str, Any]


@dataclass(frozen=True)
class Family:
    """A kind of table without relations, but for those between columns that are named.

    Of a kind that takes long, one table of ``every`` is drawn.
    """

    draw: Callable[[Rng], Frame]
    kind: str = "states"
    related: frozenset[frozenset[str]] = frozenset()
    every: int = 1


def states(columns: int, rows: int, weights: Callable[[Rng], np.ndarray]) -> Family:
    """Return columns of states, each with probabilities of its own."""

    def draw(rng: Rng) -> Frame:
        return {f"v{i:03}": _states(rng, rows, weights(rng)) for i in range(columns)}

    return Family(draw)


def _states(rng: Rng, rows: int, weights: np.ndarray) -> list[str]:
    return [f"s{code:02}" for code in rng.choice(len(weights), rows, p=weights / weights.sum())]


def even(many: int) -> Callable[[Rng], np.ndarray]:
    """Return as many states, all alike."""
    return lambda _: np.ones(many)


def rare(share: float) -> Callable[[Rng], np.ndarray]:
    """Return two states, one of which is rare."""
    return lambda _: np.array([1 - share, share])


def geometric(many: int, ratio: float = 0.5) -> Callable[[Rng], np.ndarray]:
    """Return states each of which is rarer than the one before."""
    return lambda _: ratio ** np.arange(many)


def any_number(rng: Rng) -> np.ndarray:
    """Return 2, 5 or 20 states, with probabilities drawn at random."""
    return rng.dirichlet(np.ones(rng.choice([2, 5, 20])))


def cut(values: np.ndarray, parts: int) -> list[str]:
    """Return in which of so many equal parts of the order each value is."""
    ranks = np.argsort(np.argsort(values))
    return [f"q{rank * parts // len(values)}" for rank in ranks]


def quantiles(columns: int, rows: int, parts: int) -> Family:
    """Return numbers that were cut at quantiles, so that all states are equally frequent."""
    return Family(
        lambda rng: {f"v{i:03}": cut(rng.normal(size=rows), parts) for i in range(columns)}
    )


def _rare_beside_related(rng: Rng) -> Frame:
    """Five related pairs of quintiles, two more columns, and two events that five rows have."""
    rows = 2000
    frame: Frame = {}
    for pair in range(5):
        first = rng.normal(size=rows)
        frame[f"a{pair}"] = cut(first, 5)
        frame[f"b{pair}"] = cut(first + rng.normal(size=rows), 5)
    for other in range(2):
        frame[f"c{other}"] = cut(rng.normal(size=rows), 5)
    for event in ("x", "y"):
        happened = np.full(rows, "no", dtype=object)
        happened[rng.choice(rows, 5, replace=False)] = "yes"
        frame[event] = happened.tolist()
    return frame


def numbers(columns: int, rows: int, shape: str) -> Family:
    """Return columns of numbers of one shape."""

    def draw(rng: Rng) -> Frame:
        return {f"v{i:03}": SHAPES[shape](rng, rows).tolist() for i in range(columns)}

    return Family(draw, "numbers")


SHAPES: Mapping[str, Callable[[Rng, int], np.ndarray]] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "uniform": lambda rng, n: rng.uniform(size=n),
    "lognormal": lambda rng, n: rng.lognormal(sigma=1.5, size=n),
    "Cauchy": lambda rng, n: rng.standard_cauchy(size=n),
    "Student, 2": lambda rng, n: rng.standard_t(2, size=n),
    "zero-inflated": lambda rng, n: np.where(rng.random(n) < 0.7, 0.0, rng.lognormal(size=n)),
    "two humps": lambda rng, n: rng.normal(size=n) + 6 * rng.integers(0, 2, n),
    "outlier": lambda rng, n: rng.normal(size=n) + 50 * (np.arange(n) == rng.integers(n)),
}


def mixed(rows: int, shape: str, weights: Callable[[Rng], np.ndarray], each: int = 6) -> Family:
    """Return as many columns of numbers as of states."""

    def draw(rng: Rng) -> Frame:
        found = {f"n{i}": SHAPES[shape](rng, rows).tolist() for i in range(each)}
        return found | {f"s{i}": _states(rng, rows, weights(rng)) for i in range(each)}

    return Family(draw, "mixed")


def gaps(family: Family, share: float) -> Family:
    """Return such tables with that share of their cells missing, by chance."""

    def draw(rng: Rng) -> Frame:
        return {
            name: [None if rng.random() < share else cell for cell in cells]
            for name, cells in family.draw(rng).items()
        }

    return Family(draw, "gaps", family.related, 1 if family.kind == "states" else 5)


FAMILIES: dict[str, Family] = {
    "5 coins, 200 rows": states(5, 200, even(2)),
    "5 coins, 2,000 rows": states(5, 2000, even(2)),
    "12 coins, 5,000 rows": states(12, 5000, even(2)),
    "60 coins, 100 rows": replace(states(60, 100, even(2)), every=10),
    "200 coins, 50 rows": replace(states(200, 50, even(2)), every=10),
    "5 columns in quintiles, 2,000 rows": quantiles(5, 2000, 5),
    "10 columns in thirds, 300 rows": quantiles(10, 300, 3),
    "8 × 12 states, 200 rows": states(8, 200, even(12)),
    "8 × 20 states, 200 rows": states(8, 200, even(20)),
    "6 × 30 states, 1,000 rows": states(6, 1000, even(30)),
    "5 × 50 states, 500 rows": states(5, 500, even(50)),
    "8 × 6 states, each half as frequent, 300 rows": states(8, 300, geometric(6)),
    "10 × 2, 5 or 20 states, 100 rows": states(10, 100, any_number),
    "10 events of 2 %, 200 rows": states(10, 200, rare(0.02)),
    "8 events of 0.1 %, 5,000 rows": states(8, 5000, rare(0.001)),
    "2 rare events beside 5 related pairs, 2,000 rows": Family(
        _rare_beside_related, related=frozenset(frozenset((f"a{i}", f"b{i}")) for i in range(5))
    ),
    "6 × 3 states, 10 rows": states(6, 10, even(3)),
    "6 coins, 4 rows": states(6, 4, even(2)),
    **{f"12 × {shape}, 100 rows": numbers(12, 100, shape) for shape in SHAPES},
    "60 × normal, 100 rows": replace(numbers(60, 100, "normal"), every=10),
    "6 × normal, 6 × 6 states, 40 rows": mixed(40, "normal", even(6)),
    "6 × lognormal, 6 events of 2 %, 100 rows": mixed(100, "lognormal", rare(0.02)),
    "3 × normal, 3 coins, 8 rows": mixed(8, "normal", even(2), each=3),
    "6 × 3 states, 10 % missing, 200 rows": gaps(states(6, 200, even(3)), 0.1),
    "6 × normal, 10 % missing, 100 rows": gaps(numbers(6, 100, "normal"), 0.1),
    "3 × normal, 3 coins, 10 % missing, 100 rows": gaps(mixed(100, "normal", even(2), each=3), 0.1),
}
