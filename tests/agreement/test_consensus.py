"""The consensus of classes with probabilities, against all classes of four variables."""

import pickle
import random
from dataclasses import replace

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from dagscape.posteriors import consensus
from dagscape.posteriors.consensus import PairStates, find_consensus
from dagscape.posteriors.pieces import Networks
from dagscape.variables import Variables
from oracles import equivalence, graphs
from seeds import for_each


def engine(n, here):
    """A class of the oracle as the engine's graph."""
    return _core.Dag(n, sorted(equivalence.members(n)[here][0])).essential_graph()


def distances(n):
    """The distance of every class to every class, and their graphs."""
    classes = list(equivalence.members(n))
    essential = [graphs.essential_graph(equivalence.members(n)[c][0]) for c in classes]
    table = np.array([[graphs.shd(a, b) for b in essential] for a in essential])
    return [engine(n, c) for c in classes], table


@pytest.fixture(scope="module")
def four():
    return distances(4)


def ensemble(rng, listed, n, support, sharp):
    """Some classes with probabilities, even or of very different size."""
    chosen = rng.sample(range(len(listed)), support)
    weights = np.array([rng.random() ** sharp for _ in chosen]) + 1e-6
    weights /= weights.sum()
    codes = tuple(_core.encode_graph(listed[at]) for at in chosen)
    full = np.zeros(len(listed))
    full[chosen] = weights
    return Networks(n, codes, weights, 0), full


def exactly(_graph: _core.Pdag) -> float:
    """Tell that mean distances are off by nothing: all classes are counted."""
    return 0.0


@for_each("seed", range(60))
def test_the_consensus_is_the_nearest_of_all_classes(four, seed):
    listed, table = four
    rng = random.Random(seed)
    support = rng.choice([1, 2, 3, 10, 60, 185])
    classes, weights = ensemble(rng, listed, 4, support, rng.choice([1, 4, 12]))
    states = PairStates.of(classes)
    expected = table @ weights
    for graph, mean in zip(listed, expected, strict=True):
        assert states.expected(graph) == pytest.approx(mean, abs=1e-9)
    assert states.bound <= expected.min() + 1e-9
    found = find_consensus(Variables("abcd"), states, classes, exactly)
    assert found.expected_shd == pytest.approx(expected.min(), abs=1e-9)
    assert states.expected(found._graph) == pytest.approx(found.expected_shd, abs=1e-9)
    assert found.bound == pytest.approx(states.bound)
    assert found.optimal == (expected.min() <= states.bound + 1e-9)


def weighed(graph: _core.Pdag, truth: _core.Pdag, balance: float) -> float:
    """The distance by its definition: pair by pair."""

    def states(of: _core.Pdag) -> dict[frozenset[int], object]:
        undirected = {frozenset(pair): "open" for pair in of.undirected}
        return {frozenset(arc): tuple(arc) for arc in of.directed} | undirected

    mine, true = states(graph), states(truth)
    extra, missing = len(mine.keys() - true.keys()), len(true.keys() - mine.keys())
    other = sum(mine[pair] != true[pair] for pair in mine.keys() & true.keys())
    return 2 * balance * extra + 2 * (1 - balance) * missing + other


@pytest.mark.parametrize("balance", [0.05, 0.3, 0.7, 0.95])
def test_false_and_missing_edges_may_weigh_differently(four, balance):
    listed, _ = four
    nearest = 0
    for seed in range(20):
        rng = random.Random(seed)
        classes, weights = ensemble(rng, listed, 4, rng.choice([2, 5, 20]), rng.choice([1, 4]))
        states = replace(PairStates.of(classes), balance=balance)
        chosen = np.flatnonzero(weights)
        expected = [
            sum(weights[at] * weighed(graph, listed[at], balance) for at in chosen)
            for graph in listed
        ]
        for graph, mean in zip(listed[::7], expected[::7], strict=True):
            assert states.expected(graph) == pytest.approx(mean, abs=1e-9), seed
        found = find_consensus(Variables("abcd"), states, classes, exactly)
        assert states.expected(found._graph) == pytest.approx(found.expected_shd, abs=1e-9), seed
        assert found.bound <= min(expected) + 1e-9, seed
        assert found.expected_shd >= min(expected) - 1e-9, seed
        nearest += found.expected_shd <= min(expected) + 1e-9
    assert nearest >= 18


