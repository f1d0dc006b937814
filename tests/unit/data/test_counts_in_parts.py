"""Rows that count in parts: survey weights, and rows of subjects."""

from __future__ import annotations

import itertools
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import dagscape as ds
from dagscape.chance.draws import orders_of
from dagscape.data.contents import counts_of
from dagscape.data.row_weights import alike_numbers, alike_states, design_effect
from dagscape.intervals import t_quantile
from dagscape.landscape.resample import drawn_subjects, resampled
from dagscape.learning.chance import shuffled
from dagscape.regression import regress
from oracles import counts_in_parts as oracle


def frame(seed: int, rows: int = 90) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    who = np.sort(rng.integers(0, 15, rows))
    own = {f"X{v}": rng.integers(0, 2 + v % 2, rows) for v in range(4)}
    own["X2"] = rng.integers(0, 2, 15)[who]
    own["X3"] = np.where(rng.random(rows) < 0.2, rng.integers(0, 3, rows), own["X1"])
    return {**own, "who": who, "w": rng.gamma(1.5, 1.0, rows) + 0.01}


def data_of(own: dict[str, Any], *without: str, **settings: Any) -> ds.Data:
    return ds.Data({name: own[name] for name in own if name not in without}, **settings)


def parts_of(data: ds.Data, own: dict[str, Any]) -> list[float]:
    """What each row counts for, from the definition."""
    survey, clusters = data.rows.survey_weights, data.rows.clusters
    effect = 1.0 if clusters is None else clusters.effect
    w = np.ones(data.n_rows) if survey is None else np.asarray(own["w"])
    effective = w.sum() ** 2 / (w**2).sum()
    return [float(each) * effective / w.sum() / effect for each in w]


TABLES = {
    "survey": (("who",), {"survey_weights": "w"}),
    "subjects": (("w",), {"clusters": "who"}),
    "both": ((), {"survey_weights": "w", "clusters": "who"}),
}


@pytest.mark.slow
def test_scores_are_those_of_counts_in_parts() -> None:
    for seed, (name, (without, settings)) in itertools.product(range(6), TABLES.items()):
        own = frame(seed)
        data = data_of(own, *without, **settings)
        rows = list(zip(*(own[f"X{v}"] for v in range(4)), strict=True))
        parts, arities = parts_of(data, own), [data.arities[f"X{v}"] for v in range(4)]
        for x in range(4):
            others = [v for v in range(4) if v != x]
            for given in itertools.chain.from_iterable(
                itertools.combinations(others, size) for size in range(4)
            ):
                told = [f"X{v}" for v in given]
                for score, expected in (
                    ("bic", oracle.bic(rows, parts, arities, x, given)),
                    ("bdeu(ess=4)", oracle.bdeu(rows, parts, arities, x, given, 4.0)),
                ):
                    found = ds.local_score(data, f"X{x}", told, score=score)
                    assert found == pytest.approx(expected, abs=2e-5), (seed, name, x, given)


@pytest.mark.slow
def test_searches_and_bounds_obey_them() -> None:
    for seed, (name, (without, settings)) in itertools.product(range(4), TABLES.items()):
        data = data_of(frame(seed), *without, **settings)
        for score in ("bic", "bdeu", "fitted_dirichlet", "qnml"):
            found = [
                ds.exact(data, score=score, algorithm=algorithm).score
                for algorithm in ("dp", "astar", "systematic")
            ]
            greedy = [
                ds.ges(data, score=score).score,
                ds.hill_climb(data, score=score, restarts=20).score,
                ds.order_search(data, score=score, parent_sets="grown").score,
            ]
            best = max(
                sum(ds.local_score(data, x, dag.parents(x), score=score) for x in data.names)
                for dag in EVERY_DAG
            )
            assert found == pytest.approx([best] * 3, abs=1e-6), (seed, name, score)
            assert max(greedy) <= best + 1e-6


def every_dag(names: tuple[str, ...]) -> list[ds.Dag]:
    pairs = list(itertools.combinations(names, 2))
    found = []
    for ways in itertools.product((None, 0, 1), repeat=len(pairs)):
        arcs = [
            pair if way == 0 else pair[::-1]
            for pair, way in zip(pairs, ways, strict=True)
            if way is not None
        ]
        with suppress(ds.GraphError):
            found.append(ds.Dag(names, arcs))
    return found


