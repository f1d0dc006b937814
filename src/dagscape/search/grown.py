"""Search over orders with parents that are grown on demand, and the polish of parent sets."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from dagscape import _core
from dagscape.data import check_data
from dagscape.limits import FINAL
from dagscape.parents.constraints import constrain
from dagscape.results import Result
from dagscape.scopes import Scope
from dagscape.scores import Score, as_score, scorer_within
from dagscape.search.problem import joined

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.knowledge import Knowledge
    from dagscape.scores import ScoreLike

SEARCH_SHARE = 0.95
"""The share of a time limit that the search may take; the rest is for the polish."""

PATIENCE = 2
"""Shakes that may gain nothing before a search ends, for each variable."""

PATIENCE_IN_TIME = 10
"""Likewise under a time limit, where another search begins then."""

TREE_SHARE = 0.5
"""The share of the memory that grow-shrink trees may take before they are cut down."""


class GrownSearch:
    """A search over orders without lists of parent sets, checked."""

    def __init__(
        self,
        data: Data,
        *,
        score: ScoreLike | None,
        max_parents: int | None,
        knowledge: Knowledge | None,
        memory: int,
        threads: int,
    ) -> None:
        check_data(data)
        self._data = data
        self._score: Score = as_score("bic" if score is None else score)
        self._constraints = constrain(data.variables, max_parents, knowledge)
        self._scope = Scope(max_parents=max_parents, knowledge=knowledge)
        self._memory = memory
        self._threads = threads
        self._scorer = scorer_within(data, self._score, memory)

    def climb(
        self,
        init: str,
        restarts: range,
        patience: int,
        seed: int,
        seconds: float | None,
        told: Callable[[float], object] | None,
    ) -> dict[str, Any]:
        """Do some restarts, by number, and return what the engine says."""
        return _core.grown_search(
            self._scorer,
            self._constraints,
            init,
            len(restarts),
            patience,
            seed,
            self._threads,
            seconds,
            max(1, int(TREE_SHARE * self._memory)),
            told,
            restarts.start,
        )

    def run(
        self,
        init: str,
        seed: int,
        seconds: float | None,
        search: Callable[[int, float | None], dict[str, Any]],
        asked: dict[str, Any],
    ) -> Result:
        """Search with so much patience and time, polish what was found and return it."""
        start = time.perf_counter()
        patience = PATIENCE if seconds is None else PATIENCE_IN_TIME
        facts = search(
            patience * self._data.n_variables,
            None if seconds is None else SEARCH_SHARE * seconds,
        )
        searched = time.perf_counter() - start
        sets, polish = facts["parents"], dict[str, Any]()
        if facts["stopped"] not in FINAL:
            spare = None if seconds is None else max(0.01, seconds - searched)
            sets, polish = self.polish(facts["order"], sets, spare)
        return Result(
            dag=joined(self._data.variables, sets),
            score=sum(self._scorer.local(child, given) for child, given in enumerate(sets)),
            score_kind=self._score,
            method=f"order search, grown parents, insert from {init}",
            scope=self._scope,
            seed=seed,
            seconds=time.perf_counter() - start,
            stopped=facts["stopped"] or polish.get("stopped") or None,
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
            asked={**self._score.asked, **asked},
            notes=self._data.notes,
        )

    def polish(
        self, order: Sequence[int], sets: Sequence[Sequence[int]], seconds: float | None
    ) -> tuple[list[list[int]], dict[str, Any]]:
        """Add, remove and exchange parents in an order; return the sets, and what was done."""
        facts = _core.polish_parents(
            self._scorer, self._constraints, order, sets, self._threads, seconds
        )
        gained = sum(facts["gains"])
        told = {"changes": facts["changes"], "gained": gained, "stopped": facts["stopped"]}
        return facts["parents"], told
