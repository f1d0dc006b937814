"""Search over equivalence classes by definition, on few variables: every class is listed.

A class is written as its essential graph, the union of its members; see ``oracles.graphs``.

Sources
-------
Inclusion boundary and GES: Chickering, JMLR 2002; two phases: Meek 1997.
KES: Nielsen, Kočka and Peña, UAI 2003. Turned arcs: Hauser and Bühlmann, JMLR 2012.
Labeling of arcs: Chickering, UAI 1995.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from oracles import graphs
from oracles.graphs import Arc, Graph

if TYPE_CHECKING:
    from oracles.exact import Lists

Class: TypeAlias = Graph
Total: TypeAlias = Callable[[Class], float]
Neighbors: TypeAlias = Callable[[Class], Iterable[Class]]

EMPTY: Class = frozenset()
ROUNDING = 1e-9  # a gain up to this is none


# --- classes and their neighbors ---------------------------------------------------------------


@cache
def members(n: int) -> dict[Class, tuple[Graph, ...]]:
    """Return every class of n variables with its DAGs."""
    return {frozenset().union(*dags): tuple(sorted(dags, key=sorted)) for dags in graphs.classes(n)}


@cache
def class_of(n: int) -> dict[Graph, Class]:
    """Return every DAG of n variables with its class."""
    return {dag: here for here, dags in members(n).items() for dag in dags}


@cache
def inclusion_boundary(n: int, here: Class) -> frozenset[Class]:
    """Return the classes reached by adding or removing one arc in any member."""
    return larger(n, here) | smaller(n, here)


@cache
def larger(n: int, here: Class) -> frozenset[Class]:
    """Return the classes reached by adding one arc in any member."""
    return _classes(n, (dag | {arc} for dag in members(n)[here] for arc in absent(n, dag)))


@cache
def smaller(n: int, here: Class) -> frozenset[Class]:
    """Return the classes reached by removing one arc in any member."""
    return _classes(n, (dag - {arc} for dag in members(n)[here] for arc in dag))


@cache
def turned(n: int, here: Class) -> frozenset[Class]:
    """Return the other classes reached by turning one arc in any member."""
    turns = (dag - {(a, b)} | {(b, a)} for dag in members(n)[here] for a, b in dag)
    return _classes(n, turns) - {here}


@cache
def moved(n: int, here: Class) -> frozenset[Class]:
    """Return the other classes with the same pairs adjacent, by way of one arc less."""
    return frozenset(
        there
        for between in smaller(n, here)
        for there in larger(n, between)
        if there != here and graphs.skeleton(there) == graphs.skeleton(here)
    )


def absent(n: int, dag: Graph) -> Iterable[Arc]:
    """Yield the arcs between pairs that are not adjacent."""
    joined = graphs.skeleton(dag)
    pairs = (pair for pair in itertools.combinations(range(n), 2) if pair not in joined)
    return (arc for a, b in pairs for arc in ((a, b), (b, a)))


def _classes(n: int, changed: Iterable[Graph]) -> frozenset[Class]:
    """What is not among all DAGs has a cycle."""
    known = class_of(n)
    return frozenset(known[dag] for dag in changed if dag in known)


def most_parents(dag: Graph) -> int:
    """Return how many parents the variable with the most of them has."""
    return max((len(graphs.parents(dag, node)) for node in graphs.nodes(dag)), default=0)


def within(n: int, max_parents: int | None, neighbors: Neighbors) -> Neighbors:
    """Leave out classes all of whose members have a variable with more parents."""

    def fitting(here: Class) -> list[Class]:
        return [
            there
            for there in neighbors(here)
            if max_parents is None
            or any(most_parents(dag) <= max_parents for dag in members(n)[there])
        ]

    return fitting


# --- scores of classes --------------------------------------------------------------------------


def total_score(n: int, lists: Lists) -> Total:
    """Return what scores a class: the sum of the local scores of a member's families."""
    local = {child: {p: s for s, p in entries} for child, entries in lists.items()}

    @cache
    def total(here: Class) -> float:
        dag = members(n)[here][0]
        return math.fsum(local[child][graphs.parents(dag, child)] for child in range(n))

    return total


