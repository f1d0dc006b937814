"""Candidate parent sets: what exact learning and order search choose from."""

from dagscape.parents.candidates import CandidateParents, ParentSets, network_of, read_parents
from dagscape.parents.constraints import keep_sets, restrict

__all__ = ["CandidateParents", "ParentSets", "keep_sets", "network_of", "read_parents", "restrict"]
