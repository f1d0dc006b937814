"""What columns hold and how to cut them, from the words of ``--types`` and ``--discretize``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import dagscape as ds

KINDS = {
    "continuous": "continuous",
    "states": "discrete",
    "discrete": "discrete",
    "ordered": "ordered",
}

BETWEEN = ("<", "|")
"""What stands between the states of a column where all are listed, in their order or in none."""


def as_types(
    types: str | None, continuous: Iterable[str], discrete: Iterable[str]
) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the kinds of columns, and the states of those whose order is given."""
    kinds: dict[str, str] = {}
    states: dict[str, list[str]] = {}
    said: dict[str, str] = {}
    for part in [] if types is None else types.split(","):
        name, sign, kind = part.rpartition("=")
        between = next((mark for mark in BETWEEN if mark in kind), None)
        if not sign or not name or (kind not in KINDS and between is None):
            raise ds.ParameterError(
                f"--types must name a column and its kind ({', '.join(KINDS)}, words in their "
                "order: small<medium<large, or without one: red|green|blue), such as age=ordered; "
                f'got "{part}"'
            )
        _say(said, name, "--types")
        if between is not None:
            states[name] = kind.split(between)
            if between == "<":
                kinds[name] = "ordered"
        else:
            kinds[name] = KINDS[kind]
    for option, names in (("--continuous", continuous), ("--discrete", discrete)):
        for name in names:
            _say(said, name, option)
            kinds[name] = option.removeprefix("--")
    return kinds, states


def _say(said: dict[str, str], name: str, option: str) -> None:
    """Refuse a column that two options speak of."""
    if said.setdefault(name, option) != option:
        raise ds.ParameterError(f'column "{name}" is in both {said[name]} and {option}')


def as_dates(text: str) -> str | dict[str, str]:
    """Return the parts that stand for all dates, or those by column."""
    if "=" not in text:
        return text
    parts = {}
    for each in text.split(","):
        name, sign, asked = each.rpartition("=")
        if not sign or not name:
            raise ds.ParameterError(
                "--dates must name parts, such as days+weekday, or a column and its parts, such as "
                f'admitted=days+hour; got "{each}"'
            )
        parts[name] = asked
    return parts


def as_cuts(text: str) -> Any:
    """Return one rule for all columns of decimal numbers, or rules by column."""
    if "=" not in text:
        return _rule(text, text)
    rules: dict[str, str] = {}
    begun: list[str] = []
    for part in text.split(","):
        if rules and not begun and _POINT.fullmatch(part):  # one more point of the last column
            last = next(reversed(rules))
            rules[last] += f",{part}"
            continue
        begun.append(part)  # a name may hold commas and equal signs, a rule none
        _, sign, rule = part.rpartition("=")
        if sign and rule and (name := ",".join(begun).removesuffix(f"={rule}")):
            rules[name] = rule
            begun = []
    if begun:
        raise _no_rule(text)
    return {name: _rule(rule, text) for name, rule in rules.items()}


_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_POINT = re.compile(rf"{_NUMBER}(?::.*)?")


def _rule(rule: str, text: str) -> Any:
    """Return a rule: its name, with a number of intervals, or points with names for the states."""
    if found := re.fullmatch(r"(mean|median)|(quantile|width):(\d{1,9})", rule):
        return found[1] or (found[2], int(found[3]))
    if found := re.fullmatch(r"mdl:(.+)", rule):
        return ("mdl", found[1])
    points, colon, names = rule.partition(":")
    numbers = points.split(",")
    if not all(re.fullmatch(_NUMBER, number) for number in numbers):
        raise _no_rule(text)
    cuts = [float(number) for number in numbers]
    return (cuts, names.split("/")) if colon else cuts


def _no_rule(text: str) -> ds.ParameterError:
    return ds.ParameterError(
        "--discretize must be mean, median, quantile:K, width:K or mdl:COLUMN, or such rules by "
        f'column (age=quantile:3,bmi=18.5,25,30), got "{text}"'
    )
