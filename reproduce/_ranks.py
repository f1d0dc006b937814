"""Friedman's test and Nemenyi's, for three treatments on several data sets.

Source: Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 2006.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

Q_05 = 2.343
"""The studentized range for three treatments at 0.05, divided by √2."""


class Friedman(NamedTuple):
    """How three treatments rank on average, 1 the best, and whether chance can do that."""

    blocks: int
    mean_ranks: tuple[float, ...]
    p_value: float

    @property
    def critical_distance(self) -> float:
        """Mean ranks that differ by more differ at the level 0.05 (Nemenyi)."""
        k = len(self.mean_ranks)
        return Q_05 * math.sqrt(k * (k + 1) / (6 * self.blocks))


def friedman(blocks: Sequence[Sequence[float]]) -> Friedman | None:
    """Test three values per block, higher is better; None if every block is one tie, or none."""
    if any(len(block) != 3 for block in blocks):
        raise ValueError("a block must have three values")
    m, k = len(blocks), 3
    ranks = [ranks_of(block) for block in blocks]
    sums = [sum(column) for column in zip(*ranks, strict=True)]
    ties = sum(n**3 - n for block in blocks for n in Counter(block).values())
    scale = m * k * (k + 1) - ties / (k - 1)
    if scale <= 0:
        return None
    statistic = (12 * sum(s * s for s in sums) - 3 * m * m * k * (k + 1) ** 2) / scale
    # The chi-square distribution of two degrees of freedom is an exponential one.
    return Friedman(m, tuple(s / m for s in sums), math.exp(-statistic / 2))


def ranks_of(block: Sequence[float]) -> list[float]:
    """Return 1 for the highest; equal values share the mean of their ranks."""
    return [
        1 + sum(other > value for other in block) + (sum(other == value for other in block) - 1) / 2
        for value in block
    ]
