import numpy as np
import pytest

from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.networks import Network, load_network
from unit.networks.network_cases import random_network

FORK = Dag("ABCD", [("A", "C"), ("B", "C"), ("C", "D")])
FORK_STATES = {"A": list("xy"), "B": list("xyz"), "C": list("xy"), "D": list("xyz")}


def fork(seed=0, names="ABCD"):
    net = random_network(FORK, FORK_STATES, np.random.default_rng(seed))
    dag = Dag(names, FORK.arcs)
    tables = {}
    for x in names:
        axes = [FORK.parents(x).index(p) for p in dag.parents(x)]
        tables[x] = net.table(x).transpose(*axes, len(axes))
    return Network(dag, FORK_STATES, tables)


def tiles(net, copies):
    return [[f"{x}_{tile}" for x in net.names] for tile in range(1, copies + 1)]


def joining_arcs(tiled):
    return [(a, b) for a, b in tiled.dag.arcs if a.split("_")[-1] != b.split("_")[-1]]


@pytest.mark.parametrize("name", ["fork", "asia", "cancer", "earthquake", "survey"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_every_tile_keeps_the_joint_distribution(name, seed):
    net = fork(seed) if name == "fork" else load_network(name)
    tiled = net.tile(4, seed=seed)
    original = net.marginal(net.names)
    for tile in tiles(net, 4):
        np.testing.assert_allclose(tiled.marginal(tile), original, atol=1e-11)


def test_families_of_tiled_alarm_keep_their_marginals():
    net = load_network("alarm")
    tiled = net.tile(3, seed=0)
    data = tiled.sample(20_000, seed=0)
    for x in net.names:
        exact = net.marginal([x])
        for tile in (1, 2, 3):
            column = data.codes[:, data.names.index(f"{x}_{tile}")]
            seen = np.bincount(column, minlength=exact.size) / data.n_rows
            # six standard deviations of a frequency
            assert np.all(np.abs(seen - exact) < 6 * np.sqrt(exact / data.n_rows) + 1e-9), x


@pytest.mark.parametrize("name", ["alarm", "child", "insurance", "hailfinder", "asia"])
def test_joins_go_from_one_earlier_tile_into_parentless_nodes(name):
    net = load_network(name)
    tiled = net.tile(10, seed=1)
    assert len(tiled.names) == 10 * len(net.names)
    joins = joining_arcs(tiled)
    assert len(tiled.dag.arcs) == 10 * len(net.dag.arcs) + len(joins)
    for tile in range(2, 11):
        into = [(a, b) for a, b in joins if b.endswith(f"_{tile}")]
        assert into, "a tile that hangs on nothing"
        sources = {int(a.rsplit("_", 1)[1]) for a, _ in into}
        assert len(sources) == 1
        assert sources.pop() < tile
        for _, b in into:
            assert not net.dag.parents(b.rsplit("_", 1)[0])
            assert 1 <= len(tiled.dag.parents(b)) <= 2


def test_joins_do_join():
    tiled = load_network("survey").tile(2, seed=0)
    a, b = joining_arcs(tiled)[0]
    together = tiled.marginal([a, b])
    apart = np.outer(tiled.marginal([a]), tiled.marginal([b]))
    assert np.abs(together - apart).max() > 1e-3


def test_the_seed_decides():
    net = load_network("asia")
    assert net.tile(3, seed=5) == net.tile(3, seed=5)
    assert net.tile(3, seed=5) != net.tile(3, seed=6)


def test_display_order_does_not_count():
    assert fork() == fork(names="DBCA")
    assert fork().tile(4, seed=2) == fork(names="DBCA").tile(4, seed=2)


def test_one_copy_is_the_network_under_new_names():
    net = load_network("asia")
    tiled = net.tile(1)
    assert tiled.names == tuple(f"{x}_1" for x in net.names)
    assert all(np.array_equal(tiled.table(f"{x}_1"), net.table(x)) for x in net.names)


def test_impossible_states_stay_impossible():
    states = {"A": ["x", "y", "z"], "B": ["u", "v"]}
    net = Network(Dag("AB", [("A", "B")]), states, {"A": [0.3, 0.7, 0], "B": [[1, 0]] * 3})
    tiled = net.tile(5, seed=0)
    for tile in tiles(net, 5):
        np.testing.assert_allclose(tiled.marginal(tile), net.marginal(["A", "B"]), atol=1e-12)


def test_tiling_errors():
    net = load_network("cancer")
    for copies in (0, -2, 1.5, "3"):
        with pytest.raises(ParameterError, match="copies must be at least 1 and at most"):
            net.tile(copies)
    with pytest.raises(ParameterError, match="seed must be a whole number from 0 up, got -1"):
        net.tile(2, seed=-1)
