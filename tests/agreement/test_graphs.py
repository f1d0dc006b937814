"""The engine's graphs against brute force over all graphs of four variables, and some of five."""

import itertools
import random

import pytest

from dagscape import _core
from dagscape.graphs import Cpdag, Dag
from oracles import graphs as oracle
from seeds import in_part

NAMES = "dbac"  # neither display order nor numbers are alphabetical


def named(graph, n=4):
    names = NAMES[:n]
    return [(names[a], names[b]) for a, b in sorted(graph)]


def to_dag(graph, n=4):
    return Dag(NAMES[:n], named(graph, n))


def numbers(pairs):
    return frozenset((NAMES.index(a), NAMES.index(b)) for a, b in pairs)


def as_oracle(cpdag):
    """An undirected edge is both its arcs there."""
    free = numbers(cpdag.undirected)
    return numbers(cpdag.directed) | free | {(b, a) for a, b in free}


def every_dag():
    return oracle.all_dags(4)


def test_there_are_543_dags_in_185_classes():
    cpdags = {to_dag(dag).to_cpdag() for dag in every_dag()}
    assert (len(every_dag()), len(cpdags)) == (543, 185)


def test_essential_graphs():
    for dag in every_dag():
        assert as_oracle(to_dag(dag).to_cpdag()) == oracle.essential_graph(dag)


def test_essential_graphs_of_five_variables():
    sample = random.Random(5).sample(oracle.all_dags(5), in_part(1500))
    for dag in sample:
        found = _core.Dag(5, sorted(dag)).essential_graph()
        free = set(found.undirected)
        assert set(found.directed) | free | {(b, a) for a, b in free} == oracle.essential_graph(dag)


def test_extension_of_every_partially_directed_graph():
    """Dor and Tarsi's algorithm finds a member exactly where there is one."""
    for pdag in oracle.all_pdags(4):
        graph = _core.Pdag(4, sorted(oracle.directed(pdag)), sorted(oracle.undirected(pdag)))
        found = graph.consistent_extension()
        members = oracle.extensions(pdag)
        assert (found is None) == (not members)
        if found is not None:
            assert frozenset(found.arcs) in members


def test_members_of_a_class_share_its_essential_graph_and_come_back():
    for dag in every_dag():
        cpdag = to_dag(dag).to_cpdag()
        member = cpdag.to_dag()
        assert oracle.markov_equivalent(numbers(member.arcs), dag)
        assert member.to_cpdag() == cpdag
        assert Cpdag(NAMES, cpdag.directed, cpdag.undirected) == cpdag


def test_only_essential_graphs_pass_as_such():
    essential = {oracle.essential_graph(dag) for dag in oracle.all_dags(3)}
    for pdag in oracle.all_pdags(3):
        names = "abc"
        directed = [(names[a], names[b]) for a, b in oracle.directed(pdag)]
        undirected = [(names[a], names[b]) for a, b in oracle.undirected(pdag)]
        if pdag in essential:
            Cpdag(names, directed, undirected)
        else:
            with pytest.raises(ValueError, match=r"essential graph|no acyclic graph"):
                Cpdag(names, directed, undirected)


def test_sets_around_a_variable():
    for arcs in every_dag():
        dag = to_dag(arcs)
        for v, name in enumerate(NAMES):
            others = (
                oracle.markov_blanket(arcs, v) - oracle.parents(arcs, v) - oracle.children(arcs, v)
            )
            assert {NAMES.index(x) for x in dag.parents(name)} == oracle.parents(arcs, v)
            assert {NAMES.index(x) for x in dag.children(name)} == oracle.children(arcs, v)
            assert {NAMES.index(x) for x in dag.ancestors(name)} == oracle.ancestors(arcs, v)
            assert {NAMES.index(x) for x in dag.descendants(name)} == oracle.descendants(arcs, v)
            assert {NAMES.index(x) for x in dag.markov_blanket(name)} == oracle.markov_blanket(
                arcs, v
            )
            assert {NAMES.index(x) for x in dag.spouses(name)} >= others
            assert set(dag.neighbors(name)) == {*dag.parents(name), *dag.children(name)}
            assert set(dag.to_cpdag().markov_blanket(name)) == set(dag.markov_blanket(name))


