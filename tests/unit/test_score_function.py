"""A Python function as a score: what it is given, who takes it, what is refused."""

from __future__ import annotations

import gc
import math
import pickle
import weakref
from collections.abc import Callable

import numpy as np
import pytest

import dagscape as ds
from dagscape.scores import scorer


def bic(child, parents, counts):  # noqa: ARG001
    table = counts.reshape(-1, counts.shape[-1])
    of_parents = np.maximum(table.sum(axis=1, keepdims=True), 1e-300)
    fit = (table * np.log(np.where(table > 0, table / of_parents, 1))).sum()
    return fit - math.log(table.sum()) / 2 * table.shape[0] * (table.shape[1] - 1)


def bic_of_sets(members, counts):  # noqa: ARG001
    some = counts[counts > 0]
    return (some * np.log(some)).sum() - math.log(counts.sum()) / 2 * counts.size


def k2(child, parents, counts):  # noqa: ARG001
    rows = counts.reshape(-1, counts.shape[-1])
    return sum(
        math.lgamma(len(row)) - math.lgamma(len(row) + row.sum()) + sum(map(math.lgamma, 1 + row))
        for row in rows
    )


def gaussian(child, parents, columns):
    rows = len(columns[child])
    known = np.column_stack([np.ones(rows), *(columns[parent] for parent in parents)])
    rest = columns[child] - known @ np.linalg.lstsq(known, columns[child], rcond=None)[0]
    fit = -rows / 2 * (1 + math.log(2 * math.pi * rest.var()))
    return fit - math.log(rows) / 2 * (len(parents) + 2)


SAME = {
    "families": (ds.ScoreFunction("mine", bic, equivalent=True), "bic"),
    "families apart": (ds.ScoreFunction("mine", bic, equivalent=False), "bic"),
    "sets": (ds.ScoreFunction("mine", bic_of_sets, equivalent=True, of="sets"), "bic"),
    "not equivalent": (ds.ScoreFunction("mine", k2, equivalent=False), "k2"),
}


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia").sample(300, seed=2)


@pytest.mark.parametrize("kind", SAME)
def test_it_gives_what_the_engines_own_gives(asia, kind):
    mine, own = SAME[kind]
    assert ds.local_score(asia, "dysp", ["bronc", "either"], score=mine) == pytest.approx(
        ds.local_score(asia, "dysp", ["bronc", "either"], score=own)
    )
    for search in (ds.exact, ds.order_search, ds.hill_climb):
        found = search(asia, score=mine, max_parents=2, prior="fair")
        expected = search(asia, score=own, max_parents=2, prior="fair")
        assert found.score == pytest.approx(expected.score), search
        assert found.score_name == "mine, prior fair"
    lists, others = (ds.candidate_parents(asia, score=s, max_parents=2) for s in (mine, own))
    for name in asia.names:
        assert {p: s for s, p in lists[name]} == pytest.approx({p: s for s, p in others[name]})
    posteriors = [ds.posterior(asia, score=s, max_parents=2) for s in (mine, own)]
    one, other = (P.features("arcs")["probability"].to_numpy() for P in posteriors)
    assert np.sort(one) == pytest.approx(np.sort(other))
    if mine.equivalent:
        near = [ds.near_optimal(asia, score=s, within=2.0).differences for s in (mine, own)]
        assert near[0] == pytest.approx(near[1])
        assert ds.ges(asia, score=mine).score == pytest.approx(ds.ges(asia, score=own).score)


def test_it_is_told_names_and_counts_with_an_axis_for_each():
    data = ds.Data({"z": ["u", "v", "u"], "a": ["x", "x", "y"], "m": ["p", "q", "r"]})
    told = {}

    def kept(child, parents, counts):
        told[child, parents] = counts
        return 0.0

    mine = ds.ScoreFunction("mine", kept, equivalent=False)
    ds.local_score(data, "m", ["z", "a"], score=mine)
    expected = np.zeros((2, 2, 3))
    expected[0, 0, 0] = expected[0, 1, 1] = expected[1, 0, 2] = 1
    assert np.array_equal(told["m", ("a", "z")], expected)


def test_rows_count_as_often_as_they_occur():
    frame = {"a": ["x", "y", "x"], "b": ["u", "u", "v"], "n": [3, 4, 5]}
    counted = ds.Data(frame, weights="n")
    written = ds.Data({name: np.repeat(frame[name], frame["n"]) for name in "ab"})
    for mine in (
        ds.ScoreFunction("mine", bic, equivalent=True),
        ds.ScoreFunction(
            "rows",
            lambda child, _, columns: -len(columns[child]),
            equivalent=False,
            given="columns",
        ),
    ):
        assert ds.exact(counted, score=mine).score == pytest.approx(
            ds.exact(written, score=mine).score
        )


def test_columns_of_numbers(asia):
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    y = x + rng.normal(size=200)
    data = ds.Data({"x": x, "y": y, "z": y - x + rng.normal(size=200)})
    mine = ds.ScoreFunction("mine", gaussian, equivalent=True, given="columns")
    expected = ds.exact(data, score="bic_g")
    found = ds.exact(data, score=mine)
    assert found.cpdag == expected.cpdag
    assert found.score == pytest.approx(expected.score, abs=1e-4)
    with pytest.raises(ds.DataError, match="holds numbers, and mine scores states"):
        ds.exact(data, score=SAME["families"][0])
    assert ds.exact(asia.select(["asia", "tub"]), score=ds.ScoreFunction(
        "ones", lambda child, _, columns: -float(columns[child].sum()), equivalent=False,
        given="columns")).optimal  # fmt: skip


