"""A longer look for a good network of a component, while its bound is raised."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dagscape import _core
from dagscape.control.budget import MOMENT, Budget
from dagscape.control.limits import ENDLESS

SHARE = 0.2
"""Of the time left; the rest is for the proof alone."""

RESTARTS = 20
"""Initial orders of the population."""

GENERATIONS = 20
"""Generations of it, without a time limit; with one, as many as its share of the time allows."""


def look_longer(
    component: _core.Component,
    gap: _core.Gap,
    seed: int,
    budget: Budget,
    tell: Callable[[float], None],
) -> dict[str, Any]:
    """Search over orders with a population, in this thread; offer what is found to the gap.

    Ends early when somebody else closes the gap.
    """

    def watch(done: float) -> None:
        if gap.closed:
            raise _ClosedError
        tell(done)

    lists = component.parents
    options = _core.OrderSearchOptions(
        "fas", True, RESTARTS, 500, ENDLESS if budget.limited else GENERATIONS, seed, 1, False, 0
    )
    try:
        facts: dict[str, Any] = _core.order_search(
            lists, options, budget.left(SHARE, least=MOMENT), budget.memory, watch, []
        )
    except _ClosedError:
        return {"swaps": 0, "stopped": ""}
    places = facts["places"]
    if all(place < lists.size(v) for v, place in enumerate(places)):
        regret = sum(lists.score(v, 0) - lists.score(v, place) for v, place in enumerate(places))
        gap.offer(regret, places)
    # Its share of the time being over ends this search and no other.
    stopped = facts["stopped"]
    return {"swaps": facts["swaps"], "stopped": stopped if stopped == "interrupt" else ""}


class _ClosedError(Exception):
    """The gap is closed: no better network is left to be found."""
