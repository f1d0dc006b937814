"""Search over orders with parents that are grown on demand, and the polish of parent sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dagscape import _core
from dagscape.control.budget import Budget
from dagscape.control.limits import ENDLESS, TellShare
from dagscape.executors import Executor, Job
from dagscape.graphs import Dag
from dagscape.results import Result
from dagscape.scoring import total
from dagscape.search.initial_orders import told_start
from dagscape.search.restarts import do_restarts

if TYPE_CHECKING:
    from dagscape.problem import Problem

SEARCH_SHARE = 0.95
"""The share of a time limit that the search may take; the rest is for the polish."""

PATIENCE = 2
"""Shakes that may gain nothing before a search ends, for each variable."""

PATIENCE_IN_TIME = 10
"""Likewise under a time limit, where another search begins then."""

TREE_SHARE = 0.5
"""The share of the memory that grow-shrink trees may take before they are cut down."""

AT_ONCE = 0.01
"""Seconds in which a search gives what it finds first."""


class GrownSearch:
    """A search over orders without lists of parent sets."""

    def __init__(self, problem: Problem, climbs: Climbs, budget: Budget) -> None:
        self._constraints = problem.constraints()
        self._scorer = problem.scorer_within(budget.memory)
        self._climbs = climbs
        self._budget = budget

    def climb(
        self, restarts: range, seconds: float | None, tell_share: TellShare | None
    ) -> dict[str, Any]:
        """Do some restarts, by number, and return what the engine says."""
        return _core.grown_search(
            self._scorer,
            self._constraints,
            self._climbs.init,
            len(restarts),
            self._climbs.patience,
            self._budget.seed,
            self._budget.threads,
            seconds,
            max(1, int(TREE_SHARE * self._budget.memory)),
            tell_share,
            restarts.start,
            self._climbs.start,
        )

    def polish(
        self, order: Sequence[int], sets: Sequence[Sequence[int]], seconds: float | None
    ) -> tuple[list[list[int]], dict[str, Any]]:
        """Add, remove and exchange parents in an order; return the sets, and what was done."""
        facts = _core.polish_parents(
            self._scorer, self._constraints, order, sets, self._budget.threads, seconds
        )
        gained = sum(facts["gains"])
        done = {"changes": facts["changes"], "gained": gained, "stopped": facts["stopped"]}
        return facts["parents"], done


class Climbs(NamedTuple):
    """How every restart goes, wherever it is done."""

    init: str
    start: tuple[int, ...]
    """The order that the first one begins with, by number; empty if `init` makes that too."""
    patience: int
    """Shakes that may gain nothing."""


def search_grown(
    problem: Problem,
    first: tuple[str, tuple[int, ...]],
    restarts: int | None,
    executor: Executor,
    budget: Budget,
) -> Result:
    """Search over orders, then polish the parent sets that were found.

    Without a number of restarts there are as many as the time allows, or a few.
    """
    variables = len(problem.variables)
    climbs = Climbs(*first, (PATIENCE_IN_TIME if budget.limited else PATIENCE) * variables)
    search = GrownSearch(problem, climbs, budget)
    few = max(1, min(20, 200 // variables))
    count = restarts or (ENDLESS if budget.limited else few)
    facts = _climb(problem, climbs, search, count, executor, budget)
    budget.end(facts["stopped"])
    searched = budget.seconds
    sets, polish = facts["parents"], dict[str, Any]()
    if not budget.interrupted:
        sets, polish = search.polish(facts["order"], sets, budget.left(least=AT_ONCE))
        budget.end(polish["stopped"])
    dag = Dag._of_sets(problem.variables, sets)
    origin = told_start(climbs.init, climbs.start, facts["restarts_begun"])
    return Result(
        dag=dag,
        score=total(problem, dag),
        score_kind=problem.score,
        method=f"order search, grown parents, insert from {origin}",
        scope=problem.scope,
        seed=budget.seed,
        seconds=budget.seconds,
        stopped=budget.stopped,
        work={
            "sets_grown": facts["nodes"],
            "trees_cut_down": facts["clearings"],
            "positions": facts["looks"],
            "polish": {k: v for k, v in polish.items() if k != "stopped"},
            "restarts_begun": facts["restarts_begun"],
            "restarts": [
                {"initial_score": before, "score": after, "shakes": shakes}
                for before, after, shakes in facts["restarts"]
            ],
            "stages": {"searching": searched},
        },
        notes=problem.data.notes,
    )


def _climb(
    problem: Problem,
    climbs: Climbs,
    search: GrownSearch,
    restarts: int,
    executor: Executor,
    budget: Budget,
) -> dict[str, Any]:
    """Do all restarts, here or elsewhere."""
    if not executor.scattered:
        tell_share = budget.telling("searching", known=not budget.limited)
        return search.climb(range(restarts), budget.left(SEARCH_SHARE), tell_share)
    job = Job.of(budget, grown_batch, {problem.mark: problem}, climbs)
    found, stopped = do_restarts(executor, job, restarts, budget.part(SEARCH_SHARE))
    if not found:
        return {**search.climb(range(1), AT_ONCE, None), "stopped": stopped}
    return _together([facts for _, facts in sorted(found, key=lambda pair: pair[0])], stopped)


def grown_batch(
    problem: Problem, climbs: Climbs, batch: Sequence[int], budget: Budget
) -> tuple[list[Any], str]:
    """Search from some initial orders; return what came of all of them, with the first number."""
    search = GrownSearch(problem, climbs, budget)
    restarts = range(batch[0], batch[0] + len(batch))
    facts = search.climb(restarts, budget.left(), budget.telling("searching"))
    return [(batch[0], facts)], facts["stopped"]


def _together(parts: list[dict[str, Any]], stopped: str) -> dict[str, Any]:
    """Return what one search that did all these restarts would have."""
    best = max(parts, key=lambda facts: facts["score"])  # of equal ones the first
    counters = ("looks", "nodes", "clearings", "restarts_begun")
    return {
        **best,
        **{name: sum(facts[name] for facts in parts) for name in counters},
        "restarts": [one for facts in parts for one in facts["restarts"]],
        "stopped": stopped,
    }
