"""Queries, interventions and predictions of networks with numbers, beside the definitions."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest

import dagscape as ds
from dagscape.networks import GaussianNode, SoftmaxNode
from oracles.number_networks import log_density, log_density_of, mixture


def clg(seed, variables=5, **settings):
    """Return a network in which no states depend on numbers."""
    rng = np.random.default_rng(seed)
    names = [f"v{i}" for i in range(variables)]
    states = {x: ["a", "b", "c"][: int(rng.integers(2, 4))] for x in names if rng.random() < 0.4}
    arcs = [
        (a, b)
        for i, a in enumerate(names)
        for b in names[i + 1 :]
        if rng.random() < 0.6 and not (a not in states and b in states)
    ]
    dag = ds.Dag(names, arcs)
    nodes = {}
    for x in names:
        shape = [len(states[p]) for p in dag.parents(x) if p in states]
        floats = sum(p not in states for p in dag.parents(x))
        if x in states:
            nodes[x] = rng.dirichlet(np.ones(len(states[x])), size=tuple(shape))
        else:
            scale = 10.0 ** rng.uniform(-3, 3) if settings.get("wild") else 1.0
            nodes[x] = GaussianNode(
                rng.normal(size=shape) * scale,
                rng.uniform(0.3, 2, size=shape) * scale,
                rng.normal(size=(*shape, floats)) * scale,
                rng.normal(size=floats),
            )
    return ds.Network(dag, states, nodes)


def given_some(net, rng):
    """Return evidence as a user gives it and as the oracle takes it."""
    row = net.sample(1, seed=int(rng.integers(1000)))
    chosen = [x for x in net.names if rng.random() < 0.4][: len(net.names) - 1]
    codes = {x: row.column(x)[0] for x in chosen}
    said = {x: net.states[x][codes[x]] if net.states[x] else float(codes[x]) for x in chosen}
    return said, {x: int(c) if net.states[x] else float(c) for x, c in codes.items()}


@pytest.mark.slow
@pytest.mark.parametrize("wild", [False, True])
def test_answers_are_those_of_the_joint_distribution(wild):
    rng = np.random.default_rng(2)
    asked = 0
    for seed in range(120):
        net = clg(seed, wild=wild)
        given, known = given_some(net, rng)
        cases = mixture(net, known)
        every = net.query_all(given)
        for x in net.names:
            if x in given:
                continue
            asked += 1
            found = net.query(x, given)
            assert found.exact
            if net.states[x]:
                expected = [
                    sum(w for w, states, _ in cases if states[x] == code)
                    for code in range(len(net.states[x]))
                ]
                assert list(found.values()) == pytest.approx(expected, abs=1e-7)
                assert every[x] == found or list(every[x].values()) == pytest.approx(expected)
                continue
            mean = sum(Fraction(w) * numbers[x][0] for w, _, numbers in cases)
            variance = sum(Fraction(w) * (n[x][1] + (n[x][0] - mean) ** 2) for w, _, n in cases)
            sd = math.sqrt(variance)
            for answer in (found, every[x]):
                assert answer.mean == pytest.approx(float(mean), rel=1e-9, abs=1e-7 * sd)
                assert answer.sd == pytest.approx(sd, rel=1e-7)
    assert asked > 250


def chain(slope=1e8, noise=1.0):
    dag = ds.Dag(["x", "y"], [("x", "y")])
    nodes = {"x": GaussianNode(0.0, 1.0), "y": GaussianNode(0.0, noise, [slope])}
    return ds.Network(dag, {}, nodes)


def test_steep_lines_keep_their_digits():
    """The variance of x is 1e-16 of what it was, where a difference of variances has no digit."""
    found = chain().query("x", {"y": 3e8})
    assert found.mean == pytest.approx(3.0, rel=1e-12)
    assert found.sd == pytest.approx(1e-8, rel=1e-6)
    assert found.normal


@pytest.mark.parametrize("size", [1e300, 1e-300, 1e150])
def test_numbers_of_any_size(size):
    dag = ds.Dag(["x", "y"], [("x", "y")])
    nodes = {"x": GaussianNode(size, size), "y": GaussianNode(0.0, size, [1.0])}
    net = ds.Network(dag, {}, nodes)
    found = net.query("x", {"y": 3 * size})
    assert found.mean == pytest.approx(2 * size, rel=1e-12)
    assert found.sd == pytest.approx(size / math.sqrt(2), rel=1e-12)
    assert all(map(math.isfinite, found.interval()))


def test_certain_numbers_and_copies():
    dag = ds.Dag(["c", "x", "twin", "y"], [("c", "x"), ("x", "twin"), ("twin", "y")])
    nodes = {
        "c": GaussianNode(5.0, 0.0),
        "x": GaussianNode(1.0, 2.0, [1.0], [5.0]),
        "twin": GaussianNode(0.0, 0.0, [1.0]),
        "y": GaussianNode(0.0, 1.0, [2.0]),
    }
    net = ds.Network(dag, {}, nodes)
    assert (net.query("c").mean, net.query("c").sd) == (5.0, 0.0)
    assert net.query("c", {"y": 7.0}).sd == 0.0
    found = net.query("x", {"twin": 4.5})
    assert (found.mean, found.sd) == (pytest.approx(4.5), pytest.approx(0.0, abs=1e-12))
    assert net.query("y", {"x": 4.5, "twin": 4.5}).mean == pytest.approx(9.0)
    with pytest.raises(ds.ParameterError, match=r"x = 4\.5, twin = 4: impossible in this network"):
        net.query("y", {"x": 4.5, "twin": 4.0})
    with pytest.raises(ds.ParameterError, match="c = 6: impossible"):
        net.query("y", {"c": 6.0})


@pytest.mark.parametrize(("sd", "value"), [(1e-300, 1e300), (1e-300, 1e-100), (0.0, 1e300)])
def test_what_lies_too_far_off_is_impossible(sd, value):
    dag = ds.Dag(["x", "y"], [("x", "y")])
    nodes = {"x": GaussianNode(0.0, sd), "y": GaussianNode(0.0, 1.0, [1.0])}
    with pytest.raises(ds.ParameterError, match="impossible in this network"):
        ds.Network(dag, {}, nodes).query("y", {"x": value})


def test_many_numbers_and_many_states():
    net = ds.random_network(300, kind="gaussian", neighbors=3, seed=1)
    assert net.query("X7", {"X5": 1.0}, samples=0).exact
    for count, exact in ((13, True), (14, False)):
        names = [f"s{i}" for i in range(count)]
        dag = ds.Dag([*names, "x", "y"], [*((s, "x") for s in names[:7]), ("x", "y")])
        dag = ds.Dag(dag.names, [*dag.arcs, *((s, "y") for s in names[7:])])
        shape, rest = (2,) * 7, (2,) * (count - 7)
        nodes = dict.fromkeys(names, (0.4, 0.6)) | {
            "x": GaussianNode(np.arange(128.0).reshape(shape), np.ones(shape)),
            "y": GaussianNode(np.zeros(rest), np.ones(rest), np.ones((*rest, 1))),
        }
        net = ds.Network(dag, dict.fromkeys(names, ("a", "b")), nodes)
        if exact:
            # Each state adds a power of two to x, and s0 the largest.
            assert net.query("y", samples=0).mean == pytest.approx(0.6 * 127)
            assert net.query("s0", {"y": 127.0})["b"] == pytest.approx(1)
            continue
        with pytest.raises(ds.ParameterError, match="2 numbers and 16,384 combinations of states"):
            net.query("y", samples=0)


def small():
    dag = ds.Dag(["s", "x", "y", "t"], [("s", "y"), ("x", "y"), ("y", "t")])
    nodes = {
        "s": [0.7, 0.3],
        "x": GaussianNode(25.0, 4.0),
        "y": GaussianNode([120.0, 126.0], [6.0, 8.0], [[1.4], [1.6]], [25.0]),
        "t": SoftmaxNode([0.0, 1.0], [[0.0], [0.2]], [120.0]),
    }
    return ds.Network(dag, {"s": ["no", "yes"], "t": ["a", "b"]}, nodes)


def test_only_what_lies_above_the_question_matters():
    net = small()
    assert net.query("y", {"x": 30.0}).exact
    assert net.query("s").exact
    assert not net.query("t").exact
    assert not net.query("x", {"t": "b"}).exact
    assert net.query("s", {"x": 3.0})["yes"] == pytest.approx(0.3)


def test_samples_come_near_what_integration_gives():
    net = small()
    y = np.linspace(60, 190, 20_001)
    density = np.zeros_like(y)
    for share, mean, slope, sd in ((0.7, 120, 1.4, 6), (0.3, 126, 1.6, 8)):
        whole = NormalDist(mean, math.hypot(4 * slope, sd))
        density += share * np.array([whole.pdf(each) for each in y])
    p = 1 / (1 + np.exp(-(1 + 0.2 * (y - 120))))
    step = y[1] - y[0]
    found = net.query("t", seed=3)
    assert found["b"] == pytest.approx((density * p).sum() * step, abs=4 * float(found.errors[1]))
    expected = (density * p * y).sum() / (density * p).sum()
    answer = net.query("y", {"t": "b"}, seed=3)
    assert answer.mean == pytest.approx(expected, abs=4 * answer.error)
    spread = math.sqrt((density * p * (y - expected) ** 2).sum() / (density * p).sum())
    assert answer.sd == pytest.approx(spread, rel=0.02)
    below = np.cumsum(density * p) / (density * p).sum()
    assert answer.quantile(0.1) == pytest.approx(y[np.searchsorted(below, 0.1)], abs=0.3)
    assert "weighted samples" in answer.claim
    assert net.query("y", {"t": "b"}, seed=3).mean == answer.mean
    everything = net.query_all({"t": "b"}, seed=3)
    assert everything["y"].mean == answer.mean
    assert everything["t"]["b"] == 1.0


def test_quantiles_of_mixtures():
    net = small()
    found = net.query("y", {"x": 25.0})
    for share in (0.01, 0.3, 0.5, 0.9):
        at = found.quantile(share)
        below = 0.7 * NormalDist(120, 6).cdf(at) + 0.3 * NormalDist(126, 8).cdf(at)
        assert below == pytest.approx(share, abs=1e-9)
    one = net.query("y", {"x": 25.0, "s": "no"})
    assert one.interval(0.9) == pytest.approx((120 - 6 * 1.6448536, 120 + 6 * 1.6448536))
    assert repr(one) == ("P(y | x = 25, s = no)\n  mean 120, sd 6, 95 % between 108.24 and 131.76")
    assert one.to_dict()["mean"] == 120
    assert (one.name, one.names, one.variance) == ("y", ("y",), 36.0)


def test_setting_a_number_is_not_seeing_it():
    net = small()
    assert net.query("s", {"y": 140.0})["yes"] > 0.5
    done = net.do({"y": 140.0})
    assert done.query("s")["yes"] == pytest.approx(0.3)
    assert done.query("x").mean == pytest.approx(25)
    assert (done.query("y").mean, done.query("y").sd) == (140.0, 0.0)
    assert done.query("t")["b"] == pytest.approx(1 / (1 + math.exp(-5)), abs=0.002)
    assert done.dag.parents("y") == ()
    assert done.name == "do(y = 140)"
    assert (done.sample(4).column("y") == 140.0).all()
    assert net.do({"s": "yes"}).query("y").mean == pytest.approx(126)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda net: net.query("y", {"x": "high"}), '"x" holds numbers; give it a finite number'),
        (lambda net: net.query("y", {"x": {"a": 1}}), '"x" holds numbers; give it a finite'),
        (lambda net: net.query("y", {"x": math.nan}), "finite number, got nan"),
        (lambda net: net.query("y", {"y": 1.0}), '"y" is given, so there is nothing to ask'),
        (lambda net: net.query(["y", "s"]), '"y" holds numbers, and is asked about alone'),
        (lambda net: net.query("t", samples=0), 'no exact answer: "t" depends on numbers'),
        (lambda net: net.most_probable(), '"x" holds numbers, and this is for networks of states'),
        (lambda net: net.query_cost(), '"x" holds numbers, and this is for networks of states'),
        (lambda net: net.marginal(["x"]), '"x" holds numbers, so it has no table'),
        (lambda net: net.do({"x": "high"}), '"x" holds numbers; give it a finite number'),
        (lambda net: net.predict_proba({"s": ["no"]}, "y"), '"y" holds numbers, and has no prob'),
        (
            lambda net: net.predict({"s": ["no"], "x": ["high"], "t": ["a"]}, "y"),
            'column "x" must hold numbers, as in the network',
        ),
        (lambda net: net.query("y").quantile(2), "share must be a number between 0 and 1, got 2"),
    ],
)
def test_what_cannot_be_asked_gets_a_sentence(ask, said):
    with pytest.raises(ds.DagscapeError) as error:
        ask(small())
    assert said in str(error.value)


def test_curves_are_named_where_they_are_in_the_way():
    net = ds.random_network(4, kind="nonlinear", neighbors=3, seed=2)
    x = next(x for x in net.dag.topological_order() if net.dag.parents(x))
    with pytest.raises(ds.ParameterError, match=f'"{x}" follows a parent by a curve'):
        net.query(x, samples=0)
    assert not net.query(x, samples=1000).exact


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["gaussian", "mixed", "nonlinear"])
def test_predictions_are_those_of_the_whole_density(kind):
    """Each value of the target is weighed by the density of the whole row."""
    for seed in range(4):
        net = ds.random_network(5, kind=kind, neighbors=3, states=(2, 3), seed=seed)
        data = net.sample(2, seed=seed)
        rows = [{x: data.column(x)[i].item() for x in net.names} for i in range(data.n_rows)]
        for target in net.names:
            if net.states[target]:
                found = net.predict_proba(data, target)
                for row, shares in zip(rows, found, strict=True):
                    codes = range(len(net.states[target]))
                    logs = [log_density(net, {**row, target: code}) for code in codes]
                    weights = np.exp(np.array(logs) - max(logs))
                    assert shares == pytest.approx(weights / weights.sum(), abs=1e-9)
                continue
            found = net.predict(data, target)
            grid = np.linspace(-7, 7, 281)
            near = (target, *net.dag.children(target))
            for row, mean in zip(rows, found, strict=True):
                filled = [{**row, target: at} for at in grid.tolist()]
                logs = np.array([sum(log_density_of(net, x, r) for x in near) for r in filled])
                weights = np.exp(logs - logs.max())
                assert mean == pytest.approx((weights @ grid) / weights.sum(), abs=2e-3)


def test_predictions_of_a_gaussian_network_are_its_queries():
    net = ds.random_network(6, kind="gaussian", neighbors=3, seed=5)
    data = net.sample(20, seed=1)
    for target in net.names:
        found = net.predict(data, target)
        for row in range(5):
            given = {x: float(data.column(x)[row]) for x in net.names if x != target}
            assert found[row] == pytest.approx(net.query(target, given).mean, abs=1e-9)


def test_predictions_from_a_frame_and_a_file(tmp_path):
    net = small()
    data = net.sample(30, seed=2)
    data.write(tmp_path / "rows.csv")
    expected = net.predict_proba(data, "t")
    assert net.predict_proba(data.to_polars(), "t") == pytest.approx(expected)
    assert net.predict_proba(tmp_path / "rows.csv", "t") == pytest.approx(expected)
    assert net.predict(data, "t").tolist() == [
        net.states["t"][place] for place in expected.argmax(axis=1)
    ]
    whole = {"s": ["no", "yes"], "x": [25, 30], "t": ["a", "b"]}  # integers are numbers too
    assert net.predict(whole, "y").shape == (2,)


def test_cross_validation_predicts_states_from_numbers():
    net = small()
    data = net.sample(300, seed=1)
    found = ds.cross_validate(data, "t", net.dag, folds=5)
    held = np.flatnonzero(found.fold == 2)
    known = data.take(np.flatnonzero(found.fold != 2))
    expected = ds.fit(net.dag, known).predict_proba(data.take(held), "t")
    assert found.probabilities[held] == pytest.approx(expected)
    assert found.log_loss.mean < found.baseline.log_loss.mean
    searched = ds.cross_validate(data, "t", "ges", score="basis_bic(degree=1)", folds=3)
    assert searched.log_loss.mean < found.baseline.log_loss.mean
    with pytest.raises(ds.DataError, match='column "y" holds numbers, and predictions of states'):
        ds.cross_validate(data, "y", net.dag)
