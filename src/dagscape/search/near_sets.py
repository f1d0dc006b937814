"""Parent sets that networks near the optimum can have, by the relaxation of the integer program."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from dagscape import _core
from dagscape.search.exact.integer_program import BranchAndCut, Decision
from dagscape.search.exact.part import StoppedError


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
    """Bounds for all networks with some set; what is worse than wanted is left out."""

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
