"""Files of networks with numbers: JSON keeps every bit, other formats refuse by name."""

from __future__ import annotations

import json

import numpy as np
import pytest

import dagscape as ds
from dagscape.networks import GaussianNode, SoftmaxNode


@pytest.mark.parametrize("kind", ["gaussian", "mixed", "nonlinear"])
def test_json_keeps_every_bit(tmp_path, kind):
    for seed in range(20):
        net = ds.random_network(7, kind=kind, neighbors=3, states=(2, 3), seed=seed)
        path = tmp_path / "net.json.gz"
        net.write(path)
        back = ds.read_network(path)
        assert back == net
        assert back.names == net.names
        assert back.name == net.name
        assert back.sample(40, seed=1) == net.sample(40, seed=1)


def test_extreme_numbers_are_kept(tmp_path):
    dag = ds.Dag(["x", "y"], [("x", "y")])
    nodes = {
        "x": GaussianNode(-0.0, 5e-324),
        "y": GaussianNode(1.7976931348623157e308, 0.1, [1 / 3], [np.pi]),
    }
    net = ds.Network(dag, {}, nodes)
    net.write(tmp_path / "net.json")
    back = ds.read_network(tmp_path / "net.json")
    assert back == net
    assert np.signbit(back.node("x").mean)


def test_networks_of_states_are_written_for_earlier_readers(tmp_path):
    for net, version in ((ds.load_network("asia"), 1), (ds.random_network(3, kind="gaussian"), 2)):
        net.write(tmp_path / "net.json")
        assert json.loads((tmp_path / "net.json").read_text())["version"] == version


def small():
    dag = ds.Dag(["s", "x", "y", "t"], [("s", "y"), ("x", "y"), ("x", "t")])
    nodes = {
        "s": [0.5, 0.5],
        "x": GaussianNode(0.0, 1.0),
        "y": GaussianNode([0.0, 1.0], [1.0, 1.0], [[1.0], [2.0]]),
        "t": SoftmaxNode([0.0, 1.0], [[1.0], [2.0]]),
    }
    return ds.Network(dag, {"s": ["a", "b"], "t": ["a", "b"]}, nodes)


def test_parents_may_be_listed_in_any_order(tmp_path):
    dag = ds.Dag(["r", "s", "x", "w", "y"], [(p, "y") for p in "rsxw"])
    rng = np.random.default_rng(1)
    nodes = {
        "r": [0.5, 0.5],
        "s": [0.2, 0.3, 0.5],
        "x": GaussianNode(0.0, 1.0),
        "w": GaussianNode(0.0, 1.0),
        "y": GaussianNode(
            rng.normal(size=(2, 3)),
            rng.uniform(1, 2, size=(2, 3)),
            rng.normal(size=(2, 3, 2)),
            [1.0, 2.0],
        ),
    }
    net = ds.Network(dag, {"r": ["0", "1"], "s": ["0", "1", "2"]}, nodes)
    net.write(tmp_path / "net.json")
    content = json.loads((tmp_path / "net.json").read_text())
    y = content["variables"][-1]
    assert y["parents"] == ["r", "s", "x", "w"]
    node = net.node("y")
    y["parents"] = ["w", "s", "x", "r"]
    y["mean"] = node.mean.T.ravel().tolist()
    y["sd"] = node.sd.T.ravel().tolist()
    y["slopes"] = node.slopes.transpose(1, 0, 2)[..., [1, 0]].ravel().tolist()
    y["centers"] = [2.0, 1.0]
    (tmp_path / "other.json").write_text(json.dumps(content))
    assert ds.read_network(tmp_path / "other.json") == net


def change(variable, **parts):
    def changed(content):
        (found,) = (v for v in content["variables"] if v["name"] == variable)
        for key, value in parts.items():
            found.pop(key, None)
            if value is not None:
                found[key] = value

    return changed


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (change("x", kind="normal"), 'variable 2: "kind" must be one of table, gaussian, softmax'),
        (change("x", kind=None), 'variable 2: variable "x" must have at least one state'),
        (change("x", sd=[-1.0]), 'variable "x": sd must be 0 or more, got -1'),
        (change("x", sd=[]), 'variable "x": "sd" must have 1 numbers, got 0'),
        (change("x", mean=None), 'variable "x": "mean" must be a list of numbers'),
        (change("x", mean=["0"]), 'variable "x": "mean" must be a list of numbers'),
        (change("x", mean=[10**400]), 'variable "x": "mean" holds a number that is too large'),
        (change("x", states=["a", "b"]), "holds numbers, and has no states"),
        (change("y", slopes=[1.0]), 'variable "y": "slopes" must have 2 numbers, got 1'),
        (change("y", curves="line"), 'variable "y": "curves" must be a list of strings'),
        (change("y", curves=["arc"]), 'variable "y": a curve must be one of line, bend'),
        (change("y", parents=["s", "x", "z"]), 'variable "y" has an unknown parent "z"'),
        (change("t", parents=[]), "a softmax needs states, and a parent that holds numbers"),
        (change("t", centers=[1.0, 2.0]), 'variable "t": "centers" must have 1 numbers, got 2'),
        (change("t", kind=None, table=[0.5, 0.5]), 'has a table, and its parent "x" holds numbers'),
        (lambda content: content.update(version=3), "reads up to version 2; update dagscape"),
    ],
)
def test_wrong_json_gets_a_sentence(tmp_path, damage, said):
    path = tmp_path / "net.json"
    small().write(path)
    content = json.loads(path.read_text())
    damage(content)
    path.write_text(json.dumps(content))
    with pytest.raises(ds.FileFormatError) as error:
        ds.read_network(path)
    assert said in str(error.value)
    assert "net.json" in str(error.value)


@pytest.mark.parametrize("ending", [".bif", ".xmlbif", ".bifxml", ".xml", ".R", ".xdsl", ".net"])
def test_formats_of_tables_refuse_by_name(tmp_path, ending):
    with pytest.raises(ds.ParameterError) as error:
        small().write(tmp_path / f"net{ending}")
    assert '"x" holds numbers, and' in str(error.value)
    assert "tables of states alone; a .json file keeps such a network" in str(error.value)
    assert 'discretize={"x": ("quantile", 3)}' in str(error.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "convert",
    [
        ds.Network.to_pgmpy,
        ds.Network.to_pyagrum,
        lambda net: net.tile(2),
        lambda net: net.write_bif("never.bif"),
    ],
)
def test_so_do_other_libraries(convert):
    with pytest.raises(
        ds.ParameterError, match=r'"x" holds numbers, and .* tables of states alone'
    ):
        convert(small())


def test_portable_names_keep_the_nodes():
    dag = ds.Dag(["z z", "a a", "y"], [("z z", "y"), ("a a", "y")])
    nodes = {
        "z z": GaussianNode(1.0, 1.0),
        "a a": GaussianNode(2.0, 1.0),
        "y": GaussianNode(0.0, 1.0, [1.0, 10.0], [0.5, 0.25]),
    }
    safe, renamed = ds.Network(dag, {}, nodes).portable()
    assert [each.became for each in renamed] == ["z_z", "a_a"]
    node = safe.node("y")
    slopes = dict(zip(safe.dag.parents("y"), node.slopes.tolist(), strict=True))
    assert slopes == {"z_z": 1.0, "a_a": 10.0}
