"""Proofs by searches over orders that look ahead by duals of cuts.

Two of them (core/search/exact/order_proof): A* takes microseconds for a node, and its bound rises
all the time. Depth-first search raises the bound of every node anew, which takes milliseconds, and
closes gaps that A* has no memory for; but its bound on the whole says little until it is done. So
A* comes first, and is all there is where time is short.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from dagscape import _core

ASTAR_TIMES = 2.0
"""How long A* has before depth-first search takes over: so many times what the duals took."""

SLICE, LEAST_SHARE = 0.1, 0.05
"""Where something else is to be tried soon, A* goes on only as long as, in every such part of what
the duals took, it narrows the gap by such a share."""

MEMORY_PARTS = 3
"""Of the memory that may be used, these have one such part: the duals, and perhaps another search
beside this one, have the rest."""

WORTHWHILE = 8.0
"""Depth-first search needs so many times what the duals took, or it had better not begin."""


class _EnoughError(Exception):
    """The gap is closed by somebody else, the time is over, or the caller wants no more."""


def prove(
    bound: _core.DualBound,
    gap: _core.Gap,
    *,
    spent: float,
    deadline: float | None,
    threads: int,
    memory: int,
    over: Callable[[], bool],
    briefly: bool,
) -> dict[str, int | float]:
    """Close the gap, or narrow it; return what was counted.

    `spent`: the seconds that the duals took, by which both are measured. `briefly`: something else
    has a good chance, so that A* is all that is tried, and only while it gets on well.
    """
    facts: dict[str, int | float] = {}
    memory //= MEMORY_PARTS
    if over() or not gap.chosen or bound.families.variables > _core.MOST_FOR_ORDER_PROOF:
        return facts

    def check(_: float) -> None:
        if over():
            raise _EnoughError

    def left() -> float | None:
        return None if deadline is None else max(0.0, deadline - time.monotonic())

    if briefly:
        with suppress(_EnoughError):
            _count(facts, _core.astar_by_cuts(bound, gap, left(), memory, _While(gap, spent, over)))
        return facts
    whole = left()
    long = whole is None or whole >= WORTHWHILE * spent
    with suppress(_EnoughError):
        seconds = ASTAR_TIMES * spent if long else whole
        _count(facts, _core.astar_by_cuts(bound, gap, seconds, memory, check))
        if long and not over():
            _count(facts, _core.depth_first(bound, gap, threads, left(), memory, check))
    return facts


def _count(facts: dict[str, int | float], found: dict[str, int | float | str]) -> None:
    facts.update({k: v for k, v in found.items() if not isinstance(v, str)})


class _While:
    """Ends a search that narrows the gap too slowly."""

    def __init__(self, gap: _core.Gap, spent: float, over: Callable[[], bool]) -> None:
        self._gap = gap
        self._slice = SLICE * spent
        self._over = over
        self._before = gap.regret - gap.bound
        self._next = time.monotonic() + self._slice

    def __call__(self, _: float) -> None:
        now = time.monotonic()
        if self._over():
            raise _EnoughError
        if now < self._next:
            return
        width = self._gap.regret - self._gap.bound
        if width > (1 - LEAST_SHARE) * self._before:
            raise _EnoughError
        self._before, self._next = width, now + self._slice
