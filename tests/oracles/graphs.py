"""Brute force over small graphs, from the definitions.

A graph is a frozenset of arcs (a, b) over the nodes 0, 1, ...; in a partially directed graph an
undirected edge is written as both its arcs. So the essential graph of an equivalence class is
the union of the arcs of its members: an edge stays directed if it points the same way in all.

Sources
-------
Equivalence: Verma and Pearl 1990. Essential graphs: Andersson, Madigan and Perlman 1997.
Extensions: Dor and Tarsi 1992. d-separation: Pearl 1988; by moralisation, Lauritzen et al. 1990.
Covered arcs: Chickering 1995.
"""

from __future__ import annotations

import itertools
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

Arc = tuple[int, int]
Graph = frozenset[Arc]
Skeleton = frozenset[Arc]  # pairs (a, b) with a < b


# --- DAGs ---------------------------------------------------------------------------------------


@cache
def all_dags(n: int) -> tuple[Graph, ...]:
    """Return every DAG over n nodes: each pair is joined one way, the other or not at all."""
    choices = [((), ((a, b),), ((b, a),)) for a, b in itertools.combinations(range(n), 2)]
    graphs = (frozenset(itertools.chain(*chosen)) for chosen in itertools.product(*choices))
    return tuple(graph for graph in graphs if is_acyclic(graph))


def is_acyclic(graph: Graph) -> bool:
    """No node is its own ancestor."""
    return not any(node in ancestors(graph, node) for node in nodes(graph))


def nodes(graph: Graph) -> frozenset[int]:
    """Return the nodes that have an edge."""
    return frozenset(itertools.chain(*graph))


def parents(dag: Graph, node: int) -> frozenset[int]:
    """Return the tails of the arcs into a node."""
    return frozenset(a for a, b in dag if b == node)


def children(dag: Graph, node: int) -> frozenset[int]:
    """Return the heads of the arcs out of a node."""
    return frozenset(b for a, b in dag if a == node)


def ancestors(dag: Graph, node: int) -> frozenset[int]:
    """Return the nodes with a directed path of at least one arc to ``node``."""
    found: set[int] = set()
    todo = [node]
    while todo:
        new = parents(dag, todo.pop()) - found
        found |= new
        todo.extend(new)
    return frozenset(found)


def descendants(dag: Graph, node: int) -> frozenset[int]:
    """Return the nodes to which ``node`` has a directed path of at least one arc."""
    return ancestors(frozenset((b, a) for a, b in dag), node)


def moral_edges(dag: Graph) -> Skeleton:
    """Return the pairs that are adjacent or share a child."""
    married = (
        pair
        for node in nodes(dag)
        for pair in itertools.combinations(sorted(parents(dag, node)), 2)
    )
    return skeleton(dag) | frozenset(married)


def markov_blanket(dag: Graph, node: int) -> frozenset[int]:
    """Return parents, children and the children's other parents."""
    spouses = (parents(dag, child) for child in children(dag, node))
    return parents(dag, node).union(children(dag, node), *spouses) - {node}


def covered_arcs(dag: Graph) -> Graph:
    """Return the arcs a -> b where b's other parents are just the parents of a."""
    return frozenset((a, b) for a, b in dag if parents(dag, b) - {a} == parents(dag, a))


# --- d-separation, twice ------------------------------------------------------------------------


def d_separated(dag: Graph, x: int, y: int, z: Collection[int]) -> bool:
    """Every path between x and y has a node that blocks it."""
    _check_query(x, y, z)
    return all(_blocked(dag, path, frozenset(z)) for path in paths(dag, x, y))


