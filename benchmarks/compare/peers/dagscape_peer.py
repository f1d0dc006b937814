"""dagscape."""

from __future__ import annotations

from typing import Any

from benchmarks.compare.peers import found
from benchmarks.compare.table import Table

NAME = "dagscape"
PACKAGE = "dagscape"


def prepare(table: Table) -> Any:
    """Make a Data."""
    import dagscape as ds

    return ds.Data(table.frame())


def hill_climbing(data: Any) -> dict[str, Any]:
    """Climb as by default: BIC, a tabu list of 100, no restarts."""
    import dagscape as ds

    return found(ds.hill_climb(data, threads=1).dag.arcs)
