"""An effect where causes may be hidden: given by the graph, or how strong these would have to be.

Sources: VanderWeele and Ding, Sensitivity analysis in observational research: introducing the
E-value, Annals of Internal Medicine 2017; Cinelli and Hazlett, Making sense of sensitivity:
extending omitted variable bias, Journal of the Royal Statistical Society B 2020.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from dagscape.effects.alternatives import Alternative, words_of
from dagscape.effects.effect import Effect
from dagscape.effects.slope import SlopeEffect
from dagscape.shows_itself import ShowsItself
from dagscape.words import listed

if TYPE_CHECKING:
    from dagscape.graphs import Pag
    from dagscape.networks.nodes.table import Table

ADJUSTED = "adjusted"
TAKEN = (
    "this takes the graph of r.hidden for true, and that no row is in the table, or left out of "
    "it, because of what the variables cause"
)

Strength = tuple[float, float]
"""How strong hidden causes must be to explain an estimate away, and its interval."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class HiddenEffect(ShowsItself):
    """What happens to an outcome if somebody sets a cause, where causes may be hidden.

    See ``effect(..., hidden=True)``.
    """

    cause: str
    outcome: str
    identified: bool
    """Whether the graph gives the effect, whatever is hidden."""
    given: tuple[str, ...] | None
    """What was adjusted for, where the graph gives it; else None."""
    reason: str
    """Why it is given, or not, in a sentence."""
    effect: Effect | SlopeEffect
    """The effect; where the graph does not give it, what it is if nothing is hidden, and there is
    one at all."""
    rows: int
    """Of the table."""

    def strength(
        self, after: str | None = None, before: str | None = None
    ) -> Mapping[str, Strength] | Strength:
        """Return how strong a hidden cause must be to explain the estimate away.

        The first number is for the estimate, the second for the nearer end of its interval: 1, or
        0, where that has no effect in it already.

        Where the outcome has states and the cause too, by state of the outcome: E-values. So many
        times as probable the hidden cause must make both the state of the cause and the state of
        the outcome, beside all that is adjusted for. Elsewhere robustness values: which share of
        what is left to explain, in the cause and in the outcome, it must explain.

        Parameters
        ----------
        after, before
            States of the cause to compare; not for a cause of numbers.
        """
        if isinstance(self.effect, SlopeEffect):
            drawn = np.concatenate(self.effect._drawn(ADJUSTED))
            return self._robustness(drawn)
        states = self.effect.cause_states
        a, b = (states[-1] if after is None else after), (states[0] if before is None else before)
        if self.effect.outcome_states:
            ratios = self.effect.ratio(a, b, interval=ADJUSTED)
            several = ratios if isinstance(ratios, dict) else {"": ratios}
            return {state: e_values(*each) for state, each in several.items()}
        one, other = self.effect._compared(a, b)
        drawn = np.concatenate(self.effect._drawn(ADJUSTED))
        return self._robustness(drawn[:, one] - drawn[:, other])

    def _robustness(self, drawn: Table) -> Mapping[str, Strength] | Strength:
        def of(column: Table) -> Strength:
            spread = float(column.std())
            t = abs(float(column.mean())) / spread if spread else 0.0
            return robustness_values(t, max(1, self.rows - 2), self.effect.level)

        if drawn.ndim == 1:
            return of(drawn)
        return {s: of(drawn[:, i]) for i, s in enumerate(self.effect.outcome_states)}

    def to_dict(self) -> dict[str, Any]:
        """Return all of it but the draws, as JSON can have it."""
        strength: Any = None if self.identified else self.strength()
        if isinstance(strength, Mapping):
            strength = {state: list(each) for state, each in strength.items()}
        return {
            "cause": self.cause,
            "outcome": self.outcome,
            "identified": self.identified,
            "given": None if self.given is None else list(self.given),
            "reason": self.reason,
            "strength": strength,
            "effect": self.effect.to_dict(),
        }

    def __repr__(self) -> str:
        told = "identified" if self.identified else "not identified"
        return f"<HiddenEffect of {self.cause} on {self.outcome}: {told}; print it>"

    def __str__(self) -> str:
        found = self.effect
        ends = found._told_by(found._drawn(ADJUSTED))
        if isinstance(found, Effect):
            if found.outcome_states:  # a regression may leave what probabilities can be
                mean, low, high = ends
                ends = mean, np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)
            of = f"{self.outcome} | do({self.cause})"
            lines = [f"P({of})" if found.outcome_states else f"E({of})"]
            lines += [
                f"  {state}  {found._row(ends, i)}" for i, state in enumerate(found.cause_states)
            ]
        else:
            lines = [f"rise of {self.outcome} for each unit of {self.cause}"]
            for i, state in enumerate(found.outcome_states or ("",)):
                each = (None if e is None else float(np.ravel(e)[i]) for e in ends)
                lines.append(f"  {state} {words_of(each, '.4g')}".rstrip())
        lines.append(self.reason)
        if not self.identified:
            lines.append(self._strength_words())
        return "\n".join([*lines, TAKEN])

    def _strength_words(self) -> str:
        known = self.strength()
        several = [*known.items()] if isinstance(known, Mapping) else [("", known)]
        ratio = isinstance(self.effect, Effect) and bool(self.effect.outcome_states)
        words = []
        for state, (estimate, interval) in several:
            of = f"for {self.outcome} = {state} " if state else ""
            if ratio:
                words.append(f"{of}{estimate:.2f} times ({interval:.2f} for the interval)")
            else:
                words.append(
                    f"{of}{100 * estimate:.1f} % ({100 * interval:.1f} % for the interval)"
                )
        asked = ""
        if isinstance(self.effect, Effect):
            states = self.effect.cause_states
            asked = f" of {states[-1]} rather than {states[0]}"
        what = f"what {self.cause} and {self.outcome} are"
        must = f"make {what} so many times as probable" if ratio else f"explain so much of {what}"
        beside = "" if ratio else ", beside all that is adjusted for"
        how = f"to explain away the effect{asked}, a hidden cause must {must}{beside}"
        return f"{how}: {'; '.join(words)}"


