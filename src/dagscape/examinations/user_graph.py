"""The graph that is examined: taken as it is, or refused in a sentence."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from dagscape.errors import FileFormatError, GraphError, ParameterError
from dagscape.files.endings import ARCS, GRAPHS, NETWORKS
from dagscape.files.text import ending_of
from dagscape.graph_files.registry import FilePath, graph_of_text, read_graph
from dagscape.graphs import Dag, GraphLike, Mpdag, Pag, as_dag, is_networkx
from dagscape.graphs.pag import EDGES, MarkedPair
from dagscape.networks import Network, read_network
from dagscape.result_files import load_result
from dagscape.results import Result
from dagscape.speech import choice, for_python, in_shell
from dagscape.variables import suggest
from dagscape.words import first_of

if TYPE_CHECKING:
    import networkx as nx

    from dagscape.problem import Problem


Given: TypeAlias = "GraphLike | Pag | Iterable[MarkedPair] | Network | Result | FilePath"

ARROWS = re.compile(r"->|<-|--|[{|~]")


def drawn_graph(graph: Given, problem: Problem, hidden: Sequence[str] = ()) -> Dag | Mpdag | Pag:
    """Return the graph on the variables of the table; a Pag of one with hidden variables."""
    given = _read(graph) if isinstance(graph, str | os.PathLike) else graph
    if isinstance(given, Network):
        _check_states(given, problem)
    own = _taken(given, problem)
    if hidden:
        own = _without_hidden(own, problem, hidden)
    if isinstance(own, Pag):
        return _on_table(own, problem)
    if isinstance(own, Dag | Mpdag):
        _refuse_others(own, problem)
    try:
        dag = as_dag(own, problem.variables)
    except GraphError as error:
        if not isinstance(own, Dag) or {*own.names} <= {*problem.variables.names}:
            raise
        odd = next(name for name in own.names if name not in problem.variables)
        said = f"{error} If" if str(error).endswith("?") else f"{error}; if"
        raise GraphError(f"{said} it is hidden, say so: {choice('hidden', odd)}") from None
    if isinstance(own, Mpdag) and not problem.score.equivalent:
        raise ParameterError(
            f"{problem.score} gives equivalent networks different scores, so a graph with "
            f"undirected edges has none; direct them{for_python(' (graph.to_dag())')}, or choose "
            "another score"
        )
    if problem.knowledge is not None and (broken := problem.knowledge.violations(dag)):
        raise _disobeys(broken[0])
    return own if isinstance(own, Mpdag) else dag


def _without_hidden(graph: GraphLike | Pag, problem: Problem, hidden: Sequence[str]) -> Pag:
    """Return what a network says of the variables of the table, where others of it are hidden."""
    if isinstance(graph, Mpdag | Pag):
        raise GraphError("hidden variables are those of a network, with a direction for every arc")
    if seen := [name for name in hidden if name in problem.variables]:
        raise GraphError(f'"{seen[0]}" is a column of the table, and cannot be hidden')
    if is_networkx(graph):
        graph = Dag.from_networkx(graph)
    if not isinstance(graph, Dag):
        arcs = cast("Iterable[tuple[str, str]]", graph)
        graph = Dag([*problem.variables.names, *hidden], arcs)
    for name in hidden:
        if name not in graph.variables:
            near = suggest(name, graph.names)
            raise GraphError(f'the graph has no variable "{name}" that could be hidden{near}')
    return graph.to_pag(hidden=hidden)


def _disobeys(how: str) -> GraphError:
    return GraphError(
        f"the graph does not obey the knowledge: {how}; change one of them, or examine the graph "
        "without knowledge"
    )


def _on_table(pag: Pag, problem: Problem) -> Pag:
    """Return a graph with hidden causes on the variables of the table; refuse other variables."""
    variables = problem.variables
    if odd := [name for name in pag.names if name not in variables]:
        raise GraphError(
            f'the graph has a variable "{odd[0]}" that the data lack'
            f"{suggest(odd[0], variables.names)}"
        )
    _refuse_others(pag, problem)
    if problem.knowledge is not None:
        try:
            problem.knowledge.orient(pag)
        except GraphError as error:
            raise _disobeys(str(error)) from None
    return Pag(variables.names, pag.edges)


def _read(source: FilePath) -> GraphLike | Pag | Iterable[MarkedPair] | Network | Result:
    """Return what a text says, or what a file holds: a graph, a network or a result."""
    said = graph_of_text(source) if isinstance(source, str) else None
    if said is not None:
        return said
    if isinstance(source, str) and _is_no_name(source):
        raise GraphError(
            f'"{source}" is neither a file nor a graph that can be read; a graph is written as '
            '"dag { a -> b }", "[a][b|a]" or "digraph { a -> b }"'
        )
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
    if ending not in ARCS:
        return graph
    # Such files name variables without edges only if they must.
    if isinstance(graph, Pag):
        return list(graph.edges)
    return list(graph.arcs) if isinstance(graph, Dag) else graph


def _is_no_name(text: str) -> bool:
    """Tell whether a text was meant for a graph rather than for the name of a file."""
    known = ending_of(text) in {**NETWORKS, **GRAPHS, **ARCS, ".txt": ""}
    return not text.strip() or (
        not known and not os.path.exists(text) and bool(ARROWS.search(text))
    )


def _taken(graph: Given, problem: Problem) -> GraphLike | Pag:
    """Return the graph of a network or a result; one of networkx with its lines or marks."""
    if isinstance(graph, Network | Result):
        return graph.dag
    if is_networkx(graph):
        return _of_networkx(graph)
    if isinstance(graph, list | tuple) and graph and all(map(_is_marked, graph)):
        return Pag(problem.variables.names, graph)
    return cast("GraphLike | Pag", graph)


def _of_networkx(graph: nx.DiGraph[str]) -> GraphLike | Pag:
    edges: Any = graph.edges(data="edge")
    marks: list[MarkedPair] = [(a, edge, b) for a, b, edge in edges]
    if marks and all(edge in EDGES for _, edge, _ in marks):
        return Pag(graph.nodes, marks)
    return Mpdag.from_networkx(graph) if _has_lines(graph) else graph


def _is_marked(edge: object) -> bool:
    """Tell whether an edge says what marks are at its ends."""
    return isinstance(edge, list | tuple) and len(edge) == 3 and edge[1] in EDGES


def _has_lines(graph: nx.DiGraph[str]) -> bool:
    """Tell whether a graph of networkx has edges without direction."""
    marks = graph.edges(data="directed", default=True)
    return not graph.is_directed() or not all(directed for _, _, directed in marks)


def _refuse_others(graph: Dag | Mpdag | Pag, problem: Problem) -> None:
    """Refuse a table with more columns than the graph has variables, and say what to do."""
    others = [name for name in problem.variables.names if name not in graph.variables]
    if not others or any(name not in problem.variables for name in graph.names):
        return
    left = " ".join(in_shell("leave_out", name) for name in others[:5]).strip()
    left = f"{left} ..." if left and len(others) > 5 else left or "data.select(graph.names)"
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
