"""The effect of one column of numbers on another: how much the outcome rises for each unit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

import polars as pl

from dagscape.effects.averaged import Alternative, Averaged
from dagscape.errors import ParameterError
from dagscape.landscape import as_frame


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SlopeEffect(Averaged):
    """How much the mean of an outcome rises if somebody raises a cause by 1; see :func:`effect`.

    Both are numbers, in the units of the table, and all relations are taken for lines: so the rise
    is the same wherever the cause is.
    """

    @property
    def mean(self) -> float | None:
        """The slope of E(outcome | do(cause)), averaged.

        None where there are several alternatives without probabilities: their mean would mean
        nothing.
        """
        average = self._average()
        return None if average is None else float(average)

    @property
    def lower(self) -> float:
        """The lower end of the interval; without probabilities, the least of alternatives."""
        return float(self._ends()[0])

    @property
    def upper(self) -> float:
        """The upper end of the interval."""
        return float(self._ends()[1])

    def frame(self, frame: str = "polars") -> Any:
        """Return a table of one row: cause, outcome, slope, lower and upper."""
        columns = {
            "cause": pl.Series("cause", [self.cause]),
            "outcome": pl.Series("outcome", [self.outcome]),
            "slope": pl.Series("slope", [self.mean], dtype=pl.Float64),
            "lower": pl.Series("lower", [self.lower]),
            "upper": pl.Series("upper", [self.upper]),
        }
        return as_frame(columns, frame)

    def difference(self, after: float, before: float) -> tuple[float | None, float, float]:
        """Return how the outcome's mean changes if the cause is set to one value, not another.

        The change and its interval; no change but an interval where `mean` is None.
        """
        for value in (after, before):
            if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
                raise ParameterError(f'"{self.cause}" holds numbers; compare two, not {value!r}')
        by = float(after) - float(before)
        if by == 0:
            raise ParameterError(f'two different values of "{self.cause}" are compared')
        ends = sorted((by * self.lower, by * self.upper))
        return (None if self.mean is None else by * self.mean, ends[0], ends[1])

    def _claims(self) -> list[str]:
        return [*super()._claims()[:-1], LINES, super()._claims()[-1]]

    def _answer(self) -> list[str]:
        middle = "" if self.mean is None else f"{self.mean:.4g} "
        rise = f"{middle}[{self.lower:.4g}, {self.upper:.4g}]"
        return [
            f"E({self.outcome} | do({self.cause}))",
            f"  rises by {rise} for each unit of {self.cause}",
        ]

    def _asked(self) -> str:
        return f"the rise of {self.outcome}"

    def _told(self, one: Alternative) -> str:
        return f"{float(one.mean):.4g}"


LINES = "all relations are treated as lines with normal noise"
"""What is assumed of numbers."""
