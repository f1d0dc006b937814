"""Where structural EM begins: networks that need no completions."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from dagscape.control.budget import MOMENT, Budget
from dagscape.gaps.em import Question
from dagscape.gaps.model import Incomplete, Model
from dagscape.graphs import Dag
from dagscape.scores import NAL, as_score
from dagscape.search import hill_climb


def starts(
    table: Incomplete, question: Question, restarts: int, budget: Budget
) -> Iterator[tuple[str, Model]]:
    """Yield names and networks, each with tables from the rows that have a family's values.

    The first climbs by available cases, the second has no arcs but those required, and all others
    climb by available cases of resampled rows.
    """
    yield "available cases", by_available(table, table, question, budget)
    if restarts > 0:
        yield "no arcs", without_arcs(table, question)
    for number in range(1, restarts):
        rng = np.random.default_rng([question.seed, number])
        rows = np.sort(rng.integers(table.rows, size=table.rows))
        resampled = Incomplete(table.data.take(rows))
        yield f"resampled rows {number}", by_available(table, resampled, question, budget)


def without_arcs(table: Incomplete, question: Question) -> Model:
    """Return a network without arcs but those required."""
    known = question.knowledge
    bare = Dag(table.data.names, () if known is None else known.required)
    return table.fitted(bare, table.available)


def by_available(table: Incomplete, rows: Incomplete, question: Question, budget: Budget) -> Model:
    """Climb by available cases of some rows; fit tables to those of all."""
    # At BIC's price of a parameter: too low for consistency, and near enough to begin with.
    price = max(2.0, math.log(rows.rows) / 2)
    alpha = 1 - math.log(price) / math.log(max(rows.rows, 3))
    found = hill_climb(
        rows.data,
        score=as_score(NAL(alpha), question.score.prior),
        restarts=0,
        max_parents=question.max_parents,
        knowledge=question.knowledge,
        time_limit=budget.left(least=MOMENT),
        max_memory=budget.memory,
        threads=budget.threads,
        seed=question.seed,
    )
    budget.end(found.stopped)
    return table.fitted(found.dag, table.available)
