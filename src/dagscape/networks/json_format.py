"""Network files of our own: JSON, versioned, every number bit for bit.

``{"format": "dagscape-network", "version": 1, "name": ..., "reference": ..., "variables": [...]}``
with, for each variable, ``name``, ``states``, ``parents`` and ``table``: all numbers in one list,
the variable's own states fastest, the first parent slowest.

Networks with numbers are of version 2. In place of ``table`` a variable may have ``kind`` and the
parts of such a node: of a "gaussian", which has no ``states``, ``mean``, ``sd``, ``slopes`` and
``centers``, with ``curves`` if not all are lines; of a "softmax" ``intercepts``, ``slopes`` and
``centers``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dagscape.errors import FileFormatError, ParameterError
from dagscape.files.plain_values import depth_refused, json_value
from dagscape.files.text import read_text, write_text
from dagscape.networks.network_parts import NetworkParts
from dagscape.networks.nodes import GaussianNode, Node, SoftmaxNode, TableNode
from dagscape.networks.nodes.node import Floats
from dagscape.networks.nodes.table import refuse_huge

if TYPE_CHECKING:
    import os

    from dagscape.networks.network import Network


FORMAT = "dagscape-network"
VERSION = 2
TABLES = 1
"""The version in which networks of tables alone are written, for earlier readers."""


def read_json(path: str | os.PathLike[str]) -> Network:
    """Read a network from this project's JSON (``.json`` or ``.json.gz``)."""
    return parse_json(read_text(path), str(path)).network(str(path))


def write_json(net: Network, path: str | os.PathLike[str]) -> None:
    """Write a network as this project's JSON; reading it back gives the same network exactly."""
    write_text(path, format_json(NetworkParts.of(net)))


def format_json(parts: NetworkParts) -> str:
    """Return the JSON text of a network, one line for each variable."""
    head = {
        "format": FORMAT,
        "version": VERSION if parts.nodes else TABLES,
        "name": parts.name,
        "reference": parts.reference,
    }
    lines = [
        _dump(
            {
                "name": x,
                "states": parts.states[x],
                "parents": parts.parents[x],
                **_values(parts, x),
            }
        )
        for x in parts.states
    ]
    return _dump(head)[:-1] + ',"variables":[\n' + ",\n".join(lines) + "\n]}\n"


def _values(parts: NetworkParts, x: str) -> dict[str, object]:
    if x in parts.nodes:
        return {"kind": parts.nodes[x].kind, **parts.nodes[x].values()}
    return TableNode(parts.tables[x]).values()


def parse_json(text: str, source: str) -> NetworkParts:
    """Return the parts of the network that the JSON text describes."""
    with depth_refused(source, "a network"):
        content = json_value(text, source)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise FileFormatError(f'{source}: not a network file: "format" must be "{FORMAT}"')
    version = content.get("version")
    if not isinstance(version, int) or version < 1:
        raise FileFormatError(f'{source}: "version" must be a whole number from 1, got {version!r}')
    if version > VERSION:
        raise FileFormatError(
            f"{source}: written in version {version} of the format, and this dagscape reads up to "
            f"version {VERSION}; update dagscape"
        )
    parts = NetworkParts(_text(content, "name", source), _text(content, "reference", source))
    variables = content.get("variables")
    if not isinstance(variables, list):
        raise FileFormatError(f'{source}: "variables" must be a list')
    for number, variable in enumerate(variables, 1):
        _add_variable(parts, variable, f"{source}, variable {number}")
    for x, variable in zip(parts.states, variables, strict=True):
        _check_parents(parts, x, source)
        if x in parts.tables:
            _shape_table(parts, x, source)
        else:
            arities = [len(parts.states[p]) for p in parts.parents[x]]
            place = NodePlace(x, len(parts.states[x]), arities, source)
            parts.nodes[x] = read_node(variable["kind"], variable, place)
    return parts


def _add_variable(parts: NetworkParts, variable: object, where: str) -> None:
    if not isinstance(variable, dict) or not isinstance(variable.get("name"), str):
        raise FileFormatError(f'{where}: must be an object with a "name"')
    x = variable["name"]
    if x in parts.states:
        raise FileFormatError(f'{where}: variable "{x}" is listed twice')
    parts.states[x] = _texts({"states": [], **variable}, "states", where)
    parts.parents[x] = _texts(variable, "parents", where)
    kind = variable.get("kind", TableNode.kind)
    if isinstance(kind, str) and kind in READERS:
        return
    if kind != TableNode.kind:
        known = ", ".join((TableNode.kind, *READERS))
        raise FileFormatError(f'{where}: "kind" must be one of {known}, got {kind!r}')
    if not parts.states[x]:
        raise FileFormatError(f'{where}: variable "{x}" must have at least one state')
    table = variable.get("table")
    if not isinstance(table, list) or not all(type(p) in (int, float) for p in table):
        raise FileFormatError(f'{where}: "table" must be a list of numbers')
    try:
        parts.tables[x] = np.array(table, dtype=np.float64)
    except OverflowError:
        raise FileFormatError(f'{where}: "table" holds a number that is too large') from None


