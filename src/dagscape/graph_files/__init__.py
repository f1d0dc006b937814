"""Graphs in files that other programs read."""

from dagscape.graph_files.registry import read_edges, read_graph, write_graph

__all__ = ["read_edges", "read_graph", "write_graph"]
