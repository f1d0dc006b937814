"""KES that draws neighbors instead of listing them."""

import itertools

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from dagscape.scores import scorer
from oracles import equivalence as oracle
from toys.classes import (
    NO_LIMIT,
    SCORES,
    as_class,
    boundary,
    check_class,
    kes,
    mixed,
    pdag,
    some_classes,
    table,
    total_of,
)


@pytest.mark.parametrize("adds", [True, False])
def test_every_better_class_is_drawn_sometime(adds):
    """A likelihood gains by every arc, a price above all gains loses by every one."""
    n = 4
    codes = np.random.default_rng(8).integers(0, 2, (60, n))
    data = table(codes, [2] * n) if adds else table(codes, [5] * n)
    score = "loglik" if adds else "bic"
    on_data, total, neighbors = scorer(data, SCORES[score]), total_of(data, score), boundary(n)
    reached = oracle.larger if adds else oracle.smaller
    for here in some_classes(n)[::4]:
        better = oracle.better(here, total, neighbors)
        assert set(better) == reached(n, here)
        options = _core.KesOptions(0.0, neighborhood="sampled", max_steps=1, start=pdag(n, here))
        seen = set()
        for block in range(40):
            runs, _ = _core.kes_runs(on_data, options, 1, 50 * block, 50, 1)
            seen |= {as_class(run.graph) for _, run in runs if run.steps}
            if len(seen) == len(better):
                break
        assert seen == set(better)


@pytest.mark.parametrize("k", [0.0, 0.4, 1.0])
def test_sampled_runs_end_in_optima(k):
    """On few variables so many draws in vain leave nothing out."""
    n = 5
    for seed, score in enumerate(SCORES):
        data = mixed(500 + seed, n, rows=100)
        on_data, total = scorer(data, SCORES[score]), total_of(data, score)
        for max_parents in (1, None):
            limit = NO_LIMIT if max_parents is None else max_parents
            options = _core.KesOptions(k, neighborhood="sampled", max_parents=limit)
            found, _ = _core.kes_runs(on_data, options, seed, 0, 10, 1)
            for _, run in found:
                assert run.sampled
                assert run.done
                here = as_class(run.graph)
                assert not oracle.better(here, total, boundary(n, max_parents))
                assert run.score == pytest.approx(total(here), abs=1e-9)


def test_sampling_all_is_greedy():
    """With k = 1 it draws 20 n(n - 1) times, enough to see the best class in each step."""
    for seed in range(10):
        data = mixed(700 + seed, 4, rows=80)
        total = total_of(data, "bic")
        found = kes(scorer(data, "bic"), seed, k=1.0, neighborhood="sampled")
        assert as_class(found.graph) in oracle.ges_ends(4, total, two_phases=False)


def clique(n):
    return _core.Pdag(n, [], list(itertools.combinations(range(n), 2)))


def test_a_clique_too_large_to_list_is_sampled():
    """Adding x → y with y in a clique of 14 has 2^13 sets T; of 13, 2^12, which are listed."""
    n = 16
    rng = np.random.default_rng(2)
    on_data = scorer(table(rng.integers(0, 2, (100, n)), [2] * n), "bic")
    for size, sampled in ((14, True), (13, False)):
        start = _core.Pdag(n, [], list(itertools.combinations(range(size), 2)))
        found = kes(on_data, 1, k=0.5, start=start, max_steps=1)
        assert found.sampled is sampled
        assert found.steps == 1
        check_class(on_data, n, found)
    found = kes(on_data, 1, k=0.5, start=clique(n))
    assert found.sampled
    assert found.done
    check_class(on_data, n, found)
    assert kes(on_data, start=found.graph, neighborhood="exact").steps == 0


def test_the_way_to_a_large_clique_is_sampled_from_there_on():
    """A likelihood joins everything, unless parents are limited."""
    n = 16
    rng = np.random.default_rng(3)
    on_data = scorer(table(rng.integers(0, 2, (4000, n)), [2] * n), "loglik")
    found = kes(on_data, 1, k=0.0)
    assert found.sampled
    assert found.done
    assert found.graph == clique(n)
    for limits in ({"max_steps": 60}, {"max_parents": 3}):
        listed = kes(on_data, 1, k=0.0, **limits)
        assert not listed.sampled
        check_class(on_data, n, listed)


def test_what_is_drawn_can_be_set():
    data = ds.load_network("asia").sample(300, seed=1)
    published = ds.kes(data, score="bic", neighborhood="sampled", seed=3)
    same = {"draws": 20, "reversals": 7, "patience": 20}
    again = ds.kes(data, score="bic", neighborhood="sampled", seed=3, **same)
    assert (again.dag, again.work) == (published.dag, published.work)
    assert {name: again.asked[name] for name in same} == same
    # One draw a step, and as many in vain as there are pairs: of 20 it ends within the first steps.
    hasty = ds.kes(data, score="bic", neighborhood="sampled", draws=0.05, patience=0.05, seed=3)
    assert hasty.work["steps"] < published.work["steps"]


def test_without_reversals_a_network_stays_where_it_is():
    """The network is x → y → z; x → z would gain, and y → z's removal; turned arcs are not seen."""
    n = 4
    codes = np.random.default_rng(8).integers(0, 2, (60, n))
    on_data = scorer(table(codes, [2] * n), SCORES["loglik"])
    start = _core.Pdag(n, [], [(0, 1), (1, 2)])
    seen = {}
    for reversals in (0, 7):
        options = _core.KesOptions(
            0.0, neighborhood="sampled", max_steps=1, start=start, reversals=reversals
        )
        runs, _ = _core.kes_runs(on_data, options, 1, 0, 800, 1)
        seen[reversals] = {as_class(run.graph) for _, run in runs if run.steps}
    assert seen[0] < seen[7]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"draws": 2}, 'draws is for neighborhood "sampled"'),
        ({"neighborhood": "exact", "patience": 1}, 'patience is for neighborhood "sampled"'),
        ({"neighborhood": "sampled", "draws": 0}, "draws must be a number above 0"),
        ({"neighborhood": "sampled", "patience": float("nan")}, "patience must be a number"),
        ({"neighborhood": "sampled", "reversals": -1}, "reversals must be a whole number"),
        ({"neighborhood": "sampled", "reversals": 10**6}, "reversals must be at most 10,000"),
    ],
)
def test_draws_that_cannot_be(settings, words):
    with pytest.raises(ds.ParameterError, match=words):
        ds.kes(mixed(900, 3, rows=20), score="bic", **settings)