def e_values(ratio: float, low: float, high: float) -> Strength:
    """Return the E-values of a ratio of probabilities and of the nearer end of its interval."""
    near = 1.0 if low <= 1 <= high else low if ratio > 1 else high
    return e_value(ratio), e_value(near)


def e_value(ratio: float) -> float:
    """Return how many times as probable a hidden cause must make both, to explain a ratio away."""
    if ratio <= 0 or math.isinf(ratio):
        return math.inf
    above = max(ratio, 1 / ratio)
    return above + math.sqrt(above * (above - 1))


def robustness_values(t: float, freedom: int, level: float) -> Strength:
    """Return the share of the rest of cause and outcome that explains a slope away, and its end."""
    critical = NormalDist().inv_cdf((1 + level) / 2)
    return robustness_value(t / math.sqrt(freedom)), robustness_value(
        max(0.0, (t - critical) / math.sqrt(freedom))
    )


def robustness_value(f: float) -> float:
    """Return the robustness value of a partial f, the root of R² / (1 − R²)."""
    square = f * f
    return (math.sqrt(square * square + 4 * square) - square) / 2


def why_given(pag: Pag, cause: str, outcome: str, given: tuple[str, ...] | None) -> str:
    """Return why a graph gives an effect, or not."""
    if outcome not in pag.possible_descendants(cause):
        return f"given whatever is hidden: {cause} is no cause of {outcome}"
    if given is not None:
        beside = f"adjusting for {listed(given)}" if given else "adjusting for nothing"
        return f"given whatever is hidden, by {beside}"
    return (
        f"not given: something hidden may drive both {cause} and {outcome}; the numbers are right "
        f"only if nothing does, and if {cause} comes before {outcome}"
    )


def only(
    effect: Effect | SlopeEffect, draws: Table, given: tuple[str, ...]
) -> Effect | SlopeEffect:
    """Return an effect that has one answer."""
    one = Alternative(given, None, True, draws, draws)
    return replace(
        effect,
        alternatives=(one,),
        source="the graph with hidden causes",
        open=None,
        adjusted_for=((given, 1.0),),
    )


def with_paths(effect: Effect | SlopeEffect) -> Effect | SlopeEffect:
    """Return an effect by those networks in which there is one, if there is any."""
    there = [one for one in effect.alternatives if one.effect]
    if not there:
        return effect
    total = sum(one.probability or 0.0 for one in there)
    shares = [None if one.probability is None else one.probability / total for one in there]
    kept = [replace(one, probability=p) for one, p in zip(there, shares, strict=True)]
    return replace(effect, alternatives=tuple(kept))
