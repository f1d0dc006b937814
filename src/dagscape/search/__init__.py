"""Searches for networks: each a function from data or candidate parents to a result."""

from dagscape.search.components import ALGORITHMS, HEURISTICS
from dagscape.search.equivalence import ges, kes
from dagscape.search.exact import exact
from dagscape.search.order import order_search

__all__ = ["ALGORITHMS", "HEURISTICS", "exact", "ges", "kes", "order_search"]
