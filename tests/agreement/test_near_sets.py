"""Parent sets that no network near the optimum has: left out soundly, and nothing is lost by it."""

import random
from unittest.mock import patch

import numpy as np
import pytest

import dagscape as ds
from agreement.test_exact import SCORES, all_parents, in_numbers
from agreement.test_near_optimal import APART, check_classes, check_networks
from agreement.test_posterior_sums import drawn_lists, engine_lists
from agreement.test_priors import wide
from dagscape import _core
from dagscape.search import near_listing
from dagscape.search.near_listing import near_sets
from oracles import exact, graphs


def always(data, **settings):
    """The same call, with sets left out even where that is not needed."""
    with patch.object(near_listing, "AT_ONCE", 0):
        return ds.near_optimal(data, **settings)


def least_regrets(lists):
    """For every set the least that a network with it loses, of those in which it can be."""
    best = {v: max(score for score, _ in sets) for v, sets in lists.items()}
    regret = {v: {p: best[v] - score for score, p in sets} for v, sets in lists.items()}
    least = {}
    for dag in graphs.all_dags(len(lists)):
        sets = {v: graphs.parents(dag, v) for v in lists}
        if all(p in regret[v] for v, p in sets.items()):
            total = sum(regret[v][p] for v, p in sets.items())
            for v, p in sets.items():
                least[v, p] = min(total, least.get((v, p), np.inf))
    return least


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("spread", [0.0, 2.0, 30.0])
def test_no_set_of_a_near_network_is_left_out(n, spread):
    rng, wrong = random.Random(f"{n} {spread}"), 0
    for within in (0.0, 0.5, 3.0) * 2:
        lists = drawn_lists(rng, n, spread)
        least = least_regrets(lists)
        engine = engine_lists(lists)
        engine.sort()
        limit = min(least.values()) + within + 2e-7
        kept = near_sets(engine, limit, lambda: False)
        for v, places in enumerate(kept):
            assert places == sorted(set(places))
            there = {frozenset(engine.parents(v, at)) for at in places}
            near = {p for (child, p), least_loss in least.items() if child == v
                    and least_loss <= limit}  # fmt: skip
            assert near <= there
            wrong += len(there - near)
    # The relaxation is tight on so few variables: next to nothing is there that need not be.
    assert wrong <= 2 * n


def test_what_was_left_out_stays_out_where_time_is_over():
    lists = engine_lists(drawn_lists(random.Random(1), 4, 5.0))
    lists.sort()
    everything = [list(range(lists.size(v))) for v in range(4)]
    assert near_sets(lists, 0.1, lambda: True) == everything


@pytest.mark.parametrize("score", ["bic", "bdeu", "qnml", "k2", "fnml"])
@pytest.mark.parametrize("seed", range(4))
def test_all_are_listed_among_the_sets_that_are_left(score, seed):
    data = wide(seed, 5, rows=60 + 40 * seed, arity=2 + seed % 2, idle=seed % 3 == 2)
    most = 2 + seed % 3
    near = always(data, within=2.5, score=SCORES[score], max_parents=most)
    lists = all_parents(data, score, exact.Known(max_parents=most))
    (check_networks if score in APART else check_classes)(near, lists, data)


@pytest.mark.parametrize("seed", range(6))
def test_knowledge(seed):
    data = wide(seed, 4, rows=80, arity=2, idle=0)
    a, b, c, d = data.names
    knowledge = ds.Knowledge(
        required=[(a, b)] if seed % 2 else [], forbidden=[(d, a)], tiers=[[a, b], [c, d]]
    )
    near = always(data, within=3.0, score="bic", knowledge=knowledge)
    lists = all_parents(data, "bic", in_numbers(knowledge, data, None))
    check_networks(near, lists, data)


@pytest.mark.parametrize("score", ["bic", "bdeu"])
@pytest.mark.parametrize("seed", range(3))
def test_twelve_variables_as_without_leaving_sets_out(score, seed):
    data = wide(seed, 12, rows=200, arity=2, idle=0)
    asked = {"within": 1.5, "score": score, "max_parents": 3}
    plain, near = ds.near_optimal(data, **asked), always(data, **asked)
    assert near.complete
    assert near.work["largest_component"] <= plain.work["largest_component"]
    assert {one.cpdag for one in near} == {one.cpdag for one in plain}
    assert near.differences == pytest.approx(plain.differences, abs=1e-8)
    assert near.optimum == pytest.approx(plain.optimum)


def test_more_variables_than_dynamic_programming_takes():
    """All 37 of ALARM compete; few do among the sets of near networks."""
    data = ds.load_network("alarm").sample(5000, seed=0)
    near = ds.near_optimal(data, score="bic", within=3.0, max_parents=2)
    assert near.complete
    assert near.work["largest_component"] < 20
    assert max(_core.component_sizes(near._parents._lists)) > 30
    assert near.optimum == pytest.approx(ds.exact(data, score="bic", max_parents=2).score)
    listed = {one.cpdag for one in near}
    assert len(listed) == len(near) > 3
    beside = 0
    for one in near[:3]:
        assert ds.score(data, one.dag, score="bic") == pytest.approx(one.score)
        for graph in _core.neighboring_classes(one.cpdag._graph):
            other = ds.Cpdag._wrap(one.cpdag._variables, graph)
            dag = other.to_dag()
            if max(len(dag.parents(name)) for name in dag.names) > 2:
                continue  # some member may have fewer
            if ds.score(data, dag, score="bic") >= near.optimum - 3.0 + 1e-6:
                assert other in listed
                beside += 1
    assert beside > 0
