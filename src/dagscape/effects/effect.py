"""The effect of a variable with states: what the outcome comes to, for each state that is set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from dagscape.effects.alternatives import (
    INTERVALS,
    POSTERIOR,
    Alternative,
    AveragedEffect,
    mean_of,
    words_of,
)
from dagscape.errors import ParameterError
from dagscape.landscape import as_frame
from dagscape.networks.evidence import state_of

if TYPE_CHECKING:
    from dagscape.networks.nodes.table import Table

Change = tuple[float, float, float]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Effect(AveragedEffect):
    """What happens to an outcome if somebody sets a cause that has states; see :func:`effect`.

    The outcome has states, and probabilities, or holds numbers, and has a mean.
    """

    cause_states: tuple[str, ...]

    @property
    def mean(self) -> Table | None:
        """P(outcome | do(cause)), averaged: a row for each state of the cause; of numbers, a mean.

        None where there are several alternatives without probabilities: their mean would mean
        nothing.
        """
        return self._ends(POSTERIOR)[0]

    @property
    def lower(self) -> Table:
        """The lower ends of the intervals; without probabilities, the least of the alternatives."""
        return self._ends(POSTERIOR)[1]

    @property
    def upper(self) -> Table:
        """The upper ends of the intervals."""
        return self._ends(POSTERIOR)[2]

    def frame(self, frame: str = "polars") -> Any:
        """Return a table: states of cause and outcome, probability, and the ends of both intervals.

        Of an outcome of numbers, its mean for each state of the cause.
        """
        many = max(1, len(self.outcome_states))
        columns = {f"do({self.cause})": pl.Series(np.repeat(self.cause_states, many).tolist())}
        if self.outcome_states:
            outcomes = list(self.outcome_states) * len(self.cause_states)
            columns[self.outcome] = pl.Series(outcomes)
        columns |= self._columns("probability" if self.outcome_states else "mean")
        return as_frame({name: cells.alias(name) for name, cells in columns.items()}, frame)

    def difference(
        self, after: str, before: str, *, interval: str = "posterior"
    ) -> dict[str, Change] | Change:
        """Return how setting the cause to one state rather than another changes the outcome.

        For each state of the outcome the mean change of its probability and an interval; of an
        outcome of numbers, those of its mean. Of alternatives without probabilities, the middle of
        what they say, and the widest interval.

        Parameters
        ----------
        interval
            "posterior", which shrinks toward no effect, or "adjusted".
        """
        return self._changes(self._differences(after, before, interval))

    def _differences(self, after: str, before: str, interval: str) -> list[Table]:
        a, b = self._compared(after, before)
        most = 1 if self.outcome_states else np.inf
        changes = [one[:, a] - one[:, b] for one in self._drawn(interval)]
        return [np.clip(change, -most, most) for change in changes]

    def ratio(
        self, after: str, before: str, *, interval: str = "posterior"
    ) -> dict[str, Change] | Change:
        """Return how many times as probable each outcome is with one state of the cause as another.

        As :meth:`difference`, with medians for means. An interval may reach up to infinity.
        """
        a, b = self._compared(after, before)
        if not self.outcome_states:
            raise ParameterError(
                f'only probabilities have ratios, and "{self.outcome}" holds numbers'
            )
        drawn = [self._possible(one) for one in self._drawn(interval)]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = [np.nan_to_num(one[:, a] / one[:, b], nan=1.0, posinf=np.inf) for one in drawn]
        return self._changes(ratios, median=True)

    def _compared(self, after: str, before: str) -> tuple[int, int]:
        a, b = (state_of(self.cause, s, self.cause_states) for s in (after, before))
        if a == b:
            raise ParameterError(f'two different states of "{self.cause}" are compared')
        return a, b

    def _possible(self, draws: Table) -> Table:
        """Probabilities lie between 0 and 1, though the lines of a regression go on."""
        return np.clip(draws, 0, 1) if self.outcome_states else draws

    def _changes(self, some: list[Table], median: bool = False) -> dict[str, Change] | Change:
        _, low, high = self._told_by(some)
        if self.weighted:
            some = [np.concatenate(some)]
        middle = np.mean([np.median(one, 0) if median else mean_of(one) for one in some], axis=0)
        if not self.outcome_states:
            return float(middle), float(low), float(high)
        return {
            state: (float(middle[i]), float(low[i]), float(high[i]))
            for i, state in enumerate(self.outcome_states)
        }

    def _answer(self) -> list[str]:
        of = f"{self.outcome} | do({self.cause})"
        lines = [f"P({of})" if self.outcome_states else f"E({of})"]
        wide = max(map(len, self.cause_states))
        for interval in INTERVALS:
            lines += [] if interval == POSTERIOR else [f"{interval}:"]
            ends = self._ends(interval)
            for i, state in enumerate(self.cause_states):
                lines.append(f"  {state:<{wide}}  {self._row(ends, i)}")
        return lines

    def _row(self, ends: tuple[Table | None, Table, Table], i: int) -> str:
        if not self.outcome_states:
            return words_of((None if each is None else float(each[i]) for each in ends), ".4g")
        return "  ".join(
            f"{label} "
            + words_of((None if each is None else float(each[i, j]) for each in ends), ".3f")
            for j, label in enumerate(self.outcome_states)
        )

    def _asked(self) -> str:
        if not self.outcome_states:
            return f"E({self.outcome})"
        return f"P({self.outcome} = {self.outcome_states[0]})"

    def _told(self, one: Alternative) -> str:
        means = mean_of(self._possible(one.draws))
        first = means[:, 0] if self.outcome_states else means
        digits = ".3f" if self.outcome_states else ".4g"
        return ", ".join(
            f"{state} {value:{digits}}" if np.isfinite(value) else f"{state} ?"
            for state, value in zip(self.cause_states, first, strict=True)
        )
