import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.networks import Network, fit_margins, trap
from dagscape.networks.trap import conditional, trap_joint

NAMES = ("X", "Y", "Z", "U")
G1 = [("X", "Y"), ("X", "U"), ("Y", "Z"), ("U", "Z"), ("Y", "U")]
G2 = [("X", "Y"), ("X", "U"), ("Y", "Z"), ("Z", "U"), ("X", "Z")]


def test_the_margins_of_example_1():
    p = trap_joint()  # axes X, Y, Z, U
    assert p.shape == (4, 2, 2, 2)
    y0 = p.sum(axis=(2, 3))[:, 0]
    u0 = p.sum(axis=(1, 2))[:, 0]
    np.testing.assert_allclose(y0, [0.22, 0.03, 0.22, 0.03], atol=1e-12)
    np.testing.assert_allclose(u0, [0.22, 0.22, 0.03, 0.03], atol=1e-12)
    np.testing.assert_allclose(p.sum(axis=(0, 3)), [[0.35, 0.15], [0.15, 0.35]], atol=1e-12)
    np.testing.assert_allclose(p.sum(axis=(0, 1)), [[0.35, 0.15], [0.15, 0.35]], atol=1e-12)


def test_the_independences_of_example_1():
    p = trap_joint()
    for y, u in itertools.product(range(2), range(2)):  # X and Z, given Y and U
        block = p[:, y, :, u]
        product = np.outer(block.sum(axis=1), block.sum(axis=0)) / block.sum()
        np.testing.assert_allclose(block, product, atol=1e-10)
    for x, z in itertools.product(range(4), range(2)):  # Y and U, given X and Z
        block = p[x, :, z, :]
        product = np.outer(block.sum(axis=1), block.sum(axis=0)) / block.sum()
        np.testing.assert_allclose(block, product, atol=1e-10)
    dependent = p.sum(axis=2)  # ... and no more than these: Y and U, given X alone, are not
    assert (
        abs(dependent[0, 0, 0] * dependent[0, 1, 1] - dependent[0, 0, 1] * dependent[0, 1, 0])
        > 1e-4
    )


@pytest.mark.parametrize(("arcs", "parameters"), [(G1, 19), (G2, 23)])
def test_both_inclusion_optimal_models_represent_it(arcs, parameters):
    p = trap_joint()
    dag = Dag(NAMES, arcs)
    states = {x: [str(k) for k in range(n)] for x, n in zip(NAMES, p.shape, strict=True)}
    tables = {x: conditional(p, NAMES, dag.parents(x), x) for x in NAMES}
    net = Network(dag, states, tables)
    assert net.n_parameters == parameters
    np.testing.assert_allclose(net.marginal(NAMES), p, atol=1e-10)
    for arc in arcs:  # inclusion optimal: no arc can go
        fewer = Dag(NAMES, [a for a in arcs if a != arc])
        tables = {x: conditional(p, NAMES, fewer.parents(x), x) for x in NAMES}
        assert np.abs(Network(fewer, states, tables).marginal(NAMES) - p).max() > 1e-4


def test_groups():
    net = trap()
    assert len(net.names) == 40
    assert net.names[:5] == ("X1", "Y1", "Z1", "U1", "X2")
    assert net.n_parameters == 190
    assert set(trap(1).dag.arcs) == {(f"{a}1", f"{b}1") for a, b in G1}
    np.testing.assert_allclose(net.marginal(["X7", "Y7", "Z7", "U7"]), trap_joint(), atol=1e-12)
    one, two = net.marginal(["X1"]), net.marginal(["X2"])
    np.testing.assert_allclose(net.marginal(["X1", "X2"]), np.outer(one, two), atol=1e-14)
    for groups in (0, -1, 1.5):
        with pytest.raises(ParameterError, match="groups must be at least 1 and at most"):
            trap(groups)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_fitting_meets_the_margins_and_keeps_the_interaction(seed):
    rng = np.random.default_rng(seed)
    start = rng.random((3, 4)) + 0.05
    rows, columns = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(4))
    table = fit_margins(start, [((0,), rows), ((1,), columns)])
    np.testing.assert_allclose(table.sum(axis=1), rows, atol=1e-12)
    np.testing.assert_allclose(table.sum(axis=0), columns, atol=1e-12)

    def odds(t):
        return t[1:, 1:] * t[0, 0] / (t[1:, :1] * t[:1, 1:])

    np.testing.assert_allclose(odds(table), odds(start), rtol=1e-8)


def test_fitting_errors():
    half = [0.5, 0.5]
    with pytest.raises(ParameterError) as error:
        fit_margins(np.ones((2, 3)), [((1,), half)])
    assert str(error.value) == "the margin on axes (1,) must have shape (3,), got (2,)"
    with pytest.raises(ParameterError, match="asks for probability where the start table has none"):
        fit_margins([[0, 0], [1, 1]], [((0,), half)])
    contradiction = [((0, 1), [[0.5, 0], [0, 0.5]]), ((0,), [0.9, 0.1])]
    with pytest.raises(ParameterError, match=r"after 50 rounds one is still off by 0\.4; check"):
        fit_margins(np.ones((2, 2)), contradiction, max_rounds=50)


def test_other_margins_keep_the_symmetries():
    own, same = (0.2249, 0.0345, 0.2152, 0.0254), 0.3549
    net = trap(1, margins=(own, same))
    p = net.marginal(["X1", "Y1", "Z1", "U1"])
    np.testing.assert_allclose(p.sum(axis=(2, 3))[:, 0], own, atol=1e-12)
    np.testing.assert_allclose(p.sum(axis=(2, 3))[:, 1], own[::-1], atol=1e-12)
    swapped = [own[x] for x in (0, 2, 1, 3)]
    np.testing.assert_allclose(p.sum(axis=(1, 2))[:, 0], swapped, atol=1e-12)
    for axes in ((0, 3), (0, 1)):
        np.testing.assert_allclose(p.sum(axis=axes)[0, 0], same, atol=1e-12)
    assert net.n_parameters == 19


@pytest.mark.parametrize(
    "margins",
    [
        3,
        ((0.2, 0.1, 0.1, 0.1), 0.5),
        ((0.2, 0.1, 0.1, 0.2), 0.3),
        ((0.3, 0.0, 0.1, 0.1), 0.3),
        ((0.25, 0.25), 0.3),
        ((0.2, 0.1, 0.1, 0.1), 0.3, 1),
    ],
)
def test_margins_that_are_none(margins):
    with pytest.raises(ParameterError, match=r"four numbers above 0 that add up to 0\.5"):
        trap(1, margins=margins)
