r"""DOT, the language of Graphviz.

A variable is a node whose ID is its name. Edges without direction are ``a -> b [dir=none]``, which
Graphviz draws as a line; an essential graph says ``essential=true``. A Pag says ``ancestral=true``,
and its edges ``dir=both`` with the shapes of both ends: ``normal``, ``odot`` or ``none``.

DOT has no way to write a single backslash before a quotation mark, a line end or the end of a name;
such names are refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, NoReturn

from dagscape.errors import FileFormatError, ParameterError
from dagscape.files.text import decode_text
from dagscape.graph_files.dot_tokens import fail, tokens
from dagscape.graph_files.graph_parts import (
    MAX_DEFAULTS,
    Edge,
    GraphParts,
    Value,
    as_kind,
    kept,
    understood,
    written,
)

MAX_GROUPED = 1_000_000
"""How many edges braces may stand for: {a b} -> {c d} are four."""

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
    return _DotParser(decode_text(source, content), source).graph()


class _EdgeWords(NamedTuple):
    """What a file says of some edges: its words, and what they mean."""

    words: dict[str, str]
    heads: list[bool]
    circles: list[bool]
    attributes: dict[str, Value]
    wrong: str


class _DotParser:
    """A recursive descent through the grammar of DOT."""

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source
        self.kinds, self.words, self.starts = tokens(text, source)
        self.at = 0
        self.line, self.counted = 1, 0
        self.directed = True
        self.names: dict[str, None] = {}
        self.edges: list[Edge] = []
        self.grouped = 0
        self.essential = self.ancestral = False

    def keyword(self) -> str:
        """Return the word here if it could be a keyword: those are never quoted."""
        return self.words[self.at].lower() if self.kinds[self.at] == "word" else ""

    def is_mark(self, mark: str, ahead: int = 0) -> bool:
        at = self.at + ahead
        return self.words[at] == mark and self.kinds[at] == "mark"

    def accept(self, mark: str) -> bool:
        if self.words[self.at] == mark and self.kinds[self.at] == "mark":
            self.at += 1
            return True
        return False

    def expect(self, mark: str) -> None:
        if not self.accept(mark):
            self.unexpected(f'"{mark}"')

    def fail(self, sentence: str) -> NoReturn:
        """Refuse the file, for the word here."""
        raise fail(self.source, self.text, self.starts[self.at], sentence)

    def unexpected(self, wanted: str) -> NoReturn:
        word = self.words[self.at]
        found = word if self.kinds[self.at] == "end" else repr(word[:20])
        self.fail(f"expected {wanted}, found {found}")

    def line_here(self) -> int:
        """Return the line of the word here; of what came before, nothing is counted again."""
        start = self.starts[self.at]
        self.line += self.text.count("\n", self.counted, start)
        self.counted = start
        return self.line

    def identifier(self) -> str:
        kind = self.kinds[self.at]
        if kind == "html":
            self.fail("a name in angle brackets is not read; quote it")
        if kind not in ("word", "quoted"):
            self.unexpected("a name")
        self.at += 1
        return self.words[self.at - 1]

    def graph(self) -> GraphParts:
        if self.keyword() == "strict":
            self.at += 1
        if self.keyword() not in ("graph", "digraph"):
            self.unexpected('"graph" or "digraph"')
        self.directed = self.keyword() == "digraph"
        self.at += 1
        if self.kinds[self.at] != "mark":
            self.identifier()
        self.expect("{")
        self.statements(self.meaning({}), 0)
        if self.kinds[self.at] != "end":
            self.fail("more after the graph; a file may hold one")
        return GraphParts(list(self.names), self.edges, self.essential, self.ancestral)

    def statements(self, defaults: _EdgeWords, depth: int) -> list[str]:
        """Read up to the closing brace; return the nodes named on the way."""
        inside: dict[str, None] = {}
        while not self.accept("}"):
            if self.kinds[self.at] == "end":
                self.fail("the file ends before the graph does")
            if self.accept(";") or self.accept(","):
                continue
            if self.keyword() == "edge":
                self.at += 1
                defaults = self.default(defaults, self.attributes())
                continue
            for name in self.statement(defaults, depth):
                inside[name] = None
        return list(inside)

    def default(self, defaults: _EdgeWords, given: dict[str, str]) -> _EdgeWords:
        words = defaults.words | given
        if len(words) > MAX_DEFAULTS:
            self.fail(f"edges have more than {MAX_DEFAULTS} attributes by default")
        return self.meaning(words)

    def statement(self, defaults: _EdgeWords, depth: int) -> Sequence[str]:
        if self.keyword() in ("graph", "node"):
            about = self.keyword()
            self.at += 1
            given = self.attributes()
            if about == "graph" and not depth:
                self.say(given)
            return ()
        if self.kinds[self.at] in ("word", "quoted") and self.is_mark("=", 1):
            name = self.identifier()
            self.at += 1
            given = {name: self.value()}
            if not depth:
                self.say(given)
            return ()
        return self.edge(defaults, depth)

    def say(self, given: dict[str, str]) -> None:
        if given.get("essential", "").lower() == "true":
            self.essential = True
        if given.get("ancestral", "").lower() == "true":
            self.ancestral = True

    def edge(self, defaults: _EdgeWords, depth: int) -> Sequence[str]:
        """Read a chain of nodes and groups of nodes, each joined to the next."""
        line, nodes = self.line_here(), self.operand(defaults, depth)
        arrow = "->" if self.directed else "--"
        chain = [(line, nodes)]
        while self.words[self.at] in ("->", "--") and self.kinds[self.at] == "mark":
            if not self.accept(arrow):
                kind = "digraph" if self.directed else "graph"
                self.fail(f'a {kind} has edges {arrow}, found "{self.words[self.at]}"')
            chain.append((self.line_here(), self.operand(defaults, depth)))
        given = self.attributes()
        if len(chain) == 1:
            return nodes
        said = self.meaning(defaults.words | given) if given else defaults
        for (line, starts), (_, ends) in pairwise(chain):
            self.join(starts, ends, said, line)
        return [name for _, names in chain for name in names]

    def operand(self, defaults: _EdgeWords, depth: int) -> Sequence[str]:
        grouped = self.keyword() == "subgraph"
        if grouped:
            self.at += 1
            if self.kinds[self.at] != "mark":
                self.identifier()
        if grouped or self.is_mark("{"):
            if depth == _DEPTH:
                self.fail(f"more than {_DEPTH} braces are open")
            self.expect("{")
            return self.statements(defaults, depth + 1)
        name = self.identifier()
        for _ in range(2):  # where on the node an edge ends
            if self.accept(":"):
                self.identifier()
        self.names[name] = None
        return (name,)

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
        if self.kinds[self.at] not in ("word", "quoted", "html"):
            self.unexpected("a value")
        self.at += 1
        return self.words[self.at - 1]

    def meaning(self, words: dict[str, str]) -> _EdgeWords:
        """Return what words say of edges, and what is wrong with that if there are any."""
        way = words.get("dir", "forward" if self.directed else "none").lower()
        heads, wrong = list(_WHERE_HEADS_ARE.get(way, ())), ""
        if not heads:
            wrong = f'"dir" must be one of {", ".join(_WHERE_HEADS_ARE)}, got "{way}"'
            heads = [False, False]
        circles = [False, False]
        for i, key in enumerate(("arrowhead", "arrowtail")):
            shape = words.get(key, "")
            circles[i] = heads[i] and shape == "odot"
            if "dot" in shape and heads[i] and not circles[i]:
                wrong = "an edge that ends in a full dot has no meaning here"
            heads[i] = heads[i] and shape != "none" and not circles[i]
        attributes = kept({name: understood(text) for name, text in words.items()})
        return _EdgeWords(words, heads, circles, attributes, wrong)

    def join(self, starts: Sequence[str], ends: Sequence[str], said: _EdgeWords, line: int) -> None:
        """Join every one of some nodes with every one of others."""
        count, wrong = len(starts) * len(ends), said.wrong
        self.grouped += count if count > 1 else 0
        if self.grouped > MAX_GROUPED:
            wrong = (
                f"braces around nodes stand for more than {MAX_GROUPED:,} edges; "
                "list the edges one by one"
            )
        elif all(said.heads) and count and not wrong and not self.ancestral:
            wrong = f'the edge between "{starts[0]}" and "{ends[0]}" has two heads'
        if wrong and count:
            raise FileFormatError(f"{self.source}, line {line}: {wrong}")
        marks = self.marks(said)
        if said.heads[1] and not said.heads[0]:
            starts, ends = ends, starts
        directed, attributes = any(said.heads), said.attributes
        self.edges += [Edge(a, b, directed, attributes, line, marks) for a in starts for b in ends]

    def marks(self, said: _EdgeWords) -> str:
        """Return both ends of an edge, a single head at the second, where the file has a Pag."""
        if not self.ancestral and not any(said.circles):
            return ""
        ends = [
            ">" if head else "o" if circle else ""
            for head, circle in zip(said.heads, said.circles, strict=True)
        ]
        if ends[1] == ">" and ends[0] != ">":
            ends.reverse()
        return f"{ends[1].replace('>', '<')}-{ends[0]}"


def format_graph(parts: GraphParts) -> str:
    """Return the DOT text of a graph."""
    kinds = parts.kinds()
    lines = ["digraph {"]
    if parts.essential:
        lines.append("  essential=true;")
    if parts.ancestral:
        lines.append("  ancestral=true;")
    lines += [f"  {_quoted(name)};" for name in parts.names]
    for edge in parts.edges:
        said = [] if edge.directed or edge.marks else ["dir=none"]
        if edge.marks not in ("", "->"):
            said += ["dir=both", *map("=".join, _shapes(edge.marks))]
        for name, value in edge.attributes.items():
            said.append(f"{name}={_written(as_kind(value, kinds[name]))}")
        shown = f" [{', '.join(said)}]" if said else ""
        lines.append(f"  {_quoted(edge.start)} -> {_quoted(edge.end)}{shown};")
    return "\n".join([*lines, "}", ""])


def _shapes(marks: str) -> list[tuple[str, str]]:
    """Return the shapes of both ends of an edge of a Pag, as Graphviz draws them."""
    shapes = {"<": "normal", ">": "normal", "o": "odot", "-": "none"}
    return [("arrowtail", shapes[marks[0]]), ("arrowhead", shapes[marks[-1]])]


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
