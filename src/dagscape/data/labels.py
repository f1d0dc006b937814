"""What the labels of states look like, and the order they are shown in."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Literal

Kind = Literal["integer", "number", "label"]

# Each pattern has one way to match a cell, so that a long one takes time by its length, no more.
# Digits are capped because Python refuses to turn longer strings into integers.
_INTEGER = re.compile(r"\s*[+-]?[0-9]{1,300}\s*")
_DECIMAL = re.compile(r"\s*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\s*")
_INFINITE = re.compile(r"\s*[+-]?inf(?:inity)?\s*", re.IGNORECASE)
_DIGITS = re.compile(r"([0-9]{1,300})")

_DATE = re.compile(
    r"\s*(?:[0-9]{4}([-/.])[0-9]{1,2}\1[0-9]{1,2}|[0-9]{1,2}([-/.])[0-9]{1,2}\2[0-9]{2,4})"
    r"(?:[ T](?:.*\S)?)?\s*|\s*[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?\s*"
)
_DECIMAL_COMMA = re.compile(r"\s*[+-]?[0-9]+,[0-9]+\s*")

# One cell of a number, for the polars regular expression engine.
NUMBER_PATTERN = rf"^(?:{_DECIMAL.pattern}|(?i:{_INFINITE.pattern}))$"


def spell_numbers(labels: Collection[str]) -> bool:
    """Tell whether labels spell numbers, whole or not."""
    return kind_of(labels) in ("integer", "number")


def kind_of(labels: Collection[str]) -> Kind:
    """Say whether labels spell integers, numbers with at least one not an integer, or neither.

    Words for infinity count as numbers only beside a finite one: alone they are just words.
    """
    if not labels:
        return "label"
    if all(map(_INTEGER.fullmatch, labels)):
        return "integer"
    finite = [label for label in labels if _DECIMAL.fullmatch(label)]
    if finite and all(_DECIMAL.fullmatch(label) or _INFINITE.fullmatch(label) for label in labels):
        return "number"
    return "label"


def spells_number(label: str) -> bool:
    """Tell whether a label is a finite number."""
    return bool(_DECIMAL.fullmatch(label))


def spells_dates(labels: Collection[str]) -> bool:
    """Tell whether labels look like dates or times of day, all of them."""
    return bool(labels) and all(map(_DATE.fullmatch, labels))


def spells_decimal_commas(labels: Collection[str]) -> bool:
    """Tell whether labels look like numbers with a comma for the point, at least one of them."""
    return any(map(_DECIMAL_COMMA.fullmatch, labels)) and all(
        _DECIMAL_COMMA.fullmatch(label) or _INTEGER.fullmatch(label) for label in labels
    )


def look_like_values(names: Collection[str]) -> bool:
    """Tell whether a line of names looks like a line of values: a fifth of it, or more, is numbers.

    Names that count the columns, as some tools write them, are names.
    """
    numbers = [name for name in names if _DECIMAL.fullmatch(name) or _DATE.fullmatch(name)]
    if kind_of(names) == "integer":
        counted = sorted(int(name) for name in names)
        if counted == list(range(counted[0], counted[0] + len(counted))):
            return False
    return len(numbers) >= max(1, len(names) / 5)


def natural_order(labels: Iterable[str]) -> list[str]:
    """Sort labels as a person would: numbers by value, "s2" before "s10", the rest by code point.

    The order depends on the labels alone, so that every source of the same table agrees.
    """
    labels = list(labels)
    kind = kind_of(labels)
    if kind == "integer":
        return sorted(labels, key=lambda label: (int(label), label))
    if kind == "number":
        return sorted(labels, key=lambda label: (float(label), label))
    return sorted(labels, key=_natural_key)


def _natural_key(label: str) -> tuple[list[str | int], str]:
    # re.split with a group alternates text and digits, so that like meets like in comparisons.
    parts = _DIGITS.split(label)
    return [int(part) if i % 2 else part for i, part in enumerate(parts)], label
