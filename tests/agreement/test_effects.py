"""Effects against listings: all DAGs with their probabilities, members of classes, sets."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import dagscape as ds
from dagscape.effects.adjustment import leaves_open, members_by_parents
from oracles import graphs, inference


def tables(count, seed):
    """Yield small tables with a cause and an outcome."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        n = int(rng.integers(2, 5))
        net = ds.random_network(
            n, neighbors=min(2, n - 1), states=(2, 3), concentration=0.7, seed=number + 1000 * seed
        )
        names = list(net.names)
        cause, outcome = (str(x) for x in rng.permutation(names)[:2])
        yield net.sample(int(rng.integers(20, 300)), seed=number), cause, outcome


def all_networks(data):
    """Return every DAG with its probability: BDeu(1), fair prior."""
    names = data.names
    dags = [
        ds.Dag(names, [(names[a], names[b]) for a, b in graph])
        for graph in graphs.all_dags(len(names))
    ]
    logs = np.array([ds.score(data, dag, score="bdeu", prior="fair") for dag in dags])
    weights = np.exp(logs - logs.max())
    return dags, weights / weights.sum()


def set_to(dag, data, cause, outcome):
    """Return P(outcome | do(cause)) with the posterior means of the parameters.

    The mean over parameters is that: no term of the sum has two parameters of one table.
    """
    net = ds.fit(dag, data, ess=1)
    rows = []
    for state in data.states[cause]:
        table = inference.without_causes(net, {cause: state})
        axis = net.names.index(outcome)
        rows.append(table.sum(axis=tuple(i for i in range(table.ndim) if i != axis)))
    return np.array(rows)


@pytest.mark.parametrize("many", [12, pytest.param(40, marks=pytest.mark.long)])
def test_the_mean_over_all_networks(many):
    missed = []
    for data, cause, outcome in tables(many, seed=1):
        dags, weights = all_networks(data)
        expected = sum(
            w * set_to(dag, data, cause, outcome) for dag, w in zip(dags, weights, strict=True)
        )
        found = ds.effect(
            ds.posterior(data, score="bdeu", prior="fair"), cause, outcome, networks=1500
        )
        error = found.draws.std(axis=0) / np.sqrt(1500)
        missed.append(np.abs(found.mean - expected) / np.maximum(error, 1e-12))
        none = sum(
            w for dag, w in zip(dags, weights, strict=True) if outcome not in dag.descendants(cause)
        )
        assert abs(found.no_effect - none) < 4 * np.sqrt(none * (1 - none) / 1500) + 1e-9
        unclear = sum(
            w
            for dag, w in zip(dags, weights, strict=True)
            if leaves_open(dag.to_cpdag(), cause, outcome)
        )
        assert abs(found.open - unclear) < 4 * np.sqrt(unclear * (1 - unclear) / 1500) + 1e-9
        assert sum(each.probability for each in found.alternatives) == pytest.approx(1)
    assert max(m.max() for m in missed) < 4.5
    assert np.sqrt(np.mean(np.concatenate([m.ravel() for m in missed]) ** 2)) < 1.3


def test_parameters_vary_as_the_data_allow():
    """Of two variables that are certainly joined one way: the Dirichlet distribution's own."""
    rng = np.random.default_rng(3)
    a = rng.integers(0, 2, 400)
    data = ds.Data({"a": a, "b": np.where(rng.random(400) < 0.8, a, 1 - a)})
    known = ds.Knowledge(required=[("a", "b")])
    found = ds.effect(
        ds.posterior(data, score="bdeu", prior="fair", knowledge=known), "a", "b", networks=4000
    )
    for state in (0, 1):
        rows = a == state
        n1, n = int((data.codes[rows, 1] == 1).sum()), int(rows.sum())
        alpha, beta = n1 + 0.25, n - n1 + 0.25
        mean = alpha / (alpha + beta)
        spread = np.sqrt(mean * (1 - mean) / (alpha + beta + 1))
        assert found.mean[state, 1] == pytest.approx(mean, abs=4 * spread / np.sqrt(4000))
        wide = found.upper[state, 1] - found.lower[state, 1]
        assert wide == pytest.approx(2 * 1.96 * spread, rel=0.08)
    assert found.no_effect == 0
    assert found.open == 0  # the data do not tell the direction, but the knowledge does
    free = ds.effect(ds.posterior(data, score="bdeu", prior="fair"), "a", "b", networks=500)
    assert free.open > 0.99
    assert 0.4 < free.no_effect < 0.6


