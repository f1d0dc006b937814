"""Answers about a number: its mean, its spread, and how probable which values are."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from dagscape.errors import ParameterError
from dagscape.networks.nodes.node import Floats
from dagscape.networks.own_rows import BesideOwnRows, answer_claim
from dagscape.words import first_of

HALVINGS = 200


class NumberDistribution(BesideOwnRows):
    """The distribution of a variable with numbers, given what is known.

    A normal distribution where all that matters is linear and no states are open, else a mixture of
    normal ones; or weighted samples. Attributes that are always there: `mean`, `sd`.
    """

    __slots__ = ("_centers", "_draws", "_given", "_mean", "_name", "_sd", "_spreads", "_weights")

    def __init__(
        self,
        name: str,
        weights: Floats,
        centers: Floats,
        spreads: Floats,
        given: dict[str, str],
        draws: tuple[int, float] | None = None,
    ) -> None:
        """Take the parts of a mixture: their weights, which sum to 1, means and sds."""
        self._name = name
        self._weights, self._centers, self._spreads = weights, centers, spreads
        self._given = given
        self._draws = draws
        # By the largest number, so that squares do not overflow.
        unit = float(max(np.abs(centers).max(), spreads.max())) or 1.0
        mean = float(weights @ (centers / unit))
        squares = np.square(spreads / unit) + np.square(centers / unit - mean)
        self._mean = mean * unit
        self._sd = math.sqrt(float(weights @ squares)) * unit

    @property
    def name(self) -> str:
        """The variable."""
        return self._name

    @property
    def names(self) -> tuple[str, ...]:
        """The variable, alone in a tuple, as other answers have theirs."""
        return (self._name,)

    @property
    def mean(self) -> float:
        """The mean."""
        return self._mean

    @property
    def sd(self) -> float:
        """The standard deviation; 0 for what is certain."""
        return self._sd

    @property
    def variance(self) -> float:
        """The variance."""
        return self._sd * self._sd

    @property
    def given(self) -> tuple[str, ...]:
        """What was known, piece by piece."""
        return tuple(self._given.values())

    @property
    def exact(self) -> bool:
        """Whether it is computed, and not estimated from samples."""
        return self._draws is None

    @property
    def normal(self) -> bool:
        """Whether it is a normal distribution; else a mixture, or samples."""
        return self.exact and len(self._weights) == 1

    @property
    def error(self) -> float | None:
        """The standard error of an estimated mean; None if exact."""
        if self._draws is None:
            return None
        unit = self._sd or 1.0
        off = (self._centers - self._mean) / unit
        return unit * math.sqrt(float(np.square(self._weights * off).sum()))

    @property
    def claim(self) -> str:
        """How it was found, in words."""
        return answer_claim(self._draws)

    def quantile(self, share: float) -> float:
        """Return the number that this share of cases does not exceed."""
        if not isinstance(share, int | float) or not 0 < share < 1:
            raise ParameterError(f"share must be a number between 0 and 1, got {share!r}")
        if not self._sd:
            return self._mean
        if self.normal:
            return self._mean + self._sd * NormalDist().inv_cdf(share)
        if not self._spreads.any():
            order = np.argsort(self._centers, kind="stable")
            place = int(np.searchsorted(np.cumsum(self._weights[order]), share))
            return float(self._centers[order[min(place, len(order) - 1)]])
        return self._between(share)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval in which it lies with this probability, with equal tails."""
        if not isinstance(level, int | float) or not 0 < level < 1:
            raise ParameterError(f"level must be a number between 0 and 1, got {level!r}")
        return self.quantile((1 - level) / 2), self.quantile((1 + level) / 2)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON can have it."""
        lower, upper = self.interval()
        return {
            "targets": [self._name],
            "given": list(self.given),
            "exact": self.exact,
            "claim": self.claim,
            "mean": self._mean,
            "sd": self._sd,
            "lower": lower,
            "upper": upper,
            **self._own_values(),
        }

    def _between(self, share: float) -> float:
        """Halve an interval that holds a quantile of the mixture."""
        low = float((self._centers - 40 * self._spreads).min())
        high = float((self._centers + 40 * self._spreads).max())
        for _ in range(HALVINGS):
            middle = low / 2 + high / 2
            if not low < middle < high:
                break
            if self._below(middle) < share:
                low = middle
            else:
                high = middle
        return high

    def _below(self, number: float) -> float:
        """Return P(X <= number)."""
        total = 0.0
        for weight, center, spread in zip(
            self._weights.tolist(), self._centers.tolist(), self._spreads.tolist(), strict=True
        ):
            if spread:
                total += weight * 0.5 * math.erfc((center - number) / spread / math.sqrt(2))
            else:
                total += weight * (center <= number)
        return total

    def __repr__(self) -> str:
        given = f" | {first_of([*self._given.values()])}" if self._given else ""
        head = f"P({self._name}{given})" + ("" if self.exact else f", {self.claim}")
        error = "" if self.error is None else f" ± {self.error:.2g}"
        lower, upper = self.interval()
        line = (
            f"  mean {self._mean:.6g}{error}, sd {self._sd:.6g}, "
            f"95 % between {lower:.6g} and {upper:.6g}"
        )
        return "\n".join([head, line, *self.own_words])
