"""Lines of columns of numbers by their parents."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dagscape as ds
from dagscape import regression
from dagscape.intervals import t_quantile
from dagscape.regression import edge_slopes, regress


def table(rows=300, seed=0):
    rng = np.random.default_rng(seed)
    g = rng.choice(["low", "mid", "top"], rows)
    x = rng.normal(5, 2, rows)
    z = 0.5 * x + rng.normal(size=rows)
    y = 3 + 1.5 * x - 2 * z + np.select([g == "mid", g == "top"], [1.0, 4.0], 0.0)
    return {"g": g, "x": x, "z": z, "y": y + rng.normal(size=rows)}


def textbook(frame):
    """The same by the normal equations."""
    g = frame["g"]
    design = np.column_stack([np.ones(len(g)), frame["x"], frame["z"], g == "mid", g == "top"])
    inverse = np.linalg.inv(design.T @ design)
    slopes = inverse @ design.T @ frame["y"]
    left = frame["y"] - design @ slopes
    variance = left @ left / (len(left) - design.shape[1])
    return slopes[1:], np.sqrt(variance * np.diag(inverse))[1:], math.sqrt(variance), left


def test_slopes_and_intervals_are_those_of_least_squares():
    frame = table()
    found = regress(frame, "y", ["x", "z", "g"])
    values, errors, deviation, left = textbook(frame)
    assert [(s.parent, s.state, s.against) for s in found.slopes] == [
        ("x", None, None),
        ("z", None, None),
        ("g", "mid", "low"),
        ("g", "top", "low"),
    ]
    reach = 1.96808  # Student's t with 295 degrees of freedom
    assert [s.value for s in found.slopes] == pytest.approx(values)
    assert [s.lower for s in found.slopes] == pytest.approx(values - reach * errors, rel=1e-4)
    assert [s.upper for s in found.slopes] == pytest.approx(values + reach * errors, rel=1e-4)
    assert found.deviation == pytest.approx(deviation)
    assert found.explained == pytest.approx(1 - left.var() / frame["y"].var())
    assert found.of("g") == found.slopes[2:]
    assert found.mean == pytest.approx(frame["y"].mean())


def test_intervals_hold_as_often_as_they_say():
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(400):
        x = rng.normal(size=12)
        (slope,) = regress({"x": x, "y": 2 * x + rng.normal(size=12)}, "y", ["x"]).slopes
        held += slope.lower <= 2 <= slope.upper
    assert 0.92 < held / 400 < 0.98


@pytest.mark.parametrize(
    ("freedom", "value"),
    [(1, 12.70620), (2, 4.302653), (3, 3.182446), (5, 2.570582), (30, 2.042272), (9999, 1.960201)],
)
def test_the_reach_of_student_s_t(freedom, value):
    assert t_quantile(freedom) == pytest.approx(value, rel=2e-6)


def test_a_parent_that_others_make_up_has_no_slope():
    frame = table()
    frame["w"] = frame["x"] - frame["z"]
    found = regress(frame, "y", ["x", "z", "w"])
    assert [s.value is None for s in found.slopes] == [False, False, True]
    assert found.slopes[2].lower is None


def test_columns_that_never_change_and_numbers_of_any_size():
    rng = np.random.default_rng(3)
    x = rng.normal(size=50)
    y = 2 * x + rng.normal(size=50)
    frame = {"x": x, "y": y, "still": np.full(50, 2.5), "huge": x * 1e300, "tiny": y * 1e-300}
    plain = regress(frame, "y", ["x"])
    assert regress(frame, "y", ["still"]).slopes[0].value is None
    assert regress(frame, "still", ["x"]).explained == 0
    assert regress(frame, "y", ["huge"]).slopes[0].value == pytest.approx(
        plain.slopes[0].value * 1e-300
    )
    vast = regress(frame, "huge", ["tiny"])
    assert vast.slopes[0].value is None  # 10^600 is no double
    assert vast.explained == pytest.approx(plain.explained)


def test_too_few_rows_for_intervals():
    frame = {"x": [0.5, 1.5, 3.5], "z": [1.5, 0.1, 2.2], "y": [1.1, 2.3, 3.4]}
    found = regress(frame, "y", ["x", "z"])
    assert found.factor is None
    assert all(s.lower is None for s in found.slopes)


@pytest.mark.parametrize(
    ("child", "parents", "said"),
    [
        ("g", ["x"], 'column "g" holds states'),
        ("y", ["q"], 'no column "q"'),
        ("y", ["y"], "other columns"),
        ("y", ["x", "x"], "each named once"),
    ],
)
def test_what_is_refused(child, parents, said):
    with pytest.raises(ds.ParameterError, match=said):
        regress(table(20), child, parents)


def test_slopes_of_an_edge():
    data = ds.Data(table())
    dag = ds.Dag(data.names, [("x", "y"), ("g", "y"), ("z", "g")])
    both = edge_slopes(data, dag, "x", "y"), edge_slopes(data, dag, "y", "x")
    assert both[0] == both[1] == regress(data, "y", dag.parents("y")).of("x")
    assert [s.state for s in edge_slopes(data, dag, "y", "g")] == ["mid", "top"]
    assert edge_slopes(data, dag, "z", "g") == ()  # a child of states has no line
    assert edge_slopes(data, dag, "z", "y") == ()  # not joined


@pytest.mark.parametrize("seed", range(6))
def test_many_states_are_regressed_on_as_few_are(seed, monkeypatch):
    """Within the states, and by a column for each of them."""
    rng = np.random.default_rng(seed)
    g, h = rng.integers(0, 6, 60), rng.integers(0, 3, 60)
    x = rng.normal(size=60) + g
    frame = {"g": g, "h": h, "x": x, "of g": 1.5 * g, "y": x - 0.3 * g + rng.normal(size=60)}
    kinds = {"g": "discrete", "h": "discrete", "of g": "continuous"}
    data = ds.Data(frame, kinds=kinds)
    parents = (["g"], ["g", "x"], ["h", "g", "x"], ["g", "x", "of g"])[seed % 4]
    few = regress(data, "y", parents)
    monkeypatch.setattr(regression, "WIDE", 4)
    many = regress(data, "y", parents)
    assert many.deviation == pytest.approx(few.deviation)
    assert many.explained == pytest.approx(few.explained)
    for one, other in zip(few.slopes, many.slopes, strict=True):
        assert (one.parent, one.state, one.against) == (other.parent, other.state, other.against)
        for end in ("value", "lower", "upper"):
            expected = getattr(one, end)
            assert getattr(other, end) == (expected and pytest.approx(expected, abs=1e-9))
