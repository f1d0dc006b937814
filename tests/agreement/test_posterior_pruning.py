"""Arcs left out of the sums: what is said of the probability they might have, against a listing."""

import itertools
import random

import numpy as np
import pytest

import dagscape as ds
from agreement.test_posterior import check_classes, oracle_lists, truth_of
from agreement.test_posterior_sums import drawn_lists, engine_lists
from dagscape import _core
from dagscape.posteriors import KINDS, exact_sums
from oracles import posterior as oracle

FREE = 1e300


@pytest.mark.parametrize("spread", [0.5, 4, 40])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_no_arc_is_more_probable_than_its_bound(n, spread):
    rng = random.Random(f"{n} {spread}")
    for _ in range(6):
        lists = drawn_lists(rng, n, spread)
        truth = oracle.listed(lists).arcs()
        arcs, stopped = _core.bounded_arcs(engine_lists(lists), 2)
        assert stopped == ""
        assert {(a, b) for a, b, _ in arcs} == set(itertools.permutations(range(n), 2))
        assert [bound for *_, bound in arcs] == sorted(bound for *_, bound in arcs)
        for a, b, bound in arcs:
            assert truth.get((a, b), 0) <= bound + 1e-12


def test_a_bound_is_reached_by_two_variables():
    lists = {0: [(0.0, frozenset())], 1: [(0.0, frozenset()), (-2.0, frozenset({0}))]}
    ((a, b, bound),), _ = _core.bounded_arcs(engine_lists(lists), 1)
    assert (a, b) == (0, 1)
    assert bound == pytest.approx(oracle.listed(lists).arcs()[0, 1])


def test_required_arcs_stay():
    """Without its parent a child has no set to compare with, so that nothing is known."""
    lists = drawn_lists(random.Random(2), 3, 1)
    lists[2] = [(w - 50, p) for w, p in lists[2] if 0 in p]
    arcs, _ = _core.bounded_arcs(engine_lists(lists), 1)
    assert (0, 2) not in {(a, b) for a, b, _ in arcs}


@pytest.mark.parametrize("n", [3, 4])
def test_what_is_lost_is_no_more_than_said(n):
    """All networks with one of the arcs that were taken out weigh no more than that."""
    rng, pruned = random.Random(n), 0
    for _ in range(20):
        lists = drawn_lists(rng, n, 2)
        for child, parent in rng.sample(list(itertools.permutations(range(n), 2)), 2 * n - 3):
            lists[child] = [(w - 6 * (parent in p), p) for w, p in lists[child]]
        listed, whole = oracle.listed(lists), engine_lists(lists)
        arcs, _ = _core.bounded_arcs(whole, 1)
        found = _core.pruned_to_fit(whole, arcs, 0.2, FREE, FREE, n - 1)
        if found is None:
            continue
        pruned += 1
        kept, out, lost = found
        gone = {(a, b) for a, b, _ in arcs[:out]}
        assert lost == pytest.approx(sum(bound for *_, bound in arcs[:out]))
        assert lost <= 0.2
        pairs = zip(listed.dags, listed.probabilities, strict=True)
        assert sum(p for dag, p in pairs if gone & dag) <= lost + 1e-12
        for child, sets in lists.items():
            left = {frozenset(p) for _, p in sets if not gone & {(u, child) for u in p}}
            assert {frozenset(kept.parents(child, at)) for at in range(kept.size(child))} == left
        assert max(_core.component_sizes(kept)) < n
    assert pruned > 3


