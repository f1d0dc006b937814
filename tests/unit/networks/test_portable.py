"""Names that other readers take, and scripts for R."""

from __future__ import annotations

import re
import shutil
import subprocess

import numpy as np
import pytest

import dagscape as ds
from dagscape.networks import SafeName

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
    safe, renamed = NET.portable()
    assert safe.names == ("body_mass", "Asy_Patch", "a_ok", "v_1st")
    assert safe.states["body_mass"] == ("up_to_25", "from_25_to_27_9", "above_27_9")
    assert safe.states["Asy_Patch"] == ("a_b", "a_b_2", "c")
    assert safe.states["a_ok"] == ("0", "1")
    assert safe.states["v_1st"] == ("minus_1", "yes")
    assert SafeName("1st", "-1", "minus_1") in renamed
    assert all(each.state is None or each.state in NET.states[each.variable] for each in renamed)
    plain = r"[A-Za-z][A-Za-z0-9_]*|[0-9]+"
    assert all(re.fullmatch(plain, w) for x in safe.names for w in (x, *safe.states[x]))


def test_probabilities_stay_with_their_states():
    safe, renamed = NET.portable()
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
    assert asia.portable() == (asia, [])


def r_vector(text: str) -> list[str]:
    return [each.strip() for each in text.split(",")]


def test_the_script_has_the_model_and_the_tables(tmp_path):
    net = ds.load_network("asia")
    net.write(tmp_path / "asia.R")
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
        net.write(tmp_path / "n.R")


def test_nothing_but_the_script_is_run_by_r(tmp_path):
    """Neither the name of the file nor a name in the network can end a text or a comment."""
    name = 'a\nsystem("x")\r#".R'
    odd = 'b"\nsystem("x")\\\n'
    net = ds.Network(ds.Dag([odd]), {odd: ["s\nt", "u"]}, {odd: [0.5, 0.5]})
    net.write(tmp_path / name)
    lines = (tmp_path / name).read_bytes().decode().split("\n")
    usual = ds.Network(ds.Dag(["b"]), {"b": ["s", "u"]}, {"b": [0.5, 0.5]})
    usual.write(tmp_path / "usual.R")
    assert len(lines) == len((tmp_path / "usual.R").read_text().split("\n"))
    assert not any(line.lstrip().startswith("system") or "\r" in line for line in lines)
    for wrong in (("b\0", "s"), ("b", "s\0")):
        net = ds.Network(ds.Dag([wrong[0]]), {wrong[0]: [wrong[1], "u"]}, {wrong[0]: [0.5, 0.5]})
        with pytest.raises(ds.ParameterError, match="no text of R can hold"):
            net.write(tmp_path / "n.R")


def test_bifxml_is_xmlbif(tmp_path):
    net = ds.load_network("asia")
    net.write(tmp_path / "asia.bifxml")
    assert ds.read_network(tmp_path / "asia.bifxml") == net


@pytest.mark.parametrize("ending", [".bif", ".bifxml"])
def test_pyagrum_opens_what_is_written(tmp_path, ending):
    gum = pytest.importorskip("pyagrum", reason="pyAgrum is not installed: not tried with it")
    safe, _ = NET.portable()
    safe.write(tmp_path / f"n{ending}")
    theirs = ds.Network.from_pyagrum(gum.loadBN(str(tmp_path / f"n{ending}")))
    assert dict(theirs.states) == dict(safe.states)
    for x in safe.names:
        assert dict(theirs.query(x)) == pytest.approx(dict(safe.query(x)), abs=1e-5)


def test_pgmpy_opens_what_is_written(tmp_path):
    readwrite = pytest.importorskip(
        "pgmpy.readwrite", reason="pgmpy is not installed: not tried with it"
    )
    safe, _ = NET.portable()
    safe.write(tmp_path / "n.bif")
    theirs = ds.Network.from_pgmpy(readwrite.BIFReader(str(tmp_path / "n.bif")).get_model())
    assert theirs.dag == safe.dag


