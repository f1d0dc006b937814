"""The effect of a column of numbers: how much the outcome rises for each unit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from dagscape.effects.alternatives import Alternative, AveragedEffect, words_of
from dagscape.errors import ParameterError
from dagscape.landscape import as_frame

if TYPE_CHECKING:
    from dagscape.networks.nodes.table import Table

Change = tuple[float | None, float, float]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SlopeEffect(AveragedEffect):
    """How much an outcome rises if somebody raises a cause of numbers by 1; see :func:`effect`.

    In the units of the table: the mean of an outcome of numbers, the probability of each state of
    one that has states. The rise is taken to be the same wherever the cause is.
    """

    lines: bool = True
    """Whether the posterior's slopes are those of networks of lines with normal noise."""
    bend: float = 0.0
    """The share of what a line leaves of the outcome that a bend explains; 0 where it may be
    chance, or was not looked at."""

    @property
    def mean(self) -> Any:
        """The slope of E(outcome | do(cause)), averaged; of an outcome with states, one for each.

        None where there are several alternatives without probabilities: their mean would mean
        nothing.
        """
        return self._one(self._told_by(self._drawn("posterior"))[0])

    @property
    def lower(self) -> Any:
        """The lower end of the interval; without probabilities, the least of alternatives."""
        return self._one(self._told_by(self._drawn("posterior"))[1])

    @property
    def upper(self) -> Any:
        """The upper end of the interval."""
        return self._one(self._told_by(self._drawn("posterior"))[2])

    def _one(self, found: Table | None) -> Any:
        return found if found is None or self.outcome_states else float(found)

    def frame(self, frame: str = "polars") -> Any:
        """Return a table: cause, outcome, its states if any, slope, and both intervals."""
        many = max(1, len(self.outcome_states))
        columns = {"cause": [self.cause] * many, "outcome": [self.outcome] * many}
        if self.outcome_states:
            columns["state"] = list(self.outcome_states)
        said = {name: pl.Series(name, cells) for name, cells in columns.items()}
        return as_frame({**said, **self._columns("slope")}, frame)

    def difference(
        self, after: float, before: float, *, interval: str = "posterior"
    ) -> dict[str, Change] | Change:
        """Return how the outcome changes if the cause is set to one value, not another.

        The change and its interval; no change but an interval where `mean` is None. Of an outcome
        with states, that of each one's probability.

        Parameters
        ----------
        interval
            "posterior", which shrinks toward no effect, or "adjusted".
        """
        changes = self._differences(after, before, interval)
        mean, low, high = self._told_by(changes)
        if not self.outcome_states:
            return None if mean is None else float(mean), float(low), float(high)
        return {
            state: (None if mean is None else float(mean[i]), float(low[i]), float(high[i]))
            for i, state in enumerate(self.outcome_states)
        }

    def _differences(self, after: float, before: float, interval: str) -> list[Table]:
        for value in (after, before):
            if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
                raise ParameterError(f'"{self.cause}" holds numbers; compare two, not {value!r}')
        by = float(after) - float(before)
        if by == 0:
            raise ParameterError(f'two different values of "{self.cause}" are compared')
        most = 1 if self.outcome_states else math.inf  # probabilities change by 1 at most
        return [np.clip(by * one, -most, most) for one in self._drawn(interval)]

    @property
    def cautions(self) -> tuple[str, ...]:
        """What makes the numbers say less than they seem to, in sentences."""
        if not self.bend:
            return super().cautions
        return (
            f"{self.outcome} does not follow {self.cause} along a line: a bend explains "
            f"{100 * self.bend:.0f} % of what a line leaves. So a slope of 0 need not mean that "
            f"there is no effect; cut {self.cause} into intervals for an answer to each",
            *super().cautions,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all of it but the draws, as JSON can have it."""
        return super().to_dict() | {"bend": self.bend}

    def _claims(self) -> list[str]:
        *first, last = super()._claims()
        return [*first, LINES if self.lines else STRAIGHT, last]

    def _answer(self) -> list[str]:
        columns = self._columns("slope")
        heads = [f"P({self.outcome} = {s} | do({self.cause}))" for s in self.outcome_states]
        lines = []
        for i, head in enumerate(heads or [f"E({self.outcome} | do({self.cause}))"]):
            own, other = (
                words_of((columns[name][i] for name in names), ".4g")
                for names in (
                    ("slope", "lower", "upper"),
                    ("adjusted", "adjusted_lower", "adjusted_upper"),
                )
            )
            rise = f"  rises by {own} for each unit of {self.cause}"
            lines += [head, rise, f"  adjusted: {other}"]
        return lines

    def _asked(self) -> str:
        if self.outcome_states:
            return f"the rise of P({self.outcome} = {self.outcome_states[0]})"
        return f"the rise of {self.outcome}"

    def _told(self, one: Alternative) -> str:
        return f"{float(one.mean[0] if self.outcome_states else one.mean):.4g}"


LINES = "all relations are treated as lines with normal noise"
"""What is assumed of numbers."""
STRAIGHT = "the cause acts along a straight line, and parents of it that hold numbers along curves"
"""What is assumed where regression alone answers."""
