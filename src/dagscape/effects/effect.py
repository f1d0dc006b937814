"""The effect of one variable on another: the answer, its errors and its alternatives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from dagscape.errors import ParameterError
from dagscape.landscape import as_frame
from dagscape.networks.evidence import state_of
from dagscape.words import counted, listed

if TYPE_CHECKING:
    from dagscape.networks.tables import Table


@dataclass(frozen=True, eq=False)
class Alternative:
    """What the effect is if the cause has just these parents."""

    parents: tuple[str, ...]
    """The direct causes of the cause; adjusting for them gives the effect."""
    probability: float | None
    """How probable these parents are; None where only a class of networks is known."""
    effect: bool
    """Whether there is a directed path from cause to outcome; if not, setting the cause does
    nothing."""
    draws: Table
    """P(outcome | do(cause)) for parameters that were drawn: by draw, state of the cause, of the
    outcome."""

    @property
    def mean(self) -> Table:
        """The mean of the draws: a row for each state of the cause."""
        return np.asarray(self.draws.mean(axis=0))


@dataclass(frozen=True, eq=False)
class Effect:
    """What happens to an outcome if somebody sets a cause; see :func:`effect`."""

    cause: str
    outcome: str
    cause_states: tuple[str, ...]
    outcome_states: tuple[str, ...]
    alternatives: tuple[Alternative, ...]
    """By the parents of the cause, the most probable first."""
    source: str
    """What the networks are from."""
    open: float | None
    """The share of the networks of whose class data cannot tell what the effect is: other members
    of it have other parents of the cause. No number of rows changes what these weigh among each
    other; the prior alone does. None where only a class is known."""
    level: float = 0.95
    """How much of the draws lies between lower and upper."""

    @property
    def weighted(self) -> bool:
        """Whether the alternatives have probabilities."""
        return self.alternatives[0].probability is not None

    @property
    def draws(self) -> Table:
        """All draws of P(outcome | do(cause)), in the share of the alternatives' probabilities.

        Without probabilities, those of all alternatives, one after the other.
        """
        return np.concatenate([each.draws for each in self.alternatives])

    @property
    def no_effect(self) -> float | None:
        """The probability that setting the cause does nothing; None without probabilities."""
        if not self.weighted:
            return None
        return float(sum(each.probability or 0.0 for each in self.alternatives if not each.effect))

    @property
    def mean(self) -> Table | None:
        """P(outcome | do(cause)), averaged: a row for each state of the cause.

        None where there are several alternatives without probabilities: their mean would mean
        nothing.
        """
        if not self.weighted and len(self.alternatives) > 1:
            return None
        return np.asarray(self.draws.mean(axis=0))

    @property
    def lower(self) -> Table:
        """The lower ends of the intervals; without probabilities, the least of alternatives."""
        return self._quantile((1 - self.level) / 2, least=True)

    @property
    def upper(self) -> Table:
        """The upper ends of the intervals."""
        return self._quantile((1 + self.level) / 2, least=False)

    def _quantile(self, share: float, *, least: bool) -> Table:
        if self.weighted:
            return np.asarray(np.quantile(self.draws, share, axis=0))
        each = [np.quantile(one.draws, share, axis=0) for one in self.alternatives]
        return np.asarray(np.min(each, axis=0) if least else np.max(each, axis=0))

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

    def to_dict(self) -> dict[str, Any]:
        """Return all of it but the draws, as JSON can have it."""
        return {
            "cause": self.cause,
            "outcome": self.outcome,
            "claim": self.claim,
            "level": self.level,
            "no_effect": self.no_effect,
            "open": self.open,
            "caution": self.caution,
            "effect": self.frame("polars").to_dicts(),
            "alternatives": [
                {
                    "parents": list(one.parents),
                    "probability": one.probability,
                    "effect": one.effect,
                    "mean": one.mean.tolist(),
                }
                for one in self.alternatives
            ],
        }

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

    @property
    def claim(self) -> str:
        """What the numbers are, and what they take for granted."""
        return "; ".join(self._claims())

    @property
    def caution(self) -> str | None:
        """What more rows would not settle, in a sentence; None where nothing is of that kind."""
        if not self.open:
            return None
        return (
            f"{self.open:.0%} of the networks leave the effect open: other members of their class "
            "give other answers. Between these the prior decides, and more rows would not help"
        )

    def _claims(self) -> list[str]:
        ways = counted(len(self.alternatives), "set") + f" of direct causes of {self.cause}"
        if self.weighted:
            average = f"averaged over {ways}, by their probability"
        else:
            average = f"for each of {ways} that the data cannot tell apart"
        return [
            average,
            self.source,
            "right if the arcs are causes and no common cause of the variables is missing",
        ]

    def __repr__(self) -> str:
        mean = self.mean
        lines = [f"P({self.outcome} | do({self.cause}))"]
        wide = max(map(len, self.cause_states))
        for i, state in enumerate(self.cause_states):
            cells = []
            for j, label in enumerate(self.outcome_states):
                middle = "" if mean is None else f"{mean[i, j]:.3f} "
                cells.append(f"{label} {middle}[{self.lower[i, j]:.3f}, {self.upper[i, j]:.3f}]")
            lines.append(f"  {state:<{wide}}  {'  '.join(cells)}")
        if self.no_effect is not None:
            lines.append(f"no effect at all: probability {self.no_effect:.3f}")
        if self.caution:
            lines.append(self.caution)
        return "\n".join([*lines, *self._answers_apart(), *self._claims()])

    def _answers_apart(self) -> list[str]:
        """Return a line for each alternative that counts, where there are several."""
        some = [each for each in self.alternatives if (each.probability or 1.0) >= COUNTS]
        if len(some) < 2:
            return []
        lines = [f"the answers one by one, P({self.outcome} = {self.outcome_states[0]}):"]
        for one in some[:SHOWN]:
            causes = listed(one.parents) if one.parents else "nothing"
            verb = "cause" if len(one.parents) > 1 else "causes"
            means = ", ".join(
                f"{state} {value:.3f}"
                for state, value in zip(self.cause_states, one.mean[:, 0], strict=True)
            )
            weight = "" if one.probability is None else f" (probability {one.probability:.2f})"
            lines.append(f"  if {causes} {verb} {self.cause}{weight}: {means}")
        if len(some) > SHOWN:
            lines.append(f"  and {len(some) - SHOWN} more")
        return lines


COUNTS = 0.05
"""Alternatives that are less probable are not shown by themselves."""

SHOWN = 8
"""Alternatives that are shown."""
