"""The list of networks near the optimum: its claim, its limits, and what it refuses."""

import re
from dataclasses import replace

import numpy as np
import pytest

import dagscape as ds
from dagscape.search import near_listing
from dagscape.search.near_listing import Listing
from limits import NO_TIME


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia").sample(300, seed=1)


def test_the_best_comes_first_and_is_the_optimum(asia):
    near = ds.near_optimal(asia, within=2.0)
    best = ds.exact(asia)
    assert near.optimum == pytest.approx(best.score)
    assert near[0].cpdag == best.dag.to_cpdag()
    assert near[0].difference == 0
    assert near[0].dag == best.dag
    assert list(near.differences) == sorted(near.differences)
    assert len({one.cpdag for one in near}) == len(near)
    for one in near:
        assert ds.score(asia, one.dag, score=best.score_kind) == pytest.approx(one.score)
        assert one.cpdag == one.dag.to_cpdag()


def test_it_is_a_sequence(asia):
    near = ds.near_optimal(asia, within=2.0)
    assert near[-1] == near[len(near) - 1]
    assert near[:2] == [near[0], near[1]]
    assert [one.score for one in near] == [near.optimum - less for less in near.differences]
    with pytest.raises(IndexError, match=f"{len(near)} are listed, got place {len(near)}"):
        near[len(near)]


def test_the_claim_says_what_and_among_which_networks(asia):
    near = ds.near_optimal(asia, within=2.0)
    assert str(near.claim) == f"all {len(near)} classes within 2 nats of the optimum"
    assert repr(near) == f"<NearOptimal (score {near.optimum:.4f}): {near.claim}>"
    one = ds.near_optimal(asia, within=0.0, max_parents=2)
    assert str(one.claim) == (
        "the only class with the best score, among networks with at most 2 parents"
    )
    few = ds.near_optimal(asia, score="bic", within=5.0, limit=3)
    assert not few.complete
    assert few.stopped == "limit"
    assert few.complete_to == few[-1].difference == pytest.approx(1.69892, abs=1e-5)
    assert str(few.claim) == (
        "the best 3 classes within 5 nats of the optimum, and not all: more than the limit; none "
        "is missing that scores less than 1.69 nats below the optimum"
    )


def test_networks_are_listed_where_equivalent_ones_differ(asia):
    knowledge = ds.Knowledge(tiers=[["asia", "smoke"], [n for n in asia.names if n not in
                                                         ("asia", "smoke")]])  # fmt: skip
    near = ds.near_optimal(asia, within=1.0, knowledge=knowledge)
    assert not near.classes
    assert str(near.claim).endswith("of the optimum, among networks that obey your knowledge")
    assert all(one.members == 1 for one in near)
    assert not ds.near_optimal(asia, within=0.5, score="k2", max_parents=2).classes


def test_threads_and_the_order_of_columns_change_nothing(asia):
    near = ds.near_optimal(asia, within=2.0, threads=1)
    shuffled = asia.select(list(reversed(asia.names)))
    for other in (
        ds.near_optimal(asia, within=2.0, threads=2),
        ds.near_optimal(shuffled, within=2.0),
    ):
        assert np.array_equal(near.differences, other.differences)
        assert [set(a.cpdag.directed) for a in near] == [set(b.cpdag.directed) for b in other]


