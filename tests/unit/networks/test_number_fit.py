"""Fitting networks with numbers, beside least squares and the definition of a softmax."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import dagscape as ds
from dagscape.networks import GaussianNode, fit_softmax
from oracles.number_networks import fitted_line, softmax_objective


def table(columns, states=None):
    """Return a table of arrays; those of integers have states."""
    labels = {
        x: [f"s{k}" for k in range(int(c.max()) + 1)]
        for x, c in columns.items()
        if c.dtype.kind in "iu"
    }
    return ds.Data.from_columns(columns, labels | (states or {}))


@pytest.mark.parametrize("ess", [0.0, 1.0])
def test_lines_are_those_of_least_squares(ess):
    rng = np.random.default_rng(5)
    for _ in range(150):
        parents = int(rng.integers(0, 5))
        rows = int(rng.integers(parents + 3, 40))
        scale, shift = 10.0 ** rng.uniform(-6, 6), 10.0 ** rng.uniform(-3, 3)
        x = rng.normal(size=(rows, parents)) @ rng.normal(size=(parents, parents)) + shift
        y = (x @ rng.normal(size=parents) + rng.normal(size=rows)) * scale
        columns = {f"p{i}": x[:, i].copy() for i in range(parents)} | {"y": y}
        dag = ds.Dag(columns, [(f"p{i}", "y") for i in range(parents)])
        node = ds.fit(dag, table(columns), ess=ess).node("y")
        mean, slopes, sd = fitted_line(y, [x[:, i] for i in range(parents)], ess > 0)
        assert float(node.mean) == pytest.approx(mean, rel=1e-9, abs=1e-9 * scale)
        assert node.slopes == pytest.approx(slopes, rel=1e-6, abs=1e-8 * scale)
        assert float(node.sd) == pytest.approx(sd, rel=1e-9)
        assert node.centers == pytest.approx(x.mean(axis=0))


def test_each_configuration_with_rows_enough_has_its_line_and_others_that_of_all():
    rng = np.random.default_rng(3)
    s = np.array([0] * 30 + [1] * 8 + [2] * 7)  # 2 (k + 2) = 8 for y and one parent
    x = rng.normal(size=45)
    y = x * np.array([1.0, -2.0, 5.0])[s] + rng.normal(size=45)
    data = table({"s": s, "x": x, "y": y}, {"s": ["s0", "s1", "s2", "never"]})
    node = ds.fit(ds.Dag(["s", "x", "y"], [("s", "y"), ("x", "y")]), data).node("y")
    assert node.mean.shape == (4,)
    for cell, rows in enumerate([s == 0, s == 1, s >= 0, s >= 0]):
        _, slopes, sd = fitted_line(y[rows], [x[rows]], unbiased=True)
        assert node.slopes[cell] == pytest.approx(slopes)
        assert node.sd[cell] == pytest.approx(sd)
        at_center = y[rows].mean() + slopes[0] * (x.mean() - x[rows].mean())
        assert node.mean[cell] == pytest.approx(at_center)


def test_without_a_prior_no_line_is_more_likely():
    rng = np.random.default_rng(8)
    net = ds.random_network(5, kind="mixed", neighbors=3, continuous=0.8, seed=4)
    data = net.sample(400, seed=1)
    fitted = ds.fit(net.dag, data, ess=0)
    best = fitted.log_likelihood(data)
    assert best >= net.log_likelihood(data)
    numbers = [x for x in net.names if net.kinds[x] == "continuous"]
    for _ in range(50):
        x = numbers[int(rng.integers(len(numbers)))]
        node = fitted.node(x)
        moved = GaussianNode(
            node.mean + rng.normal(0, 0.01, node.mean.shape),
            node.sd * np.exp(rng.normal(0, 0.01, node.sd.shape)),
            node.slopes + rng.normal(0, 0.01, node.slopes.shape),
            node.centers,
        )
        nodes = {v: fitted.node(v) for v in net.names} | {x: moved}
        assert ds.Network(net.dag, net.states, nodes).log_likelihood(data) < best


@pytest.mark.parametrize("ess", [0.0, 1.0, 10.0])
def test_a_softmax_is_at_the_top_of_its_objective(ess):
    rng = np.random.default_rng(11)
    for case in range(12):
        states, count, rows = int(rng.integers(2, 5)), int(rng.integers(1, 4)), 25
        x = rng.normal(3, 2, size=(rows, count))
        codes = rng.integers(0, states, size=rows)
        if case % 3 == 0:
            codes = (x[:, 0] > 3).astype(int)  # numbers that separate the states
        columns = {f"p{i}": x[:, i].copy() for i in range(count)}
        labels = {"s": [f"s{k}" for k in range(states)]}
        data = ds.Data.from_columns(columns | {"s": codes}, labels)
        dag = ds.Dag([*columns, "s"], [(p, "s") for p in columns])
        node = ds.fit(dag, data, ess=ess).node("s")
        sds = x.std(axis=0)
        z = (x - x.mean(axis=0)) / sds
        rows_of = [(z[i].tolist(), int(codes[i])) for i in range(rows)]
        here = node.intercepts, node.slopes * sds
        best = softmax_objective(*here, rows_of, ess, 1)
        for _ in range(6):
            step = rng.normal(0, 1, node.intercepts.shape), rng.normal(0, 1, node.slopes.shape)
            for size in (1e-4, 1e-2):
                moved = [part + size * by for part, by in zip(here, step, strict=True)]
                assert softmax_objective(*moved, rows_of, ess, 1) <= best + 1e-9 * abs(best)
        for part in (0, 1):  # and the slope there is none
            for at in np.ndindex(here[part].shape):
                up, down = [p.copy() for p in here], [p.copy() for p in here]
                up[part][at] += 1e-5
                down[part][at] -= 1e-5
                change = softmax_objective(*up, rows_of, ess, 1)
                change -= softmax_objective(*down, rows_of, ess, 1)
                assert abs(change) / 2e-5 < 1e-4


def test_a_softmax_has_its_own_slopes_where_rows_are_enough():
    rng = np.random.default_rng(2)
    s = rng.permutation(np.array([0] * 300 + [1] * 300 + [2] * 3))
    x = rng.normal(size=603)
    t = (rng.random(603) < 1 / (1 + np.exp(-np.array([3.0, -3.0, 0.0])[s] * x))).astype(int)
    data = table({"s": s, "x": x, "t": t})
    dag = ds.Dag(["s", "x", "t"], [("s", "t"), ("x", "t")])
    node = ds.fit(dag, data).node("t")
    odds = node.slopes[:, 1, 0] - node.slopes[:, 0, 0]
    assert odds[0] == pytest.approx(3, abs=0.6)
    assert odds[1] == pytest.approx(-3, abs=0.6)
    alone = ds.fit(ds.Dag(["x", "t"], [("x", "t")]), data).node("t")
    assert odds[2] == pytest.approx(alone.slopes[1, 0] - alone.slopes[0, 0])


def test_the_order_of_columns_and_states_changes_nothing():
    net = ds.random_network(7, kind="mixed", neighbors=5, states=(2, 3), seed=6)
    data = net.sample(200, seed=1)
    one = ds.fit(net.dag, data)
    other = ds.fit(ds.Dag(net.names[::-1], net.dag.arcs), data.select(net.names[::-1]))
    assert one == other
    labels = {x: own[::-1] for x, own in data.states.items() if own}
    turned = {
        x: len(labels[x]) - 1 - data.column(x).astype(int) if x in labels else data.column(x)
        for x in data.names
    }
    again = ds.fit(net.dag, ds.Data.from_columns(turned, labels))
    assert again.log_likelihood(data) == pytest.approx(one.log_likelihood(data), rel=1e-9)


HARD = {
    "a constant": lambda _, n: np.full(n, 7.25),
    "zeros": lambda _, n: np.zeros(n),
    "huge": lambda rng, n: rng.normal(size=n) * 1e300,
    "the largest": lambda rng, n: rng.choice([-1.0, 1.0], n) * 1.7e308,
    "far from zero": lambda rng, n: 1e15 + rng.integers(0, 5, n),
    "plain": lambda rng, n: rng.normal(size=n),
    "two values": lambda rng, n: rng.choice([0.5, 1.5], n),
}


@pytest.mark.slow
@pytest.mark.parametrize("rows", [1, 2, 3, 5, 30])
def test_hard_columns_never_give_nan(rows):
    rng = np.random.default_rng(rows)
    refused = []
    for _ in range(60):
        kinds = [str(kind) for kind in rng.choice([*HARD], size=4)]
        columns = {f"x{i}": HARD[kind](rng, rows) for i, kind in enumerate(kinds)}
        if rng.random() < 0.4:
            columns["x3"] = columns["x0"] / 2 + columns["x1"] / 4  # a sum of others
        if rng.random() < 0.3:
            columns["x2"] = columns["x1"].copy()
        columns["s"] = rng.integers(0, 2, rows)
        data = table(columns, {"s": ["a", "b"]})
        names = rng.permutation(list(columns))
        arcs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if rng.random() < 0.7]
        dag = ds.Dag([*columns], arcs)
        for ess in (0.0, 1.0):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                try:
                    fitted = ds.fit(dag, data, ess=ess)
                except ds.DataError as error:
                    refused.append((str(error), kinds))
                    continue
                found = fitted.log_likelihood(data)
            # What the network was fitted to is not impossible in it.
            assert np.isfinite(found), (kinds, found)
    assert len(refused) < 20
    for said, kinds in refused:
        assert "too large or too small for a number" in said
        assert {"huge", "the largest"} & {*kinds}


def test_a_column_that_never_changes_is_certain():
    data = ds.Data.from_columns({"x": np.full(9, 2.5), "y": np.arange(9.0)}, {})
    net = ds.fit(ds.Dag(["x", "y"], [("x", "y")]), data)
    assert float(net.node("x").sd) == 0
    assert float(net.node("x").mean) == 2.5
    assert net.node("y").slopes.tolist() == [0.0]
    assert (net.sample(5).column("x") == 2.5).all()


def test_copies_share_the_slope_and_sums_leave_a_part_in_a_billion():
    rng = np.random.default_rng(1)
    x = rng.normal(size=50)
    data = table({"x": x, "twin": x.copy(), "y": 3 * x})
    dag = ds.Dag(["x", "twin", "y"], [("x", "y"), ("twin", "y")])
    node = ds.fit(dag, data).node("y")
    assert node.slopes == pytest.approx([1.5, 1.5])
    assert float(node.sd) == pytest.approx(3 * x.std() * np.sqrt(1e-9))


def test_with_no_more_rows_than_lines_need_slopes_are_zero():
    rng = np.random.default_rng(1)
    for rows, expected in ((4, True), (5, False)):
        columns = {x: rng.normal(size=rows) for x in ("a", "b", "c", "y")}
        dag = ds.Dag([*columns], [("a", "y"), ("b", "y"), ("c", "y")])
        slopes = ds.fit(dag, table(columns)).node("y").slopes
        assert (slopes == 0).all() == expected


def test_slopes_that_no_number_can_hold_are_refused():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=20) * 1e-300, rng.normal(size=20) * 1e300
    dag = ds.Dag(["x", "y"], [("x", "y")])
    with pytest.raises(ds.DataError, match='slope of "y" on "x" is too large or too small'):
        ds.fit(dag, table({"x": x, "y": y}))


def test_a_softmax_of_too_many_states_is_refused():
    rows = 2100
    columns = {"x": np.arange(rows) + 0.5, "s": np.arange(rows)}
    dag = ds.Dag(["x", "s"], [("x", "s")])
    with pytest.raises(ds.ParameterError, match='"s" has 2,100 states and 1 parent with numbers'):
        ds.fit(dag, table(columns))


@pytest.mark.slow
def test_a_softmax_of_many_states_is_that_of_few(monkeypatch):
    rng = np.random.default_rng(5)
    states, rows = 40, 600
    numbers = rng.normal(size=(rows, 2))
    logits = numbers @ rng.normal(size=(2, states)) + rng.gumbel(size=(rows, states))
    codes, weight = logits.argmax(axis=1), 1 / states
    solved = fit_softmax.newton(numbers, codes, states, 1.0, weight)  # by conjugate gradients
    monkeypatch.setattr(fit_softmax, "MOST_SQUARED", 10_000)
    assert np.abs(solved - fit_softmax.newton(numbers, codes, states, 1.0, weight)).max() < 1e-6


def test_curvature_is_multiplied_with_as_if_it_were_written_out(monkeypatch):
    rng = np.random.default_rng(6)
    design = np.column_stack([np.ones(50), rng.normal(size=(50, 2))])
    shares, weights = rng.dirichlet(np.ones(4), 50), rng.random(50)
    along = rng.normal(size=(4, 3))
    whole = fit_softmax._curvature(design, weights, shares, 0.7)
    monkeypatch.setattr(fit_softmax, "CELLS", 60)  # several parts
    found = fit_softmax._curved(design, weights, shares, 0.7, along)
    assert np.allclose(found.ravel(), whole @ along.ravel(), rtol=1e-12)
    own = fit_softmax._own_curvature(design, weights, shares, 0.7)
    blocks = whole.reshape(4, 3, 4, 3)[range(4), :, range(4), :]
    assert np.allclose(own, blocks, rtol=1e-12)
