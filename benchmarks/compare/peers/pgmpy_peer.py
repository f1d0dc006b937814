"""pgmpy."""

from __future__ import annotations

from typing import Any

from benchmarks.compare.peers import found
from benchmarks.compare.table import Table

NAME = "pgmpy"
PACKAGE = "pgmpy"


def prepare(table: Table) -> Any:
    """Make a pandas frame of categories."""
    import pgmpy.estimators  # noqa: F401

    return table.frame()


def hill_climbing(frame: Any) -> dict[str, Any]:
    """Climb as by default (a tabu list of 100, scores cached), by BIC."""
    from pgmpy.estimators import HillClimbSearch

    dag = HillClimbSearch(frame, use_cache=True).estimate(
        scoring_method="bic-d", show_progress=False
    )
    return found(dag.edges())
