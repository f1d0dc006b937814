"""How much less rows of the same subjects tell than as many independent rows would.

If rows are alike within subjects, chance relates two columns more strongly than among independent
rows: what it adds to Pearson's X² is multiplied by a design effect, for two columns

    1 + (m − 1) ρ_x ρ_y,

with ρ how alike rows of one subject are in a column (0 as rows of different ones, 1 the same) and
m − 1 how many other rows of its subject a row has in the mean. So X² of N rows is like that of N
divided by the effect (Rao and Scott 1981). A score must divide the counts of all sets by the same
number: two sets that count otherwise make relations where there are none, or hide some. It is the
effect of the two columns that are most alike within subjects; what any other two tell is told less
surely than it could be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DesignEffect:
    """What counts are divided by, and the two columns that say so."""

    value: float
    columns: tuple[str, ...] = ()


def design_effect(
    subjects: Ints, codes: Mapping[str, Ints], numbers: Mapping[str, Floats]
) -> DesignEffect:
    """Return the effect for a table of which each row belongs to a subject.

    Parameters
    ----------
    codes
        Of columns of states, −1 where one is missing.
    numbers
        Of columns of numbers, NaN where one is missing.
    """
    shares = {name: alike_states(subjects, own) for name, own in codes.items()}
    shares |= {name: alike_numbers(subjects, own) for name, own in numbers.items()}
    most = sorted(shares, key=lambda name: (-shares[name], name))[:2]
    if len(most) < 2:
        return DesignEffect(1.0)
    added = others_of_subject(subjects) * shares[most[0]] * shares[most[1]]
    return DesignEffect(1.0 + added, tuple(most) if added > 0 else ())


def others_of_subject(subjects: Ints) -> float:
    """Return how many other rows of its subject a row has, in the mean."""
    sizes = np.bincount(subjects).astype(np.float64)
    return float((sizes * (sizes - 1)).sum() / sizes.sum())


def alike_states(subjects: Ints, codes: Ints) -> float:
    """Return how alike rows of one subject are in a column of states, from 0 to 1.

    In two ways, of which the higher counts: each state as much as it is frequent, and all states
    the same, as X² has them.
    """
    known = codes >= 0
    subjects, codes = subjects[known], codes[known]
    states, codes = np.unique(codes, return_inverse=True)
    cells, times = np.unique(subjects * len(states) + codes, return_counts=True)
    within = np.bincount(cells % max(1, len(states)), times * (times - 1.0), len(states))
    of_states = np.bincount(codes, minlength=len(states)).astype(np.float64)
    pairs, apart = _pairs(subjects)
    if not pairs or not apart or len(states) < 2:
        return 0.0
    together = within / pairs
    between = (of_states * (of_states - 1) - within) / apart
    frequent = (together.sum() - between.sum()) / (1 - between.sum())
    share = of_states / len(codes)
    scaled, expected = (together / share).sum(), (between / share).sum()
    evenly = (scaled - expected) / (len(states) - expected) if expected < len(states) else 0.0
    return float(np.clip(max(frequent, evenly), 0.0, 1.0))


def alike_numbers(subjects: Ints, values: Floats) -> float:
    """Return how alike rows of one subject are in a column of numbers, by ranks, from 0 to 1."""
    known = ~np.isnan(values)
    subjects, values = subjects[known], values[known]
    pairs, apart = _pairs(subjects)
    if not pairs or not apart:
        return 0.0
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - counts / 2)[places.reshape(-1)]
    ranks -= ranks.mean()
    squares = float((ranks**2).sum())
    sums = float((np.bincount(subjects, ranks) ** 2).sum())
    within, between = (sums - squares) / pairs, -sums / apart
    variance = squares / len(ranks)
    if variance <= between:
        return 0.0
    return float(np.clip((within - between) / (variance - between), 0.0, 1.0))


def _pairs(subjects: Ints) -> tuple[float, float]:
    """Return how many ordered pairs of rows are of one subject, and how many of two."""
    sizes = np.bincount(subjects, minlength=1).astype(np.float64)
    within = float((sizes * (sizes - 1)).sum())
    return within, float(len(subjects)) * (len(subjects) - 1) - within
