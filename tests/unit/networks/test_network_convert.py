"""Conversions, each tried where its library is installed; our files read by both, theirs by us."""

import sys
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dagscape.errors import FileFormatError, ParameterError
from dagscape.graphs import Dag
from dagscape.networks import (
    Network,
    load_network,
    read_bif,
    read_network,
)
from unit.networks.network_cases import networks, random_network, same


def optional(module):
    """Import an optional library; pyAgrum ends the interpreter where warnings are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip(module)


@pytest.fixture
def gum():
    return optional("pyagrum")


@pytest.fixture
def pgmpy():
    optional("pgmpy.models")
    return optional("pgmpy.readwrite")


def unlike_sizes():
    """Return a network whose axes cannot be confused without an error or a difference."""
    dag = Dag(["D", "C", "B", "A"], [("A", "D"), ("B", "D"), ("C", "D"), ("A", "B")])
    states = {"A": ["a1", "a0"], "B": ["10", "9", "b"], "C": list("wxyz"), "D": ["no", "yes"]}
    return random_network(dag, states, np.random.default_rng(1), name="mixed", reference="a book")


def close(a, b):
    """Tell whether two networks agree up to the digits that the other library prints."""
    if a.dag != b.dag or dict(a.states) != dict(b.states):
        return False
    for x in a.names:  # display order, and with it the order of axes, is not kept by all
        axes = [b.dag.parents(x).index(p) for p in a.dag.parents(x)]
        if not np.allclose(a.table(x), b.table(x).transpose(*axes, len(axes)), atol=1e-5):
            return False
    return True


def test_pyagrum_both_ways(gum):
    net = unlike_sizes()
    bn = net.to_pyagrum()
    assert isinstance(bn, gum.BayesNet)
    row = bn.cpt("D")[{"A": "a0", "B": "9", "C": "y"}]
    assert bn.cpt("D").names[0] == "D"
    np.testing.assert_array_equal(row, net.table("D")[2, 1, 1])  # parents C, B, A
    assert same(Network.from_pyagrum(bn), net)


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=50)
@given(networks(words=st.text("ab c,1", min_size=1, max_size=4)))
def test_pyagrum_round_trip(net):
    optional("pyagrum")
    assert same(Network.from_pyagrum(net.to_pyagrum()), net)


@pytest.mark.usefixtures("pgmpy")
def test_pgmpy_both_ways():
    net = unlike_sizes()
    model = net.to_pgmpy()
    assert model.check_model()
    p = model.get_cpds("D").get_value(D="yes", A="a0", B="9", C="y")
    assert p == net.table("D")[2, 1, 1, 1]
    back = Network.from_pgmpy(model)
    assert back == net
    assert back.names == net.names


@pytest.mark.usefixtures("pgmpy")
def test_pgmpy_states_in_another_order_are_matched_by_name():
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.models import DiscreteBayesianNetwork

    model = DiscreteBayesianNetwork([("A", "B")])
    first = TabularCPD("A", 2, [[0.1], [0.9]], state_names={"A": ["x", "y"]})
    values = [[0.2, 0.3], [0.8, 0.7]]
    names = {"B": ["u", "v"], "A": ["y", "x"]}  # y before x here
    model.add_cpds(first, TabularCPD("B", 2, values, ["A"], [2], state_names=names))
    net = Network.from_pgmpy(model)
    assert net.states["A"] == ("x", "y")
    assert net.table("B").tolist() == [[0.3, 0.7], [0.2, 0.8]]


@pytest.mark.usefixtures("pgmpy")
def test_pgmpy_models_that_are_not_whole():
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.models import DiscreteBayesianNetwork

    model = DiscreteBayesianNetwork([("A", "B")])
    model.add_cpds(TabularCPD("A", 2, [[0.1], [0.9]], state_names={"A": ["x", "y"]}))
    with pytest.raises(ParameterError, match='the pgmpy model has no table for "B"'):
        Network.from_pgmpy(model)
    names = {"B": ["u", "v"], "A": ["y", "other"]}
    model.add_cpds(TabularCPD("B", 2, [[0.2, 0.3], [0.8, 0.7]], ["A"], [2], state_names=names))
    with pytest.raises(ParameterError, match='the pgmpy tables of "A" and "B" differ in states'):
        Network.from_pgmpy(model)


@pytest.mark.parametrize("name", ["asia", "sachs", "insurance"])
def test_bif_both_ways_with_pgmpy(pgmpy, tmp_path, name):
    net = load_network(name)
    net.write_bif(tmp_path / "ours.bif")
    assert close(Network.from_pgmpy(pgmpy.BIFReader(str(tmp_path / "ours.bif")).get_model()), net)
    pgmpy.BIFWriter(net.to_pgmpy()).write(str(tmp_path / "theirs.bif"))
    assert close(read_bif(tmp_path / "theirs.bif"), net)


@pytest.mark.parametrize("name", ["asia", "sachs", "insurance"])
@pytest.mark.parametrize(("ending", "their_ending"), [(".bif", ".bif"), (".xml", ".bifxml")])
def test_files_both_ways_with_pyagrum(gum, tmp_path, name, ending, their_ending):
    net = load_network(name)
    net.write(tmp_path / f"ours{ending}")
    (tmp_path / f"ours{ending}").rename(tmp_path / f"ours{their_ending}")
    assert close(Network.from_pyagrum(gum.loadBN(str(tmp_path / f"ours{their_ending}"))), net)
    gum.saveBN(net.to_pyagrum(), str(tmp_path / f"theirs{their_ending}"))
    (tmp_path / f"theirs{their_ending}").rename(tmp_path / f"theirs{ending}")
    assert close(read_network(tmp_path / f"theirs{ending}"), net)


@pytest.mark.usefixtures("gum")
def test_a_format_through_pyagrum(tmp_path):
    net = load_network("insurance")
    net.write(tmp_path / "x.net")
    assert close(read_network(tmp_path / "x.net"), net)
    assert [p.name for p in tmp_path.iterdir()] == ["x.net"]


@pytest.mark.usefixtures("gum")
def test_what_pyagrum_would_change_is_not_written(tmp_path):
    net = load_network("child")  # its label Asy/Patch is no word of the NET language
    with pytest.raises(ParameterError, match=r"\.net.* use \.json"):
        net.write(tmp_path / "x.net")
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("gum")
def test_bad_files_for_pyagrum(tmp_path):
    (tmp_path / "x.net").write_text("no network")
    with pytest.raises(FileFormatError, match=r'pyAgrum cannot read ".*x\.net"'):
        read_network(tmp_path / "x.net")
    with pytest.raises(ParameterError, match="there is no file"):
        read_network(tmp_path / "y.net")
    with pytest.raises(ParameterError, match="cannot be written: No such file"):
        load_network("asia").write(tmp_path / "none" / "x.net")


@pytest.mark.parametrize(
    ("use", "extra"),
    [
        (lambda: load_network("asia").to_pgmpy(), "pgmpy"),
        (lambda: load_network("asia").to_pyagrum(), "pyagrum"),
        (lambda: read_network("x.net"), "pyagrum"),
        (lambda: load_network("asia").write("x.net"), "pyagrum"),
    ],
)
def test_a_library_that_is_not_installed(monkeypatch, use, extra):
    for module in ("pgmpy.models", "pyagrum"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ParameterError) as error:
        use()
    assert str(error.value) == (
        f"this needs {extra}, which is not installed: pip install dagscape[{extra}]"
    )
