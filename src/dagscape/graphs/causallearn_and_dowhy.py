"""Graphs of causal-learn and models of DoWhy, which are imported when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dagscape.errors import GraphError
from dagscape.other_libraries import load_library

MarkedEdge = tuple[str, str, str]


def to_causallearn(names: Iterable[str], edges: Iterable[MarkedEdge]) -> Any:
    """Return a ``GeneralGraph`` with edges such as ``("a", "o->", "b")``."""
    made = load_library("causallearn.graph.GeneralGraph", "causallearn").GeneralGraph
    node = load_library("causallearn.graph.GraphNode", "causallearn").GraphNode
    edge = load_library("causallearn.graph.Edge", "causallearn").Edge
    end = load_library("causallearn.graph.Endpoint", "causallearn").Endpoint
    ends = {"-": end.TAIL, "<": end.ARROW, ">": end.ARROW, "o": end.CIRCLE}
    nodes = {name: node(name) for name in names}
    graph = made(list(nodes.values()))
    for a, written, b in edges:
        graph.add_edge(edge(nodes[a], nodes[b], ends[written[0]], ends[written[-1]]))
    return graph


def from_causallearn(graph: Any) -> tuple[list[str], list[MarkedEdge]]:
    """Return the names and edges of a graph of causal-learn, or of what one of its searches gave.

    Searches return an object with the graph as ``G``, or a pair, or a dict.
    """
    if isinstance(graph, tuple) and graph:
        graph = graph[0]
    graph = graph.get("G", graph) if isinstance(graph, dict) else getattr(graph, "G", graph)
    if not hasattr(graph, "get_graph_edges"):
        raise GraphError(f"a graph of causal-learn is needed, got {type(graph).__name__}")
    ends = {"TAIL": ("", ""), "ARROW": ("<", ">"), "CIRCLE": ("o", "o")}
    edges = []
    for edge in graph.get_graph_edges():
        one, other = edge.get_endpoint1().name, edge.get_endpoint2().name
        a, b = edge.get_node1().get_name(), edge.get_node2().get_name()
        if one not in ends or other not in ends:
            raise GraphError(
                f'the edge between "{a}" and "{b}" has the ends {one} and {other}, for two edges '
                "in one; draw it as one"
            )
        edges.append((a, f"{ends[one][0]}-{ends[other][1]}", b))
    return [node.get_name() for node in graph.get_nodes()], edges


def arcs_and_lines(
    edges: Sequence[MarkedEdge],
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return directed and undirected edges; refuse any others, which only a Pag has."""
    directed, undirected = [], []
    for a, edge, b in edges:
        if edge == "->":
            directed.append((a, b))
        elif edge == "<-":
            directed.append((b, a))
        elif edge == "-":
            undirected.append((a, b))
        else:
            raise GraphError(
                f"the edge {a} {edge} {b} says something of hidden causes; take the graph as a "
                "Pag: Pag.from_causallearn"
            )
    return directed, undirected


def arcs_of_dowhy(model: Any) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the variables and arcs of the graph of a ``CausalModel``, as far as they are seen."""
    graph = getattr(getattr(model, "_graph", None), "_graph", None)
    if graph is None:
        raise GraphError(f"a CausalModel of DoWhy is needed, got {type(model).__name__}")
    unseen = [name for name, seen in graph.nodes(data="observed") if seen == "no"]
    if unseen:
        raise GraphError(
            f'the model has the unobserved variable "{unseen[0]}", and a Dag has none; leave it '
            "out of the model's graph"
        )
    return list(graph.nodes), list(graph.edges())
