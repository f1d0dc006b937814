import gzip
from importlib import resources

import numpy as np
import pytest

from dagscape.errors import ParameterError
from dagscape.networks import embedded_networks, load_network, read_bif
from unit.networks.network_cases import published

SIZES = {  # nodes, arcs, parameters, as the bnlearn repository states them
    "alarm": (37, 46, 509),
    "asia": (8, 8, 18),
    "barley": (48, 84, 114005),
    "cancer": (5, 4, 10),
    "child": (20, 25, 230),
    "earthquake": (5, 4, 10),
    "hailfinder": (56, 66, 2656),
    "insurance": (27, 52, 1008),
    "sachs": (11, 17, 178),
    "survey": (6, 6, 21),
}


def test_the_list():
    assert embedded_networks() == tuple(SIZES)


@pytest.mark.parametrize("name", SIZES)
def test_sizes_and_references(name):
    net = load_network(name)
    assert (len(net.names), len(net.dag.arcs), net.n_parameters) == SIZES[name]
    assert net.name == name
    assert net.reference.endswith(".")
    assert any(year in net.reference for year in map(str, range(1988, 2015)))


@pytest.mark.parametrize("name", SIZES)
def test_they_are_the_published_networks(name):
    original = read_bif(published(f"{name}.bif.gz"))
    assert load_network(name) == original
    assert load_network(name).names == original.names


def test_figures_stand_at_their_states():
    asia = load_network("asia")
    assert asia.states["smoke"] == ("yes", "no")
    assert asia.table("lung").tolist() == [[0.1, 0.9], [0.01, 0.99]]
    assert asia.dag.parents("dysp") == ("bronc", "either")
    assert asia.table("dysp")[..., 0].tolist() == [[0.9, 0.8], [0.7, 0.1]]
    child = load_network("child")
    assert "Asy/Patch" in child.states["ChestXray"]


def test_files_carry_no_clock():
    for name in SIZES:
        raw = resources.files("dagscape.networks.embedded").joinpath(f"{name}.json.gz").read_bytes()
        assert raw[4:8] == b"\0\0\0\0", name
        assert gzip.decompress(raw)


def test_rows_sum_to_one():
    for name in SIZES:
        net = load_network(name)
        for x in net.names:
            np.testing.assert_allclose(net.table(x).sum(axis=-1), 1, atol=1e-12, err_msg=x)


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("alrm", 'unknown network "alrm"; did you mean "alarm"? Known are alarm, asia, '),
        ("???", 'unknown network "???"; choose alarm, asia, '),
        (7, 'unknown network "7"; choose alarm, asia, '),
        ("../asia", 'unknown network "../asia"; did you mean "asia"? Known are alarm, asia, '),
    ],
)
def test_an_unknown_name(name, start):
    with pytest.raises(ParameterError) as error:
        load_network(name)
    assert str(error.value).startswith(start)
    assert str(error.value).endswith("survey; to read a file, use read_network")
