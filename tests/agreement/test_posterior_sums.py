"""Sums over all networks, and samples of them, against a listing of every DAG."""

import itertools
import math
import random
from collections import Counter

import numpy as np
import pytest

from dagscape import GraphError, _core
from limits import NO_TIME
from oracles import exact
from oracles import posterior as oracle

EXACT = 1e-9


def engine_lists(lists):
    """The engine's lists of parent sets with these log weights."""
    lines = [str(len(lists))]
    for child, sets in lists.items():  # numbered in the order of names
        lines.append(f"{child:02} {len(sets)}")
        lines += [f"{w!r} {len(p)} {' '.join(f'{u:02}' for u in sorted(p))}" for w, p in sets]
    return _core.read_jkl("\n".join([*lines, ""]).encode())[1]


def sums(lists, split=True, threads=1, **limits):
    return _core.exact_posterior(engine_lists(lists), split, threads, **limits)


def others(n, child):
    return set(range(n)) - {child}


def drawn_lists(rng, n, spread, kept=1.0, empty=True):
    """Every parent set, or some, with log weights drawn from a range; many ties where it is 0."""
    lists = {}
    for child in range(n):
        sets = [p for p in exact.subsets(others(n, child)) if rng.random() < kept]
        if empty and frozenset() not in sets:
            sets.append(frozenset())
        lists[child] = [(rng.uniform(-spread, spread), p) for p in sets]
    return lists


def check(lists, split):
    """Every probability and the total; return the largest error."""
    n, listed = len(lists), oracle.listed(lists)
    found, stopped = sums(lists, split)
    assert (stopped, found.complete) == ("", True)
    assert found.log_total == pytest.approx(listed.log_total, rel=1e-12, abs=1e-9)
    arcs, ancestors = found.arcs(), found.ancestors()
    true_arcs, true_ancestors = listed.arcs(), listed.ancestors()
    errors = [found.rounding]
    same = {v: number for number, part in enumerate(found.components) for v in part}
    for u, v in itertools.permutations(range(n), 2):
        errors.append(abs(arcs[u, v] - true_arcs.get((u, v), 0)))
        if ancestors[u, v] < 0:
            assert same[u] < same[v]  # across components sums do not tell
        else:
            errors.append(abs(ancestors[u, v] - true_ancestors.get((u, v), 0)))
    kept = engine_lists(lists)
    for v in range(n):
        truth = listed.parent_sets(v)
        for at, probability in enumerate(found.parent_sets(v)):
            errors.append(abs(probability - truth.get(frozenset(kept.parents(v, at)), 0)))
    return max(errors)


@pytest.mark.parametrize("split", [True, False])
@pytest.mark.parametrize("spread", [0, 1, 30, 3000])
def test_sums_are_those_of_a_listing(spread, split):
    rng = random.Random(spread)
    for kept, n in itertools.product([1.0, 0.5, 0.2], [1, 2, 3, 4]):
        assert check(drawn_lists(rng, n, spread, kept), split) < EXACT


@pytest.mark.parametrize("spread", [0, 3, 3000])
def test_sums_over_five_variables(spread):
    assert check(drawn_lists(random.Random(spread), 5, spread), True) < EXACT


def test_variables_that_must_have_parents():
    rng = random.Random(5)
    for _ in range(40):
        lists = drawn_lists(rng, 4, rng.choice([1, 3000]))
        for child in range(1, 4):  # a required arc from an earlier variable
            if rng.random() < 0.6:
                needed = rng.randrange(child)
                lists[child] = [(w, p) for w, p in lists[child] if needed in p]
        assert check(lists, rng.random() < 0.5) < EXACT


def test_components_are_summed_over_one_by_one():
    rng = random.Random(8)
    lists = drawn_lists(rng, 5, 5)
    early, late = {0, 3}, {1, 2, 4}
    for child in early:
        lists[child] = [(w, p) for w, p in lists[child] if p <= early]
    found, _ = sums(lists)
    assert [set(part) for part in found.components] == [early, late]
    assert check(lists, True) < EXACT