def paths(dag: Graph, x: int, y: int) -> Iterator[tuple[int, ...]]:
    """Yield every path from x to y, along or against the arcs, that meets no node twice."""

    def extend(path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if path[-1] == y:
            yield path
            return
        for step in parents(dag, path[-1]) | children(dag, path[-1]):
            if step not in path:
                yield from extend((*path, step))

    return extend((x,))


def _blocked(dag: Graph, path: tuple[int, ...], z: frozenset[int]) -> bool:
    """Some inner node is a collider outside z and above none of it, or no collider and in z."""
    for before, node, after in zip(path, path[1:], path[2:], strict=False):
        if (before, node) in dag and (after, node) in dag:
            if not z & (descendants(dag, node) | {node}):
                return True
        elif node in z:
            return True
    return False


def d_separated_by_moralisation(dag: Graph, x: int, y: int, z: Collection[int]) -> bool:
    """No path joins x and y outside z in the moral graph of the three and their ancestors."""
    _check_query(x, y, z)
    kept = {x, y, *z}.union(*(ancestors(dag, node) for node in (x, y, *z)))
    moral = moral_edges(frozenset((a, b) for a, b in dag if a in kept and b in kept))
    open_edges = {(a, b) for a, b in moral if a not in z and b not in z}
    reached = {x}
    while (
        new := {end for a, b in open_edges for start, end in ((a, b), (b, a)) if start in reached}
        - reached
    ):
        reached |= new
    return y not in reached


def _check_query(x: int, y: int, z: Collection[int]) -> None:
    if x == y or x in z or y in z:
        raise ValueError(f"x, y and z must not overlap, got {x}, {y}, {sorted(z)}")


# --- equivalence --------------------------------------------------------------------------------


def directed(pdag: Graph) -> Graph:
    """Return the arcs that point one way only."""
    return frozenset((a, b) for a, b in pdag if (b, a) not in pdag)


def undirected(pdag: Graph) -> Skeleton:
    """Return the undirected edges, each as (lower, higher)."""
    return frozenset((a, b) for a, b in pdag if a < b and (b, a) in pdag)


def skeleton(pdag: Graph) -> Skeleton:
    """Return the pairs joined by an edge of any kind, each as (lower, higher)."""
    return frozenset((min(arc), max(arc)) for arc in pdag)


def v_structures(pdag: Graph) -> frozenset[tuple[int, int, int]]:
    """Return (a, c, b), a < b, wherever a -> c <- b are directed and a, b are not adjacent."""
    arcs, joined = directed(pdag), skeleton(pdag)
    return frozenset(
        (a, c, b)
        for a, c in arcs
        for b in parents(arcs, c)
        if a < b and (a, b) not in joined
    )  # fmt: skip


def markov_equivalent(a: Graph, b: Graph) -> bool:
    """Same skeleton and same v-structures."""
    return skeleton(a) == skeleton(b) and v_structures(a) == v_structures(b)


def orientations(edges: Iterable[Arc]) -> Iterator[Graph]:
    """Yield every way to give each edge one direction, cyclic ones too."""
    for chosen in itertools.product(*(((a, b), (b, a)) for a, b in sorted(edges))):
        yield frozenset(chosen)


@cache
def equivalence_class(dag: Graph) -> frozenset[Graph]:
    """Return all DAGs equivalent to this one, itself among them."""
    return frozenset(
        other
        for other in orientations(skeleton(dag))
        if markov_equivalent(dag, other) and is_acyclic(other)
    )


@cache
def classes(n: int) -> tuple[frozenset[Graph], ...]:
    """Return the DAGs over n nodes, sorted into equivalence classes."""
    members: dict[object, list[Graph]] = {}
    for dag in all_dags(n):
        members.setdefault((skeleton(dag), v_structures(dag)), []).append(dag)
    return tuple(map(frozenset, members.values()))


def essential_graph(dag: Graph) -> Graph:
    """Direct an edge exactly if it points the same way in every member of the class."""
    return frozenset().union(*equivalence_class(dag))


def extensions(pdag: Graph) -> frozenset[Graph]:
    """Return every DAG with the skeleton, the directed edges and the v-structures of ``pdag``."""
    candidates = (directed(pdag) | chosen for chosen in orientations(undirected(pdag)))
    return frozenset(
        dag for dag in candidates if is_acyclic(dag) and v_structures(dag) == v_structures(pdag)
    )


def all_pdags(n: int) -> Iterator[Graph]:
    """Yield every graph over n nodes with directed and undirected edges, sensible or not."""
    choices = [
        ((), ((a, b),), ((b, a),), ((a, b), (b, a)))
        for a, b in itertools.combinations(range(n), 2)
    ]  # fmt: skip
    for chosen in itertools.product(*choices):
        yield frozenset(itertools.chain(*chosen))


def shd(cpdag_a: Graph, cpdag_b: Graph) -> int:
    """Count the pairs of nodes whose edge is not the same in both: missing, extra or other."""
    return len({(min(arc), max(arc)) for arc in cpdag_a ^ cpdag_b})
