r"""DOT, the language of Graphviz.

A variable is a node whose ID is its name. Edges without direction are ``a -> b [dir=none]``, which
Graphviz draws as a line; an essential graph says ``essential=true``. DOT has no way to write a
single backslash before a quotation mark, a line end or the end of a name; such names are refused.
"""

from __future__ import annotations

import re
from itertools import pairwise, product
from typing import NoReturn

from dagscape.errors import ParameterError
from dagscape.graph_files.dot_tokens import Token, fail, tokens
from dagscape.graph_files.parts import Edge, GraphParts, Value, as_kind, kept, understood, written
from dagscape.textfiles import decode_text

_DEPTH = 50
_NUMERAL = re.compile(r"-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)")
_WHERE_HEADS_ARE = {
    "forward": (True, False),
    "back": (False, True),
    "both": (True, True),
    "none": (False, False),
}


def parse(content: bytes, source: str) -> GraphParts:
    """Return what a file says; of attributes, only ``dir`` and shapes of arrows matter."""
    return _Parser(list(tokens(decode_text(source, content), source)), source).graph()


class _Parser:
    """A recursive descent through the grammar of DOT."""

    def __init__(self, listed: list[Token], source: str) -> None:
        last = listed[-1].line if listed else 1
        self.tokens = [*listed, Token("end", "the end of the file", last)]
        self.at = 0
        self.source = source
        self.directed = True
        self.names: dict[str, None] = {}
        self.edges: list[Edge] = []
        self.essential = False

    @property
    def now(self) -> Token:
        return self.tokens[self.at]

    def keyword(self) -> str:
        """Return the word here if it could be a keyword: those are never quoted."""
        return self.now.text.lower() if self.now.kind == "word" else ""

    def accept(self, mark: str) -> bool:
        if self.now.kind == "mark" and self.now.text == mark:
            self.at += 1
            return True
        return False

    def expect(self, mark: str) -> None:
        if not self.accept(mark):
            self.unexpected(f'"{mark}"')

    def unexpected(self, wanted: str) -> NoReturn:
        found = self.now.text if self.now.kind == "end" else repr(self.now.text[:20])
        raise fail(self.source, self.now.line, f"expected {wanted}, found {found}")

    def identifier(self) -> str:
        token = self.now
        if token.kind == "html":
            raise fail(self.source, token.line, "a name in angle brackets is not read; quote it")
        if token.kind not in ("word", "quoted"):
            self.unexpected("a name")
        self.at += 1
        return token.text

    def graph(self) -> GraphParts:
        if self.keyword() == "strict":
            self.at += 1
        if self.keyword() not in ("graph", "digraph"):
            self.unexpected('"graph" or "digraph"')
        self.directed = self.keyword() == "digraph"
        self.at += 1
        if self.now.kind != "mark":
            self.identifier()
        self.expect("{")
        self.statements({}, 0)
        if self.now.kind != "end":
            raise fail(self.source, self.now.line, "more after the graph; a file may hold one")
        return GraphParts(list(self.names), self.edges, self.essential)

    def statements(self, defaults: dict[str, str], depth: int) -> list[str]:
        """Read up to the closing brace; return the nodes named on the way."""
        defaults = dict(defaults)
        inside: dict[str, None] = {}
        while not self.accept("}"):
            if self.now.kind == "end":
                raise fail(self.source, self.now.line, "the file ends before the graph does")
            if not (self.accept(";") or self.accept(",")):
                inside |= dict.fromkeys(self.statement(defaults, depth))
        return list(inside)

    def statement(self, defaults: dict[str, str], depth: int) -> list[str]:
        follows = self.tokens[self.at + 1]
        if self.keyword() in ("graph", "node", "edge"):
            about = self.keyword()
            self.at += 1
            given = self.attributes()
            if about == "edge":
                defaults |= given
            elif about == "graph" and not depth:
                self.say(given)
            return []
        if self.now.kind in ("word", "quoted") and follows[:2] == ("mark", "="):
            name = self.identifier()
            self.at += 1
            given = {name: self.value()}
            if not depth:
                self.say(given)
            return []
        return self.edge(defaults, depth)

    def say(self, given: dict[str, str]) -> None:
        if given.get("essential", "").lower() == "true":
            self.essential = True

    def edge(self, defaults: dict[str, str], depth: int) -> list[str]:
        """Read a chain of nodes and groups of nodes, each joined to the next."""
        chain = [(self.now.line, self.operand(defaults, depth))]
        arrow = "->" if self.directed else "--"
        while self.now.kind == "mark" and self.now.text in ("->", "--"):
            if not self.accept(arrow):
                kind = "digraph" if self.directed else "graph"
                raise fail(
                    self.source,
                    self.now.line,
                    f'a {kind} has edges {arrow}, found "{self.now.text}"',
                )
            chain.append((self.now.line, self.operand(defaults, depth)))
        given = self.attributes()
        nodes = [name for _, names in chain for name in names]
        for (line, starts), (_, ends) in pairwise(chain):
            for start, end in product(starts, ends):
                self.add(start, end, defaults | given, line)
        return nodes

    def operand(self, defaults: dict[str, str], depth: int) -> list[str]:
        grouped = self.keyword() == "subgraph"
        if grouped:
            self.at += 1
            if self.now.kind != "mark":
                self.identifier()
        if grouped or (self.now.kind == "mark" and self.now.text == "{"):
            if depth == _DEPTH:
                raise fail(self.source, self.now.line, f"more than {_DEPTH} braces are open")
            self.expect("{")
            return self.statements(defaults, depth + 1)
        name = self.identifier()
        for _ in range(2):  # where on the node an edge ends
            if self.accept(":"):
                self.identifier()
        self.names[name] = None
        return [name]

    def attributes(self) -> dict[str, str]:
        given: dict[str, str] = {}
        while self.accept("["):
            while not self.accept("]"):
                name = self.identifier()
                given[name] = self.value() if self.accept("=") else "true"
                if not self.accept(","):
                    self.accept(";")
        return given

    def value(self) -> str:
        token = self.now
        if token.kind not in ("word", "quoted", "html"):
            self.unexpected("a value")
        self.at += 1
        return token.text

    def add(self, start: str, end: str, said: dict[str, str], line: int) -> None:
        way = said.get("dir", "forward" if self.directed else "none").lower()
        if way not in _WHERE_HEADS_ARE:
            known = ", ".join(_WHERE_HEADS_ARE)
            raise fail(self.source, line, f'"dir" must be one of {known}, got "{way}"')
        heads = list(_WHERE_HEADS_ARE[way])
        for i, shape in enumerate(said.get(key, "") for key in ("arrowhead", "arrowtail")):
            if "dot" in shape and heads[i]:
                raise fail(self.source, line, "an edge that ends in a dot has no meaning here")
            heads[i] = heads[i] and shape != "none"
        if all(heads):
            raise fail(self.source, line, f'the edge between "{start}" and "{end}" has two heads')
        if heads[1]:
            start, end = end, start
        attributes = kept({name: understood(text) for name, text in said.items()})
        self.edges.append(Edge(start, end, any(heads), attributes, line))


def format_graph(parts: GraphParts) -> str:
    """Return the DOT text of a graph."""
    kinds = parts.kinds()
    lines = ["digraph {"]
    if parts.essential:
        lines.append("  essential=true;")
    lines += [f"  {_quoted(name)};" for name in parts.names]
    for edge in parts.edges:
        said = [] if edge.directed else ["dir=none"]
        for name, value in edge.attributes.items():
            said.append(f"{name}={_written(as_kind(value, kinds[name]))}")
        shown = f" [{', '.join(said)}]" if said else ""
        lines.append(f"  {_quoted(edge.start)} -> {_quoted(edge.end)}{shown};")
    return "\n".join([*lines, "}", ""])


def _written(value: Value) -> str:
    text = written(value)
    bare = isinstance(value, bool) or (not isinstance(value, str) and _NUMERAL.fullmatch(text))
    return text if bare else _quoted(text)


def _quoted(text: str) -> str:
    if re.search(r'(?<!\\)(?:\\\\)*\\(?=["\n]|\Z)', text):
        raise ParameterError(
            f"{text!r} cannot be written as DOT, which has no single backslash before a quotation "
            "mark, a line end or the end of a name; use .graphml or .gml"
        )
    return '"' + text.replace('"', '\\"') + '"'
