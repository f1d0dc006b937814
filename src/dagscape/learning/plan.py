"""How the time of learning is divided, and what is worth trying: the rules, in one place."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dagscape.journal import Reason, Step
from dagscape.limits import Progress
from dagscape.parents import CandidateParents, estimate_parents

if TYPE_CHECKING:
    from dagscape.data import Data

TIME_LIMIT = 120.0
"""Seconds for everything, unless asked otherwise."""

RUNS = 1000
"""Runs of k-greedy search for the landscape, if time allows."""

SELECTION_SHARE = 0.25
"""Of the time, for the selection of candidate parent sets."""

SETS_PER_VARIABLE = 5_000
"""Sets to score for each variable beyond the sizes that are scored exhaustively."""

PROOF_SHARE = 0.5
"""Of the time then left, for a proof."""

SEARCH_SHARE = 0.5
"""Of the time then left, for order search where nothing was proven."""

CLIMB_SHARE = 0.2
"""Of the time then left, for single changes to the network found; the rest is the landscape's."""

ALONE_SHARE = 0.7
"""Of the time, for a search that was asked for by name; the rest is the landscape's."""

ROUNDING = 1e-7
"""Scores this near to each other are the same."""

CLIMB_RESTARTS = 100
"""Restarts of that climb: tenths of a second with tens of variables."""

PROVABLE_SETS = 2_000_000
"""With more candidate sets than this a proof has not been seen within minutes; what can be had
from so many is a network."""


@dataclass
class Clock:
    """What is left of the time."""

    seconds: float
    begun: float = field(default_factory=time.monotonic)

    def left(self, share: float = 1.0, least: float = 0.05) -> float:
        """Return a share of what is left, but not less than a moment."""
        return max(least, share * (self.seconds - (time.monotonic() - self.begun)))

    @property
    def over(self) -> bool:
        """Whether nothing is left."""
        return time.monotonic() - self.begun >= self.seconds


@dataclass
class Journal:
    """What was done, why, and what came of it: the result tells it."""

    progress: Progress | None
    steps: list[Step] = field(default_factory=list)

    def telling(self, what: str) -> Progress | None:
        """Return what passes progress on, under the name of a step."""
        told: Callable[[float | None, str], object] | None = self.progress
        if told is None:
            return None
        return lambda share, text: told(share, f"{what}: {text}" if text else what)

    def note(self, step: str, reason: Reason, seconds: float = 0.0, **outcome: Any) -> None:
        """Write down one step."""
        self.steps.append(Step(step, reason, seconds=seconds, outcome=outcome))

    def leave_out(self, step: str, reason: Reason) -> None:
        """Write down a step that was not done."""
        self.steps.append(Step(step, reason, skipped=True))


def no_scoring(data: Data, question: dict[str, Any], seconds: float) -> Reason | None:
    """Return why parent sets cannot be scored far enough for a proof to say something, if so."""
    most = data.n_variables - 1
    pairs = min(2, most if question["max_parents"] is None else question["max_parents"])
    # What a proof needs at least; who asks for a bad limit of parents is told by the selection.
    cost = estimate_parents(data, **{**question, "max_parents": max(0, min(pairs, most))})
    if not cost.complete or cost.seconds > SELECTION_SHARE / 2 * seconds:
        return Reason("scoring too slow", parents=pairs, seconds=cost.seconds)
    return None


def no_proof(parents: CandidateParents) -> Reason | None:
    """Return why a proof is not worth its time, if so."""
    sets = len(parents)
    return Reason("too many sets", sets=sets) if sets > PROVABLE_SETS else None


def usable_seconds(time_limit: float | None) -> float:
    """Return the seconds for everything."""
    return TIME_LIMIT if time_limit is None else math.inf if time_limit == math.inf else time_limit
