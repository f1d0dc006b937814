"""The proof by cuts: multipliers of them, orders that look ahead by these, the integer program.

Each takes up what the one before has left. With few parent sets the integer program alone does it,
as quickly. All of it runs in a thread of its own, so that the other can look out for Ctrl-C, or
search the same part in another way.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from dagscape import _core
from dagscape.control.held_ctrl_c import held_ctrl_c
from dagscape.search.exact import integer_program, multipliers
from dagscape.search.exact.astar import FROM_MULTIPLIERS, MOST
from dagscape.search.exact.part import Part, SolverRun, StoppedError


class ByCuts:
    """Closes the gap of a part beside what is done until it is left.

    Parameters
    ----------
    orders
        Whether orders are searched, where parent sets are many; the integer program alone
        otherwise, from multipliers on.
    """

    def __init__(self, part: Part, run: SolverRun, *, orders: bool) -> None:
        self._part = part
        self._run = run
        self._orders = orders
        self._leave = threading.Event()
        self._facts: dict[str, dict[str, Any]] = {}
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._close, name="dagscape-cuts")

    def __enter__(self) -> ByCuts:
        try:
            with held_ctrl_c():
                self._thread.start()
        except KeyboardInterrupt:  # nobody will wait for it
            self._leave.set()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._leave.set()
        self._thread.join()
        if self._error is not None:
            raise self._error
        stopped = self._part.stopped
        for algorithm, facts in self._facts.items():
            self._part.note(algorithm, facts)
        self._part.stopped = stopped

    def wait(self) -> str:
        """Wait until it is done; return what ended it early, or nothing."""
        try:
            while self._thread.is_alive():
                self._thread.join(0.05)
                self._run.tell(0.0)
        except KeyboardInterrupt:
            return "interrupt"
        return "time" if self._run.budget.over and not self._part.gap.closed else ""

    def _over(self) -> bool:
        return self._leave.is_set() or self._part.gap.closed or self._run.budget.over

    def _close(self) -> None:
        try:
            self._one_after_the_other()
        except BaseException as error:
            self._error = error

    def _one_after_the_other(self) -> None:
        part, options, budget = self._part, self._run.options, self._run.budget
        begun: _core.DualBound | None = None
        if _core.DualBound.bytes_for(part.component) <= budget.memory:
            bound = _core.DualBound(part.component, budget.threads, options.seed)
            since = time.monotonic()
            many = part.sets >= multipliers.MANY_SETS
            # Where it goes straight on to the integer program, they are how that begins.
            name = "multipliers" if many and self._orders else "ilp"
            self._facts[name] = multipliers.raise_bound(
                bound, part, budget.memory, self._check, many=many
            )
            begun = bound if many else None
            if many and self._orders:
                self._facts |= search_orders(
                    part,
                    bound,
                    spent=time.monotonic() - since,
                    deadline=budget.deadline,
                    threads=budget.threads,
                    memory=budget.memory,
                    over=self._over,
                    briefly=part.sets <= multipliers.QUICK_SETS,
                )
        if not self._over():
            known = options.known and options.known.within(part.component.variables)
            facts = integer_program.solve(part, self._over, begun=begun, known=known)
            self._facts["ilp"] = {**self._facts.get("ilp", {}), **facts}

    def _check(self, _: float) -> None:
        if self._over():
            raise StoppedError


# Searches over orders that look ahead by multipliers of cuts.
#
# Two of them. A* (core/search/exact/order_graph, heuristic "cuts") takes microseconds for a node,
# and its bound rises all the time. Depth-first search (core/search/exact/depth_first) raises the
# bound of every node anew, which takes milliseconds, and closes gaps that A* has no memory for;
# but its bound on the whole says little until it is done. So A* comes first, and is all there is
# where time is short.

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


def search_orders(
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