def test_fewest_arcs_that_gain_most_of_it():
    """Two pairs of variables: one arc more than parts them is not taken, though it could be."""
    lists = {
        v: [
            (-12.0 * sum(u // 2 != v // 2 for u in p) - 8.0 * (v == 1 and 0 in p), frozenset(p))
            for k in range(4)
            for p in itertools.combinations(sorted({0, 1, 2, 3} - {v}), k)
        ]
        for v in range(4)
    }
    whole = engine_lists(lists)
    arcs, _ = _core.bounded_arcs(whole, 1)
    kept, out, _ = _core.pruned_to_fit(whole, arcs, 0.5, FREE, FREE, 4)
    assert out < 9
    assert sorted(_core.component_sizes(kept)) == [2, 2]
    assert _core.pruned_to_fit(whole, arcs, 1e-9, FREE, FREE, 3) is None


def two_pairs():
    """Two columns of which one follows the other, and two more that know nothing of them."""
    draws = np.random.default_rng(5)

    def after(column):
        return np.where(draws.random(400) < 0.6, column, draws.integers(0, 3, 400))

    a, c = draws.integers(0, 3, 400), draws.integers(0, 3, 400)
    return ds.Data({"a": a, "b": after(a), "c": c, "d": after(c)})


@pytest.mark.parametrize("score", ["bdeu", "qnml"])
def test_the_truth_lies_between_what_is_said(score, monkeypatch):
    data = two_pairs()
    monkeypatch.setattr(exact_sums, "MOST", 2)
    monkeypatch.setattr(exact_sums, "MOST_LOST", 0.1)
    found = ds.posterior(data, score=score, prior="fair")
    assert found.components == (2, 2)
    assert 0 < found.dropped <= 0.1 / 0.9
    assert not found.exact
    assert found.claim.startswith("proven bounds: sums over all networks, but for some that weigh")
    lists, prior_lists = oracle_lists(data, score, "fair", ds.Knowledge(), None)
    listed = oracle.listed(lists)
    for kind in KINDS:
        truth = truth_of(kind, listed, data.names)
        for row in found.features(kind).iter_rows(named=True):
            expected = truth.get((row.get("kind", ""), row["from"], row["to"]), 0.0)
            assert row["lower"] - 1e-12 <= expected <= row["upper"] + 1e-12, (kind, row)
            assert row["upper"] - row["lower"] <= found.dropped
    for each in found.networks(20):
        graph = each.cpdag
        arcs = {*graph.directed, *graph.undirected, *((b, a) for a, b in graph.undirected)}
        number = {name: i for i, name in enumerate(data.names)}
        share = listed.classes()[frozenset((number[a], number[b]) for a, b in arcs)]
        assert each.lower - 1e-12 <= share <= each.upper + 1e-12
    if score == "bdeu":
        evidence = listed.log_total - oracle.listed(prior_lists).log_total
        assert found.log_evidence <= evidence <= found.log_evidence + np.log1p(found.dropped)
    monkeypatch.undo()
    check_classes(ds.posterior(data, score=score, prior="fair"), listed, data)


def test_groups_of_columns_that_have_nothing_to_do_with_each_other(tmp_path):
    """Thirty variables are out of reach together; in three groups they take a moment."""
    rng = np.random.default_rng(0)
    columns = {}
    for group in "abc":
        last = rng.integers(0, 3, 2000)
        for i in range(10):
            last = np.where(rng.random(2000) < 0.7, last, rng.integers(0, 3, 2000))
            columns[f"{group}{i}"] = last
    data = ds.Data(columns)
    found = ds.posterior(data, score="bdeu", prior="fair", max_parents=2)
    assert found.components == (10, 10, 10)
    assert 0 < found.dropped < 0.01
    assert found.probability("a0", "a1", "adjacencies") > 0.999
    assert found.probability("a0", "b1", "adjacencies") == 0
    row = found.features("arcs")[-1].to_dicts()[0]
    assert 0 == row["lower"] < row["upper"] == pytest.approx(found.dropped / (1 + found.dropped))
    # What is left out does no harm to what is there: a group by itself says the same, nearly.
    alone = ds.posterior(
        data.select([f"a{i}" for i in range(10)]), score="bdeu", prior="fair", max_parents=2
    )
    assert abs(found.probability("a3", "a4") - alone.probability("a3", "a4")) < 0.02
    found.save(tmp_path / "p.sqlite")
    back = ds.load_result(tmp_path / "p.sqlite", ds.Posterior)
    assert (back.dropped, back.exact, back.claim) == (found.dropped, False, found.claim)
    assert back.features("arcs").equals(found.features("arcs"))
