"""Orders to start from against the paper's algorithms written out."""

import itertools
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dagscape as ds
from dagscape import _core
from dagscape.search.initial_orders import INITS
from oracles import graphs
from oracles import orders as oracle
from toys.parent_sets import from_file, random_lists, seeds, some

A, B, C, D, E, F = range(6)

# Drawn anew for what the paper says of its Figure 2: A first, then B, C and F have one parent each
# and F the least goodness (2, against 3 of B and 6 of C); then C, E, and B and D in any order.
FIGURE = {
    (A, B): 2.0,
    (D, B): 1.0,
    (F, C): 5.0,
    (A, D): 9.0,
    (B, D): 6.0,
    (C, D): 3.5,
    (E, D): 2.5,
    (C, E): 4.0,
    (F, E): 2.0,
    (E, F): 3.0,
}


def weighted_graph(n, weights):
    """The engine's graph of these arcs, by child, then parent."""
    by_child = sorted(weights, key=lambda arc: arc[::-1])
    return _core.BestParentGraph(n, [(a, b, float(weights[a, b])) for a, b in by_child])


def feedback(graph):
    return {graph.arcs[at][:2] for at in graph.feedback_arcs()}


def drawn(graph, init, times=60):
    return {tuple(_core.initial_order(graph, init, seed, 0)) for seed in range(times)}


def test_degree_and_goodness_by_hand():
    assert oracle.next_by_degree(FIGURE, range(6)) == {A}
    left = {B, C, D, E, F}
    assert [oracle.goodness(FIGURE, v, left) for v in (B, C, F)] == [3, 6, 2]
    expected = {(A, F, C, E, B, D), (A, F, C, E, D, B)}
    assert oracle.orders_by_degree(FIGURE, 6) == expected
    assert drawn(weighted_graph(6, FIGURE), "dfs") == expected


@pytest.mark.parametrize("init", INITS)
def test_all_orders_occur_where_nothing_is_known(init):
    everything = set(itertools.permutations(range(4)))
    assert drawn(weighted_graph(4, {}), init, 400) == everything


def test_feedback_arcs_by_hand():
    # D -> B -> D loses D -> B (1); C -> E -> F -> C loses E -> F (3), which F -> E -> F needs too.
    graph = weighted_graph(6, FIGURE)
    assert feedback(graph) == {(D, B), (E, F)} == oracle.feedback_arcs(FIGURE)
    # What remains: A, F and then B beside C and E, D last.
    remains = set(FIGURE) - {(D, B), (E, F)}
    expected = {
        order for order in itertools.permutations(range(6)) if oracle.is_topological(remains, order)
    }
    assert drawn(graph, "fas", 500) == expected


def test_an_arc_is_put_back_where_others_break_its_cycles():
    # A -> B -> C -> A loses A -> B, and leaves 2 of B -> C, which B -> C -> B then loses.
    weights = {(A, B): 1.0, (B, C): 3.0, (C, A): 9.0, (C, B): 5.0}
    assert feedback(weighted_graph(3, weights)) == {(B, C)} == oracle.feedback_arcs(weights)


@given(seed=seeds)
@some(80)
def test_orders_by_degree_are_those_of_algorithm_3(seed):
    rng = random.Random(seed)
    n = rng.randint(1, 7)
    weights = random_weights(rng, n)
    orders = drawn(weighted_graph(n, weights), "dfs", 5)
    assert all(oracle.is_by_degree(weights, order) for order in orders)


@given(seed=seeds)
@some(20)
def test_every_order_of_algorithm_3_is_drawn(seed):
    rng = random.Random(seed)
    weights = random_weights(rng, 4)
    assert drawn(weighted_graph(4, weights), "dfs", 400) == oracle.orders_by_degree(weights, 4)


def random_weights(rng, n, share=None):
    share = rng.random() if share is None else share
    pairs = [pair for pair in itertools.permutations(range(n), 2) if rng.random() < share]
    worth = rng.sample(range(1, 10 * n * n), len(pairs))
    return {pair: w / 8 for pair, w in zip(pairs, worth, strict=True)}


