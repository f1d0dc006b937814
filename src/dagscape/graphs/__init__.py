"""Directed acyclic graphs and the essential graphs of their equivalence classes."""

from dagscape.graphs.convert import GraphLike, as_dag
from dagscape.graphs.cpdag import Cpdag
from dagscape.graphs.dag import Dag

__all__ = ["Cpdag", "Dag", "GraphLike", "as_dag"]
