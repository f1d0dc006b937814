"""Dynamic programming over all sets of variables (core/search/exact/dynamic_programming)."""

from __future__ import annotations

from dagscape import _core
from dagscape.search.exact.part import Part, SolverRun

MOST = 64
"""The most variables of a component: a set of them is one word."""

STEPS_A_SECOND = 2e8
"""What it does on one core, about: a step is a set of variables and one of them as its last."""


def solve(part: Part, run: SolverRun) -> None:
    """Close the gap, in time and memory that are known before."""
    facts = _core.dynamic_programming(part.component, part.gap, run.budget.threads, **run.limits())
    part.note("dp", facts)


def fits(part: Part, run: SolverRun) -> bool:
    """Tell whether there is memory for it."""
    needed = _core.dynamic_programming_bytes(min(part.variables, 50), run.budget.threads)
    return part.variables <= MOST and needed < run.budget.memory


def seconds(part: Part, run: SolverRun) -> float:
    """Return how long it takes, about."""
    n = part.variables
    return n * 2.0 ** (n - 1) / STEPS_A_SECOND / run.budget.threads
