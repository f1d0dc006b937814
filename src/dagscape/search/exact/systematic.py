"""Branch and bound that breaks the cycles of the relaxed optimum (core/search/exact/systematic)."""

from __future__ import annotations

from dagscape import _core
from dagscape.search.exact.part import Part, SolverRun


def solve(part: Part, run: SolverRun) -> None:
    """Close the gap, or raise the bound to that of the least subproblem that waits."""
    clusters = run.options.heuristic != "simple"
    facts = _core.systematic(part.component, part.gap, clusters, **run.limits())
    part.note("systematic", facts)
