"""Intervals of shares and of means: Wilson's and Student's."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Shares = NDArray[np.float64]

LEVEL = 0.95
"""The probability of an interval."""


def wilson(share: float | Shares, rows: int, level: float = LEVEL) -> tuple[Shares, Shares]:
    """Return the ends of the interval of a share of so many rows. Source: Wilson, JASA 1927."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    middle = (share + z * z / (2 * rows)) / (1 + z * z / rows)
    half = z / (1 + z * z / rows) * np.sqrt(share * (1 - share) / rows + (z / (2 * rows)) ** 2)
    # At 0 and 1 the formula is exact, and rounding must not show.
    low = np.where(np.less_equal(share, 0), 0.0, np.clip(middle - half, 0, 1))
    return low, np.where(np.greater_equal(share, 1), 1.0, np.clip(middle + half, 0, 1))


def t_quantile(freedom: int, level: float = LEVEL) -> float:
    """Return the half-width, in standard errors, of Student's interval with this probability.

    Exact for one and two degrees of freedom; above, the expansion of Hill (1970, Algorithm 396),
    which is right to a few parts in a million there.
    """
    outside = 1 - level
    if freedom == 1:
        return 1 / math.tan(outside * math.pi / 2)
    if freedom == 2:
        return math.sqrt(2 / (outside * (2 - outside)) - 2)
    a = 1 / (freedom - 0.5)
    b = 48 / (a * a)
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * math.sqrt(a * math.pi / 2) * freedom
    y = (d * outside) ** (2 / freedom)
    if y > 0.05 + a:
        x = NormalDist().inv_cdf(outside / 2)
        y = x * x
        if freedom < 5:
            c += 0.3 * (freedom - 4.5) * (x + 0.6)
        c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
        y = math.expm1(a * y * y)
    else:
        y = (
            (
                1 / (((freedom + 6) / (freedom * y) - 0.089 * d - 0.822) * (freedom + 2) * 3)
                + 0.5 / (freedom + 4)
            )
            * y
            - 1
        ) * (freedom + 1) / (freedom + 2) + 1 / y
    return math.sqrt(freedom * y)
