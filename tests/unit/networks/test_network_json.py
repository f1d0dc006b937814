import json

import pytest

from dagscape.errors import FileFormatError, ParameterError
from dagscape.graphs import Dag
from dagscape.networks import Network, load_network, read_network
from dagscape.networks.json_format import format_json, parse_json
from dagscape.networks.network_parts import NetworkParts
from drawn import drawn
from unit.networks.network_cases import networks, same


@pytest.mark.slow
@drawn(networks(), usual=60, long=200)
def test_round_trip_is_exact(net):
    assert same(net, parse_json(format_json(NetworkParts.of(net)), "x").network("x"))


def test_files(tmp_path):
    net = load_network("sachs")
    for name in ("s.json", "s.json.gz"):
        net.write(tmp_path / name)
        assert same(read_network(tmp_path / name), net)
    content = json.loads((tmp_path / "s.json").read_text())
    assert content["format"] == "dagscape-network"
    assert content["version"] == 1


def test_equal_networks_make_equal_bytes(tmp_path):
    for name in ("a.json.gz", "b.json.gz"):
        load_network("alarm").write(tmp_path / name)
    assert (tmp_path / "a.json.gz").read_bytes() == (tmp_path / "b.json.gz").read_bytes()


def good(**change):
    variables = [
        {"name": "A", "states": ["x", "y"], "parents": [], "table": [0.5, 0.5]},
        {"name": "B", "states": ["u", "v"], "parents": ["A"], "table": [0, 1, 0.25, 0.75]},
    ]
    return {"format": "dagscape-network", "version": 1, "variables": variables} | change


def with_b(**change):
    content = good()
    content["variables"][1].update(change)
    return content


def test_the_format_by_hand():
    net = parse_json(json.dumps(good()), "x").network("x")
    assert (net.name, net.reference) == ("", "")
    assert net.table("B").tolist() == [[0, 1], [0.25, 0.75]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], ': not a network file: "format" must be "dagscape-network"'),
        (good(format="other"), ': not a network file: "format" must be "dagscape-network"'),
        (good(version=0), ': "version" must be a whole number from 1, got 0'),
        (good(version="1"), ": \"version\" must be a whole number from 1, got '1'"),
        (
            good(version=3),
            ": written in version 3 of the format, and this dagscape reads up to version 2; "
            "update dagscape",
        ),
        (good(name=3), ': "name" must be a string'),
        (good(variables={}), ': "variables" must be a list'),
        (good(variables=[1]), ', variable 1: must be an object with a "name"'),
        (with_b(name="A"), ', variable 2: variable "A" is listed twice'),
        (with_b(states="uv"), ', variable 2: "states" must be a list of strings'),
        (with_b(parents=[1]), ', variable 2: "parents" must be a list of strings'),
        (with_b(parents=["C"]), ': variable "B" has an unknown parent "C"'),
        (with_b(table=[True] * 4), ', variable 2: "table" must be a list of numbers'),
        (with_b(table=[1, 0]), ': the table of "B" must have 4 numbers, got 2'),
        (
            with_b(table=[1, 0, 1, 1]),
            ': the probabilities of "B" (row (1,) of its parents\' states) must sum to 1, got 2',
        ),
        (with_b(states=["u", "u"]), ': variable "B" has the state "u" more than once'),
        (with_b(parents=["A", "A"], table=[1, 0] * 4), ': variable "B" has a parent twice'),
    ],
)
def test_a_bad_file_is_named(tmp_path, content, message):
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(content))
    with pytest.raises(FileFormatError) as error:
        read_network(path)
    assert str(error.value) == f"{path}{message}"


def test_text_that_is_no_json(tmp_path):
    path = tmp_path / "bad.json"
    path.write_text('{"format":\n oops}')
    with pytest.raises(FileFormatError, match="line 2: not JSON: Expecting value"):
        read_network(path)
    path.write_text("[" * 100_000)
    with pytest.raises(FileFormatError, match="nested too deeply"):
        read_network(path)


def test_half_a_character_cannot_be_written(tmp_path):
    net = Network(Dag(["A"]), {"A": ["\ud800"]}, {"A": [1.0]})
    with pytest.raises(ParameterError, match="lone surrogate"):
        net.write(tmp_path / "x.json")
    assert not list(tmp_path.iterdir())
