"""Which parent sets of a table can matter: the ways to select them, and what that costs."""

from dagscape.selection.select import (
    METHODS,
    AdTreeSize,
    SelectionCost,
    ad_tree_size,
    candidate_parents,
    estimate_parents,
    parents_of,
)
from dagscape.selection.selections import RULES

__all__ = [
    "METHODS",
    "RULES",
    "AdTreeSize",
    "SelectionCost",
    "ad_tree_size",
    "candidate_parents",
    "estimate_parents",
    "parents_of",
]
