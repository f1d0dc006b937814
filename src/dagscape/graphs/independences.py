"""What a network says of its variables: which are independent, and given which others."""

from __future__ import annotations

from typing import NamedTuple

from dagscape.graphs.dag import Dag


class Independence(NamedTuple):
    """Two variables, and others given which they are independent."""

    a: str
    b: str
    given: tuple[str, ...]


def implied_independences(dag: Dag) -> tuple[Independence, ...]:
    """Return for every two variables that are not joined one independence that the network implies.

    By the local Markov property, a variable is independent of those that come before it, given its
    parents. Of the parents, those are left out that the two do not need: no member of `given` can
    be done without, nor any several of them (Tian, Paz and Pearl, Finding minimal d-separators,
    1998). Equivalent networks have the same list.
    """
    dag = dag.to_cpdag().to_dag()
    graph, names = dag._graph, dag.variables.in_engine_order()
    order = graph.topological_order()
    adjacent = {frozenset(arc) for arc in graph.arcs}
    found = []
    for at, x in enumerate(order):
        parents = graph.parents(x)
        for y in order[:at]:
            if frozenset((x, y)) in adjacent:
                continue
            given = list(parents)
            for z in parents:
                rest = [other for other in given if other != z]
                if graph.d_separated([x], [y], rest):
                    given = rest
            a, b = sorted((x, y))
            found.append((a, b, given))
    return tuple(
        Independence(names[a], names[b], tuple(names[z] for z in given))
        for a, b, given in sorted(found)
    )
