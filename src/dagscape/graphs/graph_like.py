"""From whatever the user holds to a Dag."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias, cast

from dagscape.errors import GraphError
from dagscape.graphs.dag import Dag, Pair, is_networkx
from dagscape.graphs.mpdag import Mpdag
from dagscape.variables import suggest

if TYPE_CHECKING:
    import networkx as nx

    from dagscape.variables import Variables

GraphLike: TypeAlias = "Dag | Mpdag | nx.DiGraph[str] | Iterable[Pair]"


def as_dag(graph: GraphLike, variables: Variables) -> Dag:
    """Return the graph as a Dag on these variables.

    Of a graph that stands for several networks, one of them. A list of arcs leaves the variables it
    does not mention without arcs; any other graph must have exactly these variables.
    """
    if isinstance(graph, Dag):
        dag = graph
    elif isinstance(graph, Mpdag):
        dag = graph.to_dag()
    elif is_networkx(graph):
        dag = Dag.from_networkx(graph)
    elif isinstance(graph, Iterable):
        return Dag(variables.names, cast("Iterable[Pair]", graph))
    else:
        raise GraphError(
            "a graph is a Dag, a Cpdag, a networkx DiGraph or a list of arcs, "
            f"got {type(graph).__name__}"
        )
    for name in dag.names:
        if name not in variables:
            near = suggest(name, [x for x in variables.names if x not in dag.variables])
            raise GraphError(f'the graph has a variable "{name}" that the data lack{near}')
    for name in variables.names:
        if name not in dag.variables:
            raise GraphError(f'the data have a variable "{name}" that the graph lacks')
    return dag
