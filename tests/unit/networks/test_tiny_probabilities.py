"""Products of probabilities that no double can hold: thousands of columns, entries of 1e-300."""

from __future__ import annotations

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from dagscape.networks.exact_answers import ExactAnswers
from oracles.inference import exact_query

COLUMNS = 5000
TINY = [0.0, 5e-324, 1e-310, 1e-300, 1e-160, 1e-20]


def normalized(logs):
    weights = np.exp(logs - logs.max())
    return weights / weights.sum()


def star(columns, states, rng, least=1e-3):
    """Return a naive network: one variable with so many children."""
    names = ["x", *(f"c{i}" for i in range(columns))]
    labels = [str(k) for k in range(states)]
    tables = {c: rng.dirichlet(np.full(states, 0.5), size=states) + least for c in names[1:]}
    tables = {c: table / table.sum(axis=1, keepdims=True) for c, table in tables.items()}
    tables["x"] = np.full(states, 1 / states)
    dag = ds.Dag(names, [("x", c) for c in names[1:]])
    return ds.Network(dag, dict.fromkeys(names, labels), tables)


def log_shares(net, codes):
    """Return ln P(x, row) for each state of x, summed in logs."""
    return np.log(net.table("x")) + sum(np.log(net.table(c)[:, k]) for c, k in codes.items())


@pytest.mark.slow
@pytest.mark.parametrize(("states", "columns"), [(2, COLUMNS), (4, 1200)])
def test_a_naive_network(states, columns):
    rng = np.random.default_rng(states)
    net = star(columns, states, rng)
    # As many columns speak for each state as against it: the answer is not certain.
    rows = {c: int(rng.integers(states)) for c in net.names[1:]}
    given = {c: str(k) for c, k in rows.items()}
    logs = log_shares(net, rows)
    found = net.query("x", given)
    assert found.exact
    np.testing.assert_allclose(found.array, normalized(logs), rtol=1e-8, atol=1e-300)
    np.testing.assert_allclose(net.query_all(given)["x"].array, found.array, rtol=1e-12)
    case = net.most_probable(given)
    assert case.states["x"] == str(logs.argmax())
    assert case.log_probability == pytest.approx(np.log(normalized(logs).max()), abs=1e-8)
    if columns < COLUMNS:
        table = {c: [label] for c, label in given.items()}
        np.testing.assert_array_equal(net.predict_proba(table, "x"), [found.array])


def test_what_is_open_below_stays_open():
    """At 1,070 children a double still holds one of the two products, and not the other."""
    for columns in (1000, 1070, 1080):
        names = ["x", *(f"c{i}" for i in range(columns))]
        tables = {"x": [0.5, 0.5]} | {
            c: [[0.5, 0.5], [0.5 + d, 0.5 - d]]
            for i, c in enumerate(names[1:])
            for d in [0.05 if i % 2 else -0.0432]
        }
        dag = ds.Dag(names, [("x", c) for c in names[1:]])
        net = ds.Network(dag, dict.fromkeys(names, ("0", "1")), tables)
        logs = log_shares(net, dict.fromkeys(names[1:], 0))
        expected = normalized(logs)
        assert 0.01 < expected[0] < 0.99
        found = net.query("x", dict.fromkeys(names[1:], "0")).array
        np.testing.assert_allclose(found, expected, rtol=1e-10, err_msg=str(columns))


@pytest.mark.slow
def test_the_last_column_can_turn_it():
    """What thousands of columns speak against is certain once the last rules out all else."""
    rng = np.random.default_rng(5)
    net = star(1200, 2, rng)
    tables = {x: net.table(x) for x in net.names}
    tables["c0"] = np.array([[1.0, 0.0], [0.5, 0.5]])
    net = ds.Network(net.dag, net.states, tables)
    given = {c: str(int(net.table(c)[0, 1] > net.table(c)[1, 1])) for c in net.names[2:]}
    assert net.query("x", given)["0"] == 1.0
    assert net.query("x", given | {"c0": "1"})["1"] == 1.0
    rows = {c: [label, label] for c, label in given.items()} | {"c0": ["0", "1"]}
    assert list(net.predict(rows, "x")) == ["0", "1"]


@pytest.mark.slow
def test_a_classifier_knows_its_training_rows():
    rng = np.random.default_rng(6)
    columns = {f"c{i}": rng.integers(0, 3, 30).astype(str) for i in range(1200)}
    data = ds.Data(columns | {"x": rng.integers(0, 2, 30).astype(str)})
    net = ds.fit(ds.Dag(data.names, [("x", c) for c in columns]), data, ess=1)
    assert net.predict_proba(data, "x").max(axis=1).min() > 0.99
    assert list(net.predict(data, "x")) == [data.states["x"][k] for k in data.column("x")]


@pytest.mark.slow
def test_a_tree():
    """Messages through thousands of cliques, against the same recursion in logs."""
    rng = np.random.default_rng(7)
    parents = [int(rng.integers(max(0, i - 40), i)) for i in range(1, COLUMNS)]
    names = [f"v{i}" for i in range(COLUMNS)]
    dag = ds.Dag(names, [(names[p], names[i]) for i, p in enumerate(parents, start=1)])
    tables = {x: rng.dirichlet([0.3, 0.3, 0.3], size=3) + 1e-6 for x in names[1:]}
    tables = {x: table / table.sum(axis=1, keepdims=True) for x, table in tables.items()}
    net = ds.Network(
        dag,
        dict.fromkeys(names, ("a", "b", "c")),
        {"v0": [0.2, 0.3, 0.5], **tables},
    )
    given = {i: int(rng.integers(3)) for i in rng.choice(range(1, COLUMNS), 2500, replace=False)}
    up = np.zeros((COLUMNS, 3))
    for i, k in given.items():
        up[i] = np.where(np.arange(3) == k, 0.0, -np.inf)
    for i in range(COLUMNS - 1, 0, -1):
        up[parents[i - 1]] += np.logaddexp.reduce(np.log(net.table(names[i])) + up[i], axis=1)
    logs = up[0] + np.log([0.2, 0.3, 0.5])
    evidence = {names[i]: "abc"[k] for i, k in given.items()}
    found = net.query_all(evidence)
    np.testing.assert_allclose(found["v0"].array, normalized(logs), rtol=1e-9)
    np.testing.assert_allclose(net.query("v0", evidence).array, normalized(logs), rtol=1e-9)


