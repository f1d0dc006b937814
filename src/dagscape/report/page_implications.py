"""What the network implies, for the page: independences with tests, and adjustment sets."""

from __future__ import annotations

from typing import Any

import dagscape as ds
from dagscape.examinations.implications import implications
from dagscape.learning import LearnResult

LEVEL = 0.05
MOST_TESTED = 700
"""Independences that are tested: some seconds."""
MOST_ROWS = 50_000
"""Rows that are shuffled; of larger tables, as many at random."""
MOST_LISTED = 5_000
"""With more of them, some 100 variables, none is listed."""
MOST_ADJUSTED = 2_000
"""The most pairs for which it is told what to adjust for."""
MOST_VARIABLES, MOST_OF_MANY = 150, 300
"""With more variables than that, only for so many arcs."""


def implied_of(result: ds.Result, data: ds.Data | None) -> dict[str, Any] | None:
    """Return every implied independence: two variables, those given, p, p corrected, verdict.

    They are tested where trust was asked for, as :func:`dagscape.examine` tests them.
    """
    if result.scope.knowledge is not None and result.scope.knowledge.of_table:
        return None  # of rows of a series such tests say nothing
    n = len(result.dag.names)
    open_pairs = n * (n - 1) // 2 - len(result.dag.arcs)
    if not 0 < open_pairs <= MOST_LISTED:
        return None
    number = {name: i for i, name in enumerate(result.dag.names)}
    table = data if open_pairs <= MOST_TESTED and _tested(result, data) else None
    if table is not None and table.n_rows > MOST_ROWS:
        table = table._some(MOST_ROWS)
    independent = isinstance(result, LearnResult) and result.rows_independent
    rows = implications(result.dag, table, level=LEVEL, rows_independent=independent)
    return {
        "level": LEVEL,
        "tested": table is not None,
        "of_rows": None if table is None else table.n_rows,
        "rows": [
            [number[a], number[b], [number[x] for x in given], _short(p), _short(all_), verdict]
            for a, b, given, p, all_, verdict, *_ in rows
        ],
    }


def _tested(result: ds.Result, data: ds.Data | None) -> bool:
    """Tell whether there is a table that tests can use, and trust was asked for."""
    if data is None or data.missing or data.rows.facts or not isinstance(result, LearnResult):
        return False
    return result.posterior is not None or result.stability is not None


def _short(p: float | None) -> float | None:
    return None if p is None else float(f"{p:.3g}")


def adjusting_of(result: ds.Result) -> list[list[Any]]:
    """Return, for causes and outcomes, what to adjust for to see what setting the one does.

    Of arcs whose direction is open nothing is told; arcs come first.
    """
    dag = result.dag
    arcs = [(a, b) for a, b in sorted(result.mpdag.directed) if a in dag.parents(b)]
    joined = {frozenset(arc) for arc in dag.arcs}
    if len(dag.names) > MOST_VARIABLES:  # each takes longer, too
        return _adjusted(dag, arcs[:MOST_OF_MANY])
    for a in dag.names if len(arcs) < MOST_ADJUSTED else ():
        arcs += [(a, b) for b in dag.descendants(a) if frozenset((a, b)) not in joined]
        if len(arcs) >= MOST_ADJUSTED:
            break
    return _adjusted(dag, arcs[:MOST_ADJUSTED])


def _adjusted(dag: ds.Dag, pairs: list[tuple[str, str]]) -> list[list[Any]]:
    number = {name: i for i, name in enumerate(dag.names)}
    return [[number[a], number[b], [number[x] for x in dag.adjustment_set(a, b)]] for a, b in pairs]
