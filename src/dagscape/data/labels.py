"""What the labels of states look like, and the order they are shown in."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable
from math import isfinite
from typing import Literal

Kind = Literal["integer", "number", "label"]

EXACT = 2**53
"""The largest whole number up to which all are different as numbers of 64 bits."""

# Each pattern has one way to match a cell, so that a long one takes time by its length, no more.
# Digits are capped because Python refuses to turn longer strings into integers.
_INTEGER = re.compile(r"\s*[+-]?[0-9]{1,300}\s*")
_DECIMAL = re.compile(r"\s*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\s*")
_WHOLE = re.compile(r"[+-]?[0-9]{1,300}\.0+")
_INFINITE = re.compile(r"\s*[+-]?inf(?:inity)?\s*", re.IGNORECASE)
_DIGITS = re.compile(r"([0-9]{1,300})")

_DATE = re.compile(
    r"\s*(?:[0-9]{4}([-/.])[0-9]{1,2}\1[0-9]{1,2}|[0-9]{1,2}([-/.])[0-9]{1,2}\2[0-9]{2,4})"
    r"(?:[ T](?:.*\S)?)?\s*|\s*[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?\s*"
)
_DECIMAL_COMMA = re.compile(r"\s*[+-]?[0-9]+,[0-9]+\s*")
_BOUND = re.compile(r"\s*[<>≤≥]=?\s*[+-]?[0-9]+(?:[.,][0-9]+)?\s*")
_THOUSANDS = re.compile(r"\s*[+-]?[1-9][0-9]{0,2},[0-9]{3}\s*")
_WITH_UNIT = re.compile(r"\s*([$€£¥]?)\s*[+-]?[0-9]+(?:[.,][0-9]+)*\s*(%|°?[A-Za-zµ/]{0,6})\s*")
_NAME_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

_IDENTIFIERS = {"id", "ids", "identifier", "uuid", "guid", "pid", "uid", "ptid", "subjid", "mrn"}
_PERSONS = {
    *("patient", "pat", "subject", "subj", "participant", "proband", "person", "individual"),
    *("respondent", "user", "customer", "client", "student", "pupil", "employee", "member"),
    *("animal", "donor", "household"),
}
_NUMBERS = {"no", "nr", "num", "number", "key", "code", "ref"}

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


def without_zeros(label: str) -> str:
    """Return a whole number without the zeros behind its point: "-999" for "-999.0"."""
    return label.partition(".")[0] if _WHOLE.fullmatch(label) else label


def exact_value(label: str) -> int | float | str:
    """Return the number that a label spells; the label itself where no number can hold it."""
    if _INTEGER.fullmatch(label):
        return int(label)
    value = float(label)
    return value if isfinite(value) else label


def spells_long_integers(labels: Collection[str]) -> bool:
    """Tell whether whole numbers are so long that they would not stay apart as numbers."""
    return kind_of(labels) == "integer" and any(abs(int(label)) > EXACT for label in labels)


def spells_infinity(label: str) -> bool:
    """Tell whether a label is a word for an infinite number."""
    return bool(_INFINITE.fullmatch(label))


def names_identifier(name: str) -> bool:
    """Tell whether a column is by its name one that tells whom or what a row is about.

    "patient", "user_id", "PatientNr" and "id_client" are; "patient_age" and "covid" are not.
    """
    parts = [part.lower() for part in _NAME_PARTS.findall(name)]
    joined = [part.removesuffix("id") for part in parts if part.endswith("id")]
    if len(parts) == 1:
        return parts[0] in _IDENTIFIERS | _PERSONS or any(part in _PERSONS for part in joined)
    if not parts:
        return False
    first, last = parts[0], parts[-1]
    if last in _IDENTIFIERS:
        return True
    return (last in _NUMBERS and parts[-2] in _PERSONS) or (
        first in _IDENTIFIERS and last in _PERSONS and len(parts) == 2
    )


def spells_bound(label: str) -> bool:
    """Tell whether a label is a bound: "<0.3", as laboratories write what they cannot measure."""
    return bool(_BOUND.fullmatch(label))


def spells_codes(labels: Collection[str]) -> bool:
    """Tell whether whole numbers are codes: all of one length, some with a zero in front."""
    texts = [label.strip() for label in labels]
    same = len(set(map(len, texts))) == 1 and all(map(str.isdigit, texts))
    return same and any(len(text) > 1 and text[0] == "0" for text in texts)


def spells_units(labels: Collection[str]) -> bool:
    """Tell whether labels are numbers with the same unit behind them, or currency before them."""
    found = list(map(_WITH_UNIT.fullmatch, labels))
    around = {(each[1], each[2]) for each in found if each is not None}
    return bool(labels) and all(found) and len(around) == 1 and around != {("", "")}


def spells_dates(labels: Collection[str]) -> bool:
    """Tell whether labels look like dates or times of day, all of them."""
    return bool(labels) and all(map(_DATE.fullmatch, labels))


def spells_decimal_commas(labels: Collection[str]) -> bool:
    """Tell whether labels look like numbers with a comma for the point, at least one of them."""
    return any(map(_DECIMAL_COMMA.fullmatch, labels)) and all(
        _DECIMAL_COMMA.fullmatch(label) or _INTEGER.fullmatch(label) for label in labels
    )


def spells_thousands(labels: Collection[str]) -> bool:
    """Tell whether every comma may group thousands: "1,234" may be 1234 as well as 1.234."""
    commas = [label for label in labels if "," in label]
    return bool(commas) and all(map(_THOUSANDS.fullmatch, commas))


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


def free_name(wanted: str, taken: Container[str]) -> str:
    """Return a name that is not taken: the one that is wanted, or that with a number."""
    name, number = wanted, 0
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name


def is_half(text: str) -> bool:
    """Tell whether a text holds half a character, which no file could hold."""
    return not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text)
