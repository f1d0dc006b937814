"""How often rows are told to depend on each other: rows that do not, and rows that do.

python reproduce/dependent_rows.py [--tables 40] [--cost]

Independent rows: samples of every network that the package has, with 100 to 5,000 rows, as they
are, sorted by columns, by two of them, and by all. Dependent rows: designs of states and of
numbers. Of each it is counted how many tables are told of. With --cost: the seconds that it takes
to look, beside those of learning, of CPU time. docs/explain/trust.md has the figures.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from itertools import chain, product

import numpy as np
from numpy.typing import NDArray

import dagscape as ds
from dagscape.data import looked_over
from dagscape.notes import DEPENDENT
from dagscape.repeats import with_repeats

ROWS = (100, 300, 1000, 5000)
SAMPLES, COLUMNS = 4, 5
"""Of every network and size, and columns by which each is sorted."""
COST = (1_000, 100_000, 1_000_000)

Random = np.random.Generator
Codes = NDArray[np.int64]
Numbers = NDArray[np.float64]


def main() -> None:
    """Tell how many tables of each kind are told of, or what looking costs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--cost", action="store_true")
    options = parser.parse_args()
    lines = cost() if options.cost else chain(independent(), dependent(options.tables))
    for line in lines:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def told(data: ds.Data) -> bool:
    """Look at rows as learning does, and return whether they are told to depend on each other."""
    return any(note.kind in DEPENDENT for note in with_repeats(looked_over(data)).notes)


# Rows that are independent.


def independent() -> Iterator[str]:
    """Yield how many samples of known networks are told of."""
    chance = np.random.default_rng(0)
    found: dict[str, list[bool]] = {}
    for name in ds.embedded_networks():
        for rows in ROWS:
            for seed in range(SAMPLES):
                data = ds.load_network(name).sample(rows, seed=seed)
                for kind, order in orders(data, chance):
                    found.setdefault(kind, []).append(told(data.take(order)))
    for kind, each in found.items():
        yield f"known networks, {kind}: {sum(each)} of {len(each)} told of"
    curved = [told(along_curve(*which)) for which in product(CURVES, NOISE, (100, 300, 1000))]
    yield f"numbers along curves, sorted by one: {sum(curved)} of {len(curved)} told of"


def along_curve(curve: str, noise: float, rows: int) -> ds.Data:
    """Return rows that are sorted by a number, and others that follow it along a curve or not."""
    chance = np.random.default_rng([rows, round(1000 * noise)])
    x = np.sort(chance.normal(size=rows))
    follows = CURVES[curve](x) + noise * chance.normal(size=rows)
    return of_numbers(np.column_stack([x, follows, chance.normal(size=rows)]))


CURVES: dict[str, Callable[[Numbers], Numbers]] = {
    "line": lambda x: x,
    "square": np.square,
    "exponential": np.exp,
    "bend": np.abs,
    "wave": lambda x: np.sin(3 * x),
    "step": lambda x: np.where(x > 0, 1.0, 0.0),
}
NOISE = (0.03, 0.1, 0.3, 1.0)


def orders(data: ds.Data, chance: Random) -> Iterator[tuple[str, NDArray[np.intp]]]:
    """Yield orders of the rows, with what they are called."""
    yield "as drawn", np.arange(data.n_rows)
    codes = data.codes.astype(np.int64)
    many = data.n_variables
    for column in chance.choice(many, min(COLUMNS, many), replace=False):
        yield "sorted by a column", np.argsort(codes[:, column], kind="stable")
    one, other = chance.choice(many, 2, replace=False)
    yield "sorted by two columns", np.lexsort((-codes[:, other], codes[:, one]))
    yield "sorted by all columns", np.lexsort(codes.T[chance.permutation(many)])


# Rows that are not.


def dependent(tables: int) -> Iterator[str]:
    """Yield how many tables of each design are told of."""
    for name, design in DESIGNS.items():
        many = sum(told(design(np.random.default_rng(seed))) for seed in range(tables))
        yield f"{name}: {many} of {tables} told of"