def classes(n):
    """Return the DAGs of n variables by their class."""
    names = [f"v{i}" for i in range(n)]
    found = {}
    for graph in graphs.all_dags(n):
        dag = ds.Dag(names, [(names[a], names[b]) for a, b in graph])
        found.setdefault(dag.to_cpdag(), []).append(dag)
    return names, found


def test_the_parents_that_members_of_a_class_have():
    names, found = classes(4)
    for graph, members in found.items():
        for cause in names:
            listed = {dag.parents(cause) for dag in members}
            given = list(members_by_parents(graph, cause))
            assert {parents for parents, _ in given} == listed
            assert len(given) == len(listed)
            for parents, member in given:
                assert member in members
                assert member.parents(cause) == parents


def test_a_class_leaves_an_effect_open_where_its_members_differ():
    """Members agree on the effect if and only if they do for random parameters."""
    names, found = classes(4)
    rng = np.random.default_rng(5)
    states = {x: ["0", "1"] for x in names}
    for graph, members in found.items():
        joint = random_tables(members[0], states, rng)
        answers = {}
        for cause, outcome in itertools.permutations(names, 2):
            if cause not in answers:
                answers[cause] = [
                    inference.without_causes(refitted(dag, joint, states), {cause: "1"})
                    for dag in members
                ]
            axis = names.index(outcome)
            rest = tuple(i for i in range(4) if i != axis)
            effects = [table.sum(axis=rest)[1] for table in answers[cause]]
            differ = max(effects) - min(effects) > 1e-9
            assert leaves_open(graph, cause, outcome) == differ


def random_tables(dag, states, rng):
    tables = {x: rng.dirichlet([1, 1], size=(2,) * len(dag.parents(x))) for x in dag.names}
    return inference.joint(ds.Network(dag, states, tables))


def refitted(dag, joint, states):
    """Return the network of another member of the class with the same joint distribution."""
    tables = {}
    for x in dag.names:
        axes = [dag.names.index(v) for v in (*dag.parents(x), x)]
        rest = tuple(i for i in range(joint.ndim) if i not in axes)
        family = joint.sum(axis=rest).transpose(np.argsort(np.argsort(axes)))
        tables[x] = family / family.sum(axis=-1, keepdims=True)
    return ds.Network(dag, states, tables)


def test_adjustment_sets():
    """Adjusting gives the effect, no variable can be left out, for random tables."""
    names = [f"v{i}" for i in range(4)]
    states = {x: ["0", "1"] for x in names}
    rng = np.random.default_rng(7)
    for graph in graphs.all_dags(4):
        dag = ds.Dag(names, [(names[a], names[b]) for a, b in graph])
        joint = random_tables(dag, states, rng)
        net = refitted(dag, joint, states)
        for cause, outcome in itertools.permutations(names, 2):
            if outcome in dag.ancestors(cause):
                with pytest.raises(ds.ParameterError, match="does nothing to it"):
                    dag.adjustment_set(cause, outcome)
                continue
            chosen = dag.adjustment_set(cause, outcome)
            expected = net.do({cause: "1"}).query(outcome)["1"]
            assert adjusted(joint, names, cause, outcome, chosen) == pytest.approx(expected)
            for x in chosen:
                fewer = tuple(y for y in chosen if y != x)
                assert abs(adjusted(joint, names, cause, outcome, fewer) - expected) > 1e-9


def adjusted(joint, names, cause, outcome, given):
    """Return the mean of P(outcome = 1 | cause = 1, given) over the distribution of given."""
    places = {x: names.index(x) for x in names}
    total = 0.0
    for values in itertools.product((0, 1), repeat=len(given)):
        at = [slice(None)] * joint.ndim
        for x, value in zip(given, values, strict=True):
            at[places[x]] = value
        weight = joint[tuple(at)].sum()
        at[places[cause]] = 1
        seen = joint[tuple(at)].sum()
        at[places[outcome]] = 1
        total += weight * joint[tuple(at)].sum() / seen
    return total
