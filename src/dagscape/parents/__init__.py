"""Candidate parent sets: what exact learning and order search choose from."""

from dagscape.parents.ad_tree import AdTreeSize, ad_tree_size
from dagscape.parents.candidates import CandidateParents, ParentSets, read_parents
from dagscape.parents.estimate import Estimate, estimate_parents
from dagscape.parents.restrict import keep_sets, restrict
from dagscape.parents.select import METHODS, candidate_parents
from dagscape.parents.selections import RULES

__all__ = [
    "METHODS",
    "RULES",
    "AdTreeSize",
    "CandidateParents",
    "Estimate",
    "ParentSets",
    "ad_tree_size",
    "candidate_parents",
    "estimate_parents",
    "keep_sets",
    "read_parents",
    "restrict",
]
