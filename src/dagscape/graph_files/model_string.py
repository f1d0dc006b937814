"""Model strings of R's bnlearn: ``[a][c][b|a:c]``, each variable with its parents."""

from __future__ import annotations

import re

from dagscape.errors import FileFormatError, ParameterError
from dagscape.files.text import decode_text
from dagscape.graph_files.graph_parts import Edge, GraphParts
from dagscape.graphs import Dag

_NODE = re.compile(r"\s*\[([^\[\]|:]+)(?:\|([^\[\]|]*))?\]")


def parse(content: bytes, source: str) -> GraphParts:
    """Return what a model string says; every parent has a part of its own."""
    text = decode_text(source, content).rstrip()
    parts, at, line = GraphParts(), 0, 1
    seen: dict[str, int] = {}
    while at < len(text):
        found = _NODE.match(text, at)
        if found is None:
            shown = text[at : at + 20].strip().splitlines()
            raise FileFormatError(
                f"{source}, line {line}: a model string is made of parts like [a] and [b|a:c], "
                f"got {shown[0] if shown else 'nothing'!r}"
            )
        child, parents = found[1], [] if found[2] is None else found[2].split(":")
        if child in seen:
            raise FileFormatError(f'{source}, line {line}: "{child}" has two parts')
        if "" in parents:
            raise FileFormatError(f'{source}, line {line}: a parent of "{child}" has no name')
        seen[child] = line
        parts.names.append(child)
        parts.edges += [Edge(parent, child, line=line) for parent in parents]
        line += text.count("\n", at, found.end())
        at = found.end()
    for edge in parts.edges:
        if edge.start not in seen:
            raise FileFormatError(
                f'{source}, line {edge.line}: "{edge.start}" is a parent of "{edge.end}", and has '
                f"no part of its own, such as [{edge.start}]"
            )
    if not parts.names:
        raise FileFormatError(f"{source}: a model string names at least one variable")
    return parts


def format_graph(parts: GraphParts) -> str:
    """Return the model string of a network, parents before children."""
    if parts.kinds():
        raise ParameterError(
            "a model string has no place for what edges says; use .graphml, .gml or .dot"
        )
    if parts.ancestral:
        raise ParameterError("a model string cannot hold hidden causes; use .dagitty")
    if parts.essential:
        raise ParameterError(
            "a model string cannot hold edges without direction, nor say that a graph is a class; "
            "write one of its networks (to_dag), or use .dagitty"
        )
    if not parts.names:
        raise ParameterError("a model string cannot hold a graph without variables; use .gml")
    for name in parts.names:
        if not name.strip() or name != name.strip() or re.search(r"[\[\]|:\r\n\x00]", name):
            raise ParameterError(
                f"{name!r} cannot be written in a model string, whose names have no brackets, "
                "bars, colons, line ends or blanks at their ends; use .graphml or .gml"
            )
    dag = Dag(parts.names, [(edge.start, edge.end) for edge in parts.edges])
    words = []
    for name in dag.topological_order():
        parents = ":".join(dag.parents(name))
        words.append(f"[{name}|{parents}]" if parents else f"[{name}]")
    return "".join(words) + "\n"
