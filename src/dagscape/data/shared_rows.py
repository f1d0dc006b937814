"""Whether some columns repeat together, as those of a subject do whose rows differ in others.

Visits of patients have their own laboratory values each, and the patient's age and sex. So whole
rows do not repeat. But age and sex do, and look related to each other as if every visit were a new
patient. Two things show it, wherever in the file the rows stand.

- Without the columns that vary most, rows may repeat too evenly for independent ones
  (`repeats.py`): every patient came ten times.
- Rows with the same decimal number may all agree in another column, though that follows the number
  in no curve: next to each other, numbers go with values as different as any. A curve, a sum and
  groups of a number do not do that.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from dagscape.data import Data

Ints = NDArray[np.int64]

MOST_COLUMNS, MOST_WORK = 32, 20_000_000
"""Columns among which those that vary are sought, and cells that are looked at for that."""
LEAST_VALUES, LEAST_TIMES = 10, 3.0
"""Different numbers of a column that may stand for subjects, and rows for each in the mean."""
AGREE = 0.9
"""The share of rows that have the value that most with the same number have."""
LN_CHANCE = -25.0
"""How rarely independent rows may agree so, in ln."""
CURVE, APART = "curve", "apart"
"""How a column may follow a number that determines it."""
ALONG, LEAST_CHANGES = 3.0, 0.6
"""Standard deviations by which neighbors among the numbers may agree more often than others, and
the share of the changes that there would be in any order which must be there."""


def varying_least(data: Data) -> Iterator[tuple[str, ...]]:
    """Yield fewer and fewer columns, without those in which rows that agree elsewhere differ.

    Each time the column goes without which most pairs of rows are the same. Nothing where that
    would take long.
    """
    codes = {name: _codes(data, name) for name in data.variables.in_engine_order()}
    codes = {name: own for name, own in codes.items() if _repeat(own)}
    many = len(codes)
    if not 3 <= many <= MOST_COLUMNS or data.n_rows * many**3 // 6 > MOST_WORK:
        return
    if many < data.n_variables:
        yield tuple(codes)
    left = list(codes)
    while len(left) > 2:
        out = max(left, key=lambda name: (_same_pairs([codes[x] for x in left if x != name]), name))
        left.remove(out)
        yield tuple(left)


def sharing(data: Data) -> tuple[str, tuple[str, ...], int] | None:
    """Return a column of numbers, those that are the same where it is, and its different values.

    The one with most such columns; None where there is none.
    """
    found: list[tuple[str, tuple[str, ...], int]] = []
    for name, values in data.numbers.items():
        known = values[~np.isnan(values)]
        different = len(np.unique(known))
        whole = bool((known == np.round(known)).all())
        if whole or different < LEAST_VALUES or len(known) < LEAST_TIMES * different:
            continue
        others = [other for other in data.names if other != name]
        with_it = tuple(other for other in others if _goes_with(data, name, other, APART))
        numbers = (other for other in others if other in data.numbers)
        # What a curve makes of another number is no subject, though no curve leads back.
        if with_it and not any(_goes_with(data, other, name, CURVE) for other in numbers):
            found.append((name, with_it, different))
    return max(found, key=lambda one: (len(one[1]), one[2], one[0]), default=None)


def _goes_with(data: Data, number: str, other: str, how: str) -> bool:
    """Tell whether rows with the same number agree in a column, which follows it so.

    Parameters
    ----------
    how
        In a curve, or in none.
    """
    by, own = _codes(data, number), _codes(data, other)
    there = (by >= 0) & (own >= 0)
    by = np.unique(by[there], return_inverse=True)[1].reshape(-1)  # in the order of the numbers
    own = np.unique(own[there], return_inverse=True)[1].reshape(-1)
    width = int(own.max(initial=0)) + 1
    groups = int(by.max(initial=-1)) + 1
    if width < 2 or groups < LEAST_VALUES:
        return False
    cells, counts = np.unique(by * width + own, return_counts=True)
    most = np.zeros(groups, dtype=np.int64)
    np.maximum.at(most, cells // width, counts)
    if most.sum() < AGREE * len(by):
        return False
    shares, sizes = np.bincount(own) / len(own), np.bincount(by)
    agree = np.array([float((shares**size).sum()) for size in sizes])
    whole = most == sizes
    but = math.log(math.comb(groups, int(whole.sum())))
    if np.log(agree[whole]).sum() + but > LN_CHANCE:
        return False
    first = np.zeros(groups, dtype=np.int64)
    order = np.argsort(counts, kind="stable")
    first[(cells // width)[order]] = (cells % width)[order]
    return _along(first.astype(np.float64), ordered=other in data.numbers) == how


def _along(values: NDArray[np.float64], *, ordered: bool) -> str:
    """Tell whether neighbors are more alike than values in any order are, or as different."""

    def changes(some: NDArray[np.float64]) -> float:
        steps = abs(np.diff(some))
        return float((steps if ordered else steps > 0).mean())

    chance = np.random.default_rng(0)
    others = [changes(chance.permutation(values)) for _ in range(100)]
    mean, spread = float(np.mean(others)), float(np.std(others))
    own = changes(values)
    if own < mean - ALONG * spread or own < LEAST_CHANGES * mean:
        return CURVE
    return APART if spread > 0 else ""


def _codes(data: Data, name: str) -> Ints:
    """Return a column as whole numbers, in the order of its values; -1 for a gap."""
    column = data.column(name)
    if name not in data.numbers:
        return np.where(column == data.arities[name], -1, column.astype(np.int64))
    codes = np.unique(column, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return np.where(np.isnan(column), -1, codes)


def _repeat(codes: Ints) -> bool:
    """Tell whether values of a column are there several times."""
    return 2 * len(np.unique(codes)) <= len(codes) and len(np.unique(codes)) > 1


def _same_pairs(columns: list[Ints]) -> int:
    """Return how many pairs of rows are the same in these columns."""
    joined = np.zeros(len(columns[0]), dtype=np.int64)
    for codes in columns:
        joined = joined * (int(codes.max()) + 2) + codes + 1
        joined = np.unique(joined, return_inverse=True)[1].reshape(-1)
    counts = np.bincount(joined)
    return int((counts * (counts - 1) // 2).sum())
