"""The posterior of small tables against a listing of every DAG: each score, prior and limit."""

import itertools
import math
import random

import numpy as np
import pytest

import dagscape as ds
from oracles import exact, features
from oracles import posterior as oracle
from seeds import in_part

EXACT = 1e-9
SCORES = {
    "bdeu": ds.BDeu(),
    "bdeu 10": ds.BDeu(ess=10.0),
    "k2": ds.K2(),
    "bic": ds.BIC(),
    "qnml": ds.QNML(),
    "fnml": ds.FNML(),
}
PRIORS = {
    "uniform": ds.UniformPrior(),
    "fair": ds.FairPrior(),
    "edges": ds.EdgePrior(neighbors=1.5),
}


def drawn_table(rng, n):
    """Columns that follow or repeat others, constants, unseen states; names in any order."""
    rows = rng.choice([3, 20, 200])
    arities = [rng.choice([1, 2, 2, 3, 4]) for _ in range(n)]
    draws = np.random.default_rng(rng.randrange(2**32))
    codes = np.stack([draws.integers(0, r, rows) for r in arities], axis=1)
    for child in range(1, n):
        share, parent = rng.choice([0.0, 0.5, 0.9, 1.0]), rng.randrange(child)
        if share == 1.0:
            arities[child] = arities[parent]
        copied = draws.random(rows) < share
        codes[copied, child] = codes[copied, parent] % arities[child]
    names = rng.sample(["a", "b", "c", "d", "e"], n)
    unseen = rng.choice([0, 0, 1])
    states = {x: [str(s) for s in range(r + unseen)] for x, r in zip(names, arities, strict=True)}
    return ds.Data.from_codes(codes, states)


def drawn_knowledge(rng, names):
    order = rng.sample(names, len(names))
    pairs = list(itertools.combinations(order, 2))
    required = rng.sample(pairs, rng.choice([0, 0, 1])) if pairs else []
    free = [(a, b) for a in names for b in names if a != b and (a, b) not in required]
    forbidden = rng.sample(free, min(len(free), rng.choice([0, 1, 3])))
    half = len(order) // 2
    tiers = [order[:half], order[half:]] if half and rng.random() < 0.4 else []
    return ds.Knowledge(required=required, forbidden=forbidden, tiers=tiers)


def oracle_lists(data, score, prior, knowledge, max_parents):
    number = {name: at for at, name in enumerate(data.names)}
    known = exact.Known(
        required=frozenset((number[a], number[b]) for a, b in knowledge.required),
        forbidden=frozenset((number[a], number[b]) for a, b in knowledge.forbidden),
        tiers=tuple(frozenset(map(number.get, tier)) for tier in knowledge.tiers),
        max_parents=max_parents,
    )
    name, _, ess = score.partition(" ")
    lists = exact.all_parents(
        data.codes.tolist(), list(data.arities.values()), name, float(ess or 1), known
    )
    return oracle.with_prior(lists, prior, 1.5), oracle.without_score(lists, prior, 1.5)


def truth_of(kind, listed, names):
    """Every feature of a kind with its probability, by the names of its ends."""
    if kind == "arcs":
        found = {("", *pair): p for pair, p in listed.arcs().items()}
    elif kind == "adjacencies":
        both = listed.share(lambda dag: {frozenset(arc) for arc in dag})
        found = {("", *pair): p for pair, p in both.items()}
    elif kind == "ancestors":
        found = {("", *pair): p for pair, p in listed.ancestors().items()}
    else:
        found = {
            (part if kind == "edges" else "", a, b): p
            for (part, a, b), p in listed.features(kind).items()
        }
    ordered = kind in ("arcs", "ancestors", "paths")
    return {
        (part, *(ends if ordered or part == "directed" else sorted(ends))): p
        for (part, a, b), p in found.items()
        for ends in [(names[a], names[b])]
    }


def check(data, score, prior, knowledge, max_parents):
    lists, prior_lists = oracle_lists(data, score, prior, knowledge, max_parents)
    listed = oracle.listed(lists)
    found = ds.posterior(
        data,
        score=SCORES[score],
        prior=PRIORS[prior],
        knowledge=knowledge,
        max_parents=max_parents,
    )
    assert found.exact
    for kind in ("arcs", "adjacencies", "ancestors", "blankets", "edges", "paths"):
        truth = truth_of(kind, listed, data.names)
        for row in found.features(kind).iter_rows(named=True):
            expected = truth.pop((row.get("kind", ""), row["from"], row["to"]), 0.0)
            assert row["probability"] == pytest.approx(expected, abs=EXACT), (kind, row)
            assert row["lower"] == row["upper"] == row["probability"]
        assert not truth, kind  # every feature has a row
    check_classes(found, listed, data)
    if SCORES[score].marginal:
        evidence = listed.log_total - oracle.listed(prior_lists).log_total
        assert found.log_evidence == pytest.approx(evidence, rel=1e-12, abs=1e-9)
    else:
        assert found.log_evidence is None


