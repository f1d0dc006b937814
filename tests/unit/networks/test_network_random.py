"""Networks drawn at random: what is asked for is what is drawn."""

from __future__ import annotations

import numpy as np
import pytest

import dagscape as ds


def test_it_is_a_network_of_the_size_asked_for():
    net = ds.random_network(30, neighbors=4, max_parents=3, states=(2, 5), seed=7)
    assert net.names == tuple(f"X{i}" for i in range(1, 31))
    assert max(len(net.dag.parents(x)) for x in net.names) == 3
    assert set(net.arities.values()) == {2, 3, 4, 5}
    for x in net.names:
        assert np.allclose(net.table(x).sum(axis=-1), 1)
        assert (net.table(x) >= 0).all()
    assert net.sample(10, seed=1).n_rows == 10


def test_the_seed_decides():
    assert ds.random_network(12, seed=3) == ds.random_network(12, seed=3)
    assert ds.random_network(12, seed=3) != ds.random_network(12, seed=4)


@pytest.mark.parametrize("neighbors", [0, 1, 2.5, 4])
def test_neighbors_are_an_average(neighbors):
    arcs = [
        len(ds.random_network(20, neighbors=neighbors, max_parents=19, seed=s).dag.arcs)
        for s in range(100)
    ]
    p = neighbors / 19
    error = np.sqrt(100 * 190 * p * (1 - p)) / 100
    assert abs(np.mean(arcs) - 190 * p) <= 4 * error


def test_all_can_be_joined():
    assert len(ds.random_network(7, neighbors=6, max_parents=6, seed=0).dag.arcs) == 21


def test_names_do_not_tell_the_order():
    """Each of two variables comes first in about half of the networks."""
    forward = [
        ("X1", "X2") in ds.random_network(2, neighbors=1, seed=s).dag.arcs for s in range(200)
    ]
    assert 70 <= sum(forward) <= 130


def test_parents_that_stay_are_a_fair_choice():
    """Of three variables, all joined, the last keeps the first as often as the second."""
    kept = {"first": 0, "second": 0}
    for seed in range(400):
        dag = ds.random_network(3, neighbors=2, max_parents=1, seed=seed).dag
        (root,) = (x for x in dag.names if not dag.parents(x))
        kept["first" if len(dag.children(root)) == 2 else "second"] += 1
    assert abs(kept["first"] - kept["second"]) < 80


def test_concentration_makes_tables_certain_or_level():
    sharp = ds.random_network(20, concentration=0.001, seed=1)
    level = ds.random_network(20, concentration=1e6, seed=1)
    assert all((sharp.table(x).max(axis=-1) > 0.95).mean() > 0.8 for x in sharp.names)
    assert all((abs(level.table(x) - 0.5) < 0.01).all() for x in level.names)


def test_one_variable_alone():
    assert ds.random_network(1, neighbors=0).dag.arcs == ()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"variables": 0}, "variables must be a whole number from 1 up, got 0"),
        ({"neighbors": 10}, "neighbors must be a number from 0 to 9, got 10"),
        ({"neighbors": float("nan")}, "neighbors must be a number from 0 to 9, got nan"),
        ({"max_parents": -1}, "max_parents must be a whole number from 0 up, got -1"),
        ({"states": 1}, "states must be a whole number from 2 up, got 1"),
        ({"states": (3, 2)}, "states must have the smaller number first, got (3, 2)"),
        ({"states": (2, 3, 4)}, "states must be a number or two numbers, got (2, 3, 4)"),
        ({"concentration": 0}, "concentration must be a number from 0.001 to 1e+06, got 0"),
        ({"kind": "linear"}, "kind must be one of discrete, gaussian, mixed, nonlinear, got"),
        ({"continuous": 1.5}, "continuous must be a number from 0 to 1, got 1.5"),
        ({"noise": 0}, "noise must be a number from 0.001 to 1, got 0"),
        ({"noise": (0.5, 0.2)}, "noise must be a share or two, the smaller one first"),
        ({"seed": -1}, "seed must be a whole number from 0, got -1"),
        (
            {"neighbors": 9, "max_parents": 9, "states": 8},
            "a table of 16,777,216 cells was drawn, and 10,000,000 are the most",
        ),
    ],
)
def test_bad_settings_are_refused_with_a_sentence(settings, said):
    with pytest.raises(ds.ParameterError) as error:
        ds.random_network(**{"variables": 10, **settings})
    assert said in str(error.value)


def test_networks_of_states_are_as_they_always_were():
    net = ds.random_network(12, seed=3)
    assert net.table("X3").ravel()[:2] == pytest.approx([0.23499706, 0.76500294], abs=1e-8)


@pytest.mark.parametrize("kind", ["gaussian", "mixed", "nonlinear"])
def test_numbers_have_the_same_variance_wherever_they_stand(kind):
    net = ds.random_network(15, kind=kind, neighbors=3, seed=2)
    data = net.sample(4000, seed=1)
    assert len(data.numbers) == (8 if kind == "mixed" else 15)
    for values in data.numbers.values():
        assert values.mean() == pytest.approx(0, abs=0.12)
        assert values.std() == pytest.approx(1, abs=0.1)


def test_noise_is_the_share_that_parents_leave():
    net = ds.random_network(12, kind="gaussian", neighbors=4, noise=0.36, seed=5)
    sds = [float(net.node(x).sd) for x in net.names if net.dag.parents(x)]
    assert sds == pytest.approx([0.6] * len(sds))


def test_the_share_of_numbers_is_obeyed():
    for share, count in ((0.0, 0), (0.25, 3), (1.0, 12)):
        net = ds.random_network(12, kind="mixed", continuous=share, seed=5)
        assert sum(kind == "continuous" for kind in net.kinds.values()) == count


def test_curves_are_for_nonlinear_networks_alone():
    bent = ds.random_network(12, kind="nonlinear", neighbors=3, seed=1)
    straight = ds.random_network(12, kind="gaussian", neighbors=3, seed=1)
    assert all(straight.node(x).linear for x in straight.names)
    assert not any(bent.node(x).linear for x in bent.names if bent.dag.parents(x))
    assert bent.dag == straight.dag
