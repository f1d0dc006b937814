"""Predictions of networks with numbers for rows in which something is missing."""

from __future__ import annotations

import numpy as np
import pytest

import dagscape as ds
from dagscape.networks import GaussianNode, SoftmaxNode, number_gaps
from oracles.number_networks import mixture


def clg(seed):
    """Return a network of six variables in which no states depend on numbers."""
    rng = np.random.default_rng(seed)
    names = [f"v{i}" for i in range(6)]
    states = {x: ["a", "b", "c"][: int(rng.integers(2, 4))] for x in names if rng.random() < 0.5}
    arcs = [
        (a, b)
        for i, a in enumerate(names)
        for b in names[i + 1 :]
        if rng.random() < 0.5 and not (a not in states and b in states)
    ]
    dag = ds.Dag(names, arcs)
    nodes = {}
    for x in names:
        shape = [len(states[p]) for p in dag.parents(x) if p in states]
        floats = sum(p not in states for p in dag.parents(x))
        if x in states:
            nodes[x] = rng.dirichlet(np.ones(len(states[x])), size=tuple(shape))
        else:
            nodes[x] = GaussianNode(
                rng.normal(size=shape),
                rng.uniform(0.3, 2, size=shape),
                rng.normal(size=(*shape, floats)),
                rng.normal(size=floats),
            )
    return ds.Network(dag, states, nodes)


def holed(net, rows, share, seed):
    """Return rows of a network with cells gone, by column."""
    table = net.sample(rows, seed=seed)
    rng = np.random.default_rng(seed)
    return {
        x: [
            None if gone else value
            for value, gone in zip(column, rng.random(rows) < share, strict=True)
        ]
        for x, column in table.to_polars().to_dict(as_series=False).items()
    }


def odds_of(arcs):
    """Return a number above a state above a number, the middle by odds that follow the first."""
    nodes = {
        "x": GaussianNode(0.0, 1.0, np.zeros(0), np.zeros(0)),
        "s": SoftmaxNode([0.3, -0.3], [[-1.0], [1.0]], [0.0]),
        "y": GaussianNode([-1.0, 2.0], [0.7, 1.2], np.zeros((2, 0)), np.zeros(0)),
    }
    return ds.Network(ds.Dag(["x", "s", "y"], arcs), {"s": ["no", "yes"]}, nodes)


@pytest.mark.slow
def test_they_are_what_a_query_says_of_each_row():
    looked_at = 0
    for seed in range(25):
        net = clg(seed)
        frame = holed(net, 12, 0.4, seed)
        frame[net.names[0]][0] = frame[net.names[1]][0] = None  # a gap at least
        for target in net.names:
            given = {x: column for x, column in frame.items() if x != target}
            numbers = not net.states[target]
            found = net.predict(given, target) if numbers else net.predict_proba(given, target)
            for row in range(12):
                known = {x: c[row] for x, c in given.items() if c[row] is not None}
                answer = net.query(target, known, samples=0)
                said = answer.mean if numbers else answer.array
                assert found[row] == pytest.approx(said, abs=1e-9), (seed, target, row)
                looked_at += 1
    assert looked_at == 25 * 6 * 12


def test_they_are_those_of_the_joint_distribution():
    for seed in range(10):
        net = clg(seed)
        target = next((x for x in net.names if not net.states[x]), None)
        if target is None:
            continue
        frame = holed(net, 3, 0.5, seed)
        others = {x: column for x, column in frame.items() if x != target}
        found = net.predict({x: [*column, None] for x, column in others.items()}, target)
        for row in range(3):
            said = {x: c[row] for x, c in others.items() if c[row] is not None}
            known = {
                x: list(net.states[x]).index(value) if net.states[x] else value
                for x, value in said.items()
            }
            cases = mixture(net, known)
            expected = sum(weight * numbers[target][0] for weight, _, numbers in cases)
            assert found[row] == pytest.approx(expected, abs=1e-8), (seed, row)