@given(seed=seeds)
@some(60)
def test_feedback_arcs_are_minimal_and_cheap(seed):
    rng = random.Random(seed)
    n = rng.randint(2, 6)
    weights = random_weights(rng, n)
    graph = weighted_graph(n, weights)
    arcs = feedback(graph)
    assert oracle.is_minimal(weights, arcs)
    assert graphs.is_acyclic(frozenset(weights) - arcs)
    assert arcs == oracle.feedback_arcs(weights)
    least, longest = oracle.least_feedback(weights, n), oracle.longest_cycle(weights, n)
    assert least <= sum(weights[arc] for arc in arcs) <= least * longest
    assert all(oracle.is_topological(set(weights) - arcs, o) for o in drawn(graph, "fas", 5))


@given(seed=seeds)
@some(10)
def test_feedback_arcs_of_many_variables(seed):
    rng = random.Random(seed)
    weights = random_weights(rng, 30, share=rng.choice([0.05, 0.1, 0.2]))
    graph = weighted_graph(30, weights)
    assert oracle.is_minimal(weights, feedback(graph))
    order = _core.initial_order(graph, "fas", seed)
    assert oracle.is_topological(set(weights) - feedback(graph), order)


@given(seed=seeds, empty=st.booleans(), grain=st.sampled_from([1, 64]))
@some(60)
def test_weights_of_the_graph_of_best_parents(seed, empty, grain):
    rng = random.Random(seed)
    lists = random_lists(rng, rng.randint(1, 7), empty=empty, grain=grain)
    graph = _core.BestParentGraph(from_file(lists)._lists)
    expected = oracle.weights(lists)
    assert {(a, b): w for a, b, w in graph.arcs} == expected
    assert [arc[1::-1] for arc in graph.arcs] == sorted((b, a) for a, b in expected)
    assert oracle.is_minimal(expected, feedback(graph))


def test_weights_by_hand():
    """Without its first parent C has a set of its own, without the other only the empty one."""
    lists = {
        A: [(-5.0, frozenset())],
        B: [(-5.0, frozenset())],
        C: [(-1.0, frozenset({A, B})), (-4.0, frozenset({B})), (-9.0, frozenset())],
        D: [(-2.0, frozenset({A}))],
    }
    arcs = _core.BestParentGraph(from_file(lists)._lists).arcs
    assert arcs == [(A, C, 3.0), (B, C, 8.0), (A, D, math.inf)]


def test_arcs_that_no_network_lacks_are_kept_last():
    """Infinitely dear arcs are removed only where a cycle has no others."""
    weights = {(A, B): math.inf, (B, A): 7.0, (B, C): math.inf, (C, B): math.inf}
    arcs = feedback(weighted_graph(3, weights))
    assert (B, A) in arcs
    assert len(arcs) == 2
    assert oracle.is_minimal(weights, arcs)


@given(seed=seeds)
@some(30)
def test_no_time_for_feedback_arcs(seed):
    """They are dearer then, but none too many."""
    rng = random.Random(seed)
    weights = random_weights(rng, rng.randint(2, 12))
    graph = weighted_graph(12, weights)
    arcs = {graph.arcs[at][:2] for at in graph.feedback_arcs(1e-9)}
    assert graphs.is_acyclic(frozenset(weights) - arcs)
    assert oracle.is_minimal(weights, arcs)


