"""The cuts that prove the optimum of a table, for other tables to begin with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from dagscape import _core
from dagscape.search.exact.integer_program import BranchAndCut
from dagscape.search.exact.known_cuts import Cut, KnownCuts, renumbered, united
from dagscape.search.exact.multipliers import MANY_SETS
from dagscape.search.exact.part import StoppedError

if TYPE_CHECKING:
    from dagscape.parents import CandidateParents

FEW_VARIABLES = 26
"""Up to so many variables dynamic programming takes seconds at most, and needs no cuts."""

MOST_STEPS = 30_000
"""Of the simplex method. ALARM with 5,000 rows takes 4,000; what takes more is left to others."""


def cuts_of(
    parents: CandidateParents,
    order: Sequence[int],
    known: KnownCuts | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[Cut, ...] | None:
    """Return the cuts that the proofs of all large components end with.

    None where there is no large component, or where a proof takes so many steps that another
    algorithm may be the better one.

    Parameters
    ----------
    order
        Of all variables, by number: that of a network near the best.
    """
    found: list[tuple[Cut, ...]] = []
    for component in _core.components(parents._lists, True):
        if len(component.variables) <= FEW_VARIABLES:
            continue
        if component.parents.sets >= MANY_SETS:
            return None
        gap = _core.Gap()
        place = {variable: at for at, variable in enumerate(component.variables)}
        _core.improve_order(component, [place[v] for v in order if v in place], 0, gap)
        own = None if known is None else known.within(component.variables)
        search = _CountedSearch(component, gap, stop, own)
        with suppress(StoppedError):
            search.run()
        if not gap.closed:
            return None
        found.append(renumbered(search.binding_cuts(), component.variables))
    return united(found) if found else None


class _CountedSearch(BranchAndCut):
    """Ends after some number of steps, which is the same on every machine."""

    def __init__(
        self,
        component: _core.Component,
        gap: _core.Gap,
        stop: Callable[[], bool],
        known: KnownCuts | None,
    ) -> None:
        def over() -> bool:
            return gap.closed or stop() or self._program.iterations > MOST_STEPS

        super().__init__(component, gap, over, lambda: None, known=known)