EVERY_DAG = every_dag(("X0", "X1", "X2", "X3"))


def test_bounds_hold_for_rows_of_a_small_part() -> None:
    for seed in range(3):
        own = frame(seed, 200)
        own["who"] = np.arange(200) // 20
        own["X0"] = own["X2"] = np.random.default_rng(seed).integers(0, 2, 10)[own["who"]]
        data = data_of(own, "w", clusters="who")
        assert data.rows.clusters is not None
        assert data.rows.clusters.effect > 10
        for score in ("bic", "bdeu(ess=20)", "fitted_dirichlet"):
            kept = ds.candidate_parents(data, score=score, prior="uniform")
            for x in data.names:
                others = [name for name in data.names if name != x]
                for size in range(4):
                    for parents in itertools.combinations(others, size):
                        value = ds.local_score(data, x, parents, score=score, prior="uniform")
                        best = kept.best(x, allowed=parents)
                        assert best[0] >= value - 1e-9, (seed, score, x, parents)


def test_equal_survey_weights_are_none() -> None:
    own = {**frame(1), "w": np.full(90, 3.7)}
    plain, weighted = data_of(own, "w", "who"), data_of(own, "who", survey_weights="w")
    for score in ("bic", "fitted_dirichlet", "qnml"):
        one, other = (ds.exact(data, score=score) for data in (plain, weighted))
        assert one.score == pytest.approx(other.score, abs=1e-5)
        assert one.cpdag == other.cpdag


def test_parameters_are_of_the_same_counts() -> None:
    own = frame(2)
    data = data_of(own, survey_weights="w", clusters="who")
    parts = parts_of(data, own)
    expected = np.zeros((2, 3))
    for a, b, part in zip(own["X0"], own["X1"], parts, strict=True):
        expected[a, b] += part
    assert np.allclose(counts_of(data, ["X0", "X1"]), expected, atol=1e-6)
    table = ds.fit(ds.Dag(["X0", "X1"], [("X0", "X1")]), data, ess=6.0).table("X1")
    cells = expected + 1
    assert np.allclose(table, cells / cells.sum(axis=1, keepdims=True), atol=1e-6)


def test_how_alike_rows_of_a_subject_are() -> None:
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(4, 14))
        who = rng.integers(0, 4, n)
        codes = rng.integers(0, 1 + int(rng.integers(1, 4)), n)
        if seed % 3 == 0:
            codes = who % 3
        numbers = np.round(rng.normal(size=n) + (seed % 2) * who, 1)
        assert alike_states(who, codes) == pytest.approx(oracle.alike(who, codes)), seed
        if len({int(x) for x in who}) > 1 and len(set(who)) < n and len(set(numbers)) > 1:
            assert alike_numbers(who, numbers) == pytest.approx(oracle.alike_numbers(who, numbers))


def test_the_design_effect_is_that_of_the_two_most_alike() -> None:
    who = np.repeat(np.arange(50), 6)
    rng = np.random.default_rng(0)
    codes = {
        "same": rng.integers(0, 2, 50)[who],
        "some": np.where(
            rng.random(300) < 0.5, rng.integers(0, 2, 50)[who], rng.integers(0, 2, 300)
        ),
        "none": rng.integers(0, 2, 300),
    }
    found = design_effect(who, codes, {})
    share = alike_states(who, codes["some"])
    assert found.columns == ("same", "some")
    assert found.value == pytest.approx(1 + 5 * share)
    assert 0.1 < share < 0.45
    gaps = {"x": np.where(rng.random(300) < 0.3, -1, codes["same"]), "y": codes["same"]}
    assert design_effect(who, gaps, {}).value == pytest.approx(6)
    assert design_effect(who, {"x": codes["same"]}, {"z": codes["same"] + 0.5}).value > 5.9
    assert design_effect(who, {"x": codes["same"]}, {}).value == 1


