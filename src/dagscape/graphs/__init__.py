"""Directed acyclic graphs, and graphs that stand for many of them."""

from dagscape.graphs.dag import Dag, Direction, is_networkx
from dagscape.graphs.mpdag import Cpdag, GraphLike, Mpdag, as_dag, essential_of
from dagscape.graphs.pag import Pag
from dagscape.graphs.summary_graph import SummaryGraph

__all__ = [
    "Cpdag",
    "Dag",
    "Direction",
    "GraphLike",
    "Mpdag",
    "Pag",
    "SummaryGraph",
    "as_dag",
    "essential_of",
    "is_networkx",
]
