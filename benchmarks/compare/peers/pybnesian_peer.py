"""PyBNesian."""

from __future__ import annotations

from typing import Any

from benchmarks.compare.peers import found
from benchmarks.compare.table import Table

NAME = "PyBNesian"
PACKAGE = "pybnesian"


def prepare(table: Table) -> Any:
    """Make a pandas frame of categories."""
    import pybnesian  # noqa: F401

    return table.frame()


def hill_climbing(frame: Any) -> dict[str, Any]:
    """Climb greedily by BIC."""
    import pybnesian as pb

    model = pb.hc(frame, bn_type=pb.DiscreteBNType(), score="bic", operators=["arcs"])
    return found(model.arcs())
