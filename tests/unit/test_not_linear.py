"""Relations that are clearly no lines are named; lines are not."""

from __future__ import annotations

import numpy as np
import pytest

import dagscape as ds
from dagscape.learning.not_linear import LEAST_SHARE, not_linear

CURVES = {
    "square": lambda x: x**2,
    "size": abs,
    "step": lambda x: 2 * np.tanh(3 * x),
    "growth": np.exp,
    "cube": lambda x: x**3,
}


def curved(curve, rows=1000, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=rows)
    x = 0.6 * a + rng.normal(size=rows)
    y = curve(x) + 0.5 * a + 0.7 * rng.normal(size=rows)
    return ds.Data({"a": a, "x": x, "y": y, "z": y + rng.normal(size=rows)})


def lines(noise, rows, seed):
    """A random network of lines, of which every third column is cut into states."""
    rng = np.random.default_rng(seed)
    slopes = np.triu(rng.choice([-1, 1], (9, 9)) * rng.uniform(0.4, 1.2, (9, 9)), 1)
    slopes *= rng.random((9, 9)) < 0.3
    values = np.zeros((rows, 9))
    for child in range(9):
        values[:, child] = noise(rng, rows) + values @ slopes[:, child]
    frame = {f"x{i}": values[:, i] for i in range(9)}
    for i in (0, 3, 6) if seed % 2 else ():
        cuts = np.quantile(values[:, i], [0.4, 0.7])
        frame[f"x{i}"] = np.digitize(values[:, i], cuts).astype(str)
    return ds.Data(frame)


@pytest.mark.parametrize("curve", CURVES)
def test_curves_are_named(curve):
    data = curved(CURVES[curve])
    found = not_linear(data, ds.ges(data, score="gaussian_bic").dag)
    assert {"x", "y"} in [{one.child, one.parent} for one in found]
    assert all(LEAST_SHARE <= one.share <= 1 for one in found)


@pytest.mark.parametrize("noise", ["normal", "uniform", "outliers"])
@pytest.mark.parametrize("rows", [150, 1500])
def test_lines_are_not(noise, rows):
    draws = {
        "normal": lambda rng, n: rng.normal(size=n),
        "uniform": lambda rng, n: rng.uniform(-1.7, 1.7, n),
        "outliers": lambda rng, n: rng.normal(size=n) * np.where(rng.random(n) < 0.01, 20, 1),
    }
    for seed in range(8):
        data = lines(draws[noise], rows, seed)
        assert not_linear(data, ds.ges(data, score="basis_bic(degree=1)").dag) == ()


def test_a_line_that_the_network_has_the_wrong_way_round():
    rng = np.random.default_rng(2)
    cause = rng.exponential(size=2000)
    data = ds.Data({"cause": cause, "effect": cause + 0.5 * rng.normal(size=2000)})
    for arc in (("cause", "effect"), ("effect", "cause")):
        assert not_linear(data, ds.Dag(data.names, [arc])) == ()


def test_joined_and_not_joined():
    data = curved(CURVES["square"])
    apart = not_linear(data, ds.Dag(data.names, [("a", "x"), ("y", "z")]))
    assert (apart[0].child, apart[0].parent, apart[0].joined) == ("y", "x", False)
    joined = not_linear(data, ds.Dag(data.names, [("a", "x"), ("x", "y"), ("y", "z")]))
    assert ("y", "x", True) in [(one.child, one.parent, one.joined) for one in joined]
    assert set(apart[0].to_dict()) == {"child", "parent", "joined", "share"}


def test_tables_without_room_for_it():
    data = curved(CURVES["square"], rows=40)
    assert not_linear(data, ds.Dag(data.names, [])) == ()
    rng = np.random.default_rng(0)
    still = ds.Data({"x": rng.normal(size=100), "still": np.full(100, 1.5)})
    assert not_linear(still, ds.Dag(still.names, [("x", "still")])) == ()
    huge = curved(CURVES["square"])
    scaled = ds.Data({name: values * 1e300 for name, values in huge.numbers.items()})
    dag = ds.Dag(huge.names, [("a", "x"), ("y", "z")])
    one, other = not_linear(scaled, dag), not_linear(huge, dag)
    assert [found.share for found in one] == pytest.approx([found.share for found in other])


def test_learn_says_it_only_where_the_score_sees_lines_alone():
    data = curved(CURVES["square"], rows=300)
    settings = {"runs": 0, "resamples": 0}
    found = ds.learn(data, **settings)
    assert {"x", "y"} in [{one.child, one.parent} for one in found.not_linear]
    seen = ds.learn(data, score=ds.BasisBIC(degree=3), **settings)
    assert ("x", "y") in seen.dag.arcs or ("y", "x") in seen.dag.arcs
    assert seen.not_linear == ()
    states = ds.load_network("asia").sample(200, seed=0)
    assert ds.learn(states, **settings).not_linear == ()
