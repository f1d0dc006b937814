"""The language of DAGitty: ``dag { a -> b }``, ``pdag { a -- b }`` and ``pag { a @-> b }``.

Statements are variables and chains of edges, in any number on a line; braces stand for all that is
named inside. Properties of variables (``[exposure, pos="0,1"]``) say nothing of the graph and are
passed over. A two-headed arrow stands for a hidden common cause, which no network of the variables
alone can have: outside a ``pag`` or a ``mag``, all marks of which are known, it is refused.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import NoReturn

from dagscape.errors import FileFormatError, ParameterError
from dagscape.files.text import decode_text
from dagscape.graph_files.graph_parts import Edge, GraphParts, kept, understood

MAX_GROUPED = 1_000_000
"""How many edges braces may stand for: {a b} -> {c d} are four."""
_DEPTH = 50

_TOKEN = re.compile(
    r"(?P<blank>\s+|//[^\n]*|/\*.*?\*/)|"
    r'"(?P<quoted>[^"\\\n]*)"|'
    r"(?P<arrow>[<@]?--?[>@]?)|"
    r"(?P<mark>[{}\[\]=;,])|"
    r"(?P<word>[^\W]+(?:\.\w+)*\.?|-?\d*\.\d+)",
    re.DOTALL,
)
_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_KINDS = ("dag", "pdag", "pag", "mag")
_MARKS = {
    "->": "->",
    "<-": "<-",
    "<->": "<->",
    "@->": "o->",
    "<-@": "<-o",
    "@-@": "o-o",
}
"""Of edges of a pag: a circle is an @."""


def parse(content: bytes, source: str) -> GraphParts:
    """Return what a file says."""
    return _DagittyParser(decode_text(source, content), source).graph()


class _DagittyParser:
    """A recursive descent through statements."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.ends = [found.start() for found in re.finditer("\n", text)]
        self.tokens: list[tuple[str, str, int]] = []
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None or found.end() == at:
                self.fail(at, f"not DAGitty: {text[at : at + 20].splitlines()[0]!r}")
            kind = found.lastgroup or ""
            if kind != "blank":
                self.tokens.append((kind, found[kind], at))
            at = found.end()
        self.tokens.append(("end", "the end of the file", len(text)))
        self.at = 0
        self.kind = ""
        self.names: dict[str, None] = {}
        self.edges: list[Edge] = []
        self.grouped = 0

    @property
    def _marked(self) -> bool:
        return self.kind in ("pag", "mag")

    def fail(self, start: int, sentence: str) -> NoReturn:
        raise FileFormatError(f"{self.source}, line {self.line(start)}: {sentence}")

    def line(self, at: int) -> int:
        return bisect_left(self.ends, at) + 1

    def unexpected(self, wanted: str) -> NoReturn:
        kind, word, start = self.tokens[self.at]
        self.fail(start, f"expected {wanted}, found {word if kind == 'end' else repr(word[:20])}")

    def accept(self, mark: str) -> bool:
        kind, word, _ = self.tokens[self.at]
        if (kind, word) == ("mark", mark):
            self.at += 1
            return True
        return False

    def word(self, wanted: str) -> str:
        kind, word, _ = self.tokens[self.at]
        if kind not in ("word", "quoted"):
            self.unexpected(wanted)
        self.at += 1
        return word

    def graph(self) -> GraphParts:
        kind, word, _ = self.tokens[0]
        self.kind = word.lower() if kind == "word" else ""
        if self.kind not in _KINDS:
            self.unexpected('"dag", "pdag", "pag" or "mag"')
        self.at = 1
        if self.tokens[1][0] in ("word", "quoted"):  # a name, which says nothing
            self.at = 2
        if not self.accept("{"):
            self.unexpected('"{"')
        self.statements(0)
        if self.tokens[self.at][0] != "end":
            self.unexpected("nothing more: a file may hold one graph")
        names = list(self.names)
        return GraphParts(names, self.edges, self.kind == "pdag", self._marked)

    def statements(self, depth: int) -> list[str]:
        """Read up to the closing brace; return the variables named on the way."""
        inside: dict[str, None] = {}
        while not self.accept("}"):
            if self.tokens[self.at][0] == "end":
                self.unexpected('"}"')
            if self.accept(";") or self.accept(","):
                continue
            after = self.tokens[self.at + 1]
            if self.tokens[self.at][0] == "word" and after[:2] == ("mark", "="):
                self.at += 2  # bb="0,0,1,1": where it is drawn
                self.word("a value")
                continue
            inside |= dict.fromkeys(self.chain(depth))
        return list(inside)

    def chain(self, depth: int) -> Sequence[str]:
        """Read variables and groups of them, each joined to the next."""
        groups, arrows = [self.operand(depth)], []
        while self.tokens[self.at][0] == "arrow":
            arrows.append(self.tokens[self.at][1:])
            self.at += 1
            groups.append(self.operand(depth))
        given = self.properties()
        said = kept({name: understood(text) for name, text in given.items()}) if arrows else {}
        said.pop("pos", None)
        for (starts, ends), (arrow, at) in zip(pairwise(groups), arrows, strict=True):
            self.join(starts, ends, arrow, at, said)
        return [name for names in groups for name in names]

    def operand(self, depth: int) -> Sequence[str]:
        if self.accept("{"):
            if depth == _DEPTH:
                self.fail(self.tokens[self.at][2], f"more than {_DEPTH} braces are open")
            return self.statements(depth + 1)
        name = self.word("a variable")
        self.names[name] = None
        return (name,)

    def properties(self) -> dict[str, str]:
        given: dict[str, str] = {}
        while self.accept("["):
            while not self.accept("]"):
                name = self.word('a property or "]"')
                given[name] = self.word("a value") if self.accept("=") else "true"
                if not self.accept(","):
                    self.accept(";")
        return given

    def join(
        self,
        starts: Sequence[str],
        ends: Sequence[str],
        arrow: str,
        at: int,
        said: dict[str, bool | int | float | str],
    ) -> None:
        """Join every one of some variables with every one of others."""
        if not starts or not ends:
            return
        count = len(starts) * len(ends)
        self.grouped += count if count > 1 else 0
        if self.grouped > MAX_GROUPED:
            self.fail(at, f"braces stand for more than {MAX_GROUPED:,} edges; list them one by one")
        self._refuse(arrow, at, starts[0], ends[0])
        line = self.line(at)
        if self._marked:
            marks = _MARKS[arrow]
            self.edges += [
                Edge(a, b, marks != "o-o", said, line, marks) for a in starts for b in ends
            ]
            return
        if arrow == "<-":
            starts, ends = ends, starts
        self.edges += [Edge(a, b, arrow != "--", said, line) for a in starts for b in ends]

    def _refuse(self, arrow: str, at: int, a: str, b: str) -> None:
        """Refuse an edge that a graph of this kind cannot have."""
        pair = f'between "{a}" and "{b}"'
        if self._marked:
            if self.kind == "mag" and "@" in arrow:
                self.fail(at, f"the edge {pair} has a circle, and this is a mag; call it a pag")
            if arrow not in _MARKS:
                self.fail(at, f"the edge {pair} is {arrow}, which stands for selection")
        elif arrow == "<->":
            self.fail(
                at,
                f"the edge {pair} has two heads: it stands for a hidden common cause; make that a "
                f"variable of the graph ({a} <- U -> {b}), or leave it out",
            )
        elif arrow not in ("->", "<-", "--"):
            self.fail(at, f"the edge {pair} is {arrow}, which no network can have")
        elif arrow == "--" and self.kind == "dag":
            self.fail(at, f"the edge {pair} has no direction, and this is a dag; call it a pdag")


def format_graph(parts: GraphParts) -> str:
    """Return the text of a graph."""
    if parts.kinds():
        raise ParameterError("DAGitty has no place for what edges says; use .graphml, .gml or .dot")
    kind = "pag" if parts.ancestral else "pdag" if parts.essential else "dag"
    lines = [f"{kind} {{"]
    lines += [f"  {_name(name)}" for name in parts.names]
    for edge in parts.edges:
        arrow = edge.marks.replace("o", "@") or ("->" if edge.directed else "--")
        lines.append(f"  {_name(edge.start)} {arrow} {_name(edge.end)}")
    return "\n".join([*lines, "}", ""])


def _name(name: str) -> str:
    if _BARE.fullmatch(name):
        return name
    if not name or re.search(r'["\\\x00-\x1f\x7f]', name):
        raise ParameterError(
            f"{name!r} cannot be written for DAGitty, whose names have no quotation marks, "
            "backslashes or line ends; use .graphml or .gml"
        )
    return f'"{name}"'