def of_states(codes: Codes) -> ds.Data:
    """Return a table of columns with two states."""
    return ds.Data.from_codes(codes, {f"c{i:02}": ["0", "1"] for i in range(codes.shape[1])})


def of_numbers(values: Numbers) -> ds.Data:
    """Return a table of columns of numbers."""
    return ds.Data({f"x{i:02}": values[:, i] for i in range(values.shape[1])})


def copies(chance: Random) -> Codes:
    """Return 30 rows of 10 coins, each ten times."""
    return np.repeat(chance.integers(2, size=(30, 10)), 10, axis=0)


def sticky(chance: Random) -> ds.Data:
    """Return 500 steps of 10 chains that seldom change."""
    flips = chance.integers(2, size=(500, 10))
    for row in range(1, 500):
        stay = chance.random(10) < 0.9
        flips[row] = np.where(stay, flips[row - 1], flips[row])
    return of_states(flips)


def visits(chance: Random, constant: int, kept: float = 0.7) -> ds.Data:
    """Return 30 subjects with 10 visits each; the other columns keep most values of the subject."""
    own = np.repeat(chance.integers(2, size=(30, 8)), 10, axis=0)
    anew = chance.random(own.shape) >= kept
    anew[:, :constant] = False
    return of_states(np.where(anew, chance.integers(2, size=own.shape), own))


def in_any_order(chance: Random) -> ds.Data:
    """Return 30 subjects with 10 visits each, in any order, half of 8 columns constant in each."""
    own = np.repeat(chance.integers(3, size=(30, 8)), 10, axis=0)
    own[:, 4:] = chance.integers(3, size=(300, 4))
    states = {f"c{i}": ["0", "1", "2"] for i in range(8)}
    return ds.Data.from_codes(chance.permutation(own), states)


def in_any_number(chance: Random) -> ds.Data:
    """Return 40 subjects with 1 to 15 visits each, in any order: age, weight, sex, and values."""
    whose = chance.permutation(np.repeat(np.arange(40), chance.integers(1, 16, 40)))
    own = {"age": chance.normal(60, 10, 40).round(1), "weight": chance.normal(70, 9, 40).round(1)}
    own["sex"] = chance.integers(2, size=40)
    values = {f"lab{i}": chance.normal(size=len(whose)) for i in range(3)}
    return ds.Data({name: each[whose] for name, each in own.items()} | values)


def series(chance: Random, kept: float) -> ds.Data:
    """Return 500 steps of 8 series, each step a share of the one before and noise."""
    values = chance.normal(size=(500, 8))
    for row in range(1, 500):
        values[row] += kept * values[row - 1]
    return of_numbers(values)


def copied_rows(chance: Random) -> ds.Data:
    """Return 300 rows of ALARM, a third of which are there twice, in any order."""
    data = ds.load_network("alarm").sample(300, seed=int(chance.integers(1 << 30)))
    twice = chance.choice(300, 100, replace=False)
    return data.take(chance.permutation(np.concatenate([np.arange(300), twice])))


def copied_numbers(chance: Random) -> ds.Data:
    """Return 200 rows of numbers, with 60 of them again at the end."""
    values = chance.normal(size=(200, 6))
    values[:, 1] += values[:, 0]
    return of_numbers(np.concatenate([values, values[chance.choice(200, 60, replace=False)]]))


def sites(chance: Random) -> ds.Data:
    """Return 12 sites with 40 rows each, which have their own shares."""
    shares = np.repeat(chance.beta(1.5, 1.5, size=(12, 10)), 40, axis=0)
    return of_states((chance.random(shares.shape) < shares).astype(np.int64))


def waves(chance: Random) -> ds.Data:
    """Return 60 subjects in 5 waves: all of them, then all of them again."""
    own = np.tile(chance.integers(2, size=(60, 10)), (5, 1))
    anew = chance.random(own.shape) >= 0.6
    return of_states(np.where(anew, chance.integers(2, size=own.shape), own))


