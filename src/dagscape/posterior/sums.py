"""The posterior of one table by exact sums over all its networks."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from dagscape import _core
from dagscape.budget import MOMENT, Budget
from dagscape.errors import DagscapeError, ParameterError
from dagscape.parents import RULES
from dagscape.posterior.pieces import Networks, Piece
from dagscape.posterior.question import Question
from dagscape.speech import setting
from dagscape.variables import Variables
from dagscape.words import duration, size

Told: TypeAlias = Callable[[float], object]
"""Takes the share of the work that is done."""

MOST = 32
"""The engine sums over so many variables together, if there were time."""

TERMS_PER_SECOND = 2e8
"""What one thread of a common machine adds."""

PATIENCE = 3600.0
"""Seconds that sums may take where the user has not asked for them, nor set a limit."""

TOGETHER = 12
"""Up to so many variables all are summed over together, which also tells ancestors between
components, in a hundredth of a second."""

LATER = 16
"""Up to so many variables the same is done when ancestors are asked for."""

LISTED = 5
"""Up to so many variables all networks are listed."""

DRAWN = 10_000
"""Networks to draw for what sums do not tell."""


class StoppedError(Exception):
    """The sums ended before they were complete; the reason is "time", "memory" or "interrupt"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass
class Sums:
    """The sums of one table, from which networks can still be drawn."""

    lists: _core.ParentLists
    engine: _core.ExactPosterior
    dropped: float
    threads: int
    whole: bool
    """Whether `lists` hold every parent set of the scope."""

    def draw(self, count: int, seed: int) -> list[bytes]:
        """Return networks, each drawn with its probability, in the engine's code."""
        places, stopped = self.engine.sample(seed, 0, count, self.threads)
        if stopped == "interrupt":
            raise KeyboardInterrupt
        return _core.network_codes(self.lists, places)

    def networks(self, count: int, seed: int) -> Networks:
        """Return all networks where they are few, else some that are drawn."""
        if self.lists.variables <= LISTED:
            return Networks.from_list(self.lists)
        return Networks.from_draws(self.lists.variables, self.draw(count, seed))

    def ancestors(self) -> np.ndarray:
        """Return the probabilities of paths; NaN where they would take too long."""
        table = self.engine.ancestors()
        if (table < 0).any() and self.lists.variables <= LATER:
            together, stopped = _core.exact_posterior(self.lists, False, self.threads)
            if stopped == "interrupt":
                raise KeyboardInterrupt
            table = together.ancestors()
        return np.where(table < 0, np.nan, table)

    def piece(self, number: int, networks: Networks | None) -> Piece:
        """Return what is to be kept of them."""
        table = self.engine.ancestors()
        return Piece(
            number=number,
            log_total=self.engine.log_total,
            dropped=self.dropped,
            arcs=self.engine.arcs(),
            ancestors=np.where(table < 0, np.nan, table),
            networks=networks,
            rounding=self.engine.rounding,
            components=tuple(len(part) for part in self.engine.components),
        )


def add_up(
    scorer: _core.Scorer,
    variables: Variables,
    question: Question,
    budget: Budget,
    told: Told | None = None,
    patience: float = math.inf,
) -> Sums:
    """Weigh all parent sets of a table, and sum over all networks.

    Parameters
    ----------
    told
        Is told which share is done.
    patience
        Seconds that the sums may take, by the estimate, where there is no time limit.

    Raises
    ------
    StoppedError
        If a limit or Ctrl-C came first.
    ParameterError
        If they cannot fit, with what to do instead.
    """
    lists = _weigh(
        scorer, question.constraints(variables), budget, told and (lambda x: told(x / 4))
    )
    n = len(variables)
    check_cost([n] if n <= TOGETHER else _core.component_sizes(lists), budget, patience)
    engine, stopped = _core.exact_posterior(
        lists,
        n > TOGETHER,
        budget.threads,
        seconds=budget.left(least=MOMENT),
        max_bytes=budget.memory,
        progress=told and (lambda x: told(0.25 + 0.75 * x)),
    )
    if not engine.complete:
        raise StoppedError(stopped)
    return Sums(lists, engine, 0.0, budget.threads, whole=True)


def _weigh(
    scorer: _core.Scorer, constraints: _core.Constraints, budget: Budget, told: Told | None
) -> _core.ParentLists:
    """Return every parent set of the scope with its log weight: no rule may leave any out."""
    rules = _core.PruningRules()
    for rule in RULES:
        setattr(rules, rule, False)
    lists: _core.ParentLists
    lists, work = _core.sequential_selection(
        scorer,
        constraints,
        rules,
        "auto",
        "auto",
        budget.threads,
        seconds=budget.left(least=MOMENT),
        max_bytes=budget.memory,
        progress=told,
    )
    if work["stopped"]:
        raise StoppedError(work["stopped"])
    return lists


def check_cost(sizes: list[int], budget: Budget, patience: float) -> None:
    """Refuse sums that would not fit, with what they need and what to do."""
    cost = _core.posterior_cost(sizes)
    seconds = cost["terms"] / (TERMS_PER_SECOND * budget.threads)
    allowed = budget.total if budget.limited else patience
    if cost["bytes"] > budget.memory or seconds > allowed or max(sizes) > MOST:
        raise ParameterError(out_of_reach(max(sizes), cost["bytes"], seconds, budget))


def out_of_reach(variables: int, needed: float, seconds: float, budget: Budget) -> str:
    """Say why there is no exact posterior, and what can be done now."""
    if needed > budget.memory:
        short = f"they may use {size(budget.memory)} ({setting('max_memory')})"
    elif budget.limited:
        short = f"{setting('time_limit')} is {duration(budget.total)}"
    else:
        short = f'that is for {setting("method")}="exact" to ask for'
    return (
        f"exact probabilities need sums over all networks of {variables} variables that may be "
        f"each other's parents: about {size(needed)} and {duration(seconds)}, and {short}. Choose "
        f"fewer variables, or rule out arcs by {setting('knowledge')}: tiers, say, between which "
        "arcs go one way only; probabilities by sampling are not there yet"
    )


def nothing_yet(reason: str) -> DagscapeError:
    """Return the error of sums that were stopped before there was anything to return."""
    if reason == "memory":
        return ParameterError(
            f"the parent sets do not fit into {setting('max_memory')}; lower "
            f"{setting('max_parents')}, or rule out arcs by {setting('knowledge')}"
        )
    return DagscapeError(
        f"{setting('time_limit')} was over before the sums were complete, and part of a sum is no "
        f"probability; give more time, or lower {setting('max_parents')}"
    )
