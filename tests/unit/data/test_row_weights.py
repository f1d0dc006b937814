"""A counted table answers as the table of its rows does.

One that is small is written out, so the answers are the same to the last digit. Here even small
ones stay as they are stored; sums over counts are added in another order, and differ by rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import dagscape as ds
from dagscape.chance import chances_of
from dagscape.data import row_weights
from dagscape.landscape import resample
from dagscape.notes import DEPENDENT

COUNTS = "how often"


def both(monkeypatch: pytest.MonkeyPatch, seed: int) -> tuple[ds.Data, ds.Data]:
    """Return a table with its rows written out, and the same as it is counted."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 3, (60, 5))
    rows[:, 3] = rows[:, 2] // 2
    rows[:, 4] = 1  # never changes
    frame: dict[str, Any] = {f"X{v}": rows[:, v] for v in range(5)}
    times = rng.integers(1, 40, 60)
    written = {name: np.repeat(values, times) for name, values in frame.items()}
    monkeypatch.setattr(row_weights, "WRITTEN_OUT", 0)
    monkeypatch.setattr(row_weights, "FEW_TIMES", 0)
    counted = ds.Data({**frame, COUNTS: times}, weights=COUNTS)
    assert counted.rows.times is not None
    return ds.Data(written), counted


SCORES = ("bic", "aic", "loglik", "bdeu(ess=3)", "fitted_dirichlet", "k2", "qnml", "fnml")
SEARCHES: dict[str, Callable[[ds.Data], ds.Result]] = {
    "exact": ds.exact,
    "ges": ds.ges,
    "kes": lambda data: ds.kes(data, seed=3),
    "order": lambda data: ds.order_search(data, restarts=2, seed=1),
    "grown": lambda data: ds.order_search(data, restarts=2, seed=1, parent_sets="grown"),
    "hill_climb": ds.hill_climb,
    "mmhc": ds.mmhc,
    "sll_c": ds.sll_c,
    "sll_g": ds.sll_g,
}


def test_every_score_and_search_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(3):
        written, counted = both(monkeypatch, seed)
        for score in SCORES:
            for parents in ([], ["X1"], ["X0", "X1", "X4"]):
                one, other = (
                    ds.local_score(data, "X2", parents, score=score) for data in (written, counted)
                )
                assert one == pytest.approx(other, rel=1e-13), (seed, score, parents)
        for name, search in SEARCHES.items():
            first, second = search(written), search(counted)
            assert first.cpdag == second.cpdag, (seed, name)
            assert first.score == pytest.approx(second.score, rel=1e-13), (seed, name)


@pytest.mark.slow
def test_everything_else_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    written, counted = both(monkeypatch, 7)
    dag = ds.exact(written).dag
    for x in dag.names:
        tables = [ds.fit(dag, data).table(x) for data in (written, counted)]
        assert np.array_equal(*tables), x
    for resamples in (0, 4):
        one, other = (ds.posterior(data, resamples=resamples) for data in (written, counted))
        assert_alike(one.features("arcs"), other.features("arcs"))
        assert np.allclose(one.predictive(written), other.predictive(written), rtol=1e-9)
    for method in ("ges", "exact", "hill_climb"):
        drawn = [ds.bootstrap(data, runs=6, method=method) for data in (written, counted)]
        assert_alike(drawn[0].features("edges"), drawn[1].features("edges"))
    edges = [("X2", "X3"), ("X0", "X1")]
    assert chances_of(written, dag, edges) == chances_of(counted, dag, edges)
    first, second = (
        ds.learn(ds.Data(data, rows_independent=True), runs=5, resamples=6)
        for data in (written, counted)
    )
    assert_alike(first.features(), second.features())


def assert_alike(one: pl.DataFrame, other: pl.DataFrame) -> None:
    assert_frame_equal(one, other, rel_tol=1e-7, abs_tol=1e-9)


def test_a_sample_of_very_many_rows_is_drawn_by_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resample, "ONE_BY_ONE", 10)
    times = np.array([50, 30, 20])
    drawn = np.array([resample.drawn_times(times, 0, run) for run in range(4_000)])
    assert (drawn.sum(axis=1) == 100).all()
    assert np.allclose(drawn.mean(axis=0), times, atol=0.4)
    assert np.allclose(drawn.var(axis=0), times * (1 - times / 100), rtol=0.1)


@pytest.mark.slow
def test_a_billion_rows_are_learned() -> None:
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 400)
    frame = {"a": a, "b": np.where(rng.random(400) < 0.2, 1 - a, a), "c": rng.integers(0, 3, 400)}
    times = rng.integers(2_000_000, 3_000_000, 400)
    data = ds.Data({**frame, "n": times}, weights="n", rows_independent=True)
    learned = ds.learn(data, runs=2, resamples=4)
    assert data.n_rows > 900_000_000
    assert {frozenset(edge) for edge in learned.dag.arcs} >= {frozenset("ab")}
    assert learned.edges[0].verdict == "near certain"


def test_weights_that_are_no_counts_are_told_of():
    rng = np.random.default_rng(0)
    coins = {f"c{i}": rng.integers(2, size=200) for i in range(8)}
    weights = {"w": rng.integers(300, 1500, 200)}
    with pytest.warns(ds.DataWarning, match="as where a weight says for how many people"):
        data = ds.Data({**coins, **weights}, weights="w")
    (note,) = [each for each in data.notes if each.kind in DEPENDENT]
    assert note.kind == "rows_weighted"
    assert note.counts["lines"] == 200
    assert note.counts["rows"] == data.n_rows
    found = ds.learn(data, runs=0, resamples=0)
    assert not found.rows_independent
    with pytest.warns(ds.DataWarning, match="no two of them are the same, and none counts for few"):
        ds.Data({"x": rng.normal(size=200), **weights}, weights="w")
    said = ds.Data({**coins, **weights}, weights="w", rows_independent=True)
    assert not [each for each in said.notes if each.kind in DEPENDENT]


def test_counts_of_which_a_column_was_left_out_are_counts():
    places = np.array(list(np.ndindex(2, 3, 4, 4)))
    rng = np.random.default_rng(0)
    columns = {x: places[:, at] for at, x in enumerate("abc")} | {"n": rng.integers(9, 99, 96)}
    assert not [each for each in ds.Data(columns, weights="n").notes if each.kind in DEPENDENT]