def test_many_rows_are_weighed_in_parts(monkeypatch):
    net = clg(3)
    frame = holed(net, 60, 0.4, 1)
    target = next(x for x in net.names if net.states[x])
    whole = net.predict_proba(frame, target)
    monkeypatch.setattr(number_gaps, "MOST_CELLS", 100)
    assert net.predict_proba(frame, target) == pytest.approx(whole)


@pytest.mark.slow
def test_cells_are_drawn_where_states_depend_on_numbers_or_cases_are_many(monkeypatch):
    net = clg(3)
    frame = holed(net, 40, 0.4, 1)
    exact = {x: net.predict(frame, x) for x in net.names if not net.states[x]}
    odds = {x: net.predict_proba(frame, x) for x in net.names if net.states[x]}
    assert exact
    assert odds
    monkeypatch.setattr(number_gaps, "MOST_CASES", 0)
    for x, found in exact.items():
        assert net.predict(frame, x) == pytest.approx(found, abs=0.15)
    for x, found in odds.items():
        assert net.predict_proba(frame, x) == pytest.approx(found, abs=0.1)


@pytest.mark.slow
def test_drawn_cells_agree_with_numerical_integration():
    net = odds_of([("x", "s"), ("s", "y")])
    x = np.linspace(-8, 8, 4001)
    prior = np.exp(-0.5 * x**2)
    yes = 1 / (1 + np.exp(-(2 * x - 0.6)))
    density = np.exp(-0.5 * ((1.0 - 2.0) / 1.2) ** 2) / 1.2
    other = np.exp(-0.5 * ((1.0 + 1.0) / 0.7) ** 2) / 0.7
    either = prior * (yes * density + (1 - yes) * other)
    frame = {"x": [None, 0.5], "s": [None, None], "y": [1.0, 1.0]}
    found = net.predict({"s": frame["s"], "y": frame["y"]}, "x")
    assert found == pytest.approx([(x * either).sum() / either.sum()] * 2, abs=0.08)
    states = net.predict_proba({"x": frame["x"], "y": frame["y"]}, "s")[0, 1]
    assert states == pytest.approx((prior * yes * density).sum() / either.sum(), abs=0.05)
    means = net.predict({"x": frame["x"], "s": frame["s"]}, "y")[0]
    share = (prior * yes).sum() / prior.sum()
    assert means == pytest.approx(-1 + 3 * share, abs=0.1)


def test_rows_say_what_they_have_and_columns_may_be_absent():
    net = clg(3)
    frame = holed(net, 20, 0.4, 2)
    target = next(x for x in net.names if not net.states[x] and net.dag.markov_blanket(x))
    gone = net.dag.markov_blanket(target)[0]
    less = {x: column for x, column in frame.items() if x != gone}
    empty = frame | {gone: [None] * 19 + [frame[gone][19]]}
    found = net.predict(less, target)
    assert found[:19] == pytest.approx(net.predict(empty, target)[:19])


def test_impossible_rows_and_curves_are_refused():
    net = ds.Network(
        ds.Dag(["a", "b", "y"], [("a", "b"), ("a", "y"), ("b", "y")]),
        {"a": ["0", "1"], "b": ["0", "1"]},
        {
            "a": np.array([1.0, 0.0]),
            "b": np.array([[1.0, 0.0], [0.5, 0.5]]),
            "y": GaussianNode(np.zeros((2, 2)), np.ones((2, 2)), np.zeros((2, 2, 0)), np.zeros(0)),
        },
    )
    with pytest.raises(ds.DataError, match="row 2 is impossible in this network"):
        net.predict({"a": [None, None], "b": ["0", "1"]}, "y")
    curved = ds.random_network(4, kind="nonlinear", neighbors=3, seed=2)
    target = next(x for x in curved.dag.topological_order() if curved.dag.parents(x))
    frame = curved.sample(3, seed=1).to_polars().to_dict(as_series=False)
    above = curved.dag.parents(target)[0]
    frame[above][1] = None
    with pytest.raises(ds.DataError, match=f'row 2 has no value of "{above}".* by a curve; such'):
        curved.predict(frame, target)
