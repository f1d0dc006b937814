"""Searches for networks: each a function from data or candidate parents to a result."""

from dagscape.search.assemble import mmhc, sll_c, sll_g
from dagscape.search.blankets import Blanket, BlanketMember, describe_blanket
from dagscape.search.equivalence import ges, kes
from dagscape.search.greedy import hill_climb
from dagscape.search.initial_orders import InitialOrder, initial_order
from dagscape.search.local import markov_blanket, neighbors
from dagscape.search.local_sets import LocalSet, LocalSets
from dagscape.search.near import NearClaim, NearNetwork, NearOptimal, near_optimal
from dagscape.search.order import order_search
from dagscape.search.wide import wide_search

__all__ = [
    "Blanket",
    "BlanketMember",
    "InitialOrder",
    "LocalSet",
    "LocalSets",
    "NearClaim",
    "NearNetwork",
    "NearOptimal",
    "describe_blanket",
    "ges",
    "hill_climb",
    "initial_order",
    "kes",
    "markov_blanket",
    "mmhc",
    "near_optimal",
    "neighbors",
    "order_search",
    "sll_c",
    "sll_g",
    "wide_search",
]