def tiny_network(rng):
    """Return a small network in whose tables nothing, 1e-300 and denormal numbers abound."""
    names = [f"v{i}" for i in range(int(rng.integers(2, 7)))]
    arcs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if rng.random() < 0.6]
    dag = ds.Dag(names, arcs)
    tables = {}
    for x in names:
        tables[x] = np.zeros([2] * (len(dag.parents(x)) + 1))
        for row in np.ndindex(*tables[x].shape[:-1]):
            likely = int(rng.integers(2))
            tables[x][(*row, 1 - likely)] = rng.choice([*TINY, 0.25])
            tables[x][(*row, likely)] = 1 - tables[x][(*row, 1 - likely)]
    return ds.Network(dag, dict.fromkeys(names, ("0", "1")), tables)


@pytest.mark.slow
def test_entries_down_to_the_least_double():
    rng = np.random.default_rng(8)
    impossible = beyond = 0
    for case in range(150):
        net = tiny_network(rng)
        target, *others = map(str, rng.permutation(net.names))
        given = {x: str(rng.integers(2)) for x in others if rng.random() < 0.7}
        if not given:
            continue
        expected = exact_query(net, target, given)
        table = {x: [state] for x, state in given.items()}
        if expected is None:
            impossible += 1
            with pytest.raises(ds.ParameterError, match="impossible"):
                net.query(target, given)
            with pytest.raises(ds.DataError, match="impossible"):
                net.predict_proba(table, target)
            continue
        shares, log = expected
        beyond += log < -710
        close = {"rtol": 1e-9, "atol": 1e-307, "err_msg": str(case)}
        np.testing.assert_allclose(net.query(target, given).array, shares, **close)
        np.testing.assert_allclose(net.query_all(given)[target].array, shares, **close)
        np.testing.assert_allclose(net.predict_proba(table, target)[0], shares, **close)
        likely = net.most_probable(given)
        assert likely.log_probability <= 0, case
        alone = exact_query(net, target, {x: s for x, s in likely.states.items() if x != target})
        both = exact_query(net, target, likely.states)
        assert both[1] - log == pytest.approx(likely.log_probability, abs=1e-6), case
        assert alone[0][int(likely.states[target])] >= 0.5 - 1e-9, case
    assert impossible > 10
    assert beyond > 10


@pytest.mark.parametrize("most_listed", [1000, 1])  # listed, or drawn from a tree of cliques
def test_gaps_are_completed(most_listed):
    """Two missing cells above 1,500 columns that hold values."""
    rng = np.random.default_rng(9)
    n, columns = 1502, 1500
    tables = [rng.dirichlet([0.5, 0.5], size=(2, 2)) + 1e-3 for _ in range(columns)]
    tables = [table / table.sum(axis=-1, keepdims=True) for table in tables]
    codes = [int(rng.integers(2)) for _ in range(columns)]
    logs = sum(np.log(table[:, :, k]) for table, k in zip(tables, codes, strict=True))
    first = np.array([0.5, 0.5])
    engine = _core.TableNetwork(
        [2] * n,
        [[], [], *([0, 1] for _ in range(columns))],
        [first, first, *(np.ascontiguousarray(table).reshape(-1) for table in tables)],
    )
    row = [2, 2, *codes]
    table = _core.GapTable([np.array([code], np.uint16) for code in row], [2] * n)
    made, stopped = _core.complete(table, engine, most_listed, 4000, 7, 1 << 30, 1)
    assert stopped == ""
    total = np.logaddexp.reduce(logs.reshape(-1)) + 2 * np.log(0.5)
    assert total < -800
    assert made.log_likelihood == pytest.approx(total, rel=1e-12)
    found = np.asarray(made.counts([0, 1])).reshape(2, 2)
    np.testing.assert_allclose(
        found, np.exp(logs - np.logaddexp.reduce(logs.reshape(-1))), atol=0.03
    )


def test_what_cannot_be_together_is_found_by_halves(monkeypatch):
    columns = 300
    names = ["x", *(f"c{i}" for i in range(columns))]
    tables = {"x": [0.5, 0.5]} | {c: [[0.5, 0.5], [0.5, 0.5]] for c in names[1:]}
    tables["c70"], tables["c220"] = [[1, 0], [0.5, 0.5]], [[0.5, 0.5], [0, 1]]
    dag = ds.Dag(names, [("x", c) for c in names[1:]])
    net = ds.Network(dag, dict.fromkeys(names, ("0", "1")), tables)
    asked = []
    whole = ExactAnswers.log_probability
    monkeypatch.setattr(
        ExactAnswers, "log_probability", lambda *of: (asked.append(1), whole(*of))[1]
    )
    with pytest.raises(ds.ParameterError, match=r"^c70 = 1 and c220 = 0 are impossible together"):
        net.query("x", {c: "0" if c == "c220" else "1" for c in names[1:]})
    assert len(asked) < 25
