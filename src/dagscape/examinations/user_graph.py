"""The graph that is examined: taken as it is, or refused in a sentence."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from dagscape.errors import FileFormatError, GraphError, ParameterError
from dagscape.files.endings import ARCS, NETWORKS
from dagscape.files.text import ending_of
from dagscape.graph_files.registry import FilePath, graph_of_text, read_graph
from dagscape.graphs import Dag, GraphLike, Mpdag, Pag, as_dag, is_networkx
from dagscape.networks import Network, read_network
from dagscape.result_files import load_result
from dagscape.results import Result
from dagscape.speech import for_python, in_shell
from dagscape.words import first_of

if TYPE_CHECKING:
    import networkx as nx

    from dagscape.problem import Problem


def drawn_graph(graph: GraphLike | Network | Result | FilePath, problem: Problem) -> Dag | Mpdag:
    """Return the graph on the variables of the table."""
    given = _read(graph) if isinstance(graph, str | os.PathLike) else graph
    if isinstance(given, Network):
        _check_states(given, problem)
    own = _taken(given)
    if isinstance(own, Pag):
        raise GraphError(
            "a graph in which causes may be hidden has no score; examine a network: a Dag, or a "
            "Cpdag where directions are open"
        )
    if isinstance(own, Dag | Mpdag):
        _refuse_others(own, problem)
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


def _read(source: FilePath) -> GraphLike | Network | Result | Pag:
    """Return what a text says, or what a file holds: a graph, a network or a result."""
    said = graph_of_text(source) if isinstance(source, str) else None
    if said is not None:
        return said
    ending = ending_of(source)
    if ending in NETWORKS:
        try:
            return read_network(source)
        except FileFormatError:
            if NETWORKS[ending] != "json":
                raise
            with suppress(FileFormatError):
                return load_result(source, Result)
            raise
    graph = read_graph(source)
    return list(graph.arcs) if isinstance(graph, Dag) and ending in ARCS else graph


def _taken(graph: GraphLike | Network | Result | Pag) -> GraphLike | Pag:
    """Return the graph of a network or a result; one of networkx with its lines."""
    if isinstance(graph, Network | Result):
        return graph.dag
    if is_networkx(graph) and _has_lines(graph):
        return Mpdag.from_networkx(graph)
    return graph


def _has_lines(graph: nx.DiGraph[str]) -> bool:
    """Tell whether a graph of networkx has edges without direction."""
    marks = graph.edges(data="directed", default=True)
    return not graph.is_directed() or not all(directed for _, _, directed in marks)


def _refuse_others(graph: Dag | Mpdag, problem: Problem) -> None:
    """Refuse a table with more columns than the graph has variables, and say what to do."""
    others = [name for name in problem.variables.names if name not in graph.variables]
    if not others or any(name not in problem.variables for name in graph.names):
        return
    left = in_shell("leave_out") or "data.select(graph.names)"
    many = f"{len(others):,} columns" if len(others) > 1 else "a column"
    raise GraphError(
        f"the table has {many} that the graph lacks: {first_of(others, 5)}; draw them, if without "
        f"arcs, or examine the graph on the other columns alone ({left})"
    )


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