def oversampled(chance: Random) -> ds.Data:
    """Return 400 rows of CHILD, and 40 of the rarer states of a column eight times more."""
    data = ds.load_network("child").sample(400, seed=int(chance.integers(1 << 30)))
    first = data.codes[:, 0]
    rare = np.flatnonzero(first != np.bincount(first).argmax())[:40]
    return data.take(chance.permutation(np.concatenate([np.arange(400), np.repeat(rare, 8)])))


def drawn_again(chance: Random) -> ds.Data:
    """Return 400 rows drawn from 100 of INSURANCE, with replacement."""
    data = ds.load_network("insurance").sample(100, seed=int(chance.integers(1 << 30)))
    return data.take(chance.integers(100, size=400))


def walks_beside(walks: int, noise: int) -> Callable[[Random], ds.Data]:
    """Return what draws random walks of 300 rows, and columns that keep nothing."""

    def drawn(chance: Random) -> ds.Data:
        steps = chance.normal(size=(300, walks)).cumsum(axis=0)
        return of_numbers(np.concatenate([steps, chance.normal(size=(300, noise))], axis=1))

    return drawn


def beside_the_day(walks: int, rows: int) -> Callable[[Random], ds.Data]:
    """Return what draws the days, random walks and two columns that keep nothing."""

    def drawn(chance: Random) -> ds.Data:
        steps = chance.normal(size=(rows, walks)).cumsum(axis=0)
        days = np.arange(rows)[:, None] + 0.5
        return of_numbers(np.concatenate([days, steps, chance.normal(size=(rows, 2))], axis=1))

    return drawn


DESIGNS: dict[str, Callable[[Random], ds.Data]] = {
    "30 rows of 10 coins, each ten times": lambda c: of_states(copies(c)),
    "the same in any order": lambda c: of_states(c.permutation(copies(c))),
    "10 sticky chains, 500 rows": sticky,
    "8 random walks, 300 rows": walks_beside(8, 0),
    "4 of them beside 4 columns of noise": walks_beside(4, 4),
    "3 of them beside 3 columns of noise": walks_beside(3, 3),
    "2 of them beside 3 columns of noise": walks_beside(2, 3),
    "the day, a walk and 2 columns of noise, 300 rows": beside_the_day(1, 300),
    "the day, 3 walks and 2 columns of noise, 300 rows": beside_the_day(3, 300),
    "the day, a walk and 2 columns of noise, 1,000 rows": beside_the_day(1, 1000),
    "30 subjects, 10 visits each": lambda c: visits(c, 0),
    "the same, half the columns constant": lambda c: visits(c, 4),
    "half the columns constant, half noise": lambda c: visits(c, 4, 0.0),
    "half of 3 states constant, in any order": in_any_order,
    "40 subjects, 1 to 15 visits, in any order": in_any_number,
    "8 autoregressive series (0.6), 500 rows": lambda c: series(c, 0.6),
    "ALARM, 300 rows, a third of them twice": copied_rows,
    "200 rows of numbers, 60 of them twice": copied_numbers,
    "12 sites, 40 rows each": sites,
    "60 subjects, wave after wave": waves,
    "CHILD, 400 rows, a rare state oversampled": oversampled,
    "INSURANCE, 400 rows drawn from 100": drawn_again,
}


# What it costs.


def cost() -> Iterator[str]:
    """Yield the seconds of CPU time that looking takes, and of the fewest rows learning."""
    for rows in COST:
        data = ds.load_network("alarm").sample(rows, seed=1)
        begun = time.process_time()
        told(data)
        yield f"ALARM, {rows:,} rows: {time.process_time() - begun:.2f} s to look"
    begun = time.process_time()
    ds.learn(ds.load_network("alarm").sample(COST[0], seed=1), resamples=0, runs=0)
    yield f"{COST[0]:,} rows: {time.process_time() - begun:.1f} s to learn, without resamples"


if __name__ == "__main__":
    main()