def test_ties_are_found_at_no_distance():
    """Two copies of a column: either may be the parent, and both classes score alike."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 100)
    noisy = np.where(rng.random(100) < 0.2, 1 - a, a)
    data = ds.Data({"a": a, "b": a, "c": noisy})
    near = ds.near_optimal(data, within=0.0)
    assert near.complete
    assert len(near) == 2
    assert list(near.differences) == [0.0, 0.0]


def test_work_is_limited_by_time_and_memory(asia):
    late = ds.near_optimal(asia, within=3.0, time_limit=NO_TIME)
    assert not late.complete
    assert late.stopped == "time"
    wide = ds.load_network("child").sample(200, seed=0)
    narrow = ds.near_optimal(wide, within=3.0, max_parents=2, max_memory=4_000_000)
    assert not narrow.complete
    assert narrow.stopped == "memory"
    assert len(narrow) == 0
    assert narrow.optimum is None
    assert str(narrow.claim) == (
        "nothing is listed: stopped by memory before the optimum was known"
    )


def test_the_work_grows_with_what_is_listed():
    """Sinks are placed for networks that are there, not for all orders of 20 variables."""
    data = ds.load_network("child").sample(500, seed=1)
    near = ds.near_optimal(data, within=6.0, max_parents=3)
    assert near.complete
    assert near.work["largest_component"] == 20
    assert near.work["sinks_placed"] < 2_000_000


@pytest.mark.slow
def test_too_many_competing_variables_are_refused_in_a_sentence():
    rng = np.random.default_rng(1)
    common = rng.integers(0, 2, 40)
    columns = {f"v{i:02}": np.where(rng.random(40) < 0.25, 1 - common, common) for i in range(31)}
    with pytest.raises(ds.ParameterError) as error:
        ds.near_optimal(ds.Data(columns), score="bic", max_parents=1)
    assert str(error.value) == (
        "networks can be listed where at most 30 variables compete for being each other's parents, "
        "and here 31 do; choose a smaller within (it is 3) or max_parents, or give knowledge, such "
        "as tiers"
    )


def test_a_smaller_distance_where_too_many_compete(asia, monkeypatch):
    """The list is complete to where it could be made, and says so."""
    lists = Listing._list

    def crowded(self, sets, within, most_regret, budget):
        found = lists(self, sets, within, most_regret, budget)
        found.facts["too_large"] = 34 if within > most else 0
        return found

    monkeypatch.setattr(near_listing, "AT_ONCE", 0)
    monkeypatch.setattr(Listing, "_list", crowded)
    most = 1.0
    near = ds.near_optimal(asia, within=3.0)
    assert (near.complete, near.stopped, near.complete_to) == (False, "memory", 0.75)
    assert "and not all: stopped by memory; none is missing that scores less than 0.75" in str(
        near.claim
    )
    most = 9.0
    whole = ds.near_optimal(asia, within=0.75)
    assert [one.cpdag for one in near] == [one.cpdag for one in whole]
    assert list(near.differences) == list(whole.differences)
    assert whole.complete
    most = -1.0
    with pytest.raises(ds.ParameterError, match="and here 34 do"):
        ds.near_optimal(asia, within=3.0)


def test_ctrl_c_while_sets_are_left_out(asia, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    lists = Listing._list

    def crowded(*asked):
        found = lists(*asked)
        found.facts.update(too_large=34, complete=False, complete_to=-1.0)
        return replace(found, places=found.places[:0], differences=found.differences[:0])

    monkeypatch.setattr(near_listing, "AT_ONCE", 0)
    monkeypatch.setattr(near_listing, "near_sets", interrupted)
    assert ds.near_optimal(asia, within=3.0).complete  # so few are listed nonetheless
    monkeypatch.setattr(Listing, "_list", crowded)
    near = ds.near_optimal(asia, within=3.0)
    assert near.stopped == "interrupt"
    assert not near.complete
    assert len(near) == 0


@pytest.mark.slow
def test_many_variables_in_small_components_are_listed():
    """Twenty pairs: a network of each, so that numbers multiply."""
    rng = np.random.default_rng(2)
    columns = {}
    for i in range(20):
        a = rng.integers(0, 2, 200)
        columns[f"a{i:02}"] = a
        columns[f"b{i:02}"] = np.where(rng.random(200) < 0.1, 1 - a, a)
    knowledge = ds.Knowledge(
        forbidden=[
            (a, b) for a in columns for b in columns if a != b and a[1:] != b[1:]
        ]
    )  # fmt: skip
    near = ds.near_optimal(ds.Data(columns), within=0.0, knowledge=knowledge, limit=5_000)
    assert near.work["largest_component"] == 2
    assert not near.complete  # either direction of twenty arcs: 2^20 networks score alike
    assert len(near) == 5_000
    assert len({one.dag for one in near}) == 5_000


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"within": -1}, "within must be a number of nats from 0 up, got -1"),
        ({"within": float("nan")}, "within must be a number of nats from 0 up, got nan"),
        ({"within": "3"}, "within must be a number of nats from 0 up, got '3'"),
        ({"limit": 0}, "limit must be a whole number from 1 up, got 0"),
        ({"limit": 2.5}, "limit must be a whole number from 1 up, got 2.5"),
    ],
)
def test_bad_settings(asia, settings, message):
    with pytest.raises(ds.ParameterError, match=re.escape(message)):
        ds.near_optimal(asia, **settings)


def test_candidate_parents_keep_what_is_near(asia):
    """Each set scores at least what its best subset does, less the distance; more for more."""
    few = ds.candidate_parents(asia)
    ties = ds.candidate_parents(asia, within=0.0)
    many = ds.candidate_parents(asia, within=2.0)
    every = ds.candidate_parents(asia, prune=False)
    assert len(few) <= len(ties) < len(many) < len(every)
    for name in asia.names:
        scores = {frozenset(p): s for s, p in every[name]}
        kept = {frozenset(p) for _, p in many[name]}
        for parents, score in scores.items():
            below = max((s for p, s in scores.items() if p < parents), default=-np.inf)
            if abs(score - below + 2.0) > 1e-5:
                assert (parents in kept) == (score >= below - 2.0)
    with pytest.raises(ds.ParameterError, match='within is for method "sequential", got "greedy"'):
        ds.candidate_parents(asia, method="greedy", within=1.0)


def test_the_best_so_many(asia):
    near = ds.near_optimal(asia, best=5, max_parents=2)
    less = near.differences[-1]
    assert (len(near), near.stopped, near.within) == (5, None, less)
    assert str(near.claim) == (
        f"the best 5 classes, down to {less:.2f} nats below the optimum, among networks with at "
        "most 2 parents"
    )
    assert str(ds.near_optimal(asia, best=1).claim) == "the best class"
    late = ds.near_optimal(asia, best=5, time_limit=NO_TIME)
    assert (late.complete, late.stopped) == (False, "time")
    with pytest.raises(ds.ParameterError, match="give within or best, not both"):
        ds.near_optimal(asia, best=5, within=1.0)
    with pytest.raises(ds.ParameterError, match="best must be"):
        ds.near_optimal(asia, best=0)
