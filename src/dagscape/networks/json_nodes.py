"""Nodes of networks with numbers, read from JSON: every part is checked by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from dagscape.errors import FileFormatError, ParameterError
from dagscape.networks.nodes import GaussianNode, Node, SoftmaxNode
from dagscape.networks.nodes.node import Floats
from dagscape.networks.tables import refuse_huge


class Place(NamedTuple):
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


def read_node(kind: str, values: Mapping[str, Any], place: Place) -> Node:
    """Return the node that a file describes, or say what is wrong with it."""
    try:
        refuse_huge(place.x, [*place.shape, max(place.states, 1) * (1 + place.floats)])
        return READERS[kind](values, place)
    except ParameterError as error:
        raise FileFormatError(f'{place.source}, variable "{place.x}": {error}') from None


def _gaussian(values: Mapping[str, Any], place: Place) -> GaussianNode:
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


def _softmax(values: Mapping[str, Any], place: Place) -> SoftmaxNode:
    if not place.states or not place.floats:
        raise ParameterError("a softmax needs states, and a parent that holds numbers")
    shape = (*place.shape, place.states)
    return SoftmaxNode(
        _numbers(values, "intercepts", shape),
        _numbers(values, "slopes", (*shape, place.floats)),
        _numbers(values, "centers", (place.floats,)),
    )


READERS: dict[str, Callable[[Mapping[str, Any], Place], Node]] = {
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
