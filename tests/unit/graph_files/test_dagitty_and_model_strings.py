"""Graphs as DAGitty and R write them: what is read, and what is refused in a sentence."""

from __future__ import annotations

import pytest

import dagscape as ds
from dagscape.graph_files.registry import graph_of_text

FRONT_DOOR = """
dag {
  bb="-2,-1,2,1"
  "tar deposits" [pos="0.1,0.3"]
  cancer [outcome,pos="1,0.3"]
  smoking [exposure,pos="-1,0.3"]  // drawn by hand
  smoking -> "tar deposits" -> cancer
  genes [latent]
  cancer <- genes -> smoking [beta=0.3]
}
"""

READ = {
    "dag{a->b<-c}": ds.Dag("abc", [("a", "b"), ("c", "b")]),
    "dag G { a ; b ; a -> {b c} -> d }": ds.Dag(
        "abcd", [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")]
    ),
    "DAG { x1 x.2 _y x1 -> x.2 }": ds.Dag(["x1", "x.2", "_y"], [("x1", "x.2")]),
    "dag { {a b} <- {c {d -> e}} }": ds.Dag(
        "abcde",
        [("d", "e"), *((y, x) for x in "ab" for y in "cde")],
    ),
    "pdag { a -- b b -> c d -> c }": ds.Cpdag("abcd", [("b", "c"), ("d", "c")], [("a", "b")]),
    "pdag { a -> b -> c }": ds.Mpdag("abc", [("a", "b"), ("b", "c")]),
    "pag { a @-> b <-@ c; b -> d }": ds.Pag(
        "abcd", [("a", "o->", "b"), ("c", "o->", "b"), ("b", "->", "d")]
    ),
    "mag { a -> b <-> c <- d }": ds.Pag(
        "abcd", [("a", "->", "b"), ("b", "<->", "c"), ("d", "->", "c")]
    ),
    " [a][c] [b|a:c]\n[Länge m|b]": ds.Dag(
        ["a", "c", "b", "Länge m"], [("a", "b"), ("c", "b"), ("b", "Länge m")]
    ),
}


@pytest.mark.parametrize("text", READ)
def test_texts_are_read(text, tmp_path):
    assert graph_of_text(text) == READ[text]
    (tmp_path / "g.txt").write_text(text, "utf-8")
    assert ds.read_graph(tmp_path / "g.txt") == READ[text]


def test_a_drawing_of_dagitty_is_read():
    arcs = [("smoking", "tar deposits"), ("tar deposits", "cancer"), ("genes", "cancer")]
    names = ["tar deposits", "cancer", "smoking", "genes"]
    assert graph_of_text(FRONT_DOOR) == ds.Dag(names, [*arcs, ("genes", "smoking")])


def test_what_is_written_is_what_they_read(tmp_path):
    dag = ds.Dag(["b", "a a", "c"], [("a a", "b"), ("c", "b")])
    ds.write_graph(dag, tmp_path / "g.dagitty")
    ds.write_graph(dag, tmp_path / "g.modelstring")
    ds.write_graph(ds.Cpdag("ab", (), [("a", "b")]), tmp_path / "h.dagitty")
    assert (tmp_path / "g.modelstring").read_text("utf-8") == "[a a][c][b|a a:c]\n"
    assert (tmp_path / "g.dagitty").read_text("utf-8") == (
        'dag {\n  b\n  "a a"\n  c\n  "a a" -> b\n  c -> b\n}\n'
    )
    assert (tmp_path / "h.dagitty").read_text("utf-8") == "pdag {\n  a\n  b\n  a -- b\n}\n"


REFUSED = {
    "dag { a <-> b }": 'edge between "a" and "b" has two heads.*hidden common cause',
    "dag { a -- b }": "has no direction, and this is a dag; call it a pdag",
    "dag { a @-> b }": "is @->, which no network can have",
    "mag { a @-> b }": "has a circle, and this is a mag; call it a pag",
    "mag { a -- b }": "is --, which stands for selection",
    "pag { a -- b }": "is --, which stands for selection",
    "dag { a -> b } c": "expected nothing more",
    "dag { a -> }": 'line 1: expected a variable, found "}"'.replace('"}"', "'}'"),
    "dag { a [pos=]": "expected a value",
    "dag {\n a -> b -> a }": "form a cycle: b -> a -> b",
    "dag { a": 'expected "}", found the end of the file',
    "dag { a % b }": "not DAGitty: '% b }'",
    "[a][b|c]": '"c" is a parent of "b", and has no part of its own, such as',
    "[a][a]": '"a" has two parts',
    "[a][b|a:]": 'a parent of "b" has no name',
    "[a]b": "is made of parts like .*, got 'b'",
    "[a|b][b|a]": "form a cycle",
}


@pytest.mark.parametrize("text", REFUSED)
def test_others_are_refused(text):
    with pytest.raises(ds.FileFormatError, match=REFUSED[text]):
        graph_of_text(text)


def test_other_texts_are_no_graphs():
    for text in ("graph.dot", "dagitty.txt", "", "{}", "digraph a -> b", "dag"):
        assert graph_of_text(text) is None, text


def test_texts_of_graphviz_are_read():
    assert graph_of_text("digraph g { a -> b }") == ds.Dag("ab", [("a", "b")])
    assert graph_of_text("strict Graph { a -- b }") == ds.Cpdag("ab", (), [("a", "b")])


def test_an_examination_takes_texts_and_files(tmp_path):
    data = ds.Data({"a": [0, 1] * 20, "b": [0, 1] * 20})
    file = tmp_path / "g.dagitty"
    file.write_text("dag { a -> b }")
    told = [
        ds.examine(graph, data, resamples=0, relabelings=0).score
        for graph in ("dag { b <- a }", "[a][b|a]", "digraph { a -> b }", file, [("a", "b")])
    ]
    assert len(set(told)) == 1
    with pytest.raises(ds.GraphError, match='"c" that the data lack'):
        ds.examine("dag { a -> b -> c }", data)
