"""``dagscape examine``: what the package says, from files of graphs and tables."""

from __future__ import annotations

import json
import re

import pytest

import dagscape as ds

ASIA = ds.load_network("asia").names
FEW = ("--resamples", 0, "--relabelings", 10)


@pytest.fixture
def table(tmp_path):
    ds.load_network("asia").sample(300, seed=1).write(tmp_path / "asia.csv")
    return ds.read_data(tmp_path / "asia.csv")


def plain(told: dict) -> dict:
    """Return what does not differ from run to run."""
    return {name: value for name, value in told.items() if name != "seconds"}


def test_every_kind_of_file_says_what_the_package_says(run, table, tmp_path):
    net = ds.load_network("asia")
    expected = ds.examine(net, table, resamples=0, relabelings=10)
    net.write(tmp_path / "net.bif")
    for name in ("g.dot", "g.graphml", "g.dagitty", "g.modelstring", "arcs.csv"):
        ds.write_graph(net.dag, tmp_path / name)
    text = "dag { " + "; ".join(f"{a} -> {b}" for a, b in net.dag.arcs) + " }"
    ds.exact(table, knowledge=ds.Knowledge(required=net.dag.arcs)).save(tmp_path / "result.json")
    for graph in (
        "asia",
        "net.bif",
        "g.dot",
        "g.graphml",
        "g.dagitty",
        "g.modelstring",
        "arcs.csv",
        text,
    ):
        said = run("examine", graph, "asia.csv", *FEW)
        assert (said.exit_code, said.stderr) == (0, ""), graph
        assert said.stdout == expected.summary + "\n", graph
    assert run("examine", "result.json", "asia.csv", *FEW).exit_code == 0


@pytest.mark.usefixtures("table")
def test_it_is_written_as_json_and_as_a_page(run, tmp_path):
    drawn = "dag { smoke -> lung -> either; asia; tub; bronc; xray; dysp }"
    said = run("examine", drawn, "asia.csv", *FEW, "-o", "e.json", "-o", "e.html", "--json")
    assert said.stderr.splitlines() == [
        "dagscape: all of it is in e.json",
        "dagscape: all of it is in e.html",
    ]
    told = json.loads(said.stdout)
    assert json.loads((tmp_path / "e.json").read_text("utf-8")) == told
    assert told["regret"] > 10
    page = (tmp_path / "e.html").read_text("utf-8")
    shown = json.loads(re.search('id="data">(.*?)</script>', page)[1])
    assert shown["truth"] == "your graph"
    (section,) = shown["sections"]
    assert section["title"] == "Your graph"
    assert {title for title, _ in section["lines"]} >= {"Answer", "Best", "Implied"}
    implied = section["tables"][0]
    assert implied["columns"][:3] == ["a", "b", "given"]
    assert len(implied["rows"]) == len(told["implications"])


@pytest.mark.usefixtures("table")
def test_mistakes_are_one_line_and_exit_code_2(run, tmp_path):
    (tmp_path / "cycle.dot").write_text("digraph { asia -> tub; tub -> asia }")
    (tmp_path / "near.dot").write_text("digraph { smok -> lung }")
    text = (tmp_path / "asia.csv").read_text("utf-8")
    (tmp_path / "other.csv").write_text(text.replace("yes", "y"))
    cases = {
        ("nera.dot", "asia.csv"): 'did you mean "near.dot"?',
        ("near.dot", "asia.csv"): '"smok" that the data lack; did you mean "smoke"?',
        ("cycle.dot", "asia.csv"): "form a cycle: tub -> asia -> tub",
        ("dag { smoke -> lung }", "asia.csv"): "6 columns that the graph lacks",
        ("dag { " + " ".join(ASIA[2:]) + " }", "asia.csv"): (
            f"the other columns alone (--leave-out {ASIA[0]} --leave-out {ASIA[1]})"
        ),
        ("asia", "other.csv"): 'has the state "y", which the network does not know',
        ("asia", "asia.csv", "-o", "e.txt"): "must end in .html, .json or .json.gz",
        ("asia", "asia.csv", "--level", 2): "level must",
        (".", "asia.csv"): "is a folder without network.json",
        ("", "asia.csv"): '"" is neither a file nor a graph that can be read',
        ("smoke -> lung", "asia.csv"): 'a graph is written as "dag { a -> b }"',
        ("y ~ x", "asia.csv"): "is neither a file nor a graph",
    }
    for words, sentence in cases.items():
        said = run("examine", *words)
        assert said.exit_code == 2, words
        assert sentence in said.stderr, words
        assert len(said.stderr.splitlines()) == 1, words


def test_graphs_with_hidden_causes(run, table, tmp_path):
    net = ds.load_network("asia")
    expected = ds.examine(net.dag.to_pag(), table, resamples=0, relabelings=10)
    for name in ("p.dot", "p.graphml", "p.dagitty", "p.csv"):
        ds.write_graph(net.dag.to_pag(), tmp_path / name)
        said = run("examine", name, "asia.csv", *FEW)
        assert (said.exit_code, said.stdout) == (0, expected.summary + "\n"), name
    text = "dag { cause -> {smoke lung}; smoke -> bronc -> dysp; tub -> either; asia; xray }"
    said = run("examine", text, "asia.csv", *FEW, "--hidden", "cause", "-o", "e.html", "--json")
    told = json.loads(said.stdout)
    assert ["smoke", "o-o", "lung"] in told["graph"]["edges"]
    page = (tmp_path / "e.html").read_text("utf-8")
    (section,) = json.loads(re.search('id="data">(.*?)</script>', page)[1])["sections"]
    assert [len(arc) for arc in section["graph"]["arcs"]] == [4] * 4
    said = run("examine", text, "asia.csv", *FEW)
    assert said.exit_code == 2
    assert "if it is hidden, say so: --hidden cause" in said.stderr
