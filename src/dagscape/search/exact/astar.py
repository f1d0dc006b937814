"""A* over the order graph (core/search/exact/order_graph), with any heuristic."""

from __future__ import annotations

from dagscape import _core
from dagscape.search.exact import first_network, multipliers
from dagscape.search.exact.part import Part, SolverRun, StoppedError

MOST: int = _core.MOST_FOR_ORDERS
"""The most variables of a component."""

HEURISTICS = tuple(_core.heuristics())
"""The heuristics of A*."""

FROM_MULTIPLIERS = "cuts"
"""The one that is made from multipliers of cuts, which are found first."""

SHORT_RUN_BYTES = 32 << 20
"""A million nodes: what it may use before something else has a try."""


def solve(part: Part, run: SolverRun, most_bytes: int | None = None) -> None:
    """Close the gap, or raise the bound to the least estimate that waits."""
    heuristic, forced = run.options.heuristic, run.options.forced_moves
    if heuristic != FROM_MULTIPLIERS:
        limits = run.limits(most_bytes)
        facts = _core.astar(part.component, part.gap, heuristic, forced, **limits)
    else:
        facts = _by_multipliers(part, run)
    part.note("astar", facts)


def briefly(part: Part, run: SolverRun) -> None:
    """Try it on a million nodes."""
    solve(part, run, SHORT_RUN_BYTES)


def _by_multipliers(part: Part, run: SolverRun) -> dict[str, int | float | str]:
    """Raise multipliers as far as they rise, then search orders that look ahead by them."""
    memory = run.budget.memory
    if _core.DualBound.bytes_for(part.component) > memory:
        return {"stopped": "memory"}

    def check(_: float) -> None:
        run.tell(0.0)
        if part.gap.closed or run.budget.over:
            raise StoppedError

    if not part.gap.chosen:
        first_network.look(part, run)
    bound = _core.DualBound(part.component, run.budget.threads, run.options.seed)
    facts = multipliers.raise_bound(bound, part, memory, check, many=True)
    if part.gap.closed or not part.gap.chosen or facts.get("stopped") == "interrupt":
        return facts
    limits = run.limits()
    return facts | _core.astar(
        bound, part.gap, FROM_MULTIPLIERS, run.options.forced_moves, **limits
    )
