"""Targets among many variables: what is looked at, and what the climb ends at."""

import numpy as np
import polars as pl
import pytest

import dagscape as ds
from dagscape.control.budget import Budget
from dagscape.search import around
from dagscape.search.around import climb_around
from limits import NO_TIME


@pytest.fixture
def narrow(monkeypatch):
    """Take tables of a few columns for wide ones, in blocks of a few."""
    monkeypatch.setattr(around, "WIDE", 6)
    monkeypatch.setattr(around, "TARGETS_EACH", 4)
    monkeypatch.setattr(around, "BLOCK", 5)
    monkeypatch.setattr(around, "FIRST", 3)
    monkeypatch.setattr(around, "NEXT", 2)
    monkeypatch.setattr(around, "MORE", 2)


def mixed(columns, rows=200, numbers=True, seed=0):
    """Return a table in which each column follows some of those before it."""
    rng = np.random.default_rng(seed)
    made = {}
    for i in range(columns):
        before = [np.asarray(made[f"v{j:02}"]) for j in range(i) if rng.random() < 2 / columns]
        total = np.sum(before, axis=0) if before else np.zeros(rows)
        if numbers and i % 3 == 0:
            made[f"v{i:02}"] = total + rng.normal(size=rows)
        else:
            flip = rng.random(rows) < 0.2
            made[f"v{i:02}"] = (
                np.where(flip, rng.integers(0, 2, rows), total > np.median(total)) * 1
            )
    return ds.Data(pl.DataFrame(made))


def gains_of(problem, child, parents):
    """Return what each other variable gains as one more parent, from the definition."""
    before = ds.local_score(problem.data, child, parents, score=problem.score)
    others = [x for x in problem.variables.names if x != child and x not in parents]
    return {
        x: ds.local_score(problem.data, child, [*parents, x], score=problem.score) - before
        for x in others
    }


@pytest.mark.parametrize("score", [None, "bic", "bdeu, prior fair"])
@pytest.mark.usefixtures("narrow")
def test_looks_find_what_gains_most_among_all(score):
    problem = ds.Problem(mixed(17, numbers=score is None), score=score)
    look = around._Scan(problem, Budget.of())
    asked = {"v08": (), "v11": ("v02", "v15"), "v16": ("v00",)}
    found = look.most_gaining(asked, 4, but={"v03"})
    for child, parents in asked.items():
        gains = gains_of(problem, child, parents)
        del gains["v03"]
        most = sorted(gains.values(), reverse=True)[:4]
        assert [gain for _, gain in found[child]] == pytest.approx(most, abs=1e-6)
        assert dict(found[child]) == pytest.approx(
            {name: gains[name] for name, _ in found[child]}, abs=1e-6
        )


@pytest.mark.parametrize("numbers", [True, False])
@pytest.mark.usefixtures("narrow")
def test_nothing_left_out_gains_in_the_end(numbers):
    problem = ds.Problem(mixed(17, numbers=numbers))
    for target in ("v08", "v16"):
        found = climb_around(problem, [target], Budget.of(threads=1))
        assert found.stopped is None
        assert found.work["unseen"] == 0
        assert found.work["variables"] == len(found.dag.names)
        for name in (target, *found.dag.markov_blanket(target)):
            gains = gains_of(problem, name, found.dag.parents(name))
            outside = [gain for x, gain in gains.items() if x not in found.dag.names]
            assert max(outside, default=0.0) <= 1e-9


@pytest.mark.usefixtures("narrow")
def test_the_order_of_columns_changes_nothing():
    data = mixed(17)
    turned = data.select(data.names[::-1])
    here, there = ds.neighbors(data, "v08"), ds.neighbors(turned, "v08")
    assert set(here) == set(there)
    assert here.work == there.work
    assert set(ds.markov_blanket(data, "v08")) >= set(here)


@pytest.mark.usefixtures("narrow")
def test_the_whole_network_is_learned_for_many_targets_and_where_something_is_known():
    data = mixed(17)
    assert "looks" in ds.neighbors(data, "v08").work
    assert "looks" not in ds.neighbors(data).work
    known = ds.Knowledge(forbidden=[("v00", "v08")])
    assert "looks" not in ds.neighbors(data, "v08", knowledge=known).work


@pytest.mark.usefixtures("narrow")
def test_a_limit_of_parents_and_one_of_time_are_obeyed():
    data = mixed(17)
    few = climb_around(ds.Problem(data, max_parents=1), ["v16"], Budget.of())
    assert max(len(few.dag.parents(name)) for name in few.dag.names) <= 1
    assert ds.markov_blanket(data, "v16", time_limit=NO_TIME).stopped == "time"


def test_a_blanket_among_many_is_described(monkeypatch):
    monkeypatch.setattr(around, "WIDE", 40)
    monkeypatch.setattr(around, "TARGETS_EACH", 2)
    data = ds.load_network("asia").tile(10).sample(500, seed=0)
    name = data.names[3]
    assert set(ds.describe_blanket(data, name).names) == set(ds.markov_blanket(data, name))


def test_very_many_targets_among_very_many_variables_get_the_wide_search(monkeypatch):
    monkeypatch.setattr("dagscape.search.local.MOST_CLIMBED", 10)
    assert "shakes" in ds.neighbors(mixed(17, numbers=False)).work
