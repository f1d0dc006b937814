"""Edges of a network that only hidden causes put there, and the graph that is left without them.

A network without hidden variables explains their traces with edges too many: of w → a ↔ b it makes
w → a → b with w → b, although nothing relates w and b until a is given. So each edge is held
against small sets of neighbors. It goes where a set parts its ends and some neighbor relates them
again; then the rest is oriented anew. What comes of it is kept only where some ancestral graph has
these marks, so the graph is always a legal one.

Source: the recipe of Ogarrio, Spirtes and Ramsey, A hybrid causal search algorithm for latent
variable models, PGM 2016, with the demand for a legal graph after each step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from dagscape import _core
from dagscape.errors import GraphError
from dagscape.graphs import Pag
from dagscape.graphs.pag import flaw
from dagscape.hidden_causes.support import Surroundings

if TYPE_CHECKING:
    from dagscape.graphs import Dag
    from dagscape.hidden_causes.relations import Relations
    from dagscape.knowledge import Knowledge

LEAST_P = 0.05
"""How probable it must be that chance alone gives as much where two are called apart: less than is
asked behind an arrow, since an edge that stays puts others wrong as well."""

Edge = tuple[int, int]
"""Two variables, the lower number first."""


class Removal(NamedTuple):
    """An edge of the network that tests take away."""

    edge: Edge
    given: tuple[int, ...]
    """What parts its ends."""
    related_by: tuple[int, ...]
    """Each of these relates them again."""
    strength: float
    """Nats: how much clearer they are related then."""


def removals_of(
    dag: Dag, relations: Relations, required: frozenset[Edge], over: Callable[[], bool]
) -> list[Removal]:
    """Return the edges that tests would take away, the clearest first."""
    near = Surroundings(dag._graph)
    found = []
    for arc in dag._graph.arcs:
        if over():
            break
        x, y = min(arc), max(arc)
        if (x, y) in required:
            continue
        ways = []
        for given in near.sets(x, y):
            apart = relations(x, y, given)
            others = {*near.neighbors[x], *near.neighbors[y]} - {x, y, *given}
            by = tuple(z for z in sorted(others) if relations.relates(z, x, y, given, LEAST_P))
            if by:
                again = max(-relations(x, y, (*given, z)).log_p for z in by)
                ways.append(Removal((x, y), given, by, again + apart.log_p))
        if ways:
            found.append(max(ways, key=lambda way: way.strength))
    return sorted(found, key=lambda removal: (-removal.strength, removal.edge))


def pag_of(
    dag: Dag, removals: list[Removal], knowledge: Knowledge | None
) -> tuple[Pag, tuple[Removal, ...]]:
    """Return the graph of a network without edges, and those of them that could go.

    Each in turn, unless no ancestral graph would be left, or none that obeys what is known.
    """
    kept: tuple[Removal, ...] = ()
    pag = _known(dag.to_pag(), knowledge)
    for removal in removals:
        parted = {each.edge: each.given for each in (*kept, removal)}
        graph = _marked(dag._graph, parted)
        if flaw(graph, dag.variables):
            continue
        try:
            pag = _known(Pag._wrap(dag.variables, graph), knowledge)
        except GraphError:
            continue
        kept = (*kept, removal)
    return pag, kept


def _known(pag: Pag, knowledge: Knowledge | None) -> Pag:
    return pag if knowledge is None else knowledge.orient(pag)


def _marked(graph: _core.Dag, parted: Mapping[Edge, tuple[int, ...]]) -> _core.MarkedGraph:
    """Return the marks that follow from the separations.

    Of ends that tests have parted, by the sets that did; of others, by the network.
    """
    edges = [arc for arc in graph.arcs if (min(arc), max(arc)) not in parted]
    neighbors: dict[int, set[int]] = {v: set() for v in range(graph.variables)}
    for a, b in edges:
        neighbors[a].add(b)
        neighbors[b].add(a)
    place = {v: i for i, v in enumerate(graph.topological_order())}

    def separates(x: int, middle: int, y: int) -> bool:
        """Tell whether a variable is in the set that parts two others."""
        given = parted.get((min(x, y), max(x, y)))
        if given is not None:
            return middle in given
        return middle in graph.parents(x if place[x] > place[y] else y)

    heads = {
        (c, end)
        for c, around in neighbors.items()
        for a in around
        for b in around
        if a < b and b not in neighbors[a] and not separates(a, c, b)
        for end in (a, b)
    }
    written = []
    for a, b in edges:
        begin = "<" if (a, b) in heads else "o"
        written.append((a, f"{begin}-{'>' if (b, a) in heads else 'o'}", b))
    return _core.MarkedGraph(graph.variables, written).followed(separates)
