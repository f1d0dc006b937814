"""Where structural EM begins: networks that need no completions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dagscape.gaps.model import Incomplete, Model
from dagscape.graphs import Dag
from dagscape.scores import NAL, as_score
from dagscape.search import hill_climb

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.problem import Problem


def starts(
    table: Incomplete, problem: Problem, restarts: int, budget: Budget
) -> Iterator[tuple[str, Model]]:
    """Yield names and networks, each with tables from the rows that have a family's values.

    The first climbs by available cases, the second has no arcs but those required, and all others
    climb by available cases of resampled rows.
    """
    yield "available cases", by_available(table, table, problem, budget)
    if restarts > 0:
        yield "no arcs", without_arcs(table, problem)
    for number in range(1, restarts):
        rng = np.random.default_rng([budget.seed, number])
        rows = np.sort(rng.integers(table.rows, size=table.rows))
        resampled = Incomplete(table.data.take(rows))
        yield f"resampled rows {number}", by_available(table, resampled, problem, budget)


def without_arcs(table: Incomplete, problem: Problem) -> Model:
    """Return a network without arcs but those required."""
    known = problem.knowledge
    bare = Dag(table.data.names, () if known is None else known.required)
    return table.fitted(bare, table.available)


def by_available(table: Incomplete, rows: Incomplete, problem: Problem, budget: Budget) -> Model:
    """Climb by available cases of some rows; fit tables to those of all."""
    # At BIC's price of a parameter: too low for consistency, and near enough to begin with.
    price = max(2.0, math.log(rows.rows) / 2)
    alpha = 1 - math.log(price) / math.log(max(rows.rows, 3))
    by_available_cases = as_score(NAL(alpha), problem.score.prior)
    found = hill_climb(
        replace(problem, data=rows.data, score=by_available_cases),
        restarts=0,
        seed=budget.seed,
        **{**budget.words(), "progress": None},
    )
    budget.end(found.stopped)
    return table.fitted(found.dag, table.available)
