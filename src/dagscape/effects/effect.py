"""The effect of a variable with states on another: probabilities, for each state that is set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from dagscape.effects.averaged import Alternative, Averaged
from dagscape.errors import ParameterError
from dagscape.landscape import as_frame
from dagscape.networks.evidence import state_of

if TYPE_CHECKING:
    from dagscape.networks.tables import Table


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Effect(Averaged):
    """What happens to an outcome with states if somebody sets a cause; see :func:`effect`."""

    cause_states: tuple[str, ...]
    outcome_states: tuple[str, ...]

    @property
    def mean(self) -> Table | None:
        """P(outcome | do(cause)), averaged: a row for each state of the cause.

        None where there are several alternatives without probabilities: their mean would mean
        nothing.
        """
        return self._average()

    @property
    def lower(self) -> Table:
        """The lower ends of the intervals; without probabilities, the least of alternatives."""
        return self._ends()[0]

    @property
    def upper(self) -> Table:
        """The upper ends of the intervals."""
        return self._ends()[1]

    def frame(self, frame: str = "polars") -> Any:
        """Return a table: states of cause and outcome, probability, lower and upper."""
        many = len(self.outcome_states)
        mean = self.mean
        columns = {
            f"do({self.cause})": np.repeat(self.cause_states, many).tolist(),
            self.outcome: list(self.outcome_states) * len(self.cause_states),
            "probability": [None] * self.lower.size if mean is None else mean.ravel(),
            "lower": self.lower.ravel(),
            "upper": self.upper.ravel(),
        }
        return as_frame({name: pl.Series(name, cells) for name, cells in columns.items()}, frame)

    def difference(self, after: str, before: str) -> dict[str, tuple[float, float, float]]:
        """Return how setting the cause to one state rather than another changes the outcome.

        For each state of the outcome the mean change of its probability and an interval; of
        alternatives without probabilities, the middle of what they say, and the widest interval.
        """
        a, b = (state_of(self.cause, s, self.cause_states) for s in (after, before))
        if a == b:
            raise ParameterError(f'two different states of "{self.cause}" are compared')
        changes = [one.draws[:, a] - one.draws[:, b] for one in self.alternatives]
        if self.weighted:
            changes = [np.concatenate(changes)]
        tails = ((1 - self.level) / 2, (1 + self.level) / 2)
        low = np.min([np.quantile(change, tails[0], axis=0) for change in changes], axis=0)
        high = np.max([np.quantile(change, tails[1], axis=0) for change in changes], axis=0)
        middle = (
            changes[0].mean(axis=0)
            if len(changes) == 1
            else np.mean([change.mean(axis=0) for change in changes], axis=0)
        )
        return {
            state: (float(middle[i]), float(low[i]), float(high[i]))
            for i, state in enumerate(self.outcome_states)
        }

    def _answer(self) -> list[str]:
        mean, lower, upper = self.mean, self.lower, self.upper
        lines = [f"P({self.outcome} | do({self.cause}))"]
        wide = max(map(len, self.cause_states))
        for i, state in enumerate(self.cause_states):
            cells = []
            for j, label in enumerate(self.outcome_states):
                middle = "" if mean is None else f"{mean[i, j]:.3f} "
                cells.append(f"{label} {middle}[{lower[i, j]:.3f}, {upper[i, j]:.3f}]")
            lines.append(f"  {state:<{wide}}  {'  '.join(cells)}")
        return lines

    def _asked(self) -> str:
        return f"P({self.outcome} = {self.outcome_states[0]})"

    def _told(self, one: Alternative) -> str:
        return ", ".join(
            f"{state} {value:.3f}"
            for state, value in zip(self.cause_states, one.mean[:, 0], strict=True)
        )
