"""Graphs in which causes may be hidden, written and read back."""

import random

import networkx as nx
import pytest

import dagscape as ds
from dagscape.graph_files import read_edges

ENDINGS = (".graphml", ".gml", ".dot", ".csv", ".tsv", ".tetrad", ".txt", ".txt.gz")
PAG = ds.Pag(
    ["a", "b", "c", "d", "alone"],
    [("a", "o->", "b"), ("b", "<->", "c"), ("d", "o->", "c")],
)


def pags():
    for seed in range(12):
        rng = random.Random(seed)
        names = [f"x{i}" for i in range(8)]
        pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
        dag = ds.Dag(names, [pair for pair in pairs if rng.random() < 0.3])
        yield seed, dag.to_pag(hidden=rng.sample(names, 2))


@pytest.mark.parametrize("ending", ENDINGS)
def test_written_and_read_back(tmp_path, ending):
    path = tmp_path / f"graph{ending}"
    for seed, pag in [("by hand", PAG), ("no edges", ds.Pag("ab")), *pags()]:
        if ("tetrad" in ending or "txt" in ending) and all(e == "->" for _, e, _ in pag.edges):
            continue  # nothing tells such a text from that of a network
        ds.write_graph(pag, path)
        found = ds.read_graph(path)
        assert found == pag, f"seed {seed}"


@pytest.mark.parametrize("ending", [".graphml", ".gml", ".dot"])
def test_what_is_said_of_edges_stays(tmp_path, ending):
    path = tmp_path / f"graph{ending}"
    said = {("a", "b"): {"share": 0.75}, ("b", "c"): {"share": 0.5}, ("d", "c"): {"share": 1.0}}
    ds.write_graph(PAG, path, edges=said)
    assert ds.read_graph(path) == PAG
    assert read_edges(path) == said


def test_networkx_reads_the_marks(tmp_path):
    for ending, read in ((".graphml", nx.read_graphml), (".gml", nx.read_gml)):
        ds.write_graph(PAG, tmp_path / f"graph{ending}")
        graph = read(tmp_path / f"graph{ending}")
        marks = {(a, b): said["marks"] for a, b, said in graph.edges(data=True)}
        assert marks == {(a, b): edge for a, edge, b in PAG.edges}


def test_tetrads_own_text(tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text(
        "Graph Nodes:\nA;B;C;D\n\nGraph Edges:\n"
        "1. A o-> C\n2. B o-> C\n3. C --> D dd nl\n\nGraph Attributes:\nBIC: -12.5\n"
    )
    found = ds.read_graph(path)
    assert isinstance(found, ds.Pag)
    assert found.edges == (("A", "o->", "C"), ("B", "o->", "C"), ("C", "->", "D"))
    path.write_text("Graph Nodes:\nA,B,C\n\nGraph Edges:\n1. A --> B\n2. C <-- B\n")
    assert ds.read_graph(path) == ds.Dag("ABC", [("A", "B"), ("B", "C")])
    path.write_text("Graph Nodes:\nA;B\n\nGraph Edges:\n1. A --- B\n")
    assert ds.read_graph(path) == ds.Cpdag("AB", (), [("A", "B")])
    ds.write_graph(PAG, path)
    assert path.read_text() == (
        "Graph Nodes:\na;b;c;d;alone\n\nGraph Edges:\n1. a o-> b\n2. b <-> c\n3. d o-> c\n"
    )
    ds.write_graph(ds.Dag("ab", [("a", "b")]), path)
    assert path.read_text().endswith("1. a --> b\n")


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.txt", "Graph Nodes:\nA;B\n\nGraph Edges:\n1. A ==> B\n", "line 5: expected an edge"),
        ("a.txt", "Graph Nodes:\nA\n\nGraph Edges:\n1. A --> B\n", '"B", which'),
        ("a.txt", "Graph Nodes:\nA;A\n", "two variables have the same name"),
        ("a.txt", "words\n", 'expected "Graph Nodes:"'),
        (
            "a.txt",
            "Graph Nodes:\nA;B;C\nGraph Edges:\n1. A --- B\n2. B o-o C\n",
            "two tails stands for selection",
        ),
        ("a.csv", "from,to,marks\na,b,->\nb,c,->>\n", 'line 3: "marks" must be one of'),
        ("a.csv", "from,to,marks\na,b,o->\nb,c,o-o\n", "not a partial ancestral graph"),
        ("a.dot", "digraph {a -> b [arrowhead=dot]}", "ends in a full dot"),
        ("a.dot", "digraph {a -> b [dir=both]}", "has two heads"),
    ],
)
def test_what_is_refused(tmp_path, name, text, sentence):
    (tmp_path / name).write_text(text)
    with pytest.raises(ds.FileFormatError, match=sentence):
        ds.read_graph(tmp_path / name)


def test_names_that_tetrad_cannot_hold(tmp_path):
    with pytest.raises(ds.ParameterError, match="cannot be written as Tetrad's text"):
        ds.write_graph(ds.Pag(["a b"]), tmp_path / "a.txt")
    with pytest.raises(ds.ParameterError, match="no place for what edges says"):
        ds.write_graph(PAG, tmp_path / "a.txt", edges={("a", "b"): {"share": 1.0}})
