"""XMLBIF 0.3, the Interchange Format in XML (read by JavaBayes, Weka and others).

In a ``TABLE`` the states of the ``FOR`` variable vary fastest and those of the first ``GIVEN``
slowest.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from dagscape.errors import ParameterError
from dagscape.files.text import read_bytes, write_text
from dagscape.files.xml import XmlReader, escaped
from dagscape.networks.network import refuse_numbers
from dagscape.networks.network_parts import NetworkParts
from dagscape.networks.nodes.table import checked_table, refuse_huge

if TYPE_CHECKING:
    import os

    from dagscape.networks.network import Network

_REFERENCE = "reference = "


def read_xmlbif(path: str | os.PathLike[str]) -> Network:
    """Read a network from an XMLBIF file (``.xmlbif`` or ``.xml``, plain or ``.gz``)."""
    return parse_xmlbif(read_bytes(path), str(path)).network(str(path))


def write_xmlbif(net: Network, path: str | os.PathLike[str]) -> None:
    """Write a network as XMLBIF 0.3."""
    refuse_numbers(net, "XMLBIF files have")
    write_text(path, format_xmlbif(NetworkParts.of(net)))


@dataclass
class _Block:
    """A VARIABLE, DEFINITION or NETWORK element: the texts of its children by tag."""

    line: int
    kind: str = ""
    texts: dict[str, list[str]] = field(default_factory=dict)

    def one(self, tag: str) -> str | None:
        found = self.texts.get(tag, [])
        return found[0] if len(found) == 1 else None


class _XmlbifReader(XmlReader):
    """Collects the blocks of a document; definitions wait until all variables are known."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.path: list[str] = []
        self.text: list[str] = []
        self.keep_blanks = False
        self.open: list[_Block] = []
        self.network: _Block | None = None
        self.variables: list[_Block] = []
        self.definitions: list[_Block] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.upper()
        if not self.path and tag != "BIF":
            self.fail(f'expected the element "BIF", found "{tag}"')
        self.path.append(tag)
        self.text = []
        self.keep_blanks = attributes.get("xml:space") == "preserve"
        if tag in ("NETWORK", "VARIABLE", "DEFINITION"):
            block = _Block(self.line, attributes.get("TYPE", "nature"))
            self.open.append(block)
            if tag == "NETWORK":
                self.network = block
            else:
                (self.variables if tag == "VARIABLE" else self.definitions).append(block)

    def end(self, tag: str) -> None:
        tag = self.path.pop()
        if tag in ("NETWORK", "VARIABLE", "DEFINITION"):
            self.open.pop()
        elif self.open:
            text = "".join(self.text)
            text = text if self.keep_blanks else text.strip()
            self.open[-1].texts.setdefault(tag, []).append(text)

    def characters(self, text: str) -> None:
        self.text.append(text)


def parse_xmlbif(content: bytes, source: str) -> NetworkParts:
    """Return the parts of the network that the document describes."""
    reader = _XmlbifReader(source)
    reader.walk(content)
    if reader.network is None:
        reader.fail('expected an element "NETWORK"')
    parts = NetworkParts(reader.network.one("NAME") or "")
    for text in reader.network.texts.get("PROPERTY", []):
        if text.startswith(_REFERENCE):
            parts.reference = text[len(_REFERENCE) :]
    for block in reader.variables:
        _add_variable(parts, block, reader)
    for block in reader.definitions:
        _add_definition(parts, block, reader)
    for x in parts.states:
        if x not in parts.tables:
            reader.fail(f'variable "{x}" has no DEFINITION')
    return parts


def _add_variable(parts: NetworkParts, block: _Block, reader: _XmlbifReader) -> None:
    x = block.one("NAME")
    if x is None:
        reader.fail("a VARIABLE must have one NAME", block.line)
    if x in parts.states:
        reader.fail(f'variable "{x}" is declared twice', block.line)
    if block.kind != "nature":
        reader.fail(f'variable "{x}" is of type "{block.kind}"; only "nature" is read', block.line)
    labels = tuple(block.texts.get("OUTCOME", block.texts.get("VALUE", [])))  # 0.2 said VALUE
    if not labels:
        reader.fail(f'variable "{x}" has no OUTCOME', block.line)
    parts.states[x] = labels


def _add_definition(parts: NetworkParts, block: _Block, reader: _XmlbifReader) -> None:
    x = block.one("FOR")
    if x is None:
        reader.fail("a DEFINITION must have one FOR", block.line)
    if x in parts.tables:
        reader.fail(f'variable "{x}" has more than one DEFINITION', block.line)
    text = block.one("TABLE")
    if text is None:
        reader.fail(f'the DEFINITION of "{x}" must have one TABLE', block.line)
    add_table(parts, x, tuple(block.texts.get("GIVEN", [])), text, reader, block.line)


def add_table(
    parts: NetworkParts, x: str, parents: tuple[str, ...], text: str, reader: XmlReader, line: int
) -> None:
    """Add the parents of a variable, and its table as the text of an element has it."""
    for v in (x, *parents):
        if v not in parts.states:
            reader.fail(f'"{v}" is not declared', line)
    if len({x, *parents}) != 1 + len(parents):
        reader.fail(f'a variable is named twice where "{x}" is defined', line)
    parts.parents[x] = parents
    try:
        refuse_huge(x, parts.shape(x))
    except ParameterError as error:
        reader.fail(str(error), line)
    try:
        values = list(map(float, text.split()))
    except ValueError:
        reader.fail(f'the table of "{x}" must hold numbers only', line)
    need = parts.rows(x) * len(parts.states[x])
    if len(values) != need:
        found = len(values)
        reader.fail(f'the table of "{x}" must have {need} numbers, got {found}', line)
    parts.tables[x] = np.reshape(np.array(values), parts.shape(x))
    try:
        checked_table(x, parts.tables[x], parts.shape(x), parents)
    except ParameterError as error:
        reader.fail(str(error), line)


def format_xmlbif(parts: NetworkParts) -> str:
    """Return the XMLBIF text of a network."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<BIF VERSION="0.3">', "<NETWORK>"]
    lines.append(_element("NAME", parts.name))
    if parts.reference:
        lines.append(_element("PROPERTY", _REFERENCE + parts.reference))
    for x, labels in parts.states.items():
        lines.append('<VARIABLE TYPE="nature">')
        lines.append(_element("NAME", x))
        lines += [_element("OUTCOME", label) for label in labels]
        lines.append("</VARIABLE>")
    for x, parents in parts.parents.items():
        lines.append("<DEFINITION>")
        lines.append(_element("FOR", x))
        lines += [_element("GIVEN", p) for p in parents]
        lines.append("<TABLE>")
        rows = parts.tables[x].reshape(-1, len(parts.states[x])).tolist()
        lines += [" ".join(map(repr, row)) for row in rows]
        lines += ["</TABLE>", "</DEFINITION>"]
    return "\n".join([*lines, "</NETWORK>", "</BIF>", ""])


def _element(tag: str, text: str) -> str:
    # A bare carriage return would be read as a new line.
    content = escaped(text, ".json or .bif").replace("\r", "&#13;")
    # Readers trim the text of an element, ours too, unless told otherwise.
    keep = ' xml:space="preserve"' if text != text.strip() else ""
    return f"<{tag}{keep}>{content}</{tag}>"