def better(here: Class, total: Total, neighbors: Neighbors) -> list[Class]:
    """Return the neighbors that score higher."""
    least = total(here) + ROUNDING
    return sorted((c for c in neighbors(here) if total(c) > least), key=sorted)


# --- KES ----------------------------------------------------------------------------------------


def drawn(k: Fraction, classes: int) -> int:
    """Return max(1, floor(k |B|))."""
    return max(1, math.floor(k * classes))


def kes_by_the_book(
    total: Total, neighbors: Neighbors, k: Fraction, rng: random.Random, start: Class = EMPTY
) -> Class:
    """Move to the best of a random share of the better neighbors, until there are none."""
    here = start
    while higher := better(here, total, neighbors):
        here = max(rng.sample(higher, drawn(k, len(higher))), key=total)
    return here


def next_classes(
    here: Class, total: Total, neighbors: Neighbors, k: Fraction
) -> list[tuple[frozenset[Class], Fraction]]:
    """Return which class KES goes to next, with what probability; classes that tie are one.

    The best of a subset is among these classes if all of it are these or worse, and not all worse.
    """
    higher = better(here, total, neighbors)
    size = drawn(k, len(higher)) if higher else 0
    ways = math.comb(len(higher), size)
    found, worse = [], 0
    for tied in ties(higher, total):
        hits = math.comb(worse + len(tied), size) - math.comb(worse, size)
        worse += len(tied)
        found.append((frozenset(tied), Fraction(hits, ways)))
    return found


def ties(classes: Iterable[Class], total: Total) -> list[list[Class]]:
    """Return the classes in groups of equal score, worst first."""
    groups: list[list[Class]] = []
    for there in sorted(classes, key=total):
        if groups and total(there) <= total(groups[-1][-1]) + ROUNDING:
            groups[-1].append(there)
        else:
            groups.append([there])
    return groups


# --- GES: all classes where it can end, since ties may go either way ----------------------------


def greedy_ends(starts: Iterable[Class], total: Total, neighbors: Neighbors) -> frozenset[Class]:
    """Move to a best neighbor until none is better, from each start and at each tie."""
    ends, seen, todo = set(), set(starts), list(starts)
    while todo:
        here = todo.pop()
        higher = better(here, total, neighbors)
        if not higher:
            ends.add(here)
            continue
        new = set(ties(higher, total)[-1]) - seen
        seen |= new
        todo.extend(new)
    return frozenset(ends)


def ges_ends(
    n: int,
    total: Total,
    *,
    two_phases: bool,
    turning: bool = False,
    max_parents: int | None = None,
) -> frozenset[Class]:
    """Return where GES can end; with turning, phases follow until no moved arc gains."""

    def phase(starts: Iterable[Class], classes: Callable[[int, Class], frozenset[Class]]):
        fitting = within(n, max_parents, lambda here: classes(n, here))
        return greedy_ends(starts, total, fitting)

    def climb(starts: Iterable[Class]) -> frozenset[Class]:
        return (
            phase(phase(starts, larger), smaller)
            if two_phases
            else phase(starts, inclusion_boundary)
        )

    here, ends = climb([EMPTY]), frozenset()
    while turning and here:
        after = {start: phase([start], moved) for start in here}
        ends |= {start for start, classes in after.items() if start in classes}
        here = climb(frozenset().union(*after.values()) - ends) if set(after) - ends else None
    return ends if turning else here


# --- operators, to see which of them lead to the same class -------------------------------------


