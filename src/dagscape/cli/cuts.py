"""How to cut columns of numbers, from the words of ``--discretize``."""

import re
from typing import Any

import dagscape as ds


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
