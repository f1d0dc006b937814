"""Features of essential graphs, and counts of them, against the definitions."""

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagscape as ds
from dagscape import _core
from dagscape.landscape import KINDS, Landscape
from dagscape.stores.runs import Run, Store
from dagscape.variables import Variables
from oracles import features as oracle
from oracles import graphs
from seeds import in_part

SETTINGS = {
    "kind": "local optima",
    "data": "",
    "score": "bic",
    "prior": None,
    "k": 0.8,
    "max_parents": None,
    "neighborhood": "auto",
    "seed": 0,
}


def pdag(graph, n):
    return _core.Pdag(n, sorted(graphs.directed(graph)), sorted(graphs.undirected(graph)))


def code(graph, n):
    return _core.encode_graph(pdag(graph, n))


def engine(kind, graph, n):
    """The features that the engine finds in one graph."""
    return {
        (part, int(a), int(b))
        for part in KINDS[kind]
        for a, b in np.argwhere(_core.feature_weights(part, n, [code(graph, n)], [1.0]))
    }


def landscape(models, n, scores=None):
    """A landscape of these graphs, each visited so often."""
    names = [f"v{i:03}" for i in range(n)]
    store = Store(None, SETTINGS, names)
    run = 0
    for i, (graph, visits) in enumerate(models):
        score = -float(i) if scores is None else scores[i]
        store.add(Run(run + j, code(graph, n), score, 1, 1, False) for j in range(visits))
        run += visits
    return Landscape(store, Variables(names))


def random_class(rng, n, density):
    order = rng.sample(range(n), n)
    arcs = [(order[i], order[j]) for j in range(n) for i in range(j) if rng.random() < density]
    found = _core.Dag(n, arcs).essential_graph()
    free = set(found.undirected)
    return frozenset(found.directed) | free | {(b, a) for a, b in free}


@st.composite
def many(draw):
    """Distinct classes on a few variables, with visits."""
    n = draw(st.integers(2, 6))
    rng = random.Random(draw(st.integers(0, 10**6)))
    size = draw(st.integers(1, 8))
    found = {random_class(rng, n, rng.choice([0.2, 0.5, 0.9])) for _ in range(size)}
    return n, [(graph, rng.randint(1, 5)) for graph in sorted(found, key=sorted)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_class_of_four_variables(kind):
    for graph in {graphs.essential_graph(dag) for dag in graphs.all_dags(4)}:
        assert engine(kind, graph, 4) == oracle.KINDS[kind](graph)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [20, 64, 65, 130])
def test_many_variables(kind, n):
    rng = random.Random(n)
    for _ in range(3):
        graph = random_class(rng, n, 2 / n)
        assert engine(kind, graph, n) == oracle.KINDS[kind](graph)


def test_alarm_has_the_published_features():
    network = ds.load_network("alarm")
    found = code_of(network.dag)
    counts = {
        part: int(_core.feature_weights(part, 37, [found], [1.0]).sum())
        for parts in KINDS.values()
        for part in parts
    }
    assert counts == {"directed": 42, "undirected": 4, "paths": 196, "blankets": 65}


def code_of(dag):
    return _core.encode_graph(dag.to_cpdag()._graph)


@settings(deadline=None, max_examples=in_part(100))
@given(many(), st.sampled_from(sorted(KINDS)), st.sampled_from(["optima", "visits"]))
def test_confidence(models, kind, weights):
    n, graphs_and_visits = models
    found = landscape(graphs_and_visits, n)
    each = [1 if weights == "optima" else visits for _, visits in graphs_and_visits]
    expected = oracle.confidence(kind, [graph for graph, _ in graphs_and_visits], each)
    best = oracle.KINDS[kind](graphs_and_visits[0][0])
    table = found.features(kind, weights=weights)
    rows = {}
    for row in table.iter_rows(named=True):
        part = row.get("kind", kind)
        rows[part, int(row["from"][1:]), int(row["to"][1:])] = row
    assert {feature: row["confidence"] for feature, row in rows.items()} == {
        feature: float(share) for feature, share in expected.items()
    }
    assert {feature for feature, row in rows.items() if row["in_best"]} == best
    key = [(-r["confidence"], r["from"], r["to"]) for r in table.iter_rows(named=True)]
    assert key == sorted(key)


