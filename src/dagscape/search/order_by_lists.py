"""Search over orders in which variables take the best of candidate parent sets."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from dagscape import _core
from dagscape.control.budget import Budget
from dagscape.control.limits import ENDLESS
from dagscape.errors import GraphError
from dagscape.executors import Executor, Job
from dagscape.graphs import Dag
from dagscape.parents import CandidateParents
from dagscape.parents.candidates import (
    check_lists,
    check_scores,
    in_order,
    network_of,
)
from dagscape.results import Result
from dagscape.scores.base import higher
from dagscape.search.initial_orders import told_start
from dagscape.search.order_by_growth import GrownSearch
from dagscape.search.restarts import do_restarts

RESTARTS = {"insert": 20, "block": 20, "swap": 100}
"""Initial orders, when neither their number nor a time limit is given."""

GENERATIONS = 50
"""Generations of the population, when neither their number nor a time limit is given."""

SEARCH_SHARE = 0.95
"""The share of the time that the search may take; the rest is for windows and the polish."""

RESTART_SHARE = 0.5
"""The share of the search's time that restarts take on a cluster before generations follow."""

TAKE_IN_SHARE = 0.2
"""The share of it that is left to take in what restarts found, of which there may be many."""

AT_ONCE = 0.01
"""Seconds in which a step gives what it finds first."""

WINDOW = 15
"""Variables whose order is optimized exactly in the end, at a time."""


class RestartRules(NamedTuple):
    """How every restart goes."""

    init: str
    neighborhood: str
    max_steps: int
    start: tuple[int, ...]
    """The order that the first one begins with, by number; empty if `init` makes that too."""

    @property
    def evolves(self) -> bool:
        """Whether a population follows."""
        return self.neighborhood != "swap"

    def options(
        self, budget: Budget, restarts: int, generations: int = 0, first: int = 0
    ) -> _core.OrderSearchOptions:
        """Return it as the engine takes it."""
        return _core.OrderSearchOptions(
            self.init,
            self.evolves,
            restarts,
            self.max_steps,
            generations,
            budget.seed,
            budget.threads,
            self.neighborhood == "block",
            first,
            self.start,
        )


class Rounds(NamedTuple):
    """How often: initial orders, and generations of the population that they make."""

    restarts: int | None
    generations: int | None

    def begun(self, how: RestartRules, budget: Budget, scattered: bool) -> tuple[int, int]:
        """Return both; what was not asked for is as much as the time allows, or some."""
        endless = budget.limited and (not how.evolves or scattered)
        restarts = ENDLESS if endless else RESTARTS[how.neighborhood]
        generations = ENDLESS if budget.limited else GENERATIONS
        return (
            restarts if self.restarts is None else self.restarts,
            generations if self.generations is None else self.generations,
        )


def search_listed(
    parents: CandidateParents,
    how: RestartRules,
    rounds: Rounds,
    executor: Executor,
    budget: Budget,
    polisher: GrownSearch | None,
) -> Result:
    """Search over orders, then solve windows of the best one exactly.

    Parameters
    ----------
    polisher
        Improves on sets beyond the lists, where some are missing from them; None if the lists are
        the user's own.
    """
    check_lists(parents)
    parents = in_order(parents, budget)
    check_scores(parents)
    facts = _climb(parents, how, rounds, executor, budget, own=polisher is None)
    budget.end(facts["stopped"])
    if any(place >= parents._lists.size(v) for v, place in enumerate(facts["places"])):
        raise GraphError("no network can be built from these parent sets: all have cycles")
    if how.evolves and not budget.interrupted:
        order = _solve_windows(parents, facts, budget)
        if polisher is not None and (facts["sets_left_out"] or not parents.complete):
            _polish(parents, facts, order, polisher, budget)
    return _result(parents, facts, how, budget)


def _climb(
    parents: CandidateParents,
    how: RestartRules,
    rounds: Rounds,
    executor: Executor,
    budget: Budget,
    *,
    own: bool,
) -> dict[str, Any]:
    """Climb from initial orders, here or elsewhere, and let a population follow."""
    restarts, generations = rounds.begun(how, budget, executor.scattered)
    restarted: list[Any] = []
    if executor.scattered and not budget.interrupted:
        part = RESTART_SHARE if how.evolves and generations else 1 - TAKE_IN_SHARE
        restarted, ended = _restart(
            parents._lists, how, restarts, executor, budget.part(part * SEARCH_SHARE)
        )
        budget.end(ended)
    return _core.order_search(
        parents._lists,
        how.options(budget, restarts, generations),
        budget.left(SEARCH_SHARE, least=AT_ONCE),
        budget.memory if own else max(1, budget.memory - parents.bytes),
        budget.telling("searching", known=not budget.limited),
        restarted,
    )


