"""Networks from tables with numbers and gaps: structural EM on drawn tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dagscape.gaps.drawn_em import DrawnEM, End, check_lines
from dagscape.gaps.em import Trace
from dagscape.results import Result

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.problem import Problem
    from dagscape.results import Result


def by_draws(
    problem: Problem, budget: Budget, search: str, restarts: int, asked: dict[str, Any]
) -> Result:
    """Learn a network of a table whose missing cells are drawn; see :func:`structural_em`."""
    check_lines(problem.score)
    em = DrawnEM(problem, budget)
    ends: list[End] = []
    traces: list[Trace] = []
    last: Result | None = None
    best: End | None = None
    with budget.minding_interrupts():
        for start in range(1 + restarts):
            if ends and budget.ended:
                break
            traces.append(Trace(f"drawn from each column, {start + 1}"))
            if budget.progress is not None:
                budget.progress(start / (restarts + 2), f"from random cells {start + 1}")
            ends.append(em.climb(start, traces[-1]))
        best = em.best(ends)
        if search != "hill_climb" and not budget.ended:
            trace = Trace(f"{search}, from the best")
            best, last = em.look(search, best, trace)
            if trace.objectives:
                traces.append(trace)
    best = em.best(ends) if best is None else best
    plural = "" if len(traces) == 1 else "s"
    how = "hill climbing" if last is None else last.method
    return Result(
        dag=best.dag,
        score=em.score_of(best),
        score_kind=problem.score,
        method=f"structural EM with drawn cells ({how}; {len(traces)} start{plural})",
        scope=problem.scope,
        seed=budget.seed,
        seconds=budget.seconds,
        stopped=budget.stopped,
        work={
            "starts": [trace.to_dict() for trace in traces],
            "missing_cells": problem.data.missing.cells,
            "tables_drawn": em.count,
            "rows_drawn": em.rows,
        },
        notes=problem.data.notes,
        asked=asked,
        network=em.network(best),
        data=problem.data,
    )
