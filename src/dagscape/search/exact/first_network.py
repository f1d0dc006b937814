"""A first network of a part, to cut with, and a longer look for a better one."""

from __future__ import annotations

from typing import Any

from dagscape import _core
from dagscape.control.budget import MOMENT
from dagscape.control.limits import ENDLESS
from dagscape.search.exact.multipliers import MANY_SETS
from dagscape.search.exact.part import Part, SolverRun

AT_ONCE = 0.2
"""Seconds in which a first network is found, whatever time is left."""

SHARE = 0.2
"""For the longer look, of the time left; the rest is for the proof alone."""

RESTARTS = 20
"""Initial orders of the population."""

GENERATIONS = 20
"""Generations of it, without a time limit; with one, as many as its share of the time allows."""


def look(part: Part, run: SolverRun) -> None:
    """Find a good network, quickly: by climbs from a known order, or from a few drawn at random."""
    with run.budget.minding_interrupts():
        if run.options.order is not None and _climb_from(part, run.options.order, run):
            return
        facts = _core.find_incumbent(
            part.component, part.gap, run.options.seed, run.budget.left(least=AT_ONCE), run.tell
        )
        part.work["swaps"] += facts["swaps"]
        run.end(facts["stopped"])


def _climb_from(part: Part, order: list[int], run: SolverRun) -> bool:
    """Climb from a known order; tell whether that gave a network."""
    place = {variable: at for at, variable in enumerate(part.component.variables)}
    own = [place[variable] for variable in order if variable in place]
    _core.improve_order(part.component, own, run.options.seed, part.gap)
    return bool(part.gap.chosen)


def look_longer(part: Part, run: SolverRun) -> None:
    """Where parent sets are many, search over orders with a population, in this thread.

    All proofs gain by a better network. Ends early when somebody else closes the gap.
    """
    gap, budget = part.gap, run.budget
    if not run.options.incumbent or part.sets < MANY_SETS or run.ended or gap.closed:
        return

    def watch(done: float) -> None:
        if gap.closed:
            raise _ClosedError
        run.tell(done)

    lists = part.component.parents
    generations = ENDLESS if budget.limited else GENERATIONS
    options = _core.OrderSearchOptions(
        "fas", True, RESTARTS, 500, generations, run.options.seed, 1, False, 0
    )
    try:
        facts: dict[str, Any] = _core.order_search(
            lists, options, budget.left(SHARE, least=MOMENT), budget.memory, watch, []
        )
    except _ClosedError:
        return
    places = facts["places"]
    if all(place < lists.size(v) for v, place in enumerate(places)):
        regret = sum(lists.score(v, 0) - lists.score(v, place) for v, place in enumerate(places))
        gap.offer(regret, places)
    part.work["swaps"] += facts["swaps"]
    # Its share of the time being over ends this search and no other.
    run.end("interrupt" if facts["stopped"] == "interrupt" else "")


class _ClosedError(Exception):
    """The gap is closed: no better network is left to be found."""
