"""Directed acyclic graphs, and graphs that stand for many of them."""

from dagscape.graphs.cpdag import Cpdag
from dagscape.graphs.dag import Dag, is_networkx
from dagscape.graphs.graph_like import GraphLike, as_dag
from dagscape.graphs.mpdag import Mpdag
from dagscape.graphs.pag import Pag

__all__ = ["Cpdag", "Dag", "GraphLike", "Mpdag", "Pag", "as_dag", "is_networkx"]
