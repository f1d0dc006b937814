"""Exact search: the best network there is, with proof."""

from dagscape.search.exact.components import ALGORITHMS, HEURISTICS
from dagscape.search.exact.exact_search import exact

__all__ = ["ALGORITHMS", "HEURISTICS", "exact"]
