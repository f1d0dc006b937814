"""GML, read by networkx, igraph, Gephi, Cytoscape and yEd.

A variable is a node whose ``label`` is its name. The edges of an essential graph carry
``directed``, 1 or 0, and the graph says ``essential 1``; those of a Pag carry ``marks``, such as
``"o->"``, and the graph says ``ancestral 1``. The text is ASCII; other characters are written as
``&#228;``.

networkx reads GML too, and is not asked: deep nesting ends it with a ``RecursionError``, two arcs
between the same variables with an error of its own, and its errors do not name the file.
"""

from __future__ import annotations

import html.entities
import math
import re
from dataclasses import dataclass, field
from typing import NoReturn

from dagscape.errors import FileFormatError
from dagscape.files.text import decode_text
from dagscape.graph_files.graph_parts import Edge, GraphParts, Value, as_kind, kept

_TOKEN = re.compile(
    r'(?P<blank>\s+|\#[^\n]*)|(?P<open>\[)|(?P<close>\])|"(?P<text>[^"]*)"|'
    r"(?P<real>[+-]?(?:[0-9]*\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?)|"
    r"(?P<whole>[+-]?[0-9]{1,300})|(?P<word>[A-Za-z][A-Za-z0-9_]*)"
)
_REFERENCE = re.compile(r"&(?:#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6})|([0-9A-Za-z]+));")
_NAMED_BY = ("label", "name", "id")


@dataclass
class _Record:
    """What stands between brackets: values and further records, in order."""

    line: int
    values: dict[str, Value] = field(default_factory=dict)
    records: list[tuple[str, _Record]] = field(default_factory=list)


def parse(content: bytes, source: str) -> GraphParts:
    """Return what a file says; nodes are named by ``label``, else ``name``, else ``id``."""
    whole = _parse(decode_text(source, content), source)
    graphs = [record for name, record in whole.records if name == "graph"]
    if len(graphs) != 1:
        _fail(source, 1, f'expected one "graph [", found {len(graphs)}')
    graph = graphs[0]
    nodes = [record for name, record in graph.records if name == "node"]
    by = next(key for key in _NAMED_BY if key == "id" or all(key in n.values for n in nodes))
    names: dict[Value, str] = {}
    taken: set[str] = set()
    for node in nodes:
        number = node.values.get("id")
        if number is None:
            _fail(source, node.line, "a node has no id")
        name = str(node.values[by])
        if number in names or name in taken:
            what = f"id {number}" if number in names else f'{by} "{name}"'
            _fail(source, node.line, f"two nodes have the {what}")
        names[number] = name
        taken.add(name)
    kinds = [bool(graph.values.get(kind)) for kind in ("essential", "ancestral")]
    parts = GraphParts(list(names.values()), [], *kinds)
    for edge in (record for name, record in graph.records if name == "edge"):
        ends = [edge.values.get(key) for key in ("source", "target")]
        for end in ends:
            if end not in names:
                _fail(source, edge.line, f"an edge joins {end}, which is the id of no node")
        start, stop = (names[end] for end in ends if end is not None)
        mark = edge.values.get("directed", graph.values.get("directed", 0))
        if mark not in (0, 1):
            _fail(source, edge.line, f'"directed" must be 0 or 1, got {mark!r}')
        marks = str(edge.values.get("marks", ""))
        parts.edges.append(Edge(start, stop, bool(mark), kept(edge.values), edge.line, marks))
    return parts


def _parse(text: str, source: str) -> _Record:
    """Return the outermost record; a word must be followed by its value."""
    stack = [_Record(1)]
    word, line, at = "", 1, 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            _fail(source, line, f"not GML: {text[at : at + 20].splitlines()[0]!r}")
        kind, token = str(found.lastgroup), found[str(found.lastgroup)]
        if kind == "word" and not word:
            word = token
        elif kind == "close" and not word and len(stack) > 1:
            stack.pop()
        elif kind == "open" and word:
            record = _Record(line)
            stack[-1].records.append((word, record))
            stack.append(record)
            word = ""
        elif kind in ("text", "real", "whole") and word:
            stack[-1].values[word] = _value(kind, token)
            word = ""
        elif kind == "word" and token in ("NAN", "INF"):
            stack[-1].values[word] = float(token)
            word = ""
        elif kind != "blank":
            wanted = f'a value of "{word}"' if word else "a word"
            _fail(source, line, f"expected {wanted}, found {found[0][:20]!r}")
        line += found[0].count("\n")
        at = found.end()
    if len(stack) > 1 or word:
        _fail(source, line, "the file ends too early; a bracket is open or a value is missing")
    return stack[0]


def _value(kind: str, token: str) -> Value:
    if kind == "text":
        return _REFERENCE.sub(_character, token)
    return int(token) if kind == "whole" else float(token)


def _character(found: re.Match[str]) -> str:
    if found[3]:
        code = html.entities.name2codepoint.get(found[3], -1)
    else:
        code = int(found[1]) if found[1] else int(found[2], 16)
    return chr(code) if 0 <= code <= 0x10FFFF else found[0]


def _fail(source: str, line: int, sentence: str) -> NoReturn:
    raise FileFormatError(f"{source}, line {line}: {sentence}")


def format_graph(parts: GraphParts) -> str:
    """Return the GML text of a graph."""
    kinds = parts.kinds()
    number = {name: i for i, name in enumerate(parts.names)}
    lines = ["graph [", "  directed 1"]
    if parts.essential:
        lines.append("  essential 1")
    if parts.ancestral:
        lines.append("  ancestral 1")
    for name, i in number.items():
        lines += ["  node [", f"    id {i}", f"    label {_written(name)}", "  ]"]
    for edge in parts.edges:
        lines += ["  edge [", f"    source {number[edge.start]}", f"    target {number[edge.end]}"]
        if parts.essential:
            lines.append(f"    directed {int(edge.directed)}")
        if parts.ancestral:
            lines.append(f"    marks {_written(edge.marks)}")
        for name, value in edge.attributes.items():
            lines.append(f"    {name} {_written(as_kind(value, kinds[name]))}")
        lines.append("  ]")
    return "\n".join([*lines, "]", ""])


def _written(value: Value) -> str:
    if isinstance(value, str):
        return '"' + re.sub(r'[^ -~]|[&"]', lambda found: f"&#{ord(found[0])};", value) + '"'
    if isinstance(value, float) and math.isfinite(value):
        digits, mark, power = repr(value).partition("e")
        return f"{digits if '.' in digits else f'{digits}.0'}{mark}{power}"  # a real has a point
    return str(int(value))
