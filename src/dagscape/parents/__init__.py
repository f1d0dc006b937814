"""Candidate parent sets: what exact learning and order search choose from."""

from dagscape.parents.candidates import CandidateParents, ParentSets, read_parents
from dagscape.parents.constraints import keep_sets, restrict

__all__ = ["CandidateParents", "ParentSets", "keep_sets", "read_parents", "restrict"]
