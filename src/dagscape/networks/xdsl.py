"""XDSL, the format of GeNIe and SMILE: networks of states with tables.

Nodes come after their parents. In a table the states of the node vary fastest and those of the
first parent slowest. Names are identifiers; what people are to read stands beside them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dagscape.errors import ParameterError
from dagscape.files.text import read_bytes, write_text
from dagscape.files.xml import XmlReader, escaped
from dagscape.networks.network import refuse_numbers
from dagscape.networks.network_parts import NetworkParts
from dagscape.networks.xmlbif import add_table

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from dagscape.networks.network import Network

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_KINDS = (
    "cpt",
    "decision",
    "utility",
    "deterministic",
    "equation",
    "noisymax",
    "noisyadder",
    "mau",
)
_WIDE, _HIGH = 150, 90
"""Pixels between the nodes of GeNIe's picture."""


def read_xdsl(path: str | os.PathLike[str]) -> Network:
    """Read a network from an XDSL file; nodes other than tables of chances are refused by name."""
    reader = _XdslReader(str(path))
    reader.walk(read_bytes(path))
    parts = NetworkParts(reader.name)
    for node in reader.nodes:
        if node.name in parts.states:
            reader.fail(f'node "{node.name}" is there twice', node.line)
        if not node.states:
            reader.fail(f'node "{node.name}" has no states', node.line)
        parts.states[node.name] = tuple(node.states)
    for node in reader.nodes:
        parents = node.texts.get("parents", "").split()
        if len(parents) > 1 and reader.app.startswith("aGrUM"):
            reader.fail(
                "pyAgrum wrote this file, with the parents of a node in another order than GeNIe "
                "has them; save it there as .bif, and read that",
                node.line,
            )
        table = node.texts.get("probabilities")
        if table is None:
            reader.fail(f'node "{node.name}" has no probabilities', node.line)
        add_table(parts, node.name, tuple(parents), table, reader, node.line)
    return parts.network(str(path))


def write_xdsl(net: Network, path: str | os.PathLike[str]) -> None:
    """Write a network for GeNIe, whose names and states must be identifiers."""
    refuse_numbers(net, "XDSL files have")
    for x in net.names:
        for word in (x, *net.states[x]):
            if not _IDENTIFIER.fullmatch(word):
                what = "the variable" if word is x else f'the state "{word}" of'
                raise ParameterError(
                    f'{what} "{x}" has a name that GeNIe does not take: letters, digits and '
                    "underscores after a letter; write net.portable(numbers=False)[0] instead"
                )
    write_text(path, format_xdsl(net))


@dataclass
class _Node:
    name: str
    line: int
    states: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)


class _XdslReader(XmlReader):
    """Collects the nodes of a document."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.name = ""
        self.app = ""
        """The program that wrote it, if it says so."""
        self.nodes: list[_Node] = []
        self._path: list[str] = []
        self._text: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if not self._path and tag != "smile":
            self.fail(f'expected the element "smile", found "{tag}"')
        if not self._path:
            self.name = attributes.get("id", "")
        self._path.append(tag)
        self._text = []
        name = attributes.get("id")
        if len(self._path) == 3 and self._path[1:] == ["extensions", "genie"]:
            self.app = attributes.get("app", "")
        if self._path[1:2] != ["nodes"]:
            return  # how it looks is not read
        if len(self._path) == 3 and tag in _KINDS:
            if name is None:
                self.fail(f'a node of the kind "{tag}" has no id')
            if tag != "cpt":
                self.fail(f'node "{name}" is of the kind "{tag}"; only "cpt" is read')
            self.nodes.append(_Node(name, self.line))
        elif len(self._path) == 3:
            self.fail(f'expected a node, found "{tag}"')
        elif tag == "state" and len(self._path) == 4:
            if name is None:
                self.fail("a state has no id")
            self.nodes[-1].states.append(name)

    def end(self, tag: str) -> None:
        if len(self._path) == 4 and self._path[1] == "nodes" and tag != "state":
            self.nodes[-1].texts[tag] = "".join(self._text)
        self._path.pop()

    def characters(self, text: str) -> None:
        self._text.append(text)


def format_xdsl(net: Network) -> str:
    """Return the XDSL text of a network."""
    title = net.name if _IDENTIFIER.fullmatch(net.name) else "network"
    parts, order = NetworkParts.of(net), net.dag.topological_order()
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<smile version="1.0" id="{title}" numsamples="10000" discsamples="10000">',
        "<nodes>",
    ]
    for x in order:
        lines.append(f'<cpt id="{x}">')
        lines += [f'<state id="{label}"/>' for label in parts.states[x]]
        if parts.parents[x]:
            lines.append(f"<parents>{' '.join(parts.parents[x])}</parents>")
        numbers = " ".join(map(repr, parts.tables[x].ravel().tolist()))
        lines += [f"<probabilities>{numbers}</probabilities>", "</cpt>"]
    shown = escaped(net.name or title, ".json").replace('"', "&quot;")
    lines += [
        "</nodes>",
        "<extensions>",
        f'<genie version="1.0" app="dagscape" name="{shown}" faultnameformat="nodestate">',
        *_pictured(net, order),
        "</genie>",
        "</extensions>",
        "</smile>",
        "",
    ]
    return "\n".join(lines)


def _pictured(net: Network, order: Sequence[str]) -> list[str]:
    """Return where each node stands in GeNIe's picture: below all of its parents."""
    depth: dict[str, int] = {}
    across: dict[int, int] = {}
    lines = []
    for x in order:
        depth[x] = 1 + max((depth[p] for p in net.dag.parents(x)), default=-1)
        column = across.setdefault(depth[x], 0)
        across[depth[x]] += 1
        left, top = 20 + _WIDE * column, 20 + _HIGH * depth[x]
        lines += [
            f'<node id="{x}">',
            f"<name>{x}</name>",
            '<interior color="e5f6f7"/>',
            '<outline color="0000bb"/>',
            '<font color="000000" name="Arial" size="8"/>',
            f"<position>{left} {top} {left + _WIDE - 30} {top + 40}</position>",
            "</node>",
        ]
    return lines
