"""GraphML, read by networkx, igraph, Gephi, Cytoscape and yEd.

A variable is a node whose ``id`` is its name. The edges of an essential graph carry the attribute
``directed``, true or false, and the graph says ``essential``: GraphML has a word of its own for
edges without direction, but networkx refuses graphs that have both kinds. A Pag says ``ancestral``,
and its edges ``marks``, such as ``o->``.

networkx reads GraphML too, and is not asked: it expands the entities of a document, so that a few
lines can fill the memory, takes a node without an id for one, and its errors name no file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from dagscape.files.xml import XmlReader, escaped
from dagscape.graph_files.graph_parts import (
    MAX_DEFAULTS,
    Edge,
    GraphParts,
    Value,
    as_kind,
    kept,
    whole_number,
    written,
)

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_TYPES: dict[type[Value], str] = {bool: "boolean", int: "long", float: "double", str: "string"}
_WHOLE, _REAL = ("int", "long"), ("float", "double")
_WORDS = {"true": True, "false": False, "1": True, "0": False}
_EMPTY_ID = re.compile(r"n?[0-9]+")
_NAMED_BY = ("name", "label")


def parse(content: bytes, source: str) -> GraphParts:
    """Return what a document says.

    Nodes are named by their ids; by their attribute ``name`` or ``label`` where all have one and
    ids are mere numbers, as igraph and Gephi write them.
    """
    reader = _GraphmlReader(source)
    reader.walk(content)
    if reader.graph is None:
        reader.fail('expected an element "graph"')
    names = _names(reader)
    said = reader.graph.said
    parts = GraphParts(
        list(names.values()), [], said.get("essential") is True, said.get("ancestral") is True
    )
    if len(set(parts.names)) != len(names):
        reader.fail("two nodes have the same name")
    for item in reader.edges:
        ends = [item.attributes.get(end) for end in ("source", "target")]
        for end in ends:
            if end not in names:
                reader.fail(f'an edge joins "{end}", which is not a node', item.line)
        start, stop = (names[end] for end in ends if end is not None)
        own = item.attributes.get("directed", reader.default)
        word = written(item.said.get("directed", own)).strip()
        mark = _WORDS.get(word.lower())
        if mark is None:
            reader.fail(f'"directed" must be true or false, got "{word}"', item.line)
        marks = written(item.said.get("marks", ""))
        parts.edges.append(Edge(start, stop, mark, kept(item.said), item.line, marks))
    return parts


@dataclass
class _Item:
    """A graph, node or edge: its XML attributes and what its data elements say."""

    line: int
    attributes: dict[str, str]
    said: dict[str, Value] = field(default_factory=dict)


@dataclass
class _Key:
    """An attribute that is declared: its name and type."""

    name: str
    kind: str


class _GraphmlReader(XmlReader):
    """Collects nodes and edges; what other programs add is passed over."""

    def __init__(self, source: str) -> None:
        super().__init__(source, namespaces=True)
        self.keys: dict[str, _Key] = {}
        self.defaults: dict[str, dict[str, Value]] = {"graph": {}, "node": {}, "edge": {}}
        self.graph: _Item | None = None
        self.default = "true"
        self.nodes: dict[str, _Item] = {}
        self.edges: list[_Item] = []
        self.path: list[str] = []
        self.open: list[_Item] = []
        self.key: dict[str, str] = {}
        self.text: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        space, _, tag = tag.rpartition(" ")
        if space not in ("", NAMESPACE):
            tag = f"{space} {tag}"  # what a program says of its drawing
        if not self.path and tag != "graphml":
            self.fail(f'expected the element "graphml", found "{tag}"')
        self.path.append(tag)
        self.text = []
        if tag == "key":
            self.key = attributes
            if "attr.name" in attributes and "id" in attributes:
                kind = attributes.get("attr.type", "string")
                self.keys[attributes["id"]] = _Key(attributes["attr.name"], kind)
        elif tag == "data":
            self.key = attributes
        elif tag in ("graph", "node", "edge"):
            self._open(tag, attributes)
        elif tag == "hyperedge":
            self.fail("a hyperedge cannot be part of a network")

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        item = _Item(self.line, attributes, dict(self.defaults[tag]))
        self.open.append(item)
        if tag == "graph":
            if self.graph is not None:
                self.fail("a second graph; a file may hold one")
            self.graph = item
            default = attributes.get("edgedefault", "directed")
            self.default = str(default != "undirected").lower()
        elif tag == "node":
            name = attributes.get("id")
            if name is None:
                self.fail("a node has no id")
            if name in self.nodes:
                self.fail(f'the node "{name}" is there twice')
            self.nodes[name] = item
        else:
            self.edges.append(item)

    def end(self, _: str) -> None:
        tag = self.path.pop()
        if tag in ("graph", "node", "edge"):
            self.open.pop()
        elif tag == "data" and self.open and self.key.get("key") in self.keys:
            key = self.keys[self.key["key"]]
            self.open[-1].said[key.name] = self._value(key)
        elif tag == "default" and self.key.get("id") in self.keys:
            key = self.keys[self.key["id"]]
            about = self.key.get("for", "all")
            value = self._value(key)
            for kind in self.defaults if about == "all" else {about} & self.defaults.keys():
                self.defaults[kind][key.name] = value
                if len(self.defaults[kind]) > MAX_DEFAULTS:
                    self.fail(f"{kind}s have more than {MAX_DEFAULTS} attributes by default")

    def characters(self, text: str) -> None:
        if self.path[-1] in ("data", "default"):
            self.text.append(text)

    def _value(self, key: _Key) -> Value:
        text = "".join(self.text)
        self.text = []
        word = text.strip()
        try:
            if key.kind == "boolean":
                return _WORDS[word.lower()]
            if key.kind in _WHOLE:
                return whole_number(word)
            return float(word) if key.kind in _REAL else text
        except (KeyError, ValueError):
            self.fail(f'"{key.name}" is of type {key.kind}, got "{word[:40]}"')


def _names(reader: _GraphmlReader) -> dict[str, str]:
    """Return the names of the nodes by their ids."""
    nodes = reader.nodes
    if nodes and all(map(_EMPTY_ID.fullmatch, nodes)):
        for attribute in _NAMED_BY:
            given = {key: item.said.get(attribute) for key, item in nodes.items()}
            if all(isinstance(name, str) for name in given.values()):
                return {key: str(name) for key, name in given.items()}
    return {key: key for key in nodes}


def format_graph(parts: GraphParts) -> str:
    """Return the GraphML text of a graph."""
    kinds = parts.kinds()
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<graphml xmlns="{NAMESPACE}">']
    if parts.essential:
        lines += [_key("essential", "graph", bool), _key("directed", "edge", bool)]
    if parts.ancestral:
        lines += [_key("ancestral", "graph", bool), _key("marks", "edge", str)]
    lines += [_key(name, "edge", kind) for name, kind in kinds.items()]
    lines.append('<graph edgedefault="directed">')
    if parts.essential:
        lines.append(_data("graph_essential", True))
    if parts.ancestral:
        lines.append(_data("graph_ancestral", True))
    lines += [f"<node id={_quoted(name)}/>" for name in parts.names]
    for edge in parts.edges:
        said = [_data("edge_directed", edge.directed)] if parts.essential else []
        said += [_data("edge_marks", edge.marks)] if parts.ancestral else []
        said += [_data(f"edge_{n}", as_kind(v, kinds[n])) for n, v in edge.attributes.items()]
        ends = f"<edge source={_quoted(edge.start)} target={_quoted(edge.end)}"
        lines.append(f"{ends}>{''.join(said)}</edge>" if said else f"{ends}/>")
    return "\n".join([*lines, "</graph>", "</graphml>", ""])


def _key(name: str, about: str, kind: type[Value]) -> str:
    return f'<key id="{about}_{name}" for="{about}" attr.name="{name}" attr.type="{_TYPES[kind]}"/>'


def _data(key: str, value: Value) -> str:
    text = escaped(written(value), ".gml").replace("\r", "&#13;")
    return f'<data key="{key}">{text}</data>'


def _quoted(name: str) -> str:
    text = escaped(name, ".gml").replace('"', "&quot;")
    # Readers turn bare line ends and tabs of an attribute into blanks.
    for mark in "\t\n\r":
        text = text.replace(mark, f"&#{ord(mark)};")
    return f'"{text}"'
