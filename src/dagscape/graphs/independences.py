"""What a network says of its variables: which are independent, and given which others."""

from __future__ import annotations

from typing import NamedTuple

from dagscape import _core
from dagscape.graphs.dag import Dag
from dagscape.graphs.named_graph import thinned
from dagscape.graphs.pag_separation import Separation
from dagscape.variables import Variables


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
            given = thinned(parents, lambda rest: graph.d_separated([x], [y], rest))  # noqa: B023
            a, b = sorted((x, y))
            found.append((a, b, given))
    return tuple(
        Independence(names[a], names[b], tuple(names[z] for z in given))
        for a, b, given in sorted(found)
    )


def implied_separations(
    member: _core.MarkedGraph, variables: Variables
) -> tuple[Independence, ...]:
    """Return the same of a maximal ancestral graph: by m-separation.

    Two that are not joined are separated by all that is above them. What is farthest above is left
    out first; of what remains, none can be done without, nor any several. Graphs of one class have
    the same list.
    """
    alike = member.class_of().member_of() or member
    if all(edge != "<->" for _, edge, _ in alike.edges):
        return implied_independences(Dag._wrap(variables, Separation(alike).network))
    separated, names = Separation(alike), variables.in_engine_order()
    found = []
    for b in range(alike.variables):
        for a in range(b):
            if b not in alike.adjacent(a):
                given = separator(separated, a, b)
                found.append((names[a], names[b], tuple(names[z] for z in given)))
    return tuple(Independence(*each) for each in sorted(found))


def separator(separated: Separation, a: int, b: int) -> tuple[int, ...]:
    """Return variables that separate two that are not joined, none of which can be left out."""
    above = {*separated.network.ancestors([a, b])} - {a, b}
    given = [v for v in separated.network.topological_order() if v in above and v < separated.seen]
    return tuple(sorted(thinned(given, lambda rest: separated(a, b, rest))))
