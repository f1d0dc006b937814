"""Which parent sets of a table can matter: the ways to select them, and what that costs."""

from dagscape.selection.ad_tree import AdTreeSize, ad_tree_size
from dagscape.selection.estimate import Estimate, estimate_parents
from dagscape.selection.select import METHODS, candidate_parents, parents_of
from dagscape.selection.selections import RULES

__all__ = [
    "METHODS",
    "RULES",
    "AdTreeSize",
    "Estimate",
    "ad_tree_size",
    "candidate_parents",
    "estimate_parents",
    "parents_of",
]
