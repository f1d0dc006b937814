"""The text of Tetrad, also read and written by causal-learn and pytetrad.

Names between semicolons, then numbered edges: ``1. A o-> B``. Words after an edge, such as Tetrad's
``dd nl``, say what follows from the rest, and are passed over.
"""

from __future__ import annotations

import re

from dagscape.errors import FileFormatError, ParameterError
from dagscape.files.text import decode_text
from dagscape.graph_files.graph_parts import Edge, GraphParts

NODES, EDGES = "Graph Nodes:", "Graph Edges:"
_WAYS = {
    "-->": "->",
    "<--": "<-",
    "<->": "<->",
    "o->": "o->",
    "<-o": "<-o",
    "o-o": "o-o",
    "---": "",
}
_WRITTEN = {"->": "-->", "<-": "<--"}
_NUMBERED = re.compile(r"[0-9]+\.\s")
_ARROW = re.compile(r"\s(<--|-->|<->|o->|<-o|o-o|---)\s")
_REFUSED = re.compile(r"[;,\s]")


def parse(content: bytes, source: str) -> GraphParts:
    """Return what a file says: a Pag if an edge has a circle or two heads."""
    part = ""
    names: list[str] = []
    edges: list[Edge] = []
    for number, text in enumerate(decode_text(source, content).splitlines(), 1):
        line = text.strip()
        if line.endswith(":") and line.startswith("Graph "):
            part = line
        elif line and part == NODES:
            names += [name.strip() for name in re.split("[;,]", line) if name.strip()]
        elif line and part == EDGES:
            edges.append(_edge(line, number, source))
    if len(set(names)) != len(names):
        raise FileFormatError(f"{source}: two variables have the same name")
    if not names:
        raise FileFormatError(f'{source}: expected "{NODES}" and names below it, found none')
    known = set(names)
    for edge in edges:
        for end in (edge.start, edge.end):
            if end not in known:
                raise FileFormatError(
                    f'{source}, line {edge.line}: an edge joins "{end}", which "{NODES}" lacks'
                )
    ancestral = any(edge.marks in ("<->", "o->", "<-o", "o-o") for edge in edges)
    return GraphParts(names, [_meant(edge, ancestral, source) for edge in edges], False, ancestral)


def _edge(line: str, number: int, source: str) -> Edge:
    """Return what a line says; what Tetrad writes after an edge ("dd nl") is not read."""
    begun, arrow = _NUMBERED.match(line), _ARROW.search(line)
    start = line[begun.end() : arrow.start()].strip() if begun and arrow else ""
    if not start or arrow is None:
        raise FileFormatError(
            f'{source}, line {number}: expected an edge such as "1. A --> B", found "{line[:40]}"'
        )
    end = line[arrow.end() :].split(maxsplit=1)[0]  # the line is stripped, so there is one
    return Edge(start, end, arrow[1] != "---", {}, number, arrow[1])


def _meant(edge: Edge, ancestral: bool, source: str) -> Edge:
    """Return an edge with the marks that a Pag has, or with its arrow alone."""
    if ancestral and edge.marks == "---":
        raise FileFormatError(
            f"{source}, line {edge.line}: an edge with two tails stands for selection, which no "
            "graph here has"
        )
    if ancestral:
        return edge._replace(marks=_WAYS[edge.marks])
    turned = edge.marks == "<--"
    start, end = (edge.end, edge.start) if turned else (edge.start, edge.end)
    return Edge(start, end, edge.directed, {}, edge.line)


def format_graph(parts: GraphParts) -> str:
    """Return the text of a graph."""
    if parts.kinds():
        raise ParameterError(
            "Tetrad's text has no place for what edges says; use .graphml, .gml or .dot"
        )
    for name in parts.names:
        if not name or _REFUSED.search(name):
            raise ParameterError(
                f"{name!r} cannot be written as Tetrad's text, whose names have no blanks, commas "
                "or semicolons; use .graphml or .gml"
            )
    lines = [NODES, ";".join(parts.names), "", EDGES]
    for number, edge in enumerate(parts.edges, 1):
        plain = "-->" if edge.directed else "---"
        marks = _WRITTEN.get(edge.marks, edge.marks) or plain
        lines.append(f"{number}. {edge.start} {marks} {edge.end}")
    return "\n".join([*lines, ""])
