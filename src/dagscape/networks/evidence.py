"""What is known of a case: states of variables, weights on their states, or numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import TypeAlias

from dagscape.errors import ParameterError
from dagscape.variables import suggest

Known: TypeAlias = "str | int | bool | float | Mapping[str, float]"
"""A state, or how likely what was observed is in each of the states; of a number, the number."""

Given: TypeAlias = "Mapping[str, Known] | None"

UNKNOWN = -1


@dataclass(frozen=True)
class Evidence:
    """Evidence on the variables of a network, by their names."""

    states: dict[str, int]
    """The place of the state of each variable that is observed."""
    weights: dict[str, tuple[float, ...]]
    """Weights on the states of variables that are observed in part."""
    text: dict[str, str]
    """Each piece as a reader writes it."""
    numbers: dict[str, float] = field(default_factory=dict)
    """The values of variables with numbers that are observed."""

    def only(self, names: set[str]) -> Evidence:
        """Return the part that is about some variables."""
        return Evidence(
            {x: state for x, state in self.states.items() if x in names},
            {x: weights for x, weights in self.weights.items() if x in names},
            {x: text for x, text in self.text.items() if x in names},
            {x: number for x, number in self.numbers.items() if x in names},
        )


def use_evidence(given: Given, labels: Mapping[str, tuple[str, ...]]) -> Evidence:
    """Return evidence with its states looked up, or say which of it the network does not know."""
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        raise ParameterError(
            f'given must be a dict such as {{"Sex": "F"}}, got {type(given).__name__}'
        )
    states: dict[str, int] = {}
    weights: dict[str, tuple[float, ...]] = {}
    text: dict[str, str] = {}
    numbers: dict[str, float] = {}
    for x, known in given.items():
        check_variable(x, labels)
        if not labels[x]:
            numbers[x] = number_of(x, known)
            text[x] = f"{x} = {numbers[x]:g}"
        elif isinstance(known, Mapping):
            weights[x] = _weights(x, known, labels[x])
            text[x] = f"{x} weighted"
        else:
            states[x] = state_of(x, known, labels[x])
            text[x] = f"{x} = {labels[x][states[x]]}"
    return Evidence(states, weights, text, numbers)


def check_variable(x: object, labels: Mapping[str, tuple[str, ...]]) -> None:
    """Refuse a name that is not a variable of the network."""
    if not isinstance(x, str) or x not in labels:
        hint = suggest(x, labels) if isinstance(x, str) else ""
        raise ParameterError(f'the network has no variable "{x}"{hint}')


def number_of(x: str, known: object) -> float:
    """Return the value of a variable with numbers."""
    if isinstance(known, bool) or not isinstance(known, Real) or not math.isfinite(known):
        raise ParameterError(f'"{x}" holds numbers; give it a finite number, got {known!r}')
    return float(known)


def state_of(x: str, state: object, labels: tuple[str, ...]) -> int:
    """Return the place of a state; numbers stand for the labels that spell them."""
    label = str(state) if isinstance(state, str | int | bool) else None
    if label not in labels:
        hint = suggest(label, labels) if label is not None else ""
        raise ParameterError(
            f'"{state}" is not a state of "{x}"{hint or "; it has " + ", ".join(labels)}'
        )
    return labels.index(label)


def _weights(x: str, given: Mapping[str, float], labels: tuple[str, ...]) -> tuple[float, ...]:
    weights = [0.0] * len(labels)
    for state, weight in given.items():
        if not isinstance(weight, int | float) or not 0 <= weight < math.inf:
            raise ParameterError(
                f'the weight of "{state}" of "{x}" must be a number from 0 up, got {weight!r}'
            )
        weights[state_of(x, state, labels)] = float(weight)
    if not max(weights) > 0:
        raise ParameterError(f'one of the states of "{x}" must have a weight above 0')
    return tuple(weights)
