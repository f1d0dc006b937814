"""How columns of numbers are counted while their gaps are drawn: by ranks, or in their own units.

A score that knows numbers by their ranks sees normal scores. Gaps are drawn as such scores, and
then have the value that stands at this place among the values of their column. So neither units nor
a skewed column play a part, and a column of few values gets no others.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import Protocol

import numpy as np

from dagscape import _core
from dagscape.networks.nodes.node import Floats

FEW_VALUES = 0.5
"""Columns with fewer different values than this, as a share of their rows, get no others."""
TAIL = 1.0
"""Beyond the outermost value, a column goes on as it does within so many sds of it."""


class Scale(Protocol):
    """What a column of numbers is counted by."""

    def scores(self, values: Floats) -> Floats:
        """Return what stands for the values of a whole column."""

    def numbers(self, drawn: Floats, values: Floats, scores: Floats) -> Floats:
        """Return the numbers that drawn scores stand for, beside a column and its scores."""


class ByRanks:
    """Normal scores of ranks."""

    def scores(self, values: Floats) -> Floats:
        """Return what a normal sample has at the ranks of the values."""
        found: Floats = _core.normal_scores(values)
        return found

    def numbers(self, drawn: Floats, values: Floats, scores: Floats) -> Floats:
        """Return the values at places among those of the column."""
        known, first, counts = np.unique(values, return_index=True, return_counts=True)
        if len(known) < FEW_VALUES * len(values):
            below = np.cumsum(counts)[:-1] / len(values)
            cuts = [NormalDist().inv_cdf(float(share)) for share in below]
            at: Floats = known[np.searchsorted(cuts, drawn)]
            return at
        places = scores[first]
        found: Floats = np.interp(drawn, places, known)
        for end, inner in ((0, np.searchsorted(places, places[0] + TAIL)), (-1, None)):
            far = np.searchsorted(places, places[-1] - TAIL) if inner is None else inner
            far = min(int(far), len(known) - 1)
            if places[far] == places[end]:
                continue
            slope = (known[end] - known[far]) / (places[end] - places[far])
            beyond = drawn < places[0] if end == 0 else drawn > places[-1]
            found[beyond] = known[end] + slope * (drawn[beyond] - places[end])
        return found


class ByValues:
    """The values themselves, with mean 0 and variance 1 over those that are there."""

    def __init__(self, known: Floats) -> None:
        self._unit = float(np.abs(known).max()) or 1.0
        scaled = known / self._unit
        self._mean, self._sd = float(scaled.mean()), float(scaled.std()) or 1.0

    @property
    def sd(self) -> float:
        """The standard deviation of the column."""
        return self._sd * self._unit

    def scores(self, values: Floats) -> Floats:
        """Return standardized values."""
        found: Floats = (values / self._unit - self._mean) / self._sd
        return found

    def numbers(self, drawn: Floats, _values: Floats, _scores: Floats) -> Floats:
        """Return values in units of the column."""
        found: Floats = (drawn * self._sd + self._mean) * self._unit
        return found
