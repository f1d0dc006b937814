"""What the page tells of effects, beside sums over all cases of each network."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

import dagscape as ds
from dagscape.networks import GaussianNode
from dagscape.report.page_effects import LEAST, NETWORKS, effects_of


def done(net, cause, state, outcome):
    """P(outcome | do(cause = state)): cases with the cause's own table left out (Pearl 2009)."""
    sums = Counter()
    names = net.dag.names
    for states in itertools.product(*(net.states[x] for x in names)):
        case = dict(zip(names, states, strict=True))
        if case[cause] != state:
            continue
        rest = {x: s for x, s in case.items() if x != cause}
        part = 1.0
        for name in rest:
            given = {p: case[p] for p in net.dag.parents(name)}
            part *= net.query(name, given)[case[name]]
        sums[case[outcome]] += part
    return np.array([sums[s] for s in net.states[outcome]])


def test_effects_are_those_of_each_network_by_the_definition():
    rng = np.random.default_rng(2)
    a = rng.integers(0, 2, 60)
    b = np.where(rng.random(60) < 0.8, a, rng.integers(0, 3, 60))
    c = np.where(rng.random(60) < 0.6, b % 2, rng.integers(0, 2, 60))
    data = ds.Data({"a": a, "b": b, "c": c})
    learned = ds.learn(data, runs=2, resamples=5)
    told = effects_of(learned, data)
    drawn = learned.posterior.sample(min(NETWORKS, learned.posterior.most_networks or 99), seed=0)
    assert (told["networks"], told["different"]) == (len(drawn), len(set(drawn)))
    assert told["different"] > 1
    networks = {dag: ds.fit(dag, data) for dag in set(drawn)}
    rows = {(row["cause"], row["outcome"], row["state"]): row for row in told["rows"]}
    for i, j in itertools.permutations(range(3), 2):
        cause, outcome = data.names[i], data.names[j]
        by_dag = {
            dag: np.array([done(net, cause, s, outcome) for s in data.states[cause]])
            for dag, net in networks.items()
        }
        every = np.array([by_dag[dag] for dag in drawn])
        for state in range(len(data.states[outcome])):
            mean = every[:, :, state].mean(axis=0)
            low, high = mean.argmin(), mean.argmax()
            change = every[:, high, state] - every[:, low, state]
            if abs(change).max() < LEAST:
                assert (i, j, state) not in rows
                continue
            row = rows[i, j, state]
            assert (row["before"], row["after"]) == (low, high)
            ends = (change.mean(), change.min(), change.max())
            assert (row["mean"], row["lowest"], row["highest"]) == pytest.approx(ends, abs=2e-5)
            paths = [outcome in dag.descendants(cause) for dag in drawn]
            assert row["without"] == pytest.approx(1 - np.mean(paths), abs=6e-4)


def test_of_numbers_it_is_the_sum_over_paths():
    dag = ds.Dag(["x", "y", "z"], [("x", "y"), ("y", "z"), ("x", "z")])
    nodes = {
        "x": GaussianNode(3.0, 2.0),
        "y": GaussianNode(0.0, 1.0, [0.8]),
        "z": GaussianNode(1.0, 1.0, [0.7, -0.5]),
    }
    data = ds.Network(dag, {}, nodes).sample(300, seed=1)
    known = ds.Knowledge(tiers=[["x"], ["y"], ["z"]], required=list(dag.arcs))
    learned = ds.learn(data, knowledge=known, runs=2, resamples=2)
    told = effects_of(learned, data)
    assert told["different"] == 1
    columns = {name: data.numbers[name] for name in data.names}
    one = np.ones(300)
    (to_y, _) = np.linalg.lstsq(np.c_[columns["x"], one], columns["y"], rcond=None)[0]
    (x_z, y_z, _) = np.linalg.lstsq(
        np.c_[columns["x"], columns["y"], one], columns["z"], rcond=None
    )[0]
    spread = columns["x"].std()
    rows = {(row["cause"], row["outcome"]): row for row in told["rows"]}
    assert rows[0, 2]["mean"] == pytest.approx(spread * (x_z + to_y * y_z), rel=1e-3)
    assert rows[0, 1]["lowest"] == rows[0, 1]["highest"] == rows[0, 1]["mean"]
    assert (2, 0) not in rows


def test_there_is_none_where_it_could_not_be_had():
    data = ds.load_network("asia").sample(100, seed=0)
    assert effects_of(ds.hill_climb(data, restarts=0), data) is None
    rng = np.random.default_rng(0)
    mixed = ds.Data({"n": rng.normal(size=50), "s": rng.integers(0, 2, 50).astype(str)})
    assert effects_of(ds.learn(mixed, runs=2, resamples=2), mixed) is None
    large = ds.Data({"x": rng.normal(size=50) * 1e200, "y": rng.normal(size=50)})
    assert effects_of(ds.learn(large, runs=2, resamples=2), large) is None
