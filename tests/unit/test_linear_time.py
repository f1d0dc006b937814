"""Long names, cells and files take time by their length, not by its square or worse."""

import io
from collections.abc import Callable
from contextlib import suppress

import pytest

import dagscape as ds
from dagscape import _core
from dagscape.cli.column_options import as_cuts
from dagscape.data import labels, lines
from dagscape.files.plain_values import json_value
from dagscape.files.toml import parse_toml
from dagscape.graph_files import (
    arcs,
    dagitty,
    dot,
    gml,
    graph_parts,
    graphml,
    model_string,
    tetrad,
)
from dagscape.networks import xdsl, xmlbif
from dagscape.networks.bif import format_bif, parse_bif
from dagscape.networks.network_parts import NetworkParts
from dagscape.report.page_pairs import score_of
from dagscape.variables import suggest
from growth import grows_faster


def bif(before: str, repeated: str, after: str = "") -> Callable[[int], Callable[[], object]]:
    return reading(parse_bif, before, repeated, after)


def toml(text: str, source: str) -> None:
    parse_toml(text, source, "a file")


def walked(content: bytes, source: str) -> None:
    xdsl._XdslReader(source).walk(content)


def reading(read: Callable[..., object], before: str, repeated: str, after: str = ""):
    """Return what reads a text of some length, whatever becomes of it."""

    def sized(n: int) -> Callable[[], object]:
        text = before + repeated * (n // len(repeated)) + after
        given = text.encode() if read in FROM_BYTES else text

        def work() -> None:
            with suppress(ds.DagscapeError, RecursionError):
                read(given, "file")

        return work

    return sized


def on(function: Callable[[str], object], before: str, repeated: str, after: str = ""):
    """Return what calls a function on a text of some length."""
    return lambda n: lambda: function(before + repeated * (n // len(repeated)) + after)


def written_as_bif(name: str) -> object:
    net = NetworkParts(states={name: ("a", name)}, parents={name: ()}, tables={name: HALF})
    return format_bif(net)


def scores(read: Callable[[bytes], object]) -> Callable[[str], object]:
    def parse(text: str) -> object:
        with suppress(ds.DagscapeError):
            return read(text.encode())

    return parse


def cut(text: str) -> object:
    return list(lines.blocks(io.BytesIO(text.encode()), size=1 << 20))


def records(text: str) -> object:
    with suppress(ds.DataError):
        return list(lines.records(text, ","))


def rules(text: str) -> object:
    with suppress(ds.ParameterError):
        return as_cuts(text)


def scored(name: str) -> object:
    dag = ds.Dag(["A"])
    return score_of(ds.Result(dag=dag, score=0.0, score_name=name, method="none"), None)


HALF = ds.load_network("asia").table("smoke")

FROM_BYTES = (
    *(dot.parse, gml.parse, graphml.parse, arcs.parse_csv, xmlbif.parse_xmlbif, walked),
    *(dagitty.parse, model_string.parse, tetrad.parse),
)

CASES = {
    "BIF: a long name and a blank": on(written_as_bif, "", "q", " "),
    "BIF: a long name and a bracket": on(written_as_bif, "", "how often/", "("),
    "BIF: a name of slashes": on(written_as_bif, "", "/", "/*"),
    "BIF: words": bif("network ", "a/", "//"),
    "BIF: properties without an end": bif("network {", "property a "),
    "BIF: properties of open quotes": bif("network {", 'property "a\\" '),
    "BIF: escaped quotation marks": bif('network "', '\\"'),
    "BIF: comments without an end": bif("", "/* "),
    "BIF: states with one twice": lambda n: bif(
        f"variable x {{ type discrete [2] {{ {' '.join(map(str, range(n // 6)))}", " 0", "}"
    )(2),
    "DOT: names in angle brackets": reading(dot.parse, "graph { a [", "b=<> ", "] }"),
    "DOT: open angle brackets": reading(dot.parse, "graph { a [b=", "<"),
    "DOT: a text in parts": reading(dot.parse, "graph { ", '"a"+', '"a" }'),
    "DOT: a long number": reading(dot.parse, "graph { a -- b [c=", "1", "x] }"),
    "DOT: a long number, quoted": reading(dot.parse, 'graph { a -- b [c="', "1", 'x"] }'),
    "DOT: backslashes": on(lambda text: dot._quoted(text + '"'), "", "\\\\"),
    "DOT: a default for every edge": reading(dot.parse, "digraph {", "edge[a=1] a->b;", "}"),
    "DOT: defaults for many edges": reading(
        dot.parse, "digraph { edge [" + "".join(f"a{i}=1 " for i in range(99)) + "] ", "a->b;", "}"
    ),
    "GML: a long number": reading(gml.parse, "graph [ id ", "1"),
    "GML: a long decimal": reading(gml.parse, "graph [ id 1.", "1", "x"),
    "GML: references": reading(gml.parse, 'graph [ label "', "&a", '" ]'),
    "GML: nodes": reading(gml.parse, "graph [", " node [ id 1 ]"),
    "GraphML: references": reading(graphml.parse, "<graphml><graph><data>", "&lt;"),
    "GraphML: elements in elements": reading(graphml.parse, "<graphml>", "<a>"),
    "GraphML: a long declaration": reading(graphml.parse, "<?xml ", " ", "?><graphml/>"),
    "GraphML: attributes": lambda n: reading(
        graphml.parse, "<graphml " + "".join(f'a{i}="" ' for i in range(n // 9)), "/", ">"
    )(1),
    "DAGitty: a chain": reading(dagitty.parse, "dag {", "a -> ", "b }"),
    "DAGitty: lines": reading(dagitty.parse, "dag {", "a -> b\n", "}"),
    "DAGitty: open braces": reading(dagitty.parse, "dag ", "{"),
    "DAGitty: properties": reading(dagitty.parse, "dag { a [", "b=c,", "] }"),
    "DAGitty: comments without an end": reading(dagitty.parse, "dag {", "/*"),
    "DAGitty: open quotation marks": reading(dagitty.parse, "dag { a [b=", '"\\'),
    "model string: parts": reading(model_string.parse, "", "[a][b|a]"),
    "model string: parents": reading(model_string.parse, "[a|", "b:", "b]"),
    "model string: open brackets": reading(model_string.parse, "", "["),
    "Tetrad: names": reading(tetrad.parse, "Graph Nodes:\n", "a;", "\nGraph Edges:\n"),
    "Tetrad: edges": reading(tetrad.parse, "Graph Nodes:\na;b\n\nGraph Edges:\n", "1. a --> b\n"),
    "Tetrad: blanks": reading(tetrad.parse, "Graph Nodes:\na;b\nGraph Edges:\n1. a", " ", "x"),
    "XMLBIF: states": reading(
        xmlbif.parse_xmlbif, "<BIF><NETWORK><VARIABLE>", "<OUTCOME>a</OUTCOME>"
    ),
    "XMLBIF: a table": reading(
        xmlbif.parse_xmlbif,
        "<BIF><NETWORK><VARIABLE><NAME>x</NAME><OUTCOME>a</OUTCOME></VARIABLE>"
        "<DEFINITION><FOR>x</FOR><TABLE>",
        "1 ",
        "</TABLE></DEFINITION></NETWORK></BIF>",
    ),
    "XMLBIF: elements in elements": reading(xmlbif.parse_xmlbif, "<BIF>", "<a>"),
    "XDSL: elements in elements": reading(walked, "<smile>", "<a>"),
    "arcs: names": reading(arcs.parse_csv, "from,to\n", "a,b\n"),
    "arcs: quotation marks": reading(arcs.parse_csv, 'from,to\n"', '""'),
    "scores: a long number": on(scores(_core.read_jkl), "1\nA 1\n-", "1", " 0\n"),
    "scores: a long name": on(scores(_core.read_jkl), "1\n", "A", " 1\n-1 0\n"),
    "scores: blanks": on(scores(_core.read_jkl), "1\nA 1\n-1", " ", "0\n"),
    "scores: lines": on(scores(_core.read_jkl), "1\nA 9\n", "-1 0\n"),
    "scores: notes": on(scores(_core.read_pss), "", "META a = b\n"),
    "scores: variables": on(scores(_core.read_pss), "", "VAR a\n-1\n"),
    "JSON: nested lists": reading(json_value, "", "["),
    "JSON: a long number": reading(json_value, "", "1"),
    "JSON: escapes": reading(json_value, '"', "\\u00e4", '"'),
    "a number among the values of an edge": on(graph_parts.understood, "", "1", "x"),
    "a decimal among the values of an edge": on(graph_parts.understood, "1.", "1", "e1x"),
    "a cell of digits": on(lambda cell: labels.kind_of([cell]), "1", "1", "x"),
    "a cell of blanks": on(lambda cell: labels.kind_of([cell]), "", " ", "x"),
    "a cell like a date": on(lambda cell: labels.spells_dates([cell]), "2020-01-01 ", " ", "\nx"),
    "a cell like a decimal comma": on(lambda c: labels.spells_decimal_commas([c]), "1,", "1", "x"),
    "cells in natural order": on(lambda cell: labels.natural_order([cell, "b"]), "", "a1", "x"),
    "lines within quotation marks": on(cut, 'a\n"\n', '""\n'),
    "a cell that is never closed": on(records, '"', 'a""'),
    "cells that are quoted": on(records, '"', 'a"",', "x"),
    "rules without a rule": on(rules, "=", "a"),
    "rules of equal signs": on(rules, "a", "=b", "="),
    "rules of commas": on(rules, "a=b", ",a"),
    "the name of a score": on(scored, "bdeu", "a", "("),
    "a name that is misspelled": on(lambda name: suggest(name, [name[::-1]]), "", "ab", "c"),
    "TOML: a key in many parts": reading(toml, "a", ".a", " = 1"),
    "TOML: a table in many parts": reading(toml, "[a", ".a", "]"),
    "TOML: keys in some parts": reading(toml, "", "a.a = 1\n"),
    "TOML: a long word": reading(toml, "", "a", "="),
    "TOML: open quotation marks": reading(toml, "a = ", '"""\\'),
    "TOML: marks within a text": reading(toml, 'a = """', '"a'),
    "TOML: nested lists": reading(toml, "a = ", "["),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_time_grows_with_length_and_no_faster(case: str) -> None:
    assert not grows_faster(CASES[case])