@given(seed=seeds, init=st.sampled_from(INITS))
@some(30)
def test_orders_of_parent_sets(seed, init):
    """As users get them: names, the graph with its worths, and the arcs that are left out."""
    rng = random.Random(seed)
    lists = random_lists(rng, rng.randint(1, 7))
    parents = from_file(lists)
    found = ds.search.initial_order(parents, init, seed=seed % 7)
    number = {name: v for v, name in enumerate(parents.variables.in_engine_order())}
    assert sorted(found.names) == sorted(parents.names)
    weights = {(number[a], number[b]): worth for a, b, worth in found.arcs}
    assert weights == oracle.weights(lists)
    order = tuple(number[name] for name in found.names)
    broken = {(number[a], number[b]) for a, b in found.broken}
    if init == "fas":
        assert oracle.is_minimal(weights, broken)
        assert oracle.is_topological(set(weights) - broken, order)
    else:
        assert not broken
        assert init == "random" or oracle.is_by_degree(weights, order)


@pytest.fixture(scope="module")
def alarm():
    return ds.load_network("alarm").sample(300, seed=2)


@pytest.fixture(scope="module")
def parents(alarm):
    return ds.candidate_parents(alarm, score="bic", max_parents=2)


@pytest.mark.parametrize("init", INITS)
@pytest.mark.parametrize("neighborhood", ["insert", "swap"])
def test_a_search_from_its_own_first_order(parents, init, neighborhood):
    """It ends where it would have anyway, and tells where it began."""
    asked = {"neighborhood": neighborhood, "restarts": 2, "generations": 1, "seed": 5}
    here = ds.order_search(parents, init=init, **asked)
    first = ds.search.initial_order(parents, init, seed=5)
    given = ds.order_search(parents, init=init, start=first.names, **asked)
    assert given.dag == here.dag
    assert given.work["restarts"] == here.work["restarts"]
    assert given.method.endswith(f"from a given order and {init}")
    total = sum(parents.best(v, first.names[:i])[0] for i, v in enumerate(first.names))
    assert here.work["restarts"][0]["initial_score"] == pytest.approx(total)


def test_the_second_order_of_a_search(parents):
    second = ds.search.initial_order(parents, seed=5, restart=1)
    one = ds.order_search(parents, start=second.names, neighborhood="swap", restarts=1)
    two = ds.order_search(parents, neighborhood="swap", restarts=2, seed=5)
    assert one.work["restarts"][0] == two.work["restarts"][1]


@pytest.mark.parametrize("asked", [{"neighborhood": "swap"}, {"generations": 0}])
def test_from_a_network_it_gets_no_worse(parents, asked):
    best = ds.order_search(parents)
    found = ds.order_search(parents, start=best.dag, restarts=1, **asked)
    assert found.work["restarts"][0]["initial_score"] >= best.score - 1e-8
    assert found.score >= best.score - 1e-8
    assert found.asked["start"] is True
    assert "from a given order" in found.method


def test_grown_parents_begin_there_too(alarm):
    asked = {"score": "bic", "parent_sets": "grown", "seed": 3, "restarts": 1, "max_parents": 1}
    apart = ds.order_search(alarm, **asked)
    names = apart.dag.topological_order()
    again = ds.order_search(alarm, **asked, start=names)
    assert again.work["restarts"][0]["initial_score"] >= apart.score - 1e-6
    backwards = ds.order_search(alarm, **asked, start=names[::-1])
    assert backwards.work["restarts"][0]["initial_score"] < apart.score - 1


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (["HR"], "no more and no fewer"),
        ("HR", "list of names"),
        (["HR", "HR"], "more than one variable"),
        (ds.Dag(["HR"]), "no more and no fewer"),
    ],
)
def test_a_start_must_be_an_order_of_the_variables(alarm, parents, start, message):
    for given_data in (alarm, parents):
        with pytest.raises(ds.ParameterError, match=message):
            ds.order_search(given_data, start=start)


def test_what_no_order_is_made_of(alarm, parents):
    with pytest.raises(ds.ParameterError, match="candidate parent sets"):
        ds.search.initial_order(alarm)
    with pytest.raises(ds.ParameterError, match='unknown init "best"'):
        ds.search.initial_order(parents, "best")
    with pytest.raises(ds.ParameterError, match="restart"):
        ds.search.initial_order(parents, restart=-1)
