"""Exact search: the best network there is, with proof."""

from dagscape.search.exact.astar import HEURISTICS
from dagscape.search.exact.exact_search import exact
from dagscape.search.exact.portfolio import ALGORITHMS

__all__ = ["ALGORITHMS", "HEURISTICS", "exact"]
