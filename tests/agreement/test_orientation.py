"""Directing a skeleton, against Meek's rules by pattern and brute force over all ways."""

from __future__ import annotations

import itertools
import random

import pytest

from dagscape import _core
from oracles import graphs, meek
from oracles.graphs import Graph


def arcs_of(pdag: _core.Pdag) -> Graph:
    """Return a graph as the oracle has it: an undirected edge is both its arcs."""
    return frozenset(map(tuple, pdag.directed)) | meek.both_ways(map(tuple, pdag.undirected))


def skeleton_of(dag: Graph) -> list[tuple[int, int]]:
    return sorted({(min(arc), max(arc)) for arc in dag})


@pytest.mark.parametrize(
    ("skeleton", "collider", "inferred"),
    [
        # Rule 1: 0 -> 2 <- 1 and 2 - 3, 3 next to neither: 2 -> 3.
        ([(0, 2), (1, 2), (2, 3)], (0, 2, 1), {(2, 3)}),
        # Rule 1, then rule 2: 0 -> 2 <- 1, 2 -> 3 by rule 1, and 0 -> 2 -> 3 turns 0 - 3.
        ([(0, 2), (1, 2), (2, 3), (0, 3)], (0, 2, 1), {(2, 3), (0, 3)}),
        # Rule 3: 1 -> 3 <- 2, and 0 is joined to all without direction: 0 -> 3.
        ([(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)], (1, 3, 2), {(0, 3)}),
        # Nothing follows: 3 is next to both parents, and to nothing else.
        ([(0, 2), (1, 2), (0, 3), (1, 3)], (0, 2, 1), set()),
    ],
)
def test_rules_worked_by_hand(skeleton, collider, inferred):
    directing = _core.Orientation(4, skeleton)
    assert directing.add_collider(*collider)
    given = {(collider[0], collider[1]), (collider[2], collider[1])}
    directing.follow()
    assert set(map(tuple, directing.pdag().directed)) == given | inferred


def test_a_collider_that_contradicts_another_is_left_out():
    directing = _core.Orientation(4, [(0, 1), (1, 2), (2, 3)])
    assert directing.add_collider(0, 1, 2)
    assert not directing.add_collider(1, 2, 3)  # would turn 2 -> 1
    directing.finish()
    assert set(map(tuple, directing.dag().arcs)) == {(0, 1), (2, 1), (2, 3)}


def test_a_collider_that_closes_a_cycle_is_left_out():
    # 0 -> 1, 1 -> 2 by two colliders; 2 -> 0 would close the circle.
    skeleton = [(0, 1), (1, 2), (0, 2), (1, 3), (2, 4), (0, 5)]
    directing = _core.Orientation(6, skeleton)
    assert directing.add_collider(0, 1, 3)
    assert directing.add_collider(1, 2, 4)
    assert not directing.add_collider(2, 0, 5)
    directing.finish()
    assert (0, 2) in map(tuple, directing.dag().arcs)


@pytest.mark.parametrize("triple", [(0, 1, 0), (0, 2, 1), (1, 0, 2)])
def test_what_is_no_pair_of_edges_is_no_collider(triple):
    assert not _core.Orientation(3, [(0, 1)]).add_collider(*triple)


def test_bad_numbers_are_refused():
    for edge in ((0, 3), (1, 1)):
        with pytest.raises(Exception, match="no edge of a skeleton"):
            _core.Orientation(3, [edge])
    with pytest.raises(Exception, match="there is no variable 3"):
        _core.Orientation(3, [(0, 1)]).add_collider(0, 1, 3)


def test_v_structures_of_every_network_give_its_class():
    for dag in graphs.all_dags(4):
        directing = _core.Orientation(4, skeleton_of(dag))
        for a, c, b in graphs.v_structures(dag):
            assert directing.add_collider(a, c, b)
        directing.follow()
        essential = _core.Dag(4, sorted(dag)).essential_graph()
        assert directing.pdag() == essential
        directing.finish()
        assert directing.dag().essential_graph() == essential


def test_larger_networks_give_their_class():
    rng = random.Random(5)
    for _ in range(300):
        n = rng.randint(5, 12)
        order = rng.sample(range(n), n)
        pairs = itertools.combinations(order, 2)
        dag = frozenset(pair for pair in pairs if rng.random() < 0.4)
        whole = _core.Dag(n, sorted(dag))
        directing = _core.Orientation(n, skeleton_of(dag))
        for a, c, b in whole.v_structures():
            assert directing.add_collider(a, c, b)
        directing.follow()
        assert directing.pdag() == whole.essential_graph()
        directing.finish()
        assert directing.dag().essential_graph() == whole.essential_graph()


def test_printed_lines_add_both_arcs_unless_a_cycle_arises():
    """Whether they are edges of the skeleton or not: lines 9 to 19 of Algorithm 5 as they stand."""
    rng = random.Random(9)
    added = 0
    for case in range(2000):
        n = rng.randint(3, 6)
        skeleton = [p for p in itertools.combinations(range(n), 2) if rng.random() < 0.5]
        triples = [tuple(rng.sample(range(n), 3)) for _ in range(rng.randint(1, 6))]
        left, arcs = meek.direct_v_structures(frozenset(skeleton), triples)
        directing = _core.Orientation(n, skeleton)
        for triple in triples:
            directing.add_collider(*triple, join=True)
        assert set(map(tuple, directing.pdag().directed)) == arcs, case
        assert set(map(tuple, directing.pdag().undirected)) == left, case
        added += any((min(arc), max(arc)) not in skeleton for arc in arcs)
        directing.finish()
        network = frozenset(map(tuple, directing.dag().arcs))
        assert graphs.is_acyclic(network), case
        assert arcs <= network, case
    assert added > 1000


def test_contradicting_colliders_never_give_a_cycle():
    rng = random.Random(7)
    clean = 0
    for _ in range(600):
        n = rng.randint(3, 6)
        skeleton = [p for p in itertools.combinations(range(n), 2) if rng.random() < 0.6]
        near = {
            v: {b for a, b in [*skeleton, *((b, a) for a, b in skeleton)] if a == v}
            for v in range(n)
        }
        triples = [
            (a, c, b)
            for c in range(n)
            for a, b in itertools.combinations(sorted(near[c]), 2)
            if b not in near[a] and rng.random() < 0.5
        ]
        rng.shuffle(triples)

        def possible(arcs: Graph, new: Graph) -> bool:
            turned = any((b, a) in arcs for a, b in new)
            return not turned and graphs.is_acyclic(arcs | new)

        left, arcs = meek.direct_v_structures(frozenset(skeleton), triples, possible)
        directing = _core.Orientation(n, skeleton)
        for triple in triples:
            directing.add_collider(*triple)
        assert set(map(tuple, directing.pdag().directed)) == arcs
        assert set(map(tuple, directing.pdag().undirected)) == left
        directing.finish()
        network = frozenset(map(tuple, directing.dag().arcs))
        assert graphs.is_acyclic(network)
        assert skeleton_of(network) == sorted(skeleton)
        assert arcs <= network
        # Where no further v-structure is needed, none is made.
        ways = meek.ways_to_direct_the_rest(left, arcs)
        before = graphs.v_structures(arcs | meek.both_ways(left))
        if any(not graphs.v_structures(way) - before for way in ways):
            clean += 1
            assert network in ways
    assert clean > 100
