"""Search over orders with parents that are grown on demand, and the polish of parent sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dagscape import _core
from dagscape.claims.scopes import Scope
from dagscape.control.budget import Budget
from dagscape.control.limits import ENDLESS, TellShare
from dagscape.executors import Executor, Job
from dagscape.parents.constraints import constrain
from dagscape.results import Result
from dagscape.scores import Score, ScoreLike, as_score, check_scored, scorer_within
from dagscape.search.problem import joined
from dagscape.search.restarts import do_restarts

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.knowledge import Knowledge

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


class Grown(NamedTuple):
    """What is searched, and how every restart goes."""

    score: ScoreLike | None
    max_parents: int | None
    knowledge: Knowledge | None
    max_memory: float | None
    init: str
    patience: int
    """Shakes that may gain nothing."""
    seed: int


class GrownSearch:
    """A search over orders without lists of parent sets, checked."""

    def __init__(self, data: Data, how: Grown, memory: int, threads: int) -> None:
        check_scored(data, how.score)
        self.data = data
        self.how = how
        self.score: Score = as_score("bic" if how.score is None else how.score)
        self.scope = Scope(max_parents=how.max_parents, knowledge=how.knowledge)
        self._constraints = constrain(data.variables, how.max_parents, how.knowledge)
        self._scorer = scorer_within(data, self.score, memory)
        self._memory = memory
        self._threads = threads

    def climb(
        self, restarts: range, seconds: float | None, tell_share: TellShare | None
    ) -> dict[str, Any]:
        """Do some restarts, by number, and return what the engine says."""
        return _core.grown_search(
            self._scorer,
            self._constraints,
            self.how.init,
            len(restarts),
            self.how.patience,
            self.how.seed,
            self._threads,
            seconds,
            max(1, int(TREE_SHARE * self._memory)),
            tell_share,
            restarts.start,
        )

    def polish(
        self, order: Sequence[int], sets: Sequence[Sequence[int]], seconds: float | None
    ) -> tuple[list[list[int]], dict[str, Any]]:
        """Add, remove and exchange parents in an order; return the sets, and what was done."""
        facts = _core.polish_parents(
            self._scorer, self._constraints, order, sets, self._threads, seconds
        )
        gained = sum(facts["gains"])
        done = {"changes": facts["changes"], "gained": gained, "stopped": facts["stopped"]}
        return facts["parents"], done

    def total(self, sets: Sequence[Sequence[int]]) -> float:
        """Return the score of a parent set for each variable."""
        return sum(self._scorer.local(child, given) for child, given in enumerate(sets))


def search_grown(
    data: Data, how: Grown, restarts: int | None, executor: Executor, budget: Budget
) -> Result:
    """Search over orders, then polish the parent sets that were found.

    Without a number of restarts there are as many as the time allows, or a few.
    """
    patience = PATIENCE_IN_TIME if budget.limited else PATIENCE
    search = GrownSearch(
        data,
        how._replace(patience=patience * data.n_variables),
        budget.memory,
        budget.threads,
    )
    few = max(1, min(20, 200 // data.n_variables))
    count = restarts or (ENDLESS if budget.limited else few)
    facts = _climb(search, count, executor, budget)
    budget.end(facts["stopped"])
    searched = budget.seconds
    sets, polish = facts["parents"], dict[str, Any]()
    if not budget.interrupted:
        sets, polish = search.polish(facts["order"], sets, budget.left(least=AT_ONCE))
        budget.end(polish["stopped"])
    return Result(
        dag=joined(data.variables, sets),
        score=search.total(sets),
        score_kind=search.score,
        method=f"order search, grown parents, insert from {how.init}",
        scope=search.scope,
        seed=how.seed,
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
        asked=search.score.asked,
        notes=data.notes,
    )


def _climb(
    search: GrownSearch, restarts: int, executor: Executor, budget: Budget
) -> dict[str, Any]:
    """Do all restarts, here or elsewhere."""
    if not executor.scattered:
        tell_share = budget.telling("searching", known=not budget.limited)
        return search.climb(range(restarts), budget.left(SEARCH_SHARE), tell_share)
    job = Job(grown_batch, {search.data.fingerprint: search.data}, search.how)
    found, stopped = do_restarts(executor, job, restarts, budget.part(SEARCH_SHARE))
    if not found:
        return {**search.climb(range(1), AT_ONCE, None), "stopped": stopped}
    return _together([facts for _, facts in sorted(found, key=lambda pair: pair[0])], stopped)


def grown_batch(
    data: Data, how: Grown, batch: Sequence[int], budget: Budget
) -> tuple[list[Any], str]:
    """Search from some initial orders; return what came of all of them, with the first number."""
    search = GrownSearch(data, how, budget.memory_for(how.max_memory), budget.threads)
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
