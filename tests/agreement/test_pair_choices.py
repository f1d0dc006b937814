"""Why a graph of least expected error has a pair as it has it, against all classes in a list."""

import random

import numpy as np
import pytest

import dagscape as ds
from dagscape.posteriors.consensus import PairStates
from dagscape.posteriors.pair_choices import STATES, pair_choices
from dagscape.variables import Variables
from seeds import for_each


def state(graph, a, b):
    """The state of a pair, from the lists of edges of a graph."""
    if (a, b) in graph.directed:
        return "forth"
    if (b, a) in graph.directed:
        return "back"
    joined = {(a, b), (b, a)} & set(graph.undirected)
    return "undirected" if joined else "absent"


def by_listing(posterior, a, b):
    """The probability of each state, summed over all classes."""
    shares = dict.fromkeys(STATES, 0.0)
    for each in posterior.networks(10_000):
        shares[state(each.cpdag, a, b)] += each.probability
    return shares


@for_each("seed", range(12))
def test_shares_are_those_of_all_classes(seed):
    rng = random.Random(seed)
    truth = ds.random_network(4, seed=seed)
    data = truth.sample(rng.choice([8, 30, 100]), seed=seed)
    p = ds.posterior(data, score="bdeu", prior="fair")
    graph = p.consensus()
    pairs = [(a, b) for a in p.names for b in p.names if a != b]
    for (a, b), choice in zip(pairs, p.pair_choices(graph, pairs), strict=True):
        shares = by_listing(p, a, b)
        assert (choice.a, choice.b, choice.chosen) == (a, b, state(graph, a, b))
        for name in STATES:
            assert choice.of(name) == pytest.approx(shares[name], abs=1e-9)
        most = max(shares.values())
        assert choice.of(choice.likeliest) == pytest.approx(most, abs=1e-9)
        best = shares[choice.chosen] >= most - 1e-9
        assert choice.reason == ("likeliest" if best else "fit")


def test_a_tie_is_no_reason_to_look_further():
    even = np.full((2, 2), 0.25)
    states = PairStates(even, even, even)
    for graph in (ds.Cpdag("ab", [], []), ds.Cpdag("ab", [], [("a", "b")])):
        (choice,) = pair_choices(Variables("ab"), states, graph, [("b", "a")], graph)
        assert (choice.reason, choice.likeliest) == ("likeliest", choice.chosen)


def test_states_that_do_not_fit_together_are_told():
    """Directed around a cycle with certainty: some pair has another state in any graph."""
    around = np.zeros((3, 3))
    around[0, 1] = around[1, 2] = around[2, 0] = 1
    states = PairStates(1 - around - around.T, around, np.zeros((3, 3)))
    graph = ds.Cpdag("abc", [("a", "b"), ("c", "b")], [])
    pairs = [("a", "b"), ("b", "c"), ("a", "c")]
    found = pair_choices(Variables("abc"), states, graph, pairs, graph)
    assert [(each.chosen, each.likeliest, each.reason) for each in found] == [
        ("forth", "forth", "likeliest"),
        ("back", "forth", "fit"),
        ("absent", "back", "fit"),
    ]


def test_a_direction_that_only_knowledge_gives_is_told():
    data = ds.load_network("cancer").sample(500, seed=1)
    first, second = "Cancer", "Xray"
    known = ds.Knowledge(required=[(second, first)])
    p = ds.posterior(data.select([first, second]), knowledge=known)
    graph = known.orient(p.consensus())
    assert (second, first) in graph.directed
    (choice,) = p.pair_choices(graph, [(first, second)])
    assert (choice.chosen, choice.reason) == ("back", "knowledge")
    (free,) = p.pair_choices(p.consensus(), [(first, second)])
    assert (free.chosen, free.reason) == ("undirected", "likeliest")
