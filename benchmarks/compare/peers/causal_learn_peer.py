"""causal-learn: it has no hill climbing and no discrete BIC."""

from __future__ import annotations

from typing import Any

from benchmarks.compare.table import Table

NAME = "causal-learn"
PACKAGE = "causal-learn"


def prepare(table: Table) -> Any:
    """Give names and codes; the tool takes an array of numbers."""
    return table
