"""Effects where causes may be hidden."""

import math

import numpy as np
import pytest

import dagscape as ds
from dagscape.effects.hidden_effect import e_value, e_values, robustness_value, robustness_values
from dagscape.learning import LearnResult


def learned(columns: dict[str, np.ndarray]) -> LearnResult:
    return ds.learn(columns, runs=0, resamples=0)


def flipped(rng: np.random.Generator, column: np.ndarray, share: float) -> np.ndarray:
    return column ^ (rng.random(len(column)) < share)


def collider(rows: int = 5000) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    a, b = (rng.integers(0, 2, (2, rows))).astype(int)
    c = flipped(rng, a | b, 0.15).astype(int)
    d = flipped(rng, c, 0.2).astype(int)
    return {"a": a, "b": b, "c": c, "d": d}


def test_published_values():
    # VanderWeele and Ding 2017: a ratio of 3.9 (1.8 to 8.7) has E-values of 7.26 and 3.0.
    estimate, interval = e_values(3.9, 1.8, 8.7)
    assert estimate == pytest.approx(7.26, abs=0.005)
    assert interval == pytest.approx(3.0, abs=0.005)
    assert e_value(1.0) == 1.0
    assert e_values(0.5, 0.25, 1.5) == (e_value(2.0), 1.0)
    assert e_value(0.0) == math.inf
    # Cinelli and Hazlett 2020: t = 4.18 with 783 degrees of freedom has 13.9 %, and 7.6 % at 5 %.
    estimate, interval = robustness_values(4.18, 783, 0.95)
    assert estimate == pytest.approx(0.139, abs=0.0005)
    assert interval == pytest.approx(0.076, abs=0.001)
    assert robustness_value(0.0) == 0.0


def test_an_effect_that_the_graph_gives():
    r = learned(collider())
    e = ds.effect(r, "c", "d", hidden=True)
    assert e.identified
    assert e.given == ()
    truth = np.array([[0.8, 0.2], [0.2, 0.8]])
    assert e.effect.mean == pytest.approx(truth, abs=0.03)
    assert "whatever is hidden" in str(e)
    back = ds.effect(r, "d", "a", hidden=True)
    assert back.identified
    assert "no cause" in back.reason
    assert back.effect.mean[0] == pytest.approx(back.effect.mean[1], abs=0.02)


@pytest.mark.slow
def test_an_effect_that_something_hidden_may_explain():
    r = learned(collider())
    e = ds.effect(r, "a", "c", hidden=True)
    assert not e.identified
    assert e.given is None
    plain = ds.effect(r, "a", "c")
    assert e.effect.difference("1", "0", interval="adjusted") == plain.difference(
        "1", "0", interval="adjusted"
    )
    ratio = plain.ratio("1", "0", interval="adjusted")["1"]
    assert e.strength("1", "0")["1"] == e_values(*ratio)
    assert e.strength()["1"][0] > e.strength()["1"][1] > 1
    assert "to explain away the effect of 1 rather than 0, a hidden cause must make what" in str(e)
    assert " so many times as probable: for c = 0 " in str(e)


def test_numbers_have_robustness_values():
    rng = np.random.default_rng(1)
    x = rng.normal(size=800)
    y = 0.3 * x + rng.normal(size=800)
    e = ds.effect(learned({"x": x, "y": y}), "x", "y", hidden=True)
    assert not e.identified
    estimate, interval = e.strength()
    t = np.corrcoef(x, y)[0, 1] / math.sqrt((1 - np.corrcoef(x, y)[0, 1] ** 2) / 798)
    assert estimate == pytest.approx(robustness_values(t, 798, 0.95)[0], abs=0.02)
    assert 0 < interval < estimate < 1
    assert "a hidden cause must explain so much of what x and y are, beside all" in str(e)


def test_what_has_no_graph_is_refused():
    data = ds.Data(collider(500))
    for of in (ds.exact(data), ds.posterior(data)):
        with pytest.raises(ds.ParameterError, match="hidden=True needs what learn found"):
            ds.effect(of, "a", "c", hidden=True)
