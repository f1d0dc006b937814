"""Odd tables of numbers through every search: finite answers, or a sentence; never a hang."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dagscape as ds
from limits import stop_at

ROWS = 60


def tables():
    rng = np.random.default_rng(0)
    x = rng.normal(size=ROWS)
    y = x + rng.normal(size=ROWS)
    z = rng.normal(size=ROWS)
    return {
        "large": {"x": x * 1e300, "y": y, "z": z},
        "largest": {"x": x / abs(x).max() * 1.79e308, "y": y, "z": z},
        "tiny": {"x": x * 1e-320, "y": y},
        "far from 0": {"x": x * 1e-9 + 1e9, "y": y},
        "constant": {"x": np.full(ROWS, 2.5), "y": y, "z": z},
        "all constant": {"x": np.full(ROWS, 2.5), "y": np.full(ROWS, 1.5)},
        "copy": {"x": x, "y": x.copy(), "z": y},
        "mirrored": {"x": x, "y": -x, "z": y},
        "sum": {"x": x, "y": y, "z": x + y},
        "two rows": {"x": x[:2], "y": y[:2], "z": z[:2]},
        "one row": {"x": x[:1], "y": y[:1]},
        "few rows": {f"v{i}": rng.normal(size=5) for i in range(8)},
        "a state of one row": {"g": ["a"] * (ROWS - 1) + ["b"], "x": x, "y": y},
        "states of two rows": {"g": [f"s{i % 30}" for i in range(ROWS)], "x": x, "y": y},
        "one value far off": {"x": np.where(np.arange(ROWS) == 0, 1e12, x), "y": y},
    }


@pytest.fixture(params=tables())
def data(request):
    return ds.Data(tables()[request.param])


@pytest.mark.parametrize("score", ["basis_bic(degree=1)", "basis_bic(degree=3)", "bic_cg"])
def test_searches_end_with_finite_scores(data, score):
    limit = {"max_parents": min(2, data.n_variables - 1)}
    best = ds.exact(data, score=score, **limit).score
    assert math.isfinite(best)
    for search, settings in (
        (ds.ges, {}),
        (ds.order_search, {"restarts": 1}),
        (ds.hill_climb, {"progress": stop_at(1000)}),  # should it go round in circles
    ):
        found = search(data, score=score, **settings, **limit)
        assert math.isfinite(found.score)
        assert found.score <= best + 1e-6 * max(1.0, abs(best))
        assert found.work.get("steps", 0) < 5_000


def test_probabilities_are_probabilities(data):
    found = ds.posterior(data).features("arcs", frame="dict")["probability"]
    assert all(0 <= p <= 1 for p in found)


@pytest.mark.parametrize("method", ["hiton", "mmpc", "sll"])
def test_neighbors(data, method):
    target = data.names[0]
    assert target not in ds.neighbors(data, target, method=method)


def test_blankets_and_slopes(data):
    found = ds.describe_blanket(data, data.names[-1])
    ends = [s.value for slopes in found.slopes.values() for s in slopes if s.value is not None]
    assert all(map(math.isfinite, ends))


def test_infinite_values_are_refused_by_name():
    with pytest.raises(ds.DataError, match=r'column "x" has the infinite value -inf in row 2'):
        ds.Data({"x": [0.5, -math.inf, 1.25], "y": [1.5, 2.5, 3.75]})


def test_columns_whose_products_have_no_room_are_refused_in_a_sentence(monkeypatch):
    from dagscape.scores import numbers

    rng = np.random.default_rng(0)
    data = ds.Data({f"v{i}": rng.normal(size=30) for i in range(20)})
    monkeypatch.setattr(numbers, "FEW_COLUMNS", 10)
    assert ds.score(data, ds.Dag(data.names)) < 0
    monkeypatch.setattr(numbers, "free_memory", lambda: 4000)
    for score in ("rank_bge", "bge", "bic_g", "basis_bic(degree=2)"):
        with pytest.raises(ds.DataError, match=r"columns take .* are free; take fewer columns"):
            ds.local_score(ds.Data({n: data.numbers[n] for n in data.names}), "v0", score=score)