def test_the_balance_of_a_posterior():
    data = ds.load_network("asia").sample(100, seed=1)
    p = ds.posterior(data)
    edges = [
        len(graph.directed) + len(graph.undirected)
        for graph in (p.consensus(balance) for balance in (0.02, 0.5, 0.98))
    ]
    assert edges == sorted(edges, reverse=True)
    assert edges[0] > edges[-1]
    assert p.consensus(0.5) == p.consensus()
    for wrong in (0, 1, -0.5, True, "x", None):
        with pytest.raises(ds.ParameterError, match="balance must be a number between 0 and 1"):
            p.consensus(wrong)


def test_moves_find_it_from_elsewhere(four, monkeypatch):
    """Without the probable classes to start from, at least nine times in ten."""
    monkeypatch.setattr(consensus, "MOST_STARTS", 0)
    listed, table = four
    hits = 0
    for seed in range(100):
        rng = random.Random(seed)
        classes, weights = ensemble(rng, listed, 4, rng.choice([2, 5, 30]), 3)
        found = find_consensus(Variables("abcd"), PairStates.of(classes), classes, exactly)
        hits += found.expected_shd <= (table @ weights).min() + 1e-9
    assert hits >= 90


@pytest.mark.parametrize("n", [2, 3, 4])
def test_neighboring_classes_are_the_inclusion_boundary_and_turned_arcs(n):
    for here in equivalence.members(n):
        graph = engine(n, here)
        found = {_core.encode_graph(g) for g in _core.neighboring_classes(graph)}
        boundary = {
            _core.encode_graph(engine(n, c)) for c in equivalence.inclusion_boundary(n, here)
        }
        turned = {_core.encode_graph(engine(n, c)) for c in equivalence.turned(n, here)}
        own = {_core.encode_graph(graph)}
        assert boundary <= found <= boundary | turned | own


def test_what_is_optimal_and_what_is_not():
    """One class alone is its own consensus. Cyclic majorities are no class."""
    one = ds.Dag("abc", [("a", "b"), ("b", "c")]).to_cpdag()
    alone = Networks(3, (_core.encode_graph(one._graph),), np.ones(1), 0)
    found = find_consensus(Variables("abc"), PairStates.of(alone), alone, exactly)
    assert (found, found.expected_shd, found.bound, found.optimal) == (one, 0.0, 0.0, True)
    # Directed around a cycle, each pair with certainty.
    around = np.zeros((3, 3))
    around[0, 1] = around[1, 2] = around[2, 0] = 1
    nothing = np.zeros((3, 3))
    cycle = PairStates(1 - around - around.T, around, nothing)
    found = find_consensus(Variables("abc"), cycle, alone, exactly)
    assert found.bound == 0
    assert found.expected_shd > 0
    assert not found.optimal


@pytest.mark.parametrize("seed", range(6))
def test_the_consensus_of_a_posterior(seed):
    data = ds.load_network("cancer").sample(30 * (1 + seed), seed=seed)
    p = ds.posterior(data.select(data.names[:4]), score="bdeu", prior="fair")
    classes = p.networks(1_000)
    for one in (classes[0].cpdag, classes[-1].dag, classes[len(classes) // 2].cpdag):
        mean = sum(other.probability * ds.shd(one, other.cpdag) for other in classes)
        assert p.expected_shd(one) == pytest.approx(mean, abs=1e-9)
    found = p.consensus()
    assert isinstance(found, ds.Cpdag)
    assert found.names == p.names
    assert p.expected_shd(found) == pytest.approx(found.expected_shd, abs=1e-9)
    least = min(p.expected_shd(each.cpdag) for each in classes)
    assert found.expected_shd == pytest.approx(least, abs=1e-9)
    copied = pickle.loads(pickle.dumps(found))
    assert copied == found
    assert copied.expected_shd == found.expected_shd


def test_the_consensus_of_drawn_networks_is_a_class_that_no_neighbor_beats():
    data = ds.load_network("asia").sample(200, seed=3)
    p = ds.posterior(data, score="bdeu", prior="fair", max_parents=3)
    found = p.consensus()
    assert found == p.consensus()
    assert found.bound <= found.expected_shd
    assert found.expected_shd <= p.expected_shd(p.networks(1)[0].cpdag)
    for neighbor in _core.neighboring_classes(found._graph):
        assert p._estimates.states.expected(neighbor) >= found.expected_shd - 1e-9
    again = ds.posterior(
        data.select(list(reversed(data.names))), score="bdeu", prior="fair", max_parents=3
    )
    assert set(again.consensus().directed) == set(found.directed)


def test_a_graph_of_other_variables_is_refused():
    data = ds.load_network("cancer").sample(50, seed=0)
    p = ds.posterior(data)
    with pytest.raises(ds.GraphError):
        p.expected_shd(ds.Dag(["x", "y"], [("x", "y")]))
