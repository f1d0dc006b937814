"""The posterior of one table by exact sums over all networks whose parent sets can be weighed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dagscape import _core
from dagscape.control.budget import MOMENT, Budget
from dagscape.control.limits import TellShare
from dagscape.errors import ParameterError
from dagscape.posteriors.pieces import Networks, Piece
from dagscape.selection import RULES
from dagscape.speech import choice, setting
from dagscape.words import duration, size

if TYPE_CHECKING:
    from dagscape.problem import Problem

MOST_SETS = 12_000_000
"""Parent sets to weigh at most where nobody asked for a limit: all those of 20 variables."""

MOST_SETS_WITH_GAPS = 300_000
"""The same where cells are missing, and all sets are weighed for every completed table."""

MOST = 32
"""The engine sums over so many variables together, if there were time."""

TERMS_PER_SECOND = 2e8
"""What one thread of a common machine adds."""

USUAL_THREADS = 2
"""Where the user has set no limit, estimates are for so many."""

PATIENCE = 3600.0
"""Seconds that sums may take where the user has not asked for them, nor set a limit."""

PATIENCE_EACH = 72.0
"""The same for each resample: fifty take an hour."""

SUMS_SHARE = 0.5
"""The share of a time limit that sums may take where chains can take over: a machine may be busy,
and a part of a sum says nothing."""

TOGETHER = 12
"""Up to so many variables all are summed over together, which also tells ancestors between
components, in a hundredth of a second."""

LATER = 16
"""Up to so many variables the same is done when ancestors are asked for."""

MOST_LOST = 0.01
"""Where sums would not fit, arcs may be left out that are less probable than this all together."""

LISTED = 5
"""Up to so many variables all networks are listed."""

DRAWN = 10_000
"""Networks to draw for what sums do not tell."""


class SumsStoppedError(Exception):
    """The sums ended before they were complete; the reason is "time", "memory" or "interrupt".

    `lists` has what was weighed by then.
    """

    def __init__(self, reason: str, lists: _core.ParentLists | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.lists = lists


class OutOfReachError(ParameterError):
    """The sums would take too much; `lists` has what was weighed."""

    def __init__(self, words: str, lists: _core.ParentLists | None = None) -> None:
        super().__init__(words)
        self.lists = lists

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self),)  # lists do not travel


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
    constraints: _core.Constraints,
    budget: Budget,
    tell: TellShare | None = None,
    patience: float = math.inf,
) -> Sums:
    """Weigh all parent sets of a table, and sum over all networks.

    Parameters
    ----------
    tell
        Called with the share that is done.
    patience
        Seconds that the sums may take, by the estimate.

    Raises
    ------
    SumsStoppedError
        If a limit or Ctrl-C came first.
    OutOfReachError
        If they cannot fit, with what to do instead.
    """
    first = tell and (lambda x: tell(x / 4))
    whole = weigh(scorer, constraints, budget, first)
    return sum_over(
        fitting(whole, budget, patience),
        budget,
        tell and (lambda x: tell((1 + 3 * x) / 4)),
    )


def sum_over(lists: Fitting, budget: Budget, tell: TellShare | None = None) -> Sums:
    """Sum over all networks that can be built from lists."""
    engine, stopped = _core.exact_posterior(
        lists.kept,
        lists.kept.variables > TOGETHER or lists.lost > 0,
        budget.threads,
        seconds=budget.left(least=MOMENT),
        max_bytes=budget.memory,
        progress=tell,
    )
    if not engine.complete:
        raise SumsStoppedError(stopped)
    lost = lists.lost
    return Sums(lists.kept, engine, lost / (1 - lost), budget.threads, whole=lost == 0)


def weigh(
    scorer: _core.Scorer,
    constraints: _core.Constraints,
    budget: Budget,
    tell: TellShare | None,
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
        progress=tell,
    )
    if work["stopped"]:
        raise SumsStoppedError(work["stopped"])
    return lists


class Fitting(NamedTuple):
    """Parent sets that can be summed over."""

    kept: _core.ParentLists
    lost: float
    """How probable the arcs are, at most, that are left out."""


def fitting(lists: _core.ParentLists, budget: Budget, patience: float = math.inf) -> Fitting:
    """Return the lists if they can be summed over, or what is left without improbable arcs.

    Raises
    ------
    OutOfReachError
        If that would lose too much.
    """
    n = lists.variables
    sizes = [n] if n <= TOGETHER else _core.component_sizes(lists)
    reach = Reach.of(budget, patience)
    return Fitting(lists, 0.0) if reach.allows(sizes) else _prune(lists, sizes, reach, budget)


@dataclass(frozen=True)
class Reach:
    """What sums may take."""

    bytes: float
    terms: float

    @classmethod
    def of(cls, budget: Budget, patience: float) -> Reach:
        """Return what memory and time allow, and `patience`: seconds that they may take."""
        # Without a limit, whether sums are exact must not depend on the number of threads.
        threads = budget.threads if budget.limited else USUAL_THREADS
        return cls(budget.memory, min(budget.total, patience) * TERMS_PER_SECOND * threads)

    def allows(self, sizes: list[int]) -> bool:
        """Tell whether components of these sizes can be summed over."""
        cost = _core.posterior_cost(sizes)
        return cost["bytes"] <= self.bytes and cost["terms"] <= self.terms and max(sizes) <= MOST


def _prune(lists: _core.ParentLists, sizes: list[int], reach: Reach, budget: Budget) -> Fitting:
    """Leave out improbable arcs until the sums can be done."""
    arcs, stopped = _core.bounded_arcs(lists, budget.threads, seconds=budget.left(least=MOMENT))
    if stopped:
        raise SumsStoppedError(stopped)
    pruned = _core.pruned_to_fit(lists, arcs, MOST_LOST, reach.bytes, reach.terms, MOST)
    if pruned is None:
        raise OutOfReachError(out_of_reach(sizes, budget), lists)
    kept, _, lost = pruned
    return Fitting(kept, lost)


def out_of_reach(sizes: list[int], budget: Budget) -> str:
    """Say why there is no exact posterior, and what can be done now."""
    cost = _core.posterior_cost(sizes)
    threads = budget.threads if budget.limited else USUAL_THREADS
    needed, seconds = cost["bytes"], cost["terms"] / (TERMS_PER_SECOND * threads)
    if needed > budget.memory:
        short = f"they may use {size(budget.memory)} ({setting('max_memory')})"
    elif budget.limited:
        short = f"{setting('time_limit')} is {duration(budget.total)}"
    else:
        short = f"the engine sums over {MOST} variables together at most"
    return (
        f"exact probabilities need sums over all networks of {max(sizes)} variables that may be "
        f"each other's parents: about {size(needed)} and {duration(seconds)}, and {short}. Choose "
        f"{choice('method', 'mcmc')}, fewer variables, or rule out arcs by {setting('knowledge')}: "
        "tiers, say, between which arcs go one way only"
    )


def nothing_yet(reason: str | None) -> str:
    """Say why there are no probabilities, and what to do."""
    if reason == "memory":
        return (
            f"the parent sets do not fit into {setting('max_memory')}; lower "
            f"{setting('max_parents')}, or rule out arcs by {setting('knowledge')}"
        )
    if reason == "cluster":
        return "the cluster was lost before there was anything to tell"
    return (
        f"{setting('time_limit')} was over before there was anything to tell: all parent sets must "
        "be weighed first, and sums tell nothing before they are complete; give more time, or "
        f"lower {setting('max_parents')}"
    )


def affordable(problem: Problem, reach: float = math.inf) -> Problem:
    """Return a problem all of whose parent sets can be weighed; refuse one without weights.

    Its limit of parents is None where that leaves out nothing.

    Parameters
    ----------
    reach
        How many sets can be weighed, by the limits of the call.
    """
    score = problem.score.base
    if not score.weighs:
        raise ParameterError(
            f"{score} is not, nor stands in for, the logarithm of a probability of the rows, "
            f"so it gives networks no probability; choose another {setting('score')}, such as "
            "bdeu, qnml or bic"
        )
    variables, limit = len(problem.variables), problem.max_parents
    if limit is None:
        most = min(reach, MOST_SETS_WITH_GAPS if problem.data.missing else MOST_SETS)
        limit = max(1, affordable_parents(variables, most, problem.constraints()))
    return problem.limited(limit if limit < variables - 1 else None)


def parent_sets(problem: Problem) -> int:
    """Return how many parent sets there are."""
    return round(problem.constraints().sets(problem.most_parents))


def affordable_parents(
    variables: int, most_sets: float = MOST_SETS, constraints: _core.Constraints | None = None
) -> int:
    """Return the most parents for which there are not too many sets to weigh.

    Of those that constraints allow, if there are any.
    """
    allowed = _core.Constraints(variables, variables - 1) if constraints is None else constraints
    most = 0
    while most < variables - 1 and allowed.sets(most + 1) <= most_sets:
        most += 1
    return most
