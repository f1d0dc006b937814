"""How strong a relation is, and how strong shuffled rows make it: exact moments, a gamma tail.

Let the columns of U be an orthonormal basis of what one column (or several) can say of the rows,
less its mean: indicators of its states, or its ranks; V that of another. The strength of
their relation is T = (n - 1) |U'V|², the sum of their squared canonical correlations. For two
columns of states it is Pearson's X², times (n - 1) / n. If the rows of V are put in a random order,
the mean of T is pq (p and q columns), whatever the columns are; its variance follows from p, q and
the leverages, the diagonals of UU' and VV'. Within strata, rows change places only there, and sums
of T have the sums of the moments. A gamma distribution with this mean and variance gives the tail.

Sources: Kazi-Aoual, Hitier, Sabatier and Lebreton, Refined approximations to permutation tests for
multivariate inference, CSDA 1995.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dagscape import _core

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Strength:
    """How strong a relation is, with mean and variance of what shuffled rows give."""

    value: float
    mean: float
    variance: float

    @property
    def log_p(self) -> float:
        """The logarithm of the probability that shuffled rows relate as much."""
        if self.value <= 0 or self.mean <= 0:
            return 0.0
        # What cannot be any stronger or weaker than it is says nothing.
        if self.variance <= 1e-9 * self.mean**2:
            return 0.0
        scale = self.variance / self.mean
        return _core.log_chi_square_tail(2 * self.value / scale, 2 * self.mean / scale)


def strength_of(
    rows: Values, agree: Values, first: tuple[Values, Values], second: tuple[Values, Values]
) -> Strength:
    """Return the strength of a relation, summed over strata.

    Parameters
    ----------
    rows
        How many each stratum has.
    agree
        The sum of squared correlations in each.
    first, second
        Of either side, how many columns its basis has in each stratum, and the sum of the squares
        of its leverages there.
    """
    used = (rows >= 2) & (first[0] > 0) & (second[0] > 0)
    n, agree = rows[used], agree[used]
    p, squares_p = (each[used] for each in first)
    q, squares_q = (each[used] for each in second)
    spread = 2 * p * (n - 1 - p) * q * (n - 1 - q)
    main = np.divide(spread, (n - 1) ** 2 * (n + 1) * (n - 2), out=0 * n, where=n > 2)
    uneven = (n * (n + 1) * squares_p - (n - 1) * p * (p + 2)) * (
        n * (n + 1) * squares_q - (n - 1) * q * (q + 2)
    )
    rest = (n + 1) * n * (n - 1) * (n - 2) * (n - 3)
    variance = main + np.divide(uneven, rest, out=0 * n, where=n > 3)
    return Strength(
        math.fsum((n - 1) * agree),
        math.fsum(p * q),
        math.fsum(np.maximum(variance, 0.0) * (n - 1) ** 2),
    )


def flipped_strength(
    u: Values, v: Values, rows: int, subjects: NDArray[np.intp] | None = None
) -> Strength:
    """Return the strength of a relation between two residuals, and what random signs make of it.

    What others leave of a column varies more in some rows than in others, and often in the same
    rows on either side. Rows that change places would even that out; rows that keep their place,
    and change the sign of what they add to the relation, do not. The mean and the variance over all
    signs are known exactly.

    Source: Shah and Peters, The hardness of conditional independence testing and the generalised
    covariance measure, Annals of Statistics 2020, whose estimate of the variance this is.

    Parameters
    ----------
    u, v
        An orthonormal basis of either side.
    rows
        Of the rows, how many are not taken up by what was taken away.
    subjects
        Whose each row is: all rows of one change their signs together.
    """
    each = (u[:, :, None] * v[:, None, :]).reshape(len(u), u.shape[1] * v.shape[1])
    if subjects is not None:
        own = np.zeros((int(subjects.max(initial=0)) + 1, each.shape[1]))
        np.add.at(own, subjects, each)
        each = own
    both = each.T @ each
    wider = len(u) / rows
    alone = (each**2).sum(axis=1)
    return Strength(
        float(((u.T @ v) ** 2).sum()),
        wider * float(alone.sum()),
        wider**2 * max(0.0, 2 * float((both**2).sum() - (alone**2).sum())),
    )


def among(value: float, shuffled: Sequence[float]) -> Strength:
    """Return the strength of a relation, judged against that in some shuffled orders of rows."""
    if not shuffled:
        return Strength(value, 0.0, 0.0)
    return Strength(value, float(np.mean(shuffled)), float(np.var(shuffled)))


def log_tail(value: float, freedom: int) -> float:
    """Return ln of the probability that chi-squared exceeds a value; 0 where nothing is free."""
    return _core.log_chi_square_tail(value, float(freedom)) if freedom else 0.0


def log_fisher(table: NDArray[np.int64]) -> float:
    """Return the logarithm of the exact probability that a table of two by two is as uneven.

    As uneven as it is or more, either way: by Pearson's X², so by the distance from the mean.
    """
    n, row, column = int(table.sum()), int(table[0].sum()), int(table[:, 0].sum())
    counts = np.arange(max(0, row + column - n), min(row, column) + 1)
    choose = _log_choose(row, counts) + _log_choose(n - row, column - counts)
    off = np.abs(counts * n - float(row) * column)
    as_far = off >= abs(int(table[0, 0]) * n - float(row) * column) * (1 - 1e-12)
    return min(0.0, float(_log_sum(choose[as_far]) - _log_sum(choose)))


def _log_sum(logs: Values) -> float:
    most = float(logs.max())
    return most + math.log(float(np.exp(logs - most).sum()))


def _log_choose(n: int, some: NDArray[np.int64]) -> Values:
    known = _log_factorials(n)
    return np.asarray(known[n] - known[some] - known[n - some])


def _log_factorials(n: int) -> Values:
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