def test_groups_and_experiments_are_obeyed(asia):
    rows = asia.to_polars()
    frame = rows.with_columns(rows["smoke"].alias("site"))
    grouped = ds.Data(frame, groups="site")
    mine = SAME["families"][0]
    assert ds.exact(grouped, score=mine, max_parents=2).score == pytest.approx(
        ds.exact(grouped, score="bic", max_parents=2).score
    )


def test_what_it_returns_must_be_a_number(asia):
    for wrong in (math.nan, -math.inf, None, "high"):
        mine = ds.ScoreFunction("mine", lambda *_, wrong=wrong: wrong, equivalent=False)
        with pytest.raises(ds.ParameterError, match="mine must return a finite number"):
            ds.exact(asia, score=mine, max_parents=1)


def test_what_it_raises_reaches_the_caller(asia):
    mine = ds.ScoreFunction("mine", lambda *_: 1 / 0, equivalent=False)
    for threads in (1, 2):
        with pytest.raises(ZeroDivisionError):
            ds.candidate_parents(asia, score=mine, max_parents=2, threads=threads)


def test_what_is_wrong_is_refused(asia):
    with pytest.raises(ds.ParameterError, match="equivalent networks score differently"):
        ds.exact(asia, score=ds.ScoreFunction("mine", k2, equivalent=True))
    with pytest.raises(ds.ParameterError, match='there is a score "bic" already'):
        ds.ScoreFunction("BIC", bic, equivalent=True)
    with pytest.raises(ds.ParameterError, match="name must be a word"):
        ds.ScoreFunction("my score", bic, equivalent=True)
    with pytest.raises(ds.ParameterError, match='equivalent=True with of="sets"'):
        ds.ScoreFunction("mine", bic_of_sets, equivalent=False, of="sets")
    with pytest.raises(ds.ParameterError, match="function must be a function"):
        ds.ScoreFunction("mine", 3, equivalent=True)
    with pytest.raises(ds.ParameterError, match="needs a score that equivalent networks share"):
        ds.ges(asia, score=SAME["families apart"][0])


def test_files_tell_its_name(asia, tmp_path):
    mine = SAME["families"][0]
    found = ds.exact(asia, score=mine, max_parents=2)
    assert pickle.loads(pickle.dumps(found)).score_kind == mine
    found.save(tmp_path / "r.json")
    read = ds.load_result(tmp_path / "r.json")
    assert (read.score_kind, read.score_name, read.score) == (None, "mine", found.score)
    P = ds.posterior(asia, score=mine, max_parents=2)
    P.save(tmp_path / "p.sqlite")
    again = ds.load_result(tmp_path / "p.sqlite")
    assert again.features("arcs").equals(P.features("arcs"))
    store = tmp_path / "runs.sqlite"
    assert ds.local_optima(asia, score=mine, runs=3, store=store).score_name == "mine"
    assert ds.load_result(store).score_name == "mine"
    other = ds.ScoreFunction("mine", lambda *_: 0.0, equivalent=True)
    with pytest.raises(ds.ParameterError, match="holds runs with function"):
        ds.local_optima(asia, score=other, runs=3, store=store)


def test_its_cost_is_said_before(asia):
    calls = []

    def counted(child, parents, counts):
        calls.append(child)
        return bic(child, parents, counts)

    mine = ds.ScoreFunction("mine", counted, equivalent=False)
    plain = ds.estimate(asia, "parents", score="bic", max_parents=2).seconds
    assert ds.estimate(asia, "parents", score=mine, max_parents=2).seconds > plain
    assert len(calls) < 60  # of 8 * 29 families


class TestCircles:
    """A function that holds the table is let go with it."""

    @pytest.mark.parametrize("prior", [None, "fair"])
    @pytest.mark.parametrize("equivalent", [True, False])
    def test_table_and_function_are_let_go(self, asia, equivalent, prior):
        def used() -> weakref.ref[Callable[..., float]]:
            data = ds.Data(asia, missing="error")

            def mine(child, parents, counts):
                assert len(data.names) == 8
                return bic(child, parents, counts)

            score = ds.ScoreFunction("mine", mine, equivalent=equivalent)
            found = ds.hill_climb(data, score=score, prior=prior, max_parents=1)
            assert found.score == pytest.approx(ds.score(data, found.dag, score=score, prior=prior))
            return weakref.ref(mine)

        function = used()
        gc.collect()
        assert function() is None

    def test_a_table_keeps_the_function(self, asia):
        data = ds.Data(asia, missing="error")
        score = ds.ScoreFunction("mine", lambda *given: bic(*given), equivalent=True)
        known = scorer(data, score)
        del score
        gc.collect()
        assert known.local(0, [1]) == known.local(0, [1])

    def test_what_cannot_be_held_weakly_is_held(self, asia):
        class Bic:
            __slots__ = ()

            def __call__(self, child, parents, counts):
                return bic(child, parents, counts)

        score = ds.ScoreFunction("mine", Bic(), equivalent=True)
        assert ds.exact(asia, score=score, max_parents=1).optimal