def _restart(
    lists: _core.ParentLists, how: RestartRules, restarts: int, executor: Executor, budget: Budget
) -> tuple[list[Any], str]:
    """Do restarts elsewhere; return what they found in the order of their numbers."""
    mark = hashlib.sha256(_core.pack_lists(lists)).hexdigest()
    job = Job.of(budget, listed_batch, {mark: lists}, how)
    found, stopped = do_restarts(executor, job, restarts, budget)
    return [end for _, end in sorted(found)], stopped


def listed_batch(
    lists: _core.ParentLists, how: RestartRules, batch: Sequence[int], budget: Budget
) -> tuple[list[Any], str]:
    """Climb from some initial orders; return each with its number."""
    found, stopped = _core.order_restarts(
        lists,
        how.options(budget, len(batch), first=batch[0]),
        budget.left(),
        budget.memory,
        budget.telling("searching"),
    )
    return list(zip(batch, found, strict=False)), stopped


def _solve_windows(
    parents: CandidateParents, facts: dict[str, Any], budget: Budget
) -> Sequence[int]:
    """Put every window of the order into its best order; return the order."""
    solved = _core.improve_windows(
        parents._lists, facts["order"], WINDOW, budget.left(least=AT_ONCE)
    )
    facts["places"] = solved["places"]
    facts["windows"] = {"solved": solved["windows"], "gained": solved["gains"]}
    budget.end(solved["stopped"])
    order: Sequence[int] = solved["order"]
    return order


def _polish(
    parents: CandidateParents,
    facts: dict[str, Any],
    order: Sequence[int],
    polisher: GrownSearch,
    budget: Budget,
) -> None:
    """Add, remove and exchange single parents, whether the lists have such sets or not."""
    sets = [parents._lists.parents(v, place) for v, place in enumerate(facts["places"])]
    left = budget.left(least=AT_ONCE)
    facts["sets"], facts["polish"] = polisher.polish(order, sets, left)
    budget.end(facts["polish"].pop("stopped"))


def _result(
    parents: CandidateParents, facts: dict[str, Any], how: RestartRules, budget: Budget
) -> Result:
    places, sets = facts["places"], parents._lists
    score = sum(sets.score(child, place) for child, place in enumerate(places))
    bound: float | None = max(parents.relaxed_score, score)
    dag, polish = network_of(parents, places), facts.get("polish", {})
    if polish.get("changes"):
        # The network is not of the sets that the bound is about.
        dag, score = Dag._of_sets(parents.variables, facts["sets"]), score + polish["gained"]
        bound = parents.relaxed_score if parents.relaxed_score > score else None
    left_out = facts["sets_left_out"]
    some = f", the best {len(parents) - left_out:,} of {len(parents):,} sets" if left_out else ""
    origin = told_start(how.init, how.start, facts["restarts_begun"])
    return Result(
        dag=dag,
        score=score,
        score_kind=parents.score_kind,
        score_name=parents.score,
        method=f"order search, {how.neighborhood} from {origin}{some}",
        scope=parents.scope,
        optimal=not polish.get("changes") and bound is not None and not higher(bound, score),
        bound=bound,
        seed=budget.seed,
        seconds=budget.seconds,
        stopped=budget.stopped,
        work={
            **{f"selection_{k}": v for k, v in parents.work.items() if k != "stopped"},
            "parent_sets": len(parents),
            "parent_sets_left_out": left_out,
            "swaps": facts["swaps"],
            "generations": facts["generations"],
            **{stage: facts[stage] for stage in ("windows", "polish") if stage in facts},
            "restarts_begun": facts["restarts_begun"],
            "restarts": [
                {"initial_score": before, "score": after, "steps": steps}
                for before, after, steps in facts["restarts"]
            ],
            "stages": {"scoring": parents.seconds},
        },
        notes=parents.notes,
        asked={"selection": parents.method},
    )