def _check_parents(parts: NetworkParts, x: str, source: str) -> None:
    for p in parts.parents[x]:
        if p not in parts.states:
            raise FileFormatError(f'{source}: variable "{x}" has an unknown parent "{p}"')
    if len(set(parts.parents[x])) != len(parts.parents[x]):
        raise FileFormatError(f'{source}: variable "{x}" has a parent twice')


def _shape_table(parts: NetworkParts, x: str, source: str) -> None:
    if numbers := [p for p in parts.parents[x] if not parts.states[p]]:
        raise FileFormatError(
            f'{source}: variable "{x}" has a table, and its parent "{numbers[0]}" holds numbers'
        )
    try:
        refuse_huge(x, parts.shape(x))
    except ParameterError as error:
        raise FileFormatError(f"{source}: {error}") from None
    need, have = parts.rows(x) * len(parts.states[x]), parts.tables[x].size
    if need != have:
        raise FileFormatError(f'{source}: the table of "{x}" must have {need} numbers, got {have}')
    parts.tables[x] = parts.tables[x].reshape(parts.shape(x))


def _text(content: dict[str, object], key: str, where: str) -> str:
    value = content.get(key, "")
    if not isinstance(value, str):
        raise FileFormatError(f'{where}: "{key}" must be a string')
    return value


def _texts(content: dict[str, object], key: str, where: str) -> tuple[str, ...]:
    value = content.get(key)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise FileFormatError(f'{where}: "{key}" must be a list of strings')
    return tuple(value)


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class NodePlace(NamedTuple):
    """Where a node stands: the variable, how many states it and its parents have (0: numbers)."""

    x: str
    states: int
    parents: Sequence[int]
    source: str

    @property
    def shape(self) -> tuple[int, ...]:
        """The states of the parents that have any."""
        return tuple(arity for arity in self.parents if arity)

    @property
    def floats(self) -> int:
        """How many parents hold numbers."""
        return len(self.parents) - len(self.shape)


def read_node(kind: str, values: Mapping[str, Any], place: NodePlace) -> Node:
    """Return the node that a file describes, or say what is wrong with it."""
    try:
        refuse_huge(place.x, [*place.shape, max(place.states, 1) * (1 + place.floats)])
        return READERS[kind](values, place)
    except ParameterError as error:
        raise FileFormatError(f'{place.source}, variable "{place.x}": {error}') from None


def _gaussian(values: Mapping[str, Any], place: NodePlace) -> GaussianNode:
    if place.states:
        raise ParameterError("a gaussian holds numbers, and has no states")
    curves = values.get("curves", [])
    if not isinstance(curves, list) or not all(isinstance(curve, str) for curve in curves):
        raise ParameterError('"curves" must be a list of strings')
    return GaussianNode(
        _numbers(values, "mean", place.shape),
        _numbers(values, "sd", place.shape),
        _numbers(values, "slopes", (*place.shape, place.floats)),
        _numbers(values, "centers", (place.floats,)),
        curves,
    )


def _softmax(values: Mapping[str, Any], place: NodePlace) -> SoftmaxNode:
    if not place.states or not place.floats:
        raise ParameterError("a softmax needs states, and a parent that holds numbers")
    shape = (*place.shape, place.states)
    return SoftmaxNode(
        _numbers(values, "intercepts", shape),
        _numbers(values, "slopes", (*shape, place.floats)),
        _numbers(values, "centers", (place.floats,)),
    )


READERS: dict[str, Callable[[Mapping[str, Any], NodePlace], Node]] = {
    GaussianNode.kind: _gaussian,
    SoftmaxNode.kind: _softmax,
}


def _numbers(values: Mapping[str, Any], key: str, shape: Sequence[int]) -> Floats:
    listed = values.get(key)
    if not isinstance(listed, list) or not all(type(each) in (int, float) for each in listed):
        raise ParameterError(f'"{key}" must be a list of numbers')
    if len(listed) != math.prod(shape):
        raise ParameterError(f'"{key}" must have {math.prod(shape)} numbers, got {len(listed)}')
    try:
        return np.array(listed, dtype=np.float64).reshape(shape)
    except OverflowError:
        raise ParameterError(f'"{key}" holds a number that is too large') from None
