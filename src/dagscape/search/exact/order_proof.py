"""Proofs by searches over orders that look ahead by multipliers of cuts.

Two of them. A* (core/search/exact/order_graph, heuristic "cuts") takes microseconds for a node, and
its bound rises all the time. Depth-first search (core/search/exact/depth_first) raises the bound of
every node anew, which takes milliseconds, and closes gaps that A* has no memory for; but its bound
on the whole says little until it is done. So A* comes first, and is all there is where time is
short.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from dagscape import _core
from dagscape.search.exact.astar import FROM_MULTIPLIERS, MOST
from dagscape.search.exact.part import Part, StoppedError

ASTAR_TIMES = 2.0
"""How long A* has before depth-first search takes over: so many times what the
multipliers took."""

SLICE, LEAST_SHARE = 0.1, 0.05
"""Where something else is to be tried soon, A* goes on only as long as, in every such part of what
the duals took, it narrows the gap by such a share."""

MEMORY_PARTS = 3
"""Of the memory that may be used, these have one such part: the multipliers, and perhaps another
search beside this one, have the rest."""

WORTHWHILE = 8.0
"""Depth-first search needs so many times what the multipliers took, or it had better not begin."""


def solve(
    part: Part,
    bound: _core.DualBound,
    *,
    spent: float,
    deadline: float | None,
    threads: int,
    memory: int,
    over: Callable[[], bool],
    briefly: bool,
) -> dict[str, dict[str, int | float | str]]:
    """Close the gap, or narrow it; return what each search that ran has counted.

    `spent`: the seconds that the multipliers took, by which both are measured. `briefly`: something
    else has a good chance, so that A* is all that is tried, and only while it gets on well.
    """
    facts: dict[str, dict[str, int | float | str]] = {}
    gap = part.gap
    memory //= MEMORY_PARTS
    if over() or not gap.chosen or bound.families.variables > MOST:
        return facts

    def check(_: float) -> None:
        if over():
            raise StoppedError

    def left() -> float | None:
        return None if deadline is None else max(0.0, deadline - time.monotonic())

    def astar(seconds: float | None, check: Callable[[float], None]) -> None:
        facts["astar"] = {}
        facts["astar"] |= _core.astar(bound, gap, FROM_MULTIPLIERS, True, seconds, memory, check)

    with suppress(StoppedError):
        if briefly:
            astar(left(), _While(gap, spent, over))
            return facts
        whole = left()
        long = whole is None or whole >= WORTHWHILE * spent
        astar(ASTAR_TIMES * spent if long else whole, check)
        if long and not over():
            facts["depth first"] = {}
            facts["depth first"] |= _core.depth_first(bound, gap, threads, left(), memory, check)
    return facts


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
            raise StoppedError
        if now < self._next:
            return
        width = self._gap.regret - self._gap.bound
        if width > (1 - LEAST_SHARE) * self._before:
            raise StoppedError
        self._before, self._next = width, now + self._slice
