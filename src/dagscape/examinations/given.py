"""The graph that is examined: taken as it is, or refused in a sentence."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from dagscape.errors import GraphError, ParameterError
from dagscape.graph_files.registry import FilePath, graph_of_text, read_graph
from dagscape.graphs import Dag, GraphLike, Mpdag, Pag, as_dag, is_networkx
from dagscape.networks import Network
from dagscape.speech import for_python
from dagscape.words import first_of

if TYPE_CHECKING:
    import networkx as nx

    from dagscape.problem import Problem


def drawn_graph(graph: GraphLike | Network | FilePath, problem: Problem) -> Dag | Mpdag:
    """Return the graph on the variables of the table."""
    if isinstance(graph, Network):
        _check_states(graph, problem)
    own = _taken(graph)
    if isinstance(own, Pag):
        raise GraphError(
            "a graph in which causes may be hidden has no score; examine a network: a Dag, or a "
            "Cpdag where directions are open"
        )
    dag = as_dag(own, problem.variables)
    if isinstance(own, Mpdag) and not problem.score.equivalent:
        raise ParameterError(
            f"{problem.score} gives equivalent networks different scores, so a graph with "
            f"undirected edges has none; direct them{for_python(' (graph.to_dag())')}, or choose "
            "another score"
        )
    if problem.knowledge is not None and (broken := problem.knowledge.violations(dag)):
        raise GraphError(
            f"the graph does not obey the knowledge: {broken[0]}; change one of them, or examine "
            "the graph without knowledge"
        )
    return own if isinstance(own, Mpdag) else dag


def _taken(graph: GraphLike | Network | FilePath) -> GraphLike | Pag:
    """Return the graph of a network, of a text or of a file; one of networkx with its lines."""
    if isinstance(graph, Network):
        return graph.dag
    if isinstance(graph, str | os.PathLike):
        said = graph_of_text(graph) if isinstance(graph, str) else None
        return read_graph(graph) if said is None else said
    if is_networkx(graph) and _has_lines(graph):
        return Mpdag.from_networkx(graph)
    return graph


def _has_lines(graph: nx.DiGraph[str]) -> bool:
    """Tell whether a graph of networkx has edges without direction."""
    marks = graph.edges(data="directed", default=True)
    return not graph.is_directed() or not all(directed for _, _, directed in marks)


def _check_states(network: Network, problem: Problem) -> None:
    """Refuse a table with states that the network does not know: they may be about other things."""
    for name, states in problem.data.states.items():
        known = network.states.get(name)
        if known is None or name in problem.data.numbers:
            continue
        if odd := [state for state in states if state not in known]:
            raise GraphError(
                f'column "{name}" has the state "{odd[0]}", which the network does not know; it '
                f"has {first_of(known, 5)}. Rename the states, or examine the graph alone"
                f"{for_python(' (network.dag)')}"
            )