@settings(deadline=None, max_examples=in_part(60))
@given(many(), st.sampled_from(sorted(KINDS)), st.integers(0, 10**6))
def test_tradeoff_and_threshold(models, kind, seed):
    n, graphs_and_visits = models
    found = landscape(graphs_and_visits, n)
    shares = oracle.confidence(
        kind, [g for g, _ in graphs_and_visits], [1] * len(graphs_and_visits)
    )
    reference = random_class(random.Random(seed), n, 0.5)
    named = ds.Cpdag(
        found.names,
        [(found.names[a], found.names[b]) for a, b in graphs.directed(reference)],
        [(found.names[a], found.names[b]) for a, b in graphs.undirected(reference)],
    )
    expected = [
        (r / 20, *oracle.tradeoff(shares, oracle.KINDS[kind](reference), Fraction(r, 20)))
        for r in range(1, 21)
    ]
    assert found.tradeoff(kind, named).rows() == expected
    for fp_weight, fn_weight in ((1, 1), (3, 1), (0, 1), (1, 0.25)):
        least = min(fp_weight * fp + fn_weight * fn for _, _, fp, fn in expected)
        highest = max(t for t, _, fp, fn in expected if fp_weight * fp + fn_weight * fn == least)
        assert found.threshold(kind, fp_weight, fn_weight, reference=named) == highest


@settings(deadline=None, max_examples=in_part(60))
@given(many())
def test_strengths(models):
    n, graphs_and_visits = models
    found = landscape(graphs_and_visits, n)
    only = [graph for graph, _ in graphs_and_visits]
    expected = {}
    for a in range(n):
        for b in range(n):
            strength, direction = oracle.strength(only, [1] * len(only), a, b) if a != b else (0, 0)
            if strength:
                expected[found.names[a], found.names[b]] = float(strength), float(direction)
    table = {(a, b): (s, d) for a, b, s, d in found.strengths().iter_rows()}
    assert table.keys() == expected.keys()
    for pair, values in table.items():
        assert values == pytest.approx(expected[pair])
    for row in found.features("edges").iter_rows(named=True):
        pair = row["from"], row["to"]
        assert (row["strength"], row["direction"]) == pytest.approx(expected[pair])


def test_weights_by_score():
    a, b = frozenset({(0, 1), (1, 0)}), frozenset({(1, 2), (2, 1)})
    found = landscape([(a, 1), (b, 7)], 3, scores=[-10.0, -10.0 - np.log(4)])
    table = found.features("edges", weights="score")
    assert table["confidence"].to_list() == pytest.approx([0.8, 0.2])
    # So far below that its weight is nothing: no feature of it is left.
    far = landscape([(a, 1), (b, 1)], 3, scores=[0.0, -1e6]).features("edges", weights="score")
    assert far["confidence"].to_list() == [1.0]


@settings(deadline=None)
@given(many())
def test_codes_of_graphs(models):
    n, graphs_and_visits = models
    codes = [code(graph, n) for graph, _ in graphs_and_visits]
    assert len(set(codes)) == len(codes)
    for (graph, _), made in zip(graphs_and_visits, codes, strict=True):
        assert len(made) == 4 * len(graph)
        assert _core.decode_graph(n, made) == pdag(graph, n)


@settings(deadline=None)
@given(st.binary(max_size=24), st.integers(0, 300))
def test_other_bytes_are_refused_or_a_graph(junk, n):
    try:
        graph = _core.decode_graph(n, junk)
    except ds.FileFormatError:
        return
    assert _core.encode_graph(graph) == junk
    _core.feature_weights("paths", n, [junk], [1.0])  # directed cycles included