class TestXdsl:
    def test_there_and_back_bit_for_bit(self, tmp_path):
        for name in ("asia", "alarm", "insurance"):
            net, _ = ds.load_network(name).portable(numbers=False)
            net.write(tmp_path / "n.xdsl")
            back = ds.read_network(tmp_path / "n.xdsl")
            assert set(back.dag.arcs) == set(net.dag.arcs)
            assert dict(back.states) == dict(net.states)
            for x in net.names:  # parents stand in the order of the file
                axes = [back.dag.parents(x).index(p) for p in net.dag.parents(x)]
                assert np.array_equal(back.table(x).transpose(*axes, len(axes)), net.table(x))

    def test_parents_come_first_and_nodes_stand_apart(self, tmp_path):
        net = ds.load_network("alarm")
        net.write(tmp_path / "n.xdsl")
        text = (tmp_path / "n.xdsl").read_text("utf-8")
        order = re.findall(r'<cpt id="(\w+)">', text)
        assert all(order.index(a) < order.index(b) for a, b in net.dag.arcs)
        spots = re.findall(r"<position>(\d+ \d+) ", text)
        assert len(set(spots)) == len(net.names)

    def test_names_must_be_identifiers(self, tmp_path):
        with pytest.raises(ds.ParameterError, match=r'the state "0" of "a_ok" has a name that GeN'):
            NET.portable()[0].write(tmp_path / "n.xdsl")
        with pytest.raises(ds.ParameterError, match='the variable "body mass" has a name that'):
            NET.write(tmp_path / "n.xdsl")
        safe, renamed = NET.portable(numbers=False)
        assert SafeName("a_ok", "0", "s_0") in renamed
        safe.write(tmp_path / "n.xdsl")
        assert dict(ds.read_network(tmp_path / "n.xdsl").states) == dict(safe.states)

    @pytest.mark.parametrize(
        ("before", "after", "said"),
        [
            ("<smile", "<simile", 'line 2: expected the element "smile", found "simile"'),
            ("cpt", "decision", 'is of the kind "decision"; only "cpt" is read'),
            ("<state", "<start", 'node "asia" has no states'),
            ("<parents>asia</parents>", "<parents>asio</parents>", '"asio" is not declared'),
            ("probabilities>0.", "probabilities>x", "must hold numbers only"),
            ("probabilities>", "chances>", 'node "asia" has no probabilities'),
            ("<probabilities>", "<probabilities>0.5 ", "must have 2 numbers, got 3"),
        ],
    )
    def test_damaged_files_are_refused_by_line(self, tmp_path, before, after, said):
        ds.load_network("asia").write(tmp_path / "n.xdsl")
        text = (tmp_path / "n.xdsl").read_text("utf-8")
        assert before in text
        (tmp_path / "n.xdsl").write_text(text.replace(before, after), "utf-8")
        with pytest.raises(ds.FileFormatError) as error:
            ds.read_network(tmp_path / "n.xdsl")
        assert said in str(error.value)
        assert ", line " in str(error.value)

    def test_pgmpy_opens_it(self, tmp_path):
        readwrite = pytest.importorskip(
            "pgmpy.readwrite", reason="pgmpy is not installed: not tried with it"
        )
        safe, _ = NET.portable(numbers=False)
        safe.write(tmp_path / "n.xdsl")
        theirs = ds.Network.from_pgmpy(readwrite.XDSLReader(str(tmp_path / "n.xdsl")).get_model())
        assert set(theirs.dag.arcs) == set(safe.dag.arcs)
        for x in safe.names:
            assert dict(theirs.query(x)) == pytest.approx(dict(safe.query(x)), abs=1e-9)

    def test_files_of_pyagrum_are_refused_where_they_mean_something_else(self, tmp_path):
        # It lists parents from the one that varies fastest; GeNIe's manual from the slowest.
        for name, words in (("sachs", "another order"), ("chain", "")):
            chain = ds.Network(
                ds.Dag(["a", "b"], [("a", "b")]),
                {"a": ["x", "y"], "b": ["u", "v"]},
                {"a": [0.25, 0.75], "b": [[0.5, 0.5], [0.125, 0.875]]},
            )
            (chain if name == "chain" else ds.load_network(name)).write(tmp_path / "n.xdsl")
            text = (tmp_path / "n.xdsl").read_text("utf-8")
            (tmp_path / "n.xdsl").write_text(text.replace('app="dagscape"', 'app="aGrUM 3.3.1"'))
            if words:
                with pytest.raises(ds.FileFormatError, match=words):
                    ds.read_network(tmp_path / "n.xdsl")
            else:
                assert ds.read_network(tmp_path / "n.xdsl").query("b")["u"] == 0.21875

    def test_pyagrum_still_has_that_order(self, tmp_path):
        gum = pytest.importorskip("pyagrum", reason="pyAgrum is not installed: not tried with it")
        safe, _ = NET.portable(numbers=False)
        gum.saveBN(safe.to_pyagrum(), str(tmp_path / "t.xdsl"))
        with pytest.raises(ds.FileFormatError, match="in another order"):
            ds.read_network(tmp_path / "t.xdsl")


STUBS = r"""
library <- function(...) invisible(NULL)
model2network <- function(model) model
custom.fit <- function(dag, tables) {
  for (name in names(tables)) {
    table <- tables[[name]]
    others <- seq_along(dim(table))[-1]
    sums <- if (length(others)) apply(table, others, sum) else sum(table)
    stopifnot(all(abs(sums - 1) < 1e-9), names(dimnames(table))[1] == name)
  }
  tables
}
"""
"""Stands in for bnlearn, which few machines have, and checks what it is given."""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed: not tried with it")
@pytest.mark.parametrize("net", [NET, ds.load_network("alarm")])
def test_r_runs_the_script(tmp_path, net):
    net.write(tmp_path / "n.R")
    net.sample(3, seed=0).write(tmp_path / "rows.csv")
    after = 'cat(nrow(read_rows("rows.csv")), length(tables), all(sapply(states, length) > 0))'
    script = STUBS + (tmp_path / "n.R").read_text("utf-8") + after
    (tmp_path / "run.R").write_text(script, "utf-8")
    done = subprocess.run(
        ["Rscript", "--vanilla", "run.R"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-3:] == ["3", str(len(net.names)), "TRUE"]
