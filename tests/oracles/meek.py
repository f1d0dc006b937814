"""From a skeleton and v-structures to a network: Meek's rules, and the paper's SLL+C.

A partially directed graph is a set of arcs, an undirected edge both its arcs (``oracles.graphs``).
Each rule is a search for its pattern among all choices of nodes.

Sources
-------
Meek, Causal Inference and Causal Explanation with Background Knowledge, UAI 1995.
SLL+C: Niinimäki and Parviainen, UAI 2012, Algorithm 5.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator

from oracles import graphs
from oracles.graphs import Arc, Graph, Skeleton

Triple = tuple[int, int, int]
# Whether a v-structure's two arcs may be added to the arcs so far.
Possible = Callable[[Graph, Graph], bool]


def both_ways(edges: Iterable[Arc]) -> Graph:
    """Write undirected edges as arcs."""
    return frozenset(arc for a, b in edges for arc in ((a, b), (b, a)))


def with_v_structures(skeleton: Skeleton, triples: Iterable[Triple]) -> Graph:
    """Direct a -> c <- b for each (a, c, b), and leave the other edges undirected."""
    arcs = {arc for a, c, b in triples for arc in ((a, c), (b, c))}
    return frozenset(both_ways(skeleton) - {(b, a) for a, b in arcs})


# --- the rules; each yields the arcs that it gives to undirected edges --------------------------


def rule_1(pdag: Graph) -> Iterator[Arc]:
    """a -> b - c, with a and c not adjacent: b -> c, or b would be a new collider."""
    for a, b, c in itertools.permutations(graphs.nodes(pdag), 3):
        if _arc(pdag, a, b) and _edge(pdag, b, c) and not _joined(pdag, a, c):
            yield (b, c)


def rule_2(pdag: Graph) -> Iterator[Arc]:
    """a -> b -> c and a - c: a -> c, or there would be a cycle."""
    for a, b, c in itertools.permutations(graphs.nodes(pdag), 3):
        if _arc(pdag, a, b) and _arc(pdag, b, c) and _edge(pdag, a, c):
            yield (a, c)


def rule_3(pdag: Graph) -> Iterator[Arc]:
    """a - b, a - c -> b, a - d -> b, with c and d not adjacent: a -> b."""
    for a, b, c, d in itertools.permutations(graphs.nodes(pdag), 4):
        if (
            all(_edge(pdag, a, v) for v in (b, c, d))
            and _arc(pdag, c, b)
            and _arc(pdag, d, b)
            and not _joined(pdag, c, d)
        ):
            yield (a, b)


def rule_4(pdag: Graph) -> Iterator[Arc]:
    """a - b, a - c -> d -> b, a and d adjacent, with c and b not: a -> b."""
    for a, b, c, d in itertools.permutations(graphs.nodes(pdag), 4):
        if (
            _edge(pdag, a, b)
            and _edge(pdag, a, c)
            and _joined(pdag, a, d)
            and _arc(pdag, c, d)
            and _arc(pdag, d, b)
            and not _joined(pdag, c, b)
        ):
            yield (a, b)


RULES = (rule_1, rule_2, rule_3, rule_4)


def close(pdag: Graph, rules: Iterable[Callable[[Graph], Iterator[Arc]]] = RULES) -> Graph:
    """Apply the rules, one arc at a time, the first in order, until none finds its pattern."""
    rules = tuple(rules)
    while found := {arc for rule in rules for arc in rule(pdag)}:
        a, b = min(found)
        pdag = pdag - {(b, a)}
    return pdag


def _arc(pdag: Graph, a: int, b: int) -> bool:
    return (a, b) in pdag and (b, a) not in pdag


def _edge(pdag: Graph, a: int, b: int) -> bool:
    return (a, b) in pdag and (b, a) in pdag


def _joined(pdag: Graph, a: int, b: int) -> bool:
    return (a, b) in pdag or (b, a) in pdag


# --- SLL+C, Algorithm 5 -------------------------------------------------------------------------


def no_cycle(arcs: Graph, new: Graph) -> bool:
    """Line 13 as it stands: adding them must leave the arcs acyclic."""
    return graphs.is_acyclic(arcs | new)


def direct_v_structures(
    edges: Skeleton, found: Iterable[Triple], possible: Possible = no_cycle
) -> tuple[Skeleton, Graph]:
    """Lines 9 to 19: take the (v, w, u) in the order given; return the edges left and the arcs."""
    left, arcs = set(edges), frozenset()
    for v, w, u in found:
        new = frozenset({(v, w), (u, w)})
        if possible(arcs, new):
            left -= {(min(arc), max(arc)) for arc in new}
            arcs |= new
    return frozenset(left), arcs


def ways_to_direct_the_rest(left: Skeleton, arcs: Graph) -> frozenset[Graph]:
    """Line 20: return the networks without cycles that add as few v-structures as possible."""
    networks = [arcs | chosen for chosen in graphs.orientations(left)]
    networks = [network for network in networks if graphs.is_acyclic(network)]
    before = graphs.v_structures(arcs | both_ways(left))
    added = {network: len(graphs.v_structures(network) - before) for network in networks}
    fewest = min(added.values(), default=0)
    return frozenset(network for network, count in added.items() if count == fewest)