def insertions(n: int, here: Class) -> dict[tuple[int, int, frozenset[int]], Class]:
    """Return where Insert(x, y, T) leads: x → y is added to a member in which y has, of its
    undirected neighbors, those adjacent to x and T as parents.
    """
    found: dict[tuple[int, int, frozenset[int]], Class] = {}
    for dag in members(n)[here]:
        for x, y in absent(n, dag):
            free = neighbors_of(here, y)
            shared = free & adjacent(here, x)
            parents = free & graphs.parents(dag, y)
            if shared <= parents and dag | {(x, y)} in class_of(n):
                there = class_of(n)[dag | {(x, y)}]
                if found.setdefault((x, y, parents - shared), there) != there:
                    raise AssertionError(f"one step, two classes: {here}, {x}, {y}")
    return found


def deletions(n: int, here: Class) -> dict[tuple[int, int, frozenset[int]], Class]:
    """Return where Delete(x, y, H) leads: x → y is removed from a member in which y has, of its
    undirected neighbors adjacent to x, those in H as children.
    """
    found: dict[tuple[int, int, frozenset[int]], Class] = {}
    for dag in members(n)[here]:
        for x, y in dag:
            shared = neighbors_of(here, y) & adjacent(here, x)
            there = class_of(n)[dag - {(x, y)}]
            step = (x, y, shared & graphs.children(dag, y))
            if found.setdefault(step, there) != there:
                raise AssertionError(f"one step, two classes: {here}, {x}, {y}")
    return found


def neighbors_of(here: Class, node: int) -> frozenset[int]:
    """Return what an undirected edge joins to the node."""
    return frozenset(a for a, b in here if b == node and (b, a) in here)


def adjacent(here: Class, node: int) -> frozenset[int]:
    """Return what any edge joins to the node."""
    return graphs.parents(here, node) | graphs.children(here, node)


# --- essential graphs of many variables ---------------------------------------------------------


def members_by_turning(dag: Graph) -> set[Graph]:
    """Return the networks equivalent to one: its covered arcs are reversed in every order.

    Source: Chickering, A transformational characterization of equivalent Bayesian networks, 1995.
    """
    found, todo = {dag}, [dag]
    while todo:
        here = todo.pop()
        for a, b in here:
            if graphs.parents(here, b) == graphs.parents(here, a) | {a}:
                there = here - {(a, b)} | {(b, a)}
                if there not in found:
                    found.add(there)
                    todo.append(there)
    return found


def boundary_by_turning(n: int, dag: Graph) -> set[Class]:
    """Return the inclusion boundary of a network's class."""
    changed = set()
    for member in members_by_turning(dag):
        changed |= {member - {arc} for arc in member}
        changed |= {member | {arc} for arc in absent(n, member) if opens(member, arc)}
    return {essential_by_labeling(n, there) for there in changed}


def opens(dag: Graph, arc: Arc) -> bool:
    """Return whether an arc closes no cycle."""
    reached, todo = set(), [arc[1]]
    while todo:
        node = todo.pop()
        if node not in reached:
            reached.add(node)
            todo.extend(graphs.children(dag, node))
    return arc[0] not in reached


def essential_by_labeling(n: int, dag: Graph) -> Class:
    """Label each arc as compelled or reversible, in the order of the variables they point to."""
    parents = {node: graphs.parents(dag, node) for node in range(n)}
    order: list[int] = []
    while len(order) < n:
        order += [v for v in range(n) if v not in order and parents[v] <= set(order)]
    rank = {node: place for place, node in enumerate(order)}
    compelled: dict[Arc, bool] = {}
    for y in order:
        for x in sorted(parents[y], key=rank.__getitem__, reverse=True):
            if (x, y) in compelled:
                continue
            above = [w for w in parents[x] if compelled[w, x]]
            unlabeled = [(v, y) for v in parents[y] if (v, y) not in compelled]
            if not parents[y].issuperset(above):
                compelled |= dict.fromkeys(unlabeled, True)
                continue
            compelled |= {(w, y): True for w in above}
            unlabeled = [arc for arc in unlabeled if arc not in compelled]
            compelled |= dict.fromkeys(unlabeled, bool(parents[y] - {x} - parents[x]))
    return dag | {(b, a) for (a, b), fixed in compelled.items() if not fixed}