def test_subjects_are_drawn_and_shuffled_as_wholes() -> None:
    own = frame(5)
    who = own["who"]
    data = data_of(own, "w", clusters="who")
    assert data.rows.clusters is not None
    for run in range(20):
        rows = drawn_subjects(who, 0, run)
        times = np.bincount(rows, minlength=90)
        for subject in np.unique(who):
            assert len(set(times[who == subject])) == 1
        sample = resampled(data, 0, run)
        assert sample.n_rows == len(rows)
        assert sample.rows.clusters is not None
        assert sample.rows.clusters.effect == data.rows.clusters.effect
    even = np.repeat(np.arange(12), 5)
    strata = np.tile([0, 0, 1, 1, 1], 12)
    for order in itertools.islice(orders_of(even, strata), 30):
        assert sorted(order) == list(range(60))
        assert (strata[order] == strata).all()
        for subject in range(12):
            assert len(set(even[order][even == subject])) == 1
    null = shuffled(data, 0, 1)
    assert null.rows.clusters is not None
    assert len(set(null.column("X2")[who == who[0]])) == 1


def test_probabilities_say_that_they_are_approximate() -> None:
    own = frame(3)
    surveyed = ds.posterior(data_of(own, "who", survey_weights="w"))
    assert "approximate, as rows count by survey weights" in surveyed.claim
    assert "approximate" not in ds.posterior(data_of(own, "w", "who")).claim
    data = data_of(own, "w", clusters="who")
    assert "rows of one subject count in part" in ds.posterior(data, resamples=3).claim
    assert data.rows.clusters is not None
    (note,) = [note for note in data.notes if note.kind == "clusters"]
    assert note.counts["effective"] == int(90 / data.rows.clusters.effect)


def test_slopes_of_subjects_have_wider_intervals() -> None:
    rng = np.random.default_rng(0)
    who = np.repeat(np.arange(30), 6)
    x = rng.normal(size=30)[who]
    frame = {"x": x, "y": x + rng.normal(size=30)[who] + 0.2 * rng.normal(size=180), "who": who}
    one = regress({"x": frame["x"], "y": frame["y"]}, "y", ["x"]).slopes[0]
    data = ds.Data(frame, clusters="who")
    assert data.rows.clusters is not None
    effect = data.rows.clusters.effect
    other = regress(data, "y", ["x"]).slopes[0]
    assert one.lower is not None
    assert other.lower is not None
    assert one.value is not None
    free = t_quantile(int(180 / effect) - 2) / t_quantile(178)
    wider = (one.value - one.lower) * np.sqrt(effect) * free
    assert other.value == pytest.approx(one.value)
    assert other.value - other.lower == pytest.approx(wider)
    assert effect > 5
    assert ds.learn(data, runs=0, resamples=2).not_linear == ()


def test_what_counts_whole_rows_refuses() -> None:
    data = data_of(frame(3), "w", clusters="who")
    with pytest.raises(ds.DataError, match="fnml scores whole rows"):
        ds.exact(data, score="fnml")
    with pytest.raises(ds.DataError, match=r"clusters .column .who.*cannot obey"):
        ds.effect(ds.posterior(data), "X0", "X1")


@pytest.mark.slow
def test_chance_within_subjects_is_not_called_likely() -> None:
    rng = np.random.default_rng(4)
    who = np.repeat(np.arange(30), 10)
    noise = {f"n{v}": rng.integers(0, 2, 30)[who] for v in range(5)}
    noise |= {f"v{v}": (rng.random(300) < rng.random(30)[who]).astype(int) for v in range(3)}
    noise["copy"] = np.where(rng.random(300) < 0.1, 1 - noise["v0"], noise["v0"])
    table = {**noise, "who": who}
    naive = ds.learn(ds.Data(noise, rows_independent=True), runs=0, resamples=10)
    found = ds.learn(ds.Data(table, clusters="who"), runs=0, resamples=10)
    likely = [
        [{e.a, e.b} for e in r.edges if e.verdict in ("likely", "near certain")]
        for r in (naive, found)
    ]
    assert len(likely[0]) > 5
    assert likely[1] == [{"copy", "v0"}]
    assert found.rows_independent
