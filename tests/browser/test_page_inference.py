"""The page's inference beside the engine and beside fractions, on networks made to break it."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

import dagscape as ds
from oracles.inference import exact_query

SOURCE = (files("dagscape.report") / "assets" / "inference.js").read_text("utf-8")
ASK = """([source, cases]) => {
  const ask = new Function("DATA", "given", `${source}; return answersGiven(given, new Set());`);
  return cases.map(([variables, given]) => ask({ variables }, new Map(given)));
}"""


@pytest.fixture
def ask(browser):
    """Ask the page's code: for each network and what is given, marginals and a log, or None."""
    page = browser.new_page()

    def answers(cases):
        asked = []
        for net, given in cases:
            number = {x: i for i, x in enumerate(net.names)}
            variables = [
                {
                    "states": list(net.states[x]),
                    "parents": [number[p] for p in net.dag.parents(x)],
                    "table": net.table(x).reshape(-1, len(net.states[x])).tolist(),
                }
                for x in net.names
            ]
            known = [[number[x], net.states[x].index(state)] for x, state in given.items()]
            asked.append([variables, known])
        return page.evaluate(ASK, [SOURCE, asked])

    yield answers
    page.close()


def hostile(rng, most):
    """Return a small network whose tables hold zeros, denormal numbers, and what lies between."""
    names = [f"v{i}" for i in range(int(rng.integers(2, most + 1)))]
    order = list(map(str, rng.permutation(names)))
    arcs = [
        (a, b) for i, a in enumerate(order) for b in order[max(0, i - 4) : i] if rng.random() < 0.5
    ]
    dag = ds.Dag(names, arcs)
    states = {x: [f"s{k}" for k in range(rng.integers(1, 4))] for x in names}
    tables = {}
    for x in names:
        shape = [len(states[p]) for p in dag.parents(x)]
        table = 10.0 ** rng.choice([-323, -310, -300, -160, -20, -3, 0], [*shape, len(states[x])])
        table *= rng.random(table.shape) < 0.8
        table[..., 0] += table.sum(axis=-1) == 0
        tables[x] = table / table.sum(axis=-1, keepdims=True)
    net = ds.Network(dag, states, tables)
    return net, {x: str(rng.choice(states[x])) for x in names if rng.random() < 0.6}


def agree(cases, found):
    """The page finds what the engine and fractions do; return how many can be and cannot."""
    possible = 0
    for place, ((net, given), answer) in enumerate(zip(cases, found, strict=True)):
        exact = exact_query(net, net.names[0], given) if len(net.names) < 7 else None
        if answer is None:
            assert exact is None, place
            with pytest.raises(ds.ParameterError, match="impossible"):
                net.query_all(given)
            continue
        possible += 1
        for x, shares in zip(net.names, answer["marginals"], strict=True):
            expected = net.query_all(given)[x].array
            np.testing.assert_allclose(shares, expected, rtol=1e-9, atol=1e-290, err_msg=str(place))
        if exact is not None:
            expected, log = exact
            np.testing.assert_allclose(answer["marginals"][0], expected, rtol=1e-9, atol=1e-290)
            assert answer["log"] == pytest.approx(log, rel=1e-9, abs=1e-9), place
    return possible, len(cases) - possible


def test_entries_down_to_the_least_double(ask):
    rng = np.random.default_rng(1)
    cases = [hostile(rng, 6) for _ in range(150)]
    possible, impossible = agree(cases, ask(cases))
    assert min(possible, impossible) > 15


@pytest.mark.long
def test_entries_down_to_the_least_double_at_length(ask):
    for seed in range(40):
        rng = np.random.default_rng(seed)
        cases = [hostile(rng, 9) for _ in range(300)]
        agree(cases, ask(cases))


def star(columns, rng):
    names = ["x", *(f"c{i}" for i in range(columns))]
    tables = {c: rng.dirichlet([0.5, 0.5], size=2) + 1e-3 for c in names[1:]}
    tables = {c: table / table.sum(axis=1, keepdims=True) for c, table in tables.items()}
    dag = ds.Dag(names, [("x", c) for c in names[1:]])
    net = ds.Network(dag, dict.fromkeys(names, ("0", "1")), tables | {"x": [0.5, 0.5]})
    return net, {c: str(rng.integers(2)) for c in names[1:]}


@pytest.mark.parametrize("columns", [1100, pytest.param(5000, marks=pytest.mark.long)])
def test_thousands_of_columns(ask, columns):
    cases = [star(columns, np.random.default_rng(columns))]
    for (net, given), answer in zip(cases, ask(cases), strict=True):
        np.testing.assert_allclose(
            answer["marginals"][0], net.query("x", given).array, rtol=1e-8, atol=1e-290
        )
        assert answer["log"] < -700