def test_covered_arcs_moral_graph_and_v_structures():
    for arcs in every_dag():
        dag = to_dag(arcs)
        assert numbers(dag.covered_arcs()) == oracle.covered_arcs(arcs)
        moral = {
            tuple(sorted((NAMES.index(a), NAMES.index(b)))) for a, b in dag.moral_graph().edges
        }
        assert moral == oracle.moral_edges(arcs)
        colliders = {(frozenset((a, b)), c) for a, c, b in dag.v_structures()}
        expected = {
            (frozenset((NAMES[a], NAMES[b])), NAMES[c]) for a, c, b in oracle.v_structures(arcs)
        }
        assert colliders == expected


def test_d_separation():
    for arcs in every_dag():
        dag = to_dag(arcs)
        for x, y in itertools.combinations(range(4), 2):
            rest = [v for v in range(4) if v not in (x, y)]
            for size in range(3):
                for given in itertools.combinations(rest, size):
                    found = dag.d_separated(NAMES[x], NAMES[y], [NAMES[v] for v in given])
                    assert found == oracle.d_separated(arcs, x, y, given)


def test_d_separation_of_sets_is_that_of_all_pairs():
    for arcs in random.Random(1).sample(oracle.all_dags(5), 400):
        dag = _core.Dag(5, sorted(arcs))
        pairs = itertools.product((0, 1), (2, 3))
        assert dag.d_separated([0, 1], [2, 3], [4]) == all(
            oracle.d_separated(arcs, x, y, [4]) for x, y in pairs
        )


def test_structural_hamming_distance():
    graphs = sorted({oracle.essential_graph(dag) for dag in every_dag()}, key=sorted)

    def engine(pdag):
        return _core.Pdag(4, sorted(oracle.directed(pdag)), sorted(oracle.undirected(pdag)))

    for a, b in itertools.product(graphs, repeat=2):
        distance = _core.structural_hamming_distance(engine(a), engine(b))
        assert distance == oracle.shd(a, b)


def test_topological_order_puts_parents_first_and_ties_by_name():
    for arcs in every_dag():
        dag = to_dag(arcs)
        placed: list[str] = []
        for name in dag.topological_order():
            ready = [x for x in NAMES if x not in placed and set(dag.parents(x)) <= set(placed)]
            assert name == min(ready)
            placed.append(name)


def test_find_cycle_returns_a_cycle_exactly_where_there_is_one():
    for arcs in itertools.islice(_digraphs(), 4096):
        cycle = _core.find_cycle(4, sorted(arcs))
        assert bool(cycle) == (not oracle.is_acyclic(frozenset(arcs)))
        steps = zip(cycle, [*cycle[1:], *cycle[:1]], strict=True)
        assert all(step in arcs for step in steps)


def _digraphs():
    """Every directed graph of four nodes without loops."""
    pairs = list(itertools.permutations(range(4), 2))
    for chosen in itertools.product([False, True], repeat=len(pairs)):
        yield {pair for pair, taken in zip(pairs, chosen, strict=True) if taken}


def test_wide_graphs_cross_word_boundaries():
    """Hundreds of variables: a chain and one collider far apart."""
    n = 200
    chain = [(v, v + 1) for v in range(n - 1)]
    dag = _core.Dag(n, chain)
    assert dag.topological_order() == list(range(n))
    assert dag.ancestors([n - 1]) == list(range(n - 1))
    assert len(dag.essential_graph().undirected) == n - 1
    assert dag.d_separated([0], [n - 1], [64])
    collider = _core.Dag(n, [(0, 130), (199, 130), (130, 65)])
    assert sorted(collider.essential_graph().directed) == [(0, 130), (130, 65), (199, 130)]
    assert not collider.d_separated([0], [199], [65])
    assert collider.essential_graph().consistent_extension() == collider
