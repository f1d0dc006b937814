"""Answers of networks against the whole joint table: thousands of small networks."""

from __future__ import annotations

import numpy as np
import pytest

import dagscape as ds
from oracles import inference
from seeds import in_part
from unit.networks.network_cases import random_network

CASES = in_part(1500)


def cases(seed, most=6):
    """Yield small networks with zeros and ones in their tables, evidence hard and soft, targets."""
    rng = np.random.default_rng(seed)
    for _ in range(CASES):
        n = int(rng.integers(1, most + 1))
        names = [f"v{i}" for i in rng.permutation(n)]
        order = rng.permutation(names)
        density = rng.random()
        arcs = [
            (str(a), str(b))
            for i, a in enumerate(order)
            for b in order[i + 1 :]
            if rng.random() < density
        ]
        states = {x: [f"s{k}" for k in range(rng.integers(1, 4))] for x in names}
        net = random_network(ds.Dag(names, arcs), states, rng)
        shuffled = list(map(str, rng.permutation(names)))
        targets = shuffled[: int(rng.integers(1, n + 1))]
        given = {}
        for x in shuffled[len(targets) :]:
            if rng.random() < 0.6:
                given[x] = str(rng.choice(states[x]))
            elif rng.random() < 0.4:
                given[x] = weights(states[x], rng)
        if rng.random() < 0.2:  # a target may be known in part
            given[targets[0]] = weights(states[targets[0]], rng)
        yield net, targets, given


def weights(labels, rng):
    drawn = rng.random(len(labels)) * rng.choice([1e-3, 1, 50])
    drawn[rng.random(len(labels)) < 0.3] = 0
    drawn[rng.integers(len(labels))] = 0.5
    return dict(zip(labels, drawn, strict=True))


def test_queries():
    impossible = 0
    for net, targets, given in cases(1):
        expected = inference.query(net, targets, given)
        if expected is None:
            impossible += 1
            with pytest.raises(ds.ParameterError, match="impossible"):
                net.query(targets, given)
            continue
        found = net.query(targets, given)
        assert found.exact
        np.testing.assert_allclose(found.array, expected, atol=1e-12)
    assert CASES / 30 < impossible < CASES / 2


def test_all_marginals():
    for net, _, given in cases(2):
        if inference.query(net, [], given) is None:
            with pytest.raises(ds.ParameterError, match="impossible"):
                net.query_all(given)
            continue
        found = net.query_all(given)
        assert set(found) == set(net.names)
        for x in net.names:
            np.testing.assert_allclose(found[x].array, inference.query(net, [x], given), atol=1e-12)


def test_the_most_probable_case():
    for net, _, given in cases(3):
        expected = inference.greatest(net, given)
        if expected is None:
            with pytest.raises(ds.ParameterError, match="impossible"):
                net.most_probable(given)
            continue
        found = net.most_probable(given)
        assert found.probability == pytest.approx(expected, rel=1e-9)
        case = tuple(net.states[x].index(found.states[x]) for x in net.names)
        table = inference.weighted(net, given)
        assert table[case] / table.sum() == pytest.approx(expected, rel=1e-9)
        assert all(found.states[x] == state for x, state in given.items() if isinstance(state, str))


def test_predictions():
    """Rows with gaps: each as a query by itself."""
    rng = np.random.default_rng(4)
    impossible = 0
    for net, targets, _ in cases(4):
        rows = [
            {x: None if rng.random() < 0.4 else str(rng.choice(net.states[x])) for x in net.names}
            for _ in range(4)
        ]
        target = targets[0]
        given = [{x: s for x, s in row.items() if s is not None and x != target} for row in rows]
        expected = [inference.query(net, [target], known) for known in given]
        table = {x: [row[x] for row in rows] for x in net.names}
        if len(net.names) == 1:
            with pytest.raises(ds.DataError, match="none of the network's other variables"):
                net.predict_proba(table, target)
            continue
        possible = [i for i, answer in enumerate(expected) if answer is not None]
        impossible += len(rows) - len(possible)
        if possible:
            some = {x: [column[i] for i in possible] for x, column in table.items()}
            found = net.predict_proba(some, target)
            np.testing.assert_allclose(found, [expected[i] for i in possible], atol=1e-12)
        for i in set(range(len(rows))) - set(possible):  # whether or not it bears on the target
            with pytest.raises(ds.DataError, match="row 1 is impossible"):
                net.predict_proba({x: [column[i]] for x, column in table.items()}, target)
    assert impossible > CASES / 15


def test_interventions():
    for net, targets, given in cases(5, most=5):
        states = {x: s for x, s in given.items() if isinstance(s, str) and x not in targets}
        if not states:
            continue
        table = inference.without_causes(net, states)
        assert table.sum() == pytest.approx(1)
        axes = [net.names.index(x) for x in targets]
        rest = tuple(i for i in range(table.ndim) if i not in axes)
        expected = table.sum(axis=rest).transpose(np.argsort(np.argsort(axes)))
        np.testing.assert_allclose(net.do(states).query(targets).array, expected, atol=1e-12)
