"""Shuffled rows drawn, where a smooth tail is not exact enough.

A gamma distribution foretells how strongly shuffled rows relate two columns; where cells are few,
far out in its tail 0.001 may stand for 0.002 or 0.003. Where that decides, tables with the margins
of each stratum are drawn, which are what shuffled rows give: cell after cell, each hypergeometric
given those before it. The share of them that relate as much is a probability that holds exactly,
however few the rows.

Source: Besag and Clifford, Sequential Monte Carlo p-values, Biometrika 1991, for when to stop.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dagscape.chance.moments import Values

Counts = NDArray[np.int64]

ENOUGH = 50
"""Drawn tables that relate as much: with so many the share is known well."""
CELLS_AT_ONCE = 1_000_000
SEED = 0


def log_share(tables: Sequence[Counts], most: int) -> float:
    """Return ln of the share of shuffles that relate the two sides of all strata as much.

    Parameters
    ----------
    tables
        For each stratum, how often the states of the two meet.
    most
        The most shuffles to draw; the share is at least one over one more than that.
    """
    parts = [_occurring(table) for table in tables]
    parts = [part for part in parts if min(part.shape, default=0) > 1]
    if not parts:
        return 0.0
    rng = np.random.default_rng(SEED)
    least = math.fsum(float(_strengths(part[None])[0]) for part in parts) * (1 - 1e-9)
    batch = max(1, min(most, CELLS_AT_ONCE // max(part.size for part in parts)))
    as_strong = drawn = 0
    while drawn < most and as_strong < ENOUGH:
        many = min(batch, most - drawn, 1000 if not drawn else batch)
        found = np.zeros(many)
        for part in parts:
            found += _strengths(_shuffled(part, many, rng))
        as_strong += int((found >= least).sum())
        drawn += many
    return math.log((1 + as_strong) / (1 + drawn))


def _occurring(table: Counts) -> Counts:
    """Return a table without its empty rows and columns."""
    table = table[table.sum(axis=1) > 0]
    return np.asarray(table[:, table.sum(axis=0) > 0])


def _strengths(tables: Counts) -> Values:
    """Return Pearson's X² of tables of the same margins, times (n - 1) / n."""
    rows, columns = tables[0].sum(axis=1), tables[0].sum(axis=0)
    n = int(rows.sum())
    shares = (tables**2 / np.outer(rows, columns)).sum(axis=(1, 2))
    return np.asarray((n - 1) * (shares - 1))


def _shuffled(table: Counts, many: int, rng: np.random.Generator) -> Counts:
    """Return tables with the margins of this one, as shuffled rows give them."""
    height, width = table.shape
    found = np.zeros((many, height, width), dtype=np.int64)
    left = np.repeat(table.sum(axis=0)[None], many, axis=0)
    for row in range(height - 1):
        open_ = np.full(many, int(table[row].sum()))
        for column in range(width - 1):
            others = left[:, column + 1 :].sum(axis=1)
            cell = rng.hypergeometric(left[:, column], others, open_)
            found[:, row, column] = cell
            open_ -= cell
        found[:, row, -1] = open_
        left -= found[:, row]
    found[:, -1] = left
    return found


# Orders of rows in which subjects change places as wholes.
#
# Rows of one subject are alike, and shuffled rows are not: many columns look more related than in
# any of them. So a subject's rows take the places of another's, in their order; where it has
# fewer they are repeated, where it has more the last are left out. Within strata, the rows that a
# subject has there take the places of those that another has there, by one order of the subjects
# for all strata.

Places = NDArray[np.intp]

SHUFFLES, LEAST_SHUFFLES, ROWS_SHUFFLED = 300, 50, 30_000_000
"""Orders that are looked at, of few rows and of very many."""


def orders_of(
    subjects: Places, strata: Places, rng: np.random.Generator | None = None
) -> Iterator[Places]:
    """Yield many random orders: for each place the row that comes there.

    Always the same ones, if it is not said by which numbers.
    """
    if not len(subjects):
        return
    sorted_rows = np.lexsort((subjects, strata))
    of_subject, of_stratum = subjects[sorted_rows], strata[sorted_rows]
    new = np.ones(len(sorted_rows), dtype=bool)
    new[1:] = (np.diff(of_subject) != 0) | (np.diff(of_stratum) != 0)
    starts = np.flatnonzero(new)
    sizes = np.diff(np.append(starts, len(sorted_rows)))
    block = np.repeat(np.arange(len(starts)), sizes)
    within = np.arange(len(sorted_rows)) - starts[block]
    rng = np.random.default_rng(0) if rng is None else rng
    count = min(SHUFFLES, max(LEAST_SHUFFLES, ROWS_SHUFFLED // len(subjects)))
    for _ in range(count):
        ranks = rng.random(int(subjects.max()) + 1)
        donor = np.lexsort((ranks[of_subject[starts]], of_stratum[starts]))[block]
        order = np.empty_like(sorted_rows)
        order[sorted_rows] = sorted_rows[starts[donor] + within % sizes[donor]]
        yield order
