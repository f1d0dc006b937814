"""Names that other readers take, and scripts for R."""

from __future__ import annotations

import re

import numpy as np
import pytest

import dagscape as ds

ODD = ds.Data(
    {
        "body mass": [22.5, 26.0, 31.0, 27.5] * 10,
        "Asy/Patch": ["a b", "a-b", "a b", "c"] * 10,
        "a_ok": ["0", "1", "1", "0"] * 10,
        "1st": ["-1", "yes", "yes", "-1"] * 10,
    },
    discretize={"body mass": [25, 27.9]},
)
NET = ds.fit(
    ds.Dag(ODD.names, [("body mass", "a_ok"), ("Asy/Patch", "a_ok"), ("1st", "a_ok")]), ODD
)


def test_names_and_states_become_plain_words():
    safe, renamed = ds.portable(NET)
    assert safe.names == ("body_mass", "Asy_Patch", "a_ok", "v_1st")
    assert safe.states["body_mass"] == ("up_to_25", "from_25_to_27_9", "above_27_9")
    assert safe.states["Asy_Patch"] == ("a_b", "a_b_2", "c")
    assert safe.states["a_ok"] == ("0", "1")
    assert safe.states["v_1st"] == ("minus_1", "yes")
    assert ds.Renamed("1st", "-1", "minus_1") in renamed
    assert all(each.state is None or each.state in NET.states[each.variable] for each in renamed)
    plain = r"[A-Za-z][A-Za-z0-9_]*|[0-9]+"
    assert all(re.fullmatch(plain, w) for x in safe.names for w in (x, *safe.states[x]))


def test_probabilities_stay_with_their_states():
    safe, renamed = ds.portable(NET)
    name = {each.variable: each.became for each in renamed if each.state is None}
    state = {(each.variable, each.state): each.became for each in renamed}
    for x in NET.names:
        for given in ({}, {"Asy/Patch": "a-b"}, {"1st": "-1", "body mass": ">27.9"}):
            if x in given:
                continue
            other = {name.get(k, k): state.get((k, v), v) for k, v in given.items()}
            ours, theirs = NET.query(x, given), safe.query(name.get(x, x), other)
            for label in NET.states[x]:
                safe_label = state.get((x, label), label)
                assert ours[label] == pytest.approx(theirs[safe_label], abs=1e-12)


def test_a_network_of_plain_words_stays_itself():
    asia = ds.load_network("asia")
    assert ds.portable(asia) == (asia, [])


def r_vector(text: str) -> list[str]:
    return [each.strip() for each in text.split(",")]


def test_the_script_has_the_model_and_the_tables(tmp_path):
    net = ds.load_network("asia")
    ds.write_network(net, tmp_path / "asia.R")
    script = (tmp_path / "asia.R").read_text("utf-8")
    (model,) = re.findall(r'^model <- "(.*)"$', script, re.M)
    parts = re.findall(r"\[([^|\]]+)(?:\|([^\]]+))?\]", model)
    arcs = {(p, x) for x, parents in parts for p in parents.split(":") if p}
    assert arcs == set(net.dag.arcs)
    for x in net.names:
        array = r" = array\(c\((.*?)\), dim = c\((.*?)\), dimnames = (.*)\)"
        found = re.search(f'"{x}"{array}', script)
        sizes = [int(size) for size in r_vector(found[2])]
        table = np.array([float(v) for v in r_vector(found[1])]).reshape(sizes, order="F")
        assert np.array_equal(np.moveaxis(table, 0, -1), net.table(x))
        named = re.findall(r'"(\w+)" = states', found[3])
        assert named == [x, *net.dag.parents(x)]
    with pytest.raises(ds.FileFormatError, match="scripts are written, not read"):
        ds.read_network(tmp_path / "asia.R")


def test_a_model_string_cannot_hold_everything(tmp_path):
    net = ds.Network(ds.Dag(["a:b"]), {"a:b": ["x"]}, {"a:b": [1.0]})
    with pytest.raises(ds.ParameterError, match="bnlearn cannot hold"):
        ds.write_network(net, tmp_path / "n.R")


def test_bifxml_is_xmlbif(tmp_path):
    net = ds.load_network("asia")
    ds.write_network(net, tmp_path / "asia.bifxml")
    assert ds.read_network(tmp_path / "asia.bifxml") == net


@pytest.mark.parametrize("ending", [".bif", ".bifxml"])
def test_pyagrum_opens_what_is_written(tmp_path, ending):
    gum = pytest.importorskip("pyagrum", reason="pyAgrum is not installed: not tried with it")
    safe, _ = ds.portable(NET)
    ds.write_network(safe, tmp_path / f"n{ending}")
    theirs = ds.from_pyagrum(gum.loadBN(str(tmp_path / f"n{ending}")))
    assert dict(theirs.states) == dict(safe.states)
    for x in safe.names:
        assert theirs.query(x).values() == pytest.approx(safe.query(x).values(), abs=1e-5)


def test_pgmpy_opens_what_is_written(tmp_path):
    readwrite = pytest.importorskip(
        "pgmpy.readwrite", reason="pgmpy is not installed: not tried with it"
    )
    safe, _ = ds.portable(NET)
    ds.write_network(safe, tmp_path / "n.bif")
    theirs = ds.from_pgmpy(readwrite.BIFReader(str(tmp_path / "n.bif")).get_model())
    assert theirs.dag == safe.dag