def check_classes(found, listed, data):
    names = data.names
    truth = {
        frozenset((names[a], names[b]) for a, b in graph): p
        for graph, p in listed.classes().items()
    }
    listing = found.networks(len(truth) + 1)
    assert len(listing) == len(truth)
    assert all(each.proven for each in listing)
    previous = math.inf
    for each in listing:
        graph = each.cpdag
        arcs = {*graph.directed, *graph.undirected, *((b, a) for a, b in graph.undirected)}
        assert each.probability == pytest.approx(truth[frozenset(arcs)], abs=EXACT)
        assert each.probability <= previous
        previous = each.probability


@pytest.mark.parametrize("prior", list(PRIORS))
@pytest.mark.parametrize("score", list(SCORES))
def test_every_probability_is_that_of_the_listing(score, prior):
    rng = random.Random(f"{score} {prior}")
    for case in range(in_part(12)):
        data = drawn_table(rng, rng.choice([1, 2, 3, 4]))
        names = list(data.names)
        knowledge = drawn_knowledge(rng, names) if case % 2 else ds.Knowledge()
        needed = max([0, *(sum(b == x for _, b in knowledge.required) for x in names)])
        limit = rng.choice([None, *range(needed, len(names))])
        check(data, score, prior, knowledge, limit)


@pytest.mark.parametrize(
    ("score", "prior", "limit", "knows"),
    [
        ("bdeu", "fair", None, False),
        ("bdeu", "edges", 3, True),
        pytest.param("k2", "uniform", 2, False, marks=pytest.mark.long),
        pytest.param("qnml", "fair", None, True, marks=pytest.mark.long),
    ],
)
def test_five_variables(score, prior, limit, knows):
    rng = random.Random(f"five {score}")
    data = drawn_table(rng, 5)
    check(
        data,
        score,
        prior,
        drawn_knowledge(rng, list(data.names)) if knows else ds.Knowledge(),
        limit,
    )


def test_copies_and_constants_in_many_rows():
    """Weights that differ by thousands of nats, ties among them, and a column that never varies."""
    draws = np.random.default_rng(3)
    a = draws.integers(0, 3, 20_000)
    columns = {"a": a, "b": a, "c": np.zeros_like(a), "d": (a + draws.integers(0, 2, 20_000)) % 3}
    data = ds.Data.from_codes(
        np.stack(list(columns.values()), axis=1),
        {x: [str(s) for s in range(max(2, int(v.max()) + 1))] for x, v in columns.items()},
    )
    best, empty = ds.exact(data, score="bdeu").score, ds.score(data, [], score="bdeu")
    assert best - empty > 20_000
    for prior in PRIORS:
        check(data, "bdeu", prior, ds.Knowledge(), None)


def test_parent_sets():
    rng = random.Random(4)
    for _ in range(10):
        data = drawn_table(rng, 4)
        lists, _ = oracle_lists(data, "bdeu", "fair", ds.Knowledge(), None)
        listed = oracle.listed(lists)
        found = ds.posterior(data, score="bdeu", prior="fair")
        for at, name in enumerate(data.names):
            truth = {
                frozenset(data.names[v] for v in p): q for p, q in listed.parent_sets(at).items()
            }
            rows = found.parent_sets(name, least=0.0).rows()
            assert len(rows) == len(truth)
            for parents, probability in rows:
                assert probability == pytest.approx(truth[frozenset(parents)], abs=EXACT)


def test_new_rows():
    rng = random.Random(6)
    for score, prior in [("bdeu", "fair"), ("bdeu 10", "uniform"), ("k2", "edges")]:
        for _ in range(6):
            data = drawn_table(rng, rng.choice([2, 3]))
            test = data.head(1)
            found = ds.posterior(data, score=SCORES[score], prior=PRIORS[prior])
            more = ds.Data.from_codes(np.concatenate([data.codes, test.codes]), dict(data.states))
            # One row more: evidence by evidence is what the row was thought to be.
            after = ds.posterior(more, score=SCORES[score], prior=PRIORS[prior])
            expected = after.log_evidence - found.log_evidence
            assert found.predictive(test)[0] == pytest.approx(expected, abs=1e-9)


def test_oracle_features_are_of_all_kinds():
    assert set(features.KINDS) == {"edges", "paths", "blankets"}
