"""Ancestral graphs and their classes, against all of them over a few variables."""

import itertools
import random

import dagscape as ds
from dagscape import _core
from oracles import ancestral as oracle
from oracles import graphs

BEGIN = {"tail": "-", "head": "<-", "circle": "o-"}
END = {"tail": "", "head": ">", "circle": "o"}


def made(graph: oracle.Graph, n: int) -> _core.MarkedGraph:
    return _core.MarkedGraph(n, [(a, BEGIN[x] + END[y], b) for (a, b), (x, y) in graph.items()])


def test_the_class_of_an_ancestral_graph_is_what_all_with_its_separations_share():
    for n in (2, 3, 4):
        for members in oracle.all_classes(n):
            shared = made(oracle.shared(members), n)
            for graph in members:
                found = made(graph, n)
                assert found.is_maximal_ancestral(), graph
                assert found.class_of() == shared, graph
            member = shared.member_of()
            assert member is not None
            assert member.edges in [made(g, n).edges for g in members]


def test_which_graphs_are_maximal_ancestral():
    n = 4
    known = [made(g, n).edges for members in oracle.all_classes(n) for g in members]
    pairs = list(itertools.combinations(range(n), 2))
    found = []
    for chosen in itertools.product([None, *oracle.KINDS], repeat=len(pairs)):
        graph = made({p: kind for p, kind in zip(pairs, chosen, strict=True) if kind}, n)
        if graph.is_maximal_ancestral():
            found.append(graph.edges)
    assert sorted(found) == sorted(known)


def test_which_arrows_are_visible():
    for members in oracle.all_classes(4):
        shared = oracle.shared(members)
        visible = set(made(shared, 4).visible_arrows())
        for a, b in itertools.permutations(range(4), 2):
            arrow = (oracle.mark(shared, a, b), oracle.mark(shared, b, a)) == ("tail", "head")
            assert ((a, b) in visible) == (arrow and oracle.visible(shared, a, b)), (shared, a, b)


def test_networks_of_a_class_have_one_pag():
    classes: dict[object, set[object]] = {}
    for arcs in graphs.all_dags(4):
        dag = ds.Dag("abcd", [("abcd"[a], "abcd"[b]) for a, b in arcs])
        classes.setdefault(dag.to_cpdag(), set()).add(dag.to_pag())
    assert all(len(pags) == 1 for pags in classes.values())
    # Different classes differ in skeleton or colliders, and so do their PAGs.
    assert len(set.union(*classes.values())) == len(classes)


def test_hidden_variables_leave_what_separations_among_the_others_say():
    for seed in range(200):
        rng = random.Random(seed)
        n = 6
        order = rng.sample(range(n), n)
        pairs = itertools.combinations(order, 2)
        arcs = frozenset(pair for pair in pairs if rng.random() < 0.4)
        hidden = frozenset(rng.sample(range(n), rng.randrange(3)))
        found = _core.Dag(n, sorted(arcs)).ancestral_graph(sorted(hidden))
        assert found == made(oracle.marginal(arcs, n, hidden), n), f"seed {seed}"
        assert found.is_maximal_ancestral(), f"seed {seed}"


def test_the_class_of_more_variables_is_what_its_members_share():
    # Listed from one skeleton: all ways to mark its edges, those with the same separations kept.
    tried = 0
    for seed in range(40):
        rng = random.Random(seed)
        pairs = itertools.combinations(rng.sample(range(7), 7), 2)
        arcs = frozenset(pair for pair in pairs if rng.random() < 0.35)
        given = oracle.marginal(arcs, 7, frozenset({5, 6}))
        if not 4 <= len(given) <= 5:
            continue
        tried += 1
        separations = oracle.separations(given, 5)
        ways = itertools.product(oracle.KINDS, repeat=len(given))
        members = [dict(zip(given, way, strict=True)) for way in ways]
        same = [
            g for g in members if oracle.is_ancestral(g) and oracle.separations(g, 5) == separations
        ]
        found = made(given, 5).class_of()
        assert found == made(oracle.shared(tuple(same)), 5), f"seed {seed}"
    assert tried >= 10
