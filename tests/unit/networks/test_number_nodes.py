"""Networks with numbers: what they are made of, samples and densities."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import dagscape as ds
from dagscape.networks import GaussianNode, SoftmaxNode
from oracles.number_networks import log_density

KINDS = ("discrete", "gaussian", "mixed", "nonlinear")


def rows_of(net, data):
    """Return rows as the oracle takes them."""
    columns = {x: data.column(x) for x in net.names}
    return [
        {x: float(c[i]) if not net.states[x] else int(c[i]) for x, c in columns.items()}
        for i in range(data.n_rows)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_log_likelihood_is_the_sum_of_densities(kind):
    for seed in range(60):
        net = ds.random_network(6, kind=kind, neighbors=3, states=(2, 3), seed=seed)
        data = net.sample(8, seed=seed)
        expected = sum(log_density(net, row) for row in rows_of(net, data))
        assert net.log_likelihood(data) == pytest.approx(expected, rel=1e-12, abs=1e-9)


def small():
    dag = ds.Dag(["s", "x", "y", "t"], [("s", "y"), ("x", "y"), ("y", "t")])
    nodes = {
        "s": [0.7, 0.3],
        "x": GaussianNode(25.0, 4.0),
        "y": GaussianNode([120.0, 126.0], [6.0, 8.0], [[1.4], [1.6]], [25.0]),
        "t": SoftmaxNode([0.0, -1.0, 1.0], [[0.0], [0.1], [-0.1]], [120.0]),
    }
    return ds.Network(dag, {"s": ["no", "yes"], "t": ["a", "b", "c"]}, nodes, name="small")


def test_samples_have_the_kinds_and_the_moments():
    net = small()
    data = net.sample(40_000, seed=3)
    assert dict(data.kinds) == dict(net.kinds)
    assert data.kinds["y"] == "continuous"
    s, x, y, t = (data.column(v) for v in ("s", "x", "y", "t"))
    assert s.mean() == pytest.approx(0.3, abs=0.01)
    for state, (mean, slope, sd) in enumerate([(120, 1.4, 6), (126, 1.6, 8)]):
        rows = s == state
        residual = y[rows] - mean - slope * (x[rows] - 25)
        assert residual.mean() == pytest.approx(0, abs=0.25)
        assert residual.std() == pytest.approx(sd, rel=0.02)
        assert np.corrcoef(residual, x[rows])[0, 1] == pytest.approx(0, abs=0.03)
    near = np.abs(y - 130) < 1
    expected = np.exp([0.0, -1.0 + 1.0, 1.0 - 1.0]) / np.exp([0.0, 0.0, 0.0]).sum()
    shares = np.bincount(t[near], minlength=3) / near.sum()
    assert shares == pytest.approx(expected, abs=0.04)


@pytest.mark.parametrize("kind", KINDS)
def test_samples_do_not_depend_on_the_order_of_the_variables(kind):
    net = ds.random_network(9, kind=kind, neighbors=5, seed=4)
    names = net.names[::-1]
    dag = ds.Dag(names, net.dag.arcs)
    nodes = {x: net.node_for(x, dag) for x in names}
    other = ds.Network(dag, net.states, nodes)
    assert other == net
    assert hash(other) == hash(net)
    assert other.sample(300, seed=2) == net.sample(300, seed=2)
    assert other.sample(300, seed=2) != net.sample(300, seed=3)


@pytest.mark.parametrize("kind", KINDS)
def test_pickles_and_copies_are_equal(kind):
    net = ds.random_network(8, kind=kind, neighbors=3, seed=4)
    for twin in (pickle.loads(pickle.dumps(net)), copy.deepcopy(net)):
        assert twin == net
        assert twin.name == net.name
        assert twin.sample(50, seed=1) == net.sample(50, seed=1)


def test_a_number_in_a_node_makes_another_network():
    net = small()
    nodes = {x: net.node(x) for x in net.names} | {"x": GaussianNode(25.0, 4.5)}
    assert ds.Network(net.dag, net.states, nodes) != net


def test_it_says_what_it_is():
    assert repr(small()) == '<Network "small": 4 variables (2 continuous), 3 arcs, 13 parameters>'
    assert small().states["x"] == ()
    assert small().arities["x"] == 0


def test_certain_numbers():
    """A node without noise: a row that has the number counts as probability 1."""
    dag = ds.Dag(["x", "y"], [("x", "y")])
    nodes = {"x": GaussianNode(0.0, 1.0), "y": GaussianNode(0.1, 0.0, [0.3])}
    net = ds.Network(dag, {}, nodes)
    data = net.sample(500, seed=1)
    alone = ds.Network(ds.Dag(["x"]), {}, {"x": nodes["x"]})
    assert net.log_likelihood(data) == alone.log_likelihood(data)
    shuffled = ds.Data.from_columns({"x": data.column("x"), "y": data.column("y")[::-1]}, {})
    assert net.log_likelihood(shuffled) == -np.inf


@pytest.mark.parametrize("huge", [1e300, -1e308, 1.7e308])
def test_huge_numbers_never_become_nan(huge):
    dag = ds.Dag(["x", "y", "s"], [("x", "y"), ("x", "s"), ("y", "s")])
    nodes = {
        "x": GaussianNode(huge, 1e290),
        "y": GaussianNode(0.0, 1.0, [10.0], [-huge]),
        "s": SoftmaxNode([0.0, 0.0], [[1e10, -1e10], [-1e10, 1e10]]),
    }
    net = ds.Network(dag, {"s": ["a", "b"]}, nodes)
    data = ds.Data.from_columns(
        {"x": np.array([huge, 0.0]), "y": np.array([huge, -huge]), "s": np.array([0, 1])},
        {"s": ["a", "b"]},
    )
    found = net.log_likelihood(data)
    assert not np.isnan(found)
    if abs(huge) > 1e307:
        with pytest.raises(ds.ParameterError, match='numbers of "y" were drawn beyond the largest'):
            net.sample(10)
    else:
        assert net.sample(10).n_rows == 10


@pytest.mark.parametrize(
    ("nodes", "said"),
    [
        ({"s": [0.7, 0.3], "x": [1.0]}, 'states must be given for every variable; "x" has none'),
        (
            {"s": [0.7, 0.3], "x": GaussianNode(0.0, 1.0)},
            r'the mean of "x" must have shape \(2,\) \(states of its parents\), got \(\)',
        ),
        (
            {"s": [0.7, 0.3], "x": GaussianNode([0.0, 1.0], [1.0, 1.0], [[1.0], [2.0]])},
            r'the slopes of "x" must have shape \(2, 0\)',
        ),
        (
            {"s": SoftmaxNode([0.0, 0.0], [[1.0], [0.0]]), "x": GaussianNode([0, 0], [1, 1])},
            r'the slopes of "s" must have shape \(2, 0\)',
        ),
    ],
)
def test_nodes_that_do_not_fit_are_refused(nodes, said):
    with pytest.raises(ds.ParameterError, match=said):
        ds.Network(ds.Dag(["s", "x"], [("s", "x")]), {"s": ["a", "b"]}, nodes)


def test_a_table_below_a_number_is_refused():
    dag = ds.Dag(["x", "s"], [("x", "s")])
    nodes = {"x": GaussianNode(0.0, 1.0), "s": [0.5, 0.5]}
    with pytest.raises(ds.ParameterError, match='its parent "x" holds numbers; give "s" a Softmax'):
        ds.Network(dag, {"s": ["a", "b"]}, nodes)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: GaussianNode(0.0, -1.0), "sd must be 0 or more, got -1"),
        (lambda: GaussianNode(np.nan, 1.0), "mean must hold finite numbers, got nan"),
        (lambda: GaussianNode("a", 1.0), "mean must hold numbers only"),
        (lambda: GaussianNode(0.0, 1.0, [1.0], None, ["arc"]), "a curve must be one of line, b"),
        (lambda: GaussianNode(0.0, 1.0, [1.0], None, ["line"] * 2), "for each of 1 slopes"),
        (lambda: SoftmaxNode([0.0, 0.0], [1.0]), "slopes must have a row for each state"),
    ],
)
def test_odd_parameters_are_refused(make, said):
    with pytest.raises(ds.ParameterError, match=said):
        make()


def test_rows_of_other_kinds_are_refused():
    net = small()
    data = net.sample(5, seed=1)
    cells = {x: data.column(x) for x in data.names}
    states = {x: data.states[x] for x in ("s", "t")}
    wrong = ds.Data.from_columns(cells | {"s": np.ones(5)}, {"t": states["t"]})
    with pytest.raises(ds.DataError, match='column "s" holds numbers, and "s" has states'):
        net.log_likelihood(wrong)
    wrong = ds.Data.from_columns(cells | {"x": np.zeros(5, int)}, states | {"x": ["0"]})
    with pytest.raises(ds.DataError, match='column "x" holds states, and "x" is a number'):
        net.log_likelihood(wrong)


def test_there_is_no_table_of_numbers():
    with pytest.raises(ds.ParameterError, match='"y" holds numbers, so it has no table'):
        small().table("y")
    with pytest.raises(ds.ParameterError, match='"t" has a parent with numbers, "y"'):
        small().table("t")


@pytest.mark.parametrize(
    ("columns", "states", "said"),
    [
        ({"a": [0.5, 1.5], "b": [1.0]}, {}, 'equally long; "a" has 2 rows, "b" has 1'),
        ({"a": [0.5, np.inf]}, {}, 'column "a" has the infinite value inf in row 2'),
        ({"a": [0.5, np.nan]}, {}, 'column "a" has no number in row 2'),
        ({"a": ["x", "y"]}, {}, 'column "a" has no states, so it must hold numbers'),
        ({"a": [0.5, 1.0]}, {"a": ["x", "y"]}, 'codes of "a" must be integers, got float64'),
        ({"a": [0, 2]}, {"a": ["x", "y"]}, 'codes of "a" must be between 0 and 1'),
        ({"a": [0, 1]}, {"b": ["x"]}, 'states of "b", and no column'),
        ({}, {}, "the table has no columns"),
        ({"a": []}, {}, "the table has no rows"),
    ],
)
def test_columns_that_make_no_table(columns, states, said):
    with pytest.raises(ds.DataError, match=said):
        ds.Data.from_columns({x: np.array(c) for x, c in columns.items()}, states)
