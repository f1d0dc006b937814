"""A bound from multipliers of cuts, without solving a program (core/search/exact/dual_bound).

Where parent sets are many, a linear program would take minutes for what multipliers that are
improved one by one have in seconds; it can go on from there, and so can searches over orders.
"""

from __future__ import annotations

from collections.abc import Callable

from dagscape import _core
from dagscape.search.exact.part import Part, StoppedError

MANY_SETS = 20_000
"""From so many parent sets on, multipliers are improved one by one before a program is solved. With
fewer the solver is as quick, and its multipliers are better."""

QUICK_SETS = 200_000
"""Up to so many parent sets, the solver does better than steps one by one after a good start."""

START = 30
"""Rounds of steps that are a good start for the solver."""

STALLED = 0.95
"""If a third of the rounds leaves this share of the gap, orders are searched instead."""


def raise_bound(
    bound: _core.DualBound,
    part: Part,
    memory: int,
    check: Callable[[float], None],
    watch: Callable[[], None] = lambda: None,
    *,
    many: bool,
) -> dict[str, int | float | str]:
    """Raise the bound; return what was counted.

    Unless parent sets are `many`, only by greedy ascent, which takes no time. `check` is called
    now and then, and ends it with a StoppedError; `watch` is called when the gap changed.
    """
    gap = part.gap
    facts: dict[str, int | float | str] = {}
    rounds = 0
    gaps: list[float] = []
    while True:
        before = gap.bound
        try:
            check(0.0)
            facts = bound.raise_bound(gap, rounds, max_bytes=memory, progress=check)
        except StoppedError:
            break
        if gap.bound > before:
            watch()
        rounds = 1
        started = int(facts["dual_rounds"]) >= START and part.sets <= QUICK_SETS
        if gap.chosen:
            gaps.append(gap.regret - gap.bound)
        out_of_memory = facts["stopped"] == "memory"
        if not many or bound.done or out_of_memory or started or _stalls(gaps):
            break
    return facts


def _stalls(gaps: list[float]) -> bool:
    """Tell whether the last third of the rounds has hardly narrowed the gap."""
    return len(gaps) >= START and gaps[-1] > STALLED * gaps[len(gaps) * 2 // 3]
