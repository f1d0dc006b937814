"""By which columns a file is sorted, or nearly, or grouped."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

EXCEPTIONS = 0.05
"""Share of the rows that may stand elsewhere in a file that is nearly sorted."""
RANKED = 0.99
"""The rank correlation of a column of numbers with the place in the file, from which on the file is
nearly sorted by it: by rounded numbers, for example."""
SURELY, PERHAPS = 10.0, 3.0
"""Nats: chance sorts a column less often than once in exp of that. In a file that is sorted by one,
others may be sorted too, as far as can be seen in the few rows that it leaves together."""


@dataclass(frozen=True)
class Sorting:
    """The columns by which a file is sorted, the first one first, and the rows they tell apart."""

    names: tuple[str, ...]
    perhaps: tuple[str, ...]
    """Columns by which it may be sorted after these."""
    strata: Ints
    """Rows of one number are the same in all these columns, as far as these are states."""
    fine: bool
    """Whether it is sorted by numbers too, which tell nearly all rows apart."""

    def blocks(self, window: int) -> Ints:
        """Return blocks of rows that may change places: where numbers sort, they stay near."""
        if not self.fine:
            return self.strata
        places = np.argsort(self.strata, kind="stable")
        first = np.r_[True, np.diff(self.strata[places]) != 0]
        begin = np.maximum.accumulate(np.where(first, np.arange(len(places)), 0))
        windows = (np.arange(len(places)) - begin) // window
        blocks = np.empty(len(places), dtype=np.int64)
        blocks[places] = np.cumsum(first | np.r_[True, np.diff(windows) != 0])
        return blocks


def sorting_of(
    columns: Mapping[str, Ints], ranked: AbstractSet[str], finer: AbstractSet[str]
) -> Sorting:
    """Return by which columns the rows are sorted.

    Parameters
    ----------
    columns
        Whole numbers from 0.
    ranked
        Columns whose order is that of their numbers; states may be grouped in any order.
    finer
        Columns that tell nearly all rows apart, or may have been sorted by more than they tell.
    """
    n = len(next(iter(columns.values()), ()))
    strata = apart = np.zeros(n, dtype=np.int64)
    found: dict[str, float] = {}
    fine = False
    while True:
        best, surest = None, PERHAPS if found else SURELY
        for name, codes in columns.items():
            if name not in found and (sure := _sureness(codes, apart, name in ranked)) >= surest:
                best, surest = name, sure
        if best is None:
            break
        found[best] = surest
        apart = _joint(apart, columns[best])
        if best in finer:
            fine = True
        else:
            strata = _joint(strata, columns[best])
    names = tuple(name for name, sure in found.items() if sure >= SURELY)
    return Sorting(names, tuple(x for x in found if x not in names), strata, fine)


def _sureness(codes: Ints, strata: Ints, ranked: bool) -> float:
    """Return how sure it is, in nats, that a column is sorted within strata; 0 if it is not.

    That is the logarithm of how seldom chance would sort it.
    """
    places = np.argsort(strata, kind="stable")
    codes, strata = codes[places], strata[places]
    joint = _joint(strata, codes)
    sizes = np.bincount(strata)
    counts = np.bincount(joint)
    ways = float(_log_factorials(sizes) - _log_factorials(counts))
    if ways < PERHAPS:
        return 0.0
    within = np.diff(strata) == 0
    changes = int((within & (np.diff(codes) != 0)).sum())
    states = len(counts) - len(sizes[sizes > 0])
    if changes == states and not ranked:
        return ways - _log_factorials(np.bincount(_first_of(joint, strata)))
    largest = np.zeros(len(sizes), dtype=np.int64)
    np.maximum.at(largest, _first_of(joint, strata), counts)
    allowed = EXCEPTIONS * float((sizes - largest).sum())
    if ranked and not strata.any() and abs(_along(codes)) >= RANKED:
        return ways
    for falls in (codes, -codes):
        if int((within & (np.diff(falls) < 0)).sum()) > 2 * allowed:
            continue
        along = (strata * (int(codes.max()) + 1) * 2 + falls).tolist()
        exceptions = len(along) - _longest_sorted(along)
        by_chance = np.log(2) + 2 * exceptions * np.log(max(2, len(along)))
        if exceptions <= allowed:
            return float(ways - by_chance)
    return 0.0


def _along(codes: Ints) -> float:
    """Return the correlation of mean ranks with places."""
    counts = np.bincount(codes)
    ranks = (np.cumsum(counts) - counts / 2)[codes]
    return float(np.corrcoef(ranks, np.arange(len(codes)))[0, 1])


def _first_of(joint: Ints, strata: Ints) -> Ints:
    """Return of which stratum each of the joint numbers is."""
    return np.asarray(strata[np.unique(joint, return_index=True)[1]])


def _longest_sorted(values: list[int]) -> int:
    """Return how many values can stay where they are, if others may be taken out to sort them."""
    tails: list[int] = []
    for value in values:
        place = bisect_right(tails, value)
        if place == len(tails):
            tails.append(value)
        else:
            tails[place] = value
    return len(tails)


def first_of_equal(columns: Mapping[str, Ints]) -> Ints | None:
    """Return the first rows of runs of equal ones, where all that are equal stand together.

    None where they do not, or where so few are equal that chance may have brought them together.
    """
    n = len(next(iter(columns.values()), ()))
    rows = np.zeros(n, dtype=np.int64)
    for codes in columns.values():
        rows = _joint(rows, codes)
    counts = np.bincount(rows)
    first = np.flatnonzero(np.r_[True, np.diff(rows) != 0]) if n else rows
    if len(first) > (1 + 2 * EXCEPTIONS) * len(counts):
        return None
    ways = _log_factorials(np.array([n, *counts])) - 2 * _log_factorials(counts)
    return first if ways - _log_factorials(np.array([len(counts)])) >= SURELY else None


def _joint(one: Ints, other: Ints) -> Ints:
    """Return a number from 0 for each pair of values."""
    pairs = one * (int(other.max(initial=0)) + 1) + other
    return np.asarray(np.unique(pairs, return_inverse=True)[1].reshape(-1).astype(np.int64))


def _log_factorials(counts: Ints) -> float:
    """Return the sum of the logarithms of factorials."""
    sums = np.r_[0.0, np.cumsum(np.log(np.arange(1, int(counts.max(initial=1)) + 1)))]
    return float(sums[counts].sum())
