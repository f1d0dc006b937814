"""What every file of a graph says: names, edges, and what kind of graph it is."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from numbers import Integral, Real
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from dagscape.errors import FileFormatError, GraphError, ParameterError
from dagscape.files.text import refuse_too_many
from dagscape.graphs import Cpdag, Dag, Mpdag, Pag
from dagscape.variables import is_pair, suggest

Pair: TypeAlias = tuple[str, str]
Value: TypeAlias = bool | int | float | str
Attributes: TypeAlias = Mapping[str, Value]

# Names that every format can hold; the others say where an edge goes.
ATTRIBUTE = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
TAKEN = (
    *("source", "target", "from", "to", "directed", "dir", "arrowhead", "arrowtail", "id", "key"),
    "marks",
)

# A default is repeated for every edge: many of both would make much of a small file.
MAX_DEFAULTS = 100
# A whole number of more digits may have no floating-point number near it.
MAX_DIGITS = 300

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WHOLE = re.compile(rf"[+-]?[0-9]{{1,{MAX_DIGITS}}}")
_TRUTH = {"true": True, "false": False}


class Edge(NamedTuple):
    """An edge, what is said of it, and the line that says so."""

    start: str
    end: str
    directed: bool = True
    attributes: Attributes = MappingProxyType({})
    line: int = 0
    marks: str = ""
    """Both ends of an edge of a Pag, as in ``o->``; nothing in other graphs."""


MARKS = ("->", "<->", "o->", "o-o", "<-", "<-o")
"""What an edge of a Pag may be."""


@dataclass
class GraphParts:
    """What a file says; of edges without direction, the order of the ends has no meaning."""

    names: list[str] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    essential: bool = False
    ancestral: bool = False
    """Whether it is a Pag."""

    @classmethod
    def of(cls, graph: Dag | Mpdag | Pag, attributes: Mapping[Pair, Attributes]) -> GraphParts:
        """Return the parts of a graph, with what is to be said of its edges."""
        if isinstance(graph, Pag):
            pairs = tuple((a, b) for a, _, b in graph.edges)
            said = _checked(attributes, (), pairs)
            marked = [
                Edge(a, b, marks != "o-o", said.get((a, b), {}), marks=marks)
                for a, marks, b in graph.edges
            ]
            return cls(list(graph.names), marked, ancestral=True)
        arcs = graph.arcs if isinstance(graph, Dag) else graph.directed
        lines = () if isinstance(graph, Dag) else graph.undirected
        said = _checked(attributes, arcs, lines)
        edges = [Edge(*pair, True, said.get(pair, {})) for pair in arcs]
        edges += [Edge(*pair, False, said.get(pair, {})) for pair in lines]
        return cls(list(graph.names), edges, isinstance(graph, Mpdag))

    def graph(self, source: str) -> Dag | Mpdag | Pag:
        """Return the graph: a Dag, unless the file says otherwise or an edge has no direction."""
        refuse_too_many(len(self.names), source)
        self._check_edges(source)
        arcs = [(edge.start, edge.end) for edge in self.edges if edge.directed]
        lines = [(edge.start, edge.end) for edge in self.edges if not edge.directed]
        try:
            if self.ancestral or any(edge.marks for edge in self.edges):
                return Pag(self.names, [(e.start, self._marks(e), e.end) for e in self.edges])
            if not self.essential and not lines:
                return Dag(self.names, arcs)
            return _mixed(self.names, arcs, lines)
        except (GraphError, ParameterError) as error:
            raise FileFormatError(f"{source}: {error}") from None

    @staticmethod
    def _marks(edge: Edge) -> str:
        """Return the ends of an edge; where the file shows none, an arrow or two circles."""
        return edge.marks or ("->" if edge.directed else "o-o")

    def _check_edges(self, source: str) -> None:
        seen: set[Pair] = set()
        for a, b, directed, _, line, marks in self.edges:
            if marks and marks not in MARKS:
                words = ", ".join(MARKS)
                raise _at(source, line, f'"marks" must be one of {words}, got "{marks}"')
            if a == b:
                raise _at(source, line, f'an edge joins "{a}" with itself')
            if (a, b) in seen or (not directed and (b, a) in seen):
                raise _at(source, line, f'"{a}" and "{b}" are joined by more than one edge')
            seen.add((a, b))
            if not directed:
                seen.add((b, a))

    def kinds(self) -> dict[str, type[Value]]:
        """Return what the values of each attribute are: all of one type, or else strings."""
        values: dict[str, list[Value]] = {}
        for edge in self.edges:
            for name, value in edge.attributes.items():
                values.setdefault(name, []).append(value)
        return {name: _kind(listed) for name, listed in values.items()}

    def said(self) -> dict[Pair, dict[str, Value]]:
        """Return what is said of edges, values of one attribute all of one type."""
        kinds = self.kinds()
        return {
            (edge.start, edge.end): {n: as_kind(v, kinds[n]) for n, v in edge.attributes.items()}
            for edge in self.edges
            if edge.attributes
        }


def _mixed(names: list[str], arcs: list[Pair], lines: list[Pair]) -> Mpdag:
    """Return an essential graph, or one with directions from elsewhere."""
    try:
        return Cpdag(names, arcs, lines)
    except GraphError as error:
        with suppress(GraphError):
            return Mpdag(names, arcs, lines)
        raise error


def as_kind(value: Value, kind: type[Value]) -> Value:
    """Return a value as one of another type."""
    if kind is str and not isinstance(value, str):
        return written(value)
    return kind(value)


def written(value: Value) -> str:
    """Return a value as text, every digit of it."""
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else repr(value)


def understood(text: str) -> Value:
    """Return what a text without a type spells: a number, true or false, or itself."""
    if text in _TRUTH:
        return _TRUTH[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text) and math.isfinite(float(text)):
        return float(text)
    return text


def whole_number(text: str) -> int:
    """Return the whole number that a text spells; a ValueError if it is none, or too long."""
    if len(text) > MAX_DIGITS:
        raise ValueError(text)
    return int(text)


def kept(attributes: Mapping[str, Value]) -> dict[str, Value]:
    """Return the attributes that can be written again; the rest says how others draw the edge."""
    return {
        name: value
        for name, value in attributes.items()
        if ATTRIBUTE.fullmatch(name)
        and name not in TAKEN
        and not (isinstance(value, float) and not math.isfinite(value))
    }


def _at(source: str, line: int, sentence: str) -> FileFormatError:
    return FileFormatError(f"{source}, line {line}: {sentence}")


def _kind(values: list[Value]) -> type[Value]:
    types = {type(value) for value in values}
    if len(types) == 1:
        return types.pop()
    return float if types == {int, float} else str


def _checked(
    attributes: Mapping[Pair, Attributes], arcs: tuple[Pair, ...], lines: tuple[Pair, ...]
) -> dict[Pair, dict[str, Value]]:
    """Return attributes by edge; one without direction may be named from either end."""
    if not isinstance(attributes, Mapping):
        raise ParameterError(
            f'edges must say things by edge, such as {{("A", "B"): {{"confidence": 0.9}}}}, '
            f"got {attributes!r}"
        )
    known = {pair: pair for pair in (*arcs, *lines)} | {(b, a): (a, b) for a, b in lines}
    said: dict[Pair, dict[str, Value]] = {}
    for pair, given in attributes.items():
        if not is_pair(pair) or pair not in known:
            near = ""
            if is_pair(pair):
                words = {f"{a} -> {b}": None for a, b in known}
                near = suggest(f"{pair[0]} -> {pair[1]}", words)
            raise ParameterError(f"edges names {pair!r}, which is not an edge of the graph{near}")
        if known[pair] in said:
            raise ParameterError(f"edges names the edge {known[pair]!r} from both ends")
        if not isinstance(given, Mapping):
            raise ParameterError(f"edges[{pair!r}] must map names to values, got {given!r}")
        said[known[pair]] = dict(_values(pair, given))
    return said


def _values(pair: Pair, given: Attributes) -> Iterator[tuple[str, Value]]:
    for name, value in given.items():
        if not isinstance(name, str) or not ATTRIBUTE.fullmatch(name) or name in TAKEN:
            raise ParameterError(
                f"edges[{pair!r}]: {name!r} cannot name an attribute; it must be letters, digits "
                f"and _, begin with a letter, and be none of {', '.join(TAKEN)}"
            )
        if isinstance(value, str | bool):
            yield name, value
        elif isinstance(value, Integral):
            if abs(int(value)) >= 10**MAX_DIGITS:
                raise ParameterError(f"edges[{pair!r}][{name!r}] has more than {MAX_DIGITS} digits")
            yield name, int(value)
        elif isinstance(value, Real) and math.isfinite(value):
            yield name, float(value)
        elif value is not None:  # nothing is known of it, and nothing is written
            raise ParameterError(
                f"edges[{pair!r}][{name!r}] must be a finite number, True, False or a string, "
                f"got {value!r}"
            )