def test_nothing_is_left_out_because_a_subset_weighs_more():
    # All weigh the same, so half of all networks' arcs would be gone with their dominated sets.
    lists = {v: [(0.0, p) for p in exact.subsets(others(4, v))] for v in range(4)}
    found, _ = sums(lists)
    assert math.exp(found.log_total) == pytest.approx(543)  # DAGs of four variables


@pytest.mark.parametrize("spread", [0, 30, 2000])
def test_rounding_beside_wide_floats(spread):
    n = 7
    lists = drawn_lists(random.Random(spread), n, spread)
    found, _ = sums(lists)
    assert found.log_total == pytest.approx(float(oracle.log_total(lists)), rel=1e-14, abs=1e-12)
    arcs = found.arcs()
    for u, v in [(0, 1), (1, 0), (6, 2), (3, 5), (5, 4)]:
        assert abs(arcs[u, v] - oracle.arc_probability(lists, u, v)) < 1e-12


def test_threads_change_nothing():
    lists = {
        v: [
            (-len(p) + math.sin(v + 3 * sum(p)), frozenset(p))
            for k in range(3)
            for p in itertools.combinations(sorted(others(13, v)), k)
        ]
        for v in range(13)
    }
    one, _ = sums(lists, threads=1)
    many, _ = sums(lists, threads=3)
    assert one.log_total == many.log_total
    assert np.array_equal(one.arcs(), many.arcs())
    assert np.array_equal(one.ancestors(), many.ancestors())
    assert np.array_equal(one.sample(1, 0, 30, 1)[0], many.sample(1, 0, 30, 3)[0])


@pytest.mark.parametrize("kept", [1.0, 0.6])
@pytest.mark.parametrize(("n", "spread"), [(2, 1), (3, 0), (3, 2), (4, 0.5), (4, 3)])
def test_samples_have_the_probabilities_of_their_networks(n, spread, kept):
    lists = drawn_lists(random.Random(n), n, spread, kept)
    listed, draws = oracle.listed(lists), 20_000
    found, _ = sums(lists, split=kept == 1.0)
    sets = engine_lists(lists)
    sets.sort()
    places, stopped = found.sample(7, 0, draws, 2)
    assert (places.shape, stopped) == ((draws, n), "")
    seen = Counter(
        frozenset((int(u), v) for v in range(n) for u in sets.parents(v, int(row[v])))
        for row in places
    )
    expected = {g: draws * p for g, p in zip(listed.dags, listed.probabilities, strict=True)}
    assert set(seen) <= set(expected)
    # Pearson's statistic, rare networks taken together so that each class expects five or more.
    often = [g for g, mean in expected.items() if mean >= 5]
    rare = draws - sum(expected[g] for g in often)
    rarely = draws - sum(seen[g] for g in often)
    statistic = sum((seen[g] - expected[g]) ** 2 / expected[g] for g in often)
    statistic += (rarely - rare) ** 2 / rare if rare >= 5 else 0
    freedom = len(often) - (rare < 5)
    assert statistic < freedom + 4 * math.sqrt(2 * freedom) + 4
    assert rare >= 5 or rarely <= 30


def test_a_sample_depends_on_its_number_alone():
    found, _ = sums(drawn_lists(random.Random(3), 5, 2))
    whole = found.sample(4, 0, 50, 1)[0]
    assert np.array_equal(found.sample(4, 20, 10, 2)[0], whole[20:30])
    assert not np.array_equal(found.sample(5, 0, 50, 1)[0], whole)


def test_no_network_at_all():
    lists = {0: [(0.0, frozenset({1}))], 1: [(0.0, frozenset({0}))]}
    with pytest.raises(GraphError, match="no network"):
        sums(lists)


def test_limits_end_the_sums():
    lists = {v: [(0.0, frozenset()), (1.0, frozenset(others(16, v)))] for v in range(16)}
    found, stopped = sums(lists, max_bytes=1 << 20)
    assert (found.complete, stopped) == (False, "memory")
    found, stopped = sums(lists, seconds=NO_TIME)
    assert (found.complete, stopped) == (False, "time")
    told = []
    assert sums(lists, progress=told.append)[0].complete
    assert told == sorted(told)
    assert _core.posterior_cost([16])["terms"] == 2 * 3**16
