"""How networks near the optimum are listed: which parent sets compete, and how far that can go."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from dagscape import _core
from dagscape.control.budget import Budget
from dagscape.errors import ParameterError
from dagscape.parents import CandidateParents
from dagscape.search.exact.integer_program import BranchAndCut, Decision
from dagscape.search.exact.part import StoppedError
from dagscape.speech import setting


def near_sets(
    lists: _core.ParentLists, most_regret: float, over: Callable[[], bool]
) -> list[list[int]]:
    """Return, for each variable, the places of sets that are in a network with less regret.

    None of these sets is missing; some may be there that are in none. Two tests leave sets out.
    Reduced costs: what the relaxation loses at least if a set is taken. Then every set that is left
    is tried: the relaxation is solved with it, with cuts of its own.

    Parameters
    ----------
    most_regret
        Against the best set of each variable.
    over
        Tells whether to end; what was left out until then stays so.
    """
    (whole,) = _core.components(lists, False)
    return _Trials(whole, lists, most_regret, over).sets()


class _Trials(BranchAndCut):
    """Bounds for all networks with some set; sets that are worse than wanted are left out."""

    def __init__(
        self,
        component: _core.Component,
        lists: _core.ParentLists,
        most_regret: float,
        over: Callable[[], bool],
    ) -> None:
        super().__init__(component, _core.Gap(), over, lambda: None)
        self._lists = lists
        self._most_regret = most_regret

    def sets(self) -> list[list[int]]:
        with suppress(StoppedError):
            self._program.add_columns(self._families.best(20))
            self._bound(())  # drops columns by their reduced costs
        columns = self._families.best(self._families.columns)
        kept = self._by_child(columns)
        with suppress(StoppedError):
            for child, places in enumerate(kept):
                for place in list(places):
                    # A set that is the last is in all networks that are left.
                    if len(places) > 1 and self._bound(self._taking(child, place)) >= self._limit():
                        places.remove(place)
        return kept

    def _by_child(self, columns: np.ndarray) -> list[list[int]]:
        families = self._families
        kept: list[list[int]] = [[] for _ in range(self._variables)]
        for column, child in zip(columns, families.children(columns), strict=True):
            kept[int(child)].append(int(column) - families.column(int(child), 0))
        return [sorted(places) for places in kept]

    def _taking(self, child: int, place: int) -> tuple[Decision, ...]:
        """Return the decisions on arcs by which a child has a set and no other."""
        parents = set(self._lists.parents(child, place))
        others = (v for v in range(self._variables) if v != child)
        return tuple((other, child, other in parents) for other in others)

    def _limit(self) -> float:
        return self._most_regret

    def _round(self, tries: int) -> None:
        """Look for no networks: the best is known."""


Places: TypeAlias = npt.NDArray[np.uint32]
"""For each network, the place of every variable's parents in its list."""

AT_ONCE = 24
"""Up to so many competing variables dynamic programming takes a second: nothing is left out."""

MOST_COMPETING = 30
"""Variables that the engine can list the networks of, if they all compete with each other."""

SHARES = (1.0, 0.5, 0.25, 0.0)
"""Of the distance, where too many variables compete: the farther networks may be, the more do."""

TRIALS_SHARE = 0.5
"""Of the time left, for leaving sets out."""


@dataclass(frozen=True)
class NearList:
    """What was listed, and for how far."""

    places: Places
    differences: npt.NDArray[np.float64]
    within: float
    """The distance that the list is for: what was asked for, or less where too many compete."""
    facts: dict[str, Any]


@dataclass(frozen=True)
class Listing:
    """What is asked for."""

    parents: CandidateParents
    within: float
    limit: int
    classes: bool
    kinds: list[int]
    """Of variables, as experiments tell them apart; empty without experiments."""

    def run(self, budget: Budget, best: Callable[[], float | None]) -> NearList:
        """List all within the distance, or within less.

        Parameters
        ----------
        best
            Returns the best score, if that can be proven; asked only where many compete.

        Raises
        ------
        ParameterError
            If even networks that score as the best have too many variables that compete.
        """
        lists = self.parents._lists
        competing = max(_core.component_sizes(lists))
        score = best() if competing > AT_ONCE else None
        if score is not None:
            return self._among_near_sets(score, budget)
        return self._checked(self._list(lists, self.within, None, budget), budget)

    def _among_near_sets(self, score: float, budget: Budget) -> NearList:
        """Leave out sets that no near network has; where too many compete still, go less far."""
        lists = self.parents._lists
        kept = [np.arange(lists.size(v), dtype=np.uint32) for v in range(lists.variables)]
        for share in SHARES if self.within else SHARES[:1]:
            within = share * self.within
            over = _alarm(budget)
            with budget.minding_interrupts():
                if tell := budget.telling("leaving out parent sets", known=False):
                    tell(0.0)
                places = near_sets(lists, _most_regret(lists, score, within), over)
                kept = [kept[v][some] for v, some in enumerate(places)]
                lists = _core.selected_sets(lists, places)
            found = self._list(lists, within, _most_regret(lists, score, within), budget)
            if not found.facts["too_large"] or budget.interrupted or budget.over:
                break
        found = self._checked(found, budget)
        for v, some in enumerate(kept):
            found.places[:, v] = some[found.places[:, v]]
        return found

    def _checked(self, found: NearList, budget: Budget) -> NearList:
        """Refuse what is too large, unless there was no time to make it smaller."""
        if found.facts["too_large"]:
            if not budget.interrupted and not budget.over:
                raise ParameterError(_too_many(found.facts["too_large"], self.within))
            budget.end("time")
        return found

    def _list(
        self, lists: _core.ParentLists, within: float, most_regret: float | None, budget: Budget
    ) -> NearList:
        places, differences, facts = _core.near_optimal(
            lists,
            within,
            self.limit,
            self.classes,
            most_regret,
            budget.threads,
            seconds=budget.left(),
            max_bytes=max(1, budget.memory - self.parents.bytes),
            progress=budget.telling("listing networks"),
            kinds=self.kinds,
        )
        return NearList(places, differences, within, facts)


def _most_regret(lists: _core.ParentLists, score: float, within: float) -> float:
    """Return what a wanted network loses at most against each variable's best set in the lists."""
    relaxed = sum(lists.score(v, 0) for v in range(lists.variables))
    return relaxed - score + within + 2 * _core.SAME_SCORE


def _alarm(budget: Budget) -> Callable[[], bool]:
    """Return what tells whether leaving sets out has taken its share of the time."""
    part = budget.part(TRIALS_SHARE)
    return lambda: part.over or budget.interrupted


def _too_many(variables: int, within: float) -> str:
    return (
        f"networks can be listed where at most {MOST_COMPETING} variables compete for being each "
        f"other's parents, and here {variables} do; choose a smaller {setting('within')} (it is "
        f"{within:g}) or {setting('max_parents')}, or give {setting('knowledge')}, such as tiers"
    )
