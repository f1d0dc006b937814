"""Numbers, bytes, seconds and odd names in words."""

import math
from collections.abc import Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from textwrap import wrap

BESIDE_TITLES = 88
"""Columns of a summary beside its titles."""


def counted(number: int, thing: str) -> str:
    """Return "1 run", "2 runs"."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def listed(words: Sequence[str]) -> str:
    """Return words as a sentence lists them: a, b and c."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def difference(number: float) -> str:
    """Return how far apart two scores are."""
    return f"{number:,.2f}" if number >= 0.1 else f"{number:.2g}"


def upwards(number: float) -> str:
    """Return a number in three digits, rounded up."""
    exact = Decimal(f"{number:.9g}")  # the rest is rounding already
    return f"{Context(prec=3, rounding=ROUND_CEILING).plus(exact):,f}"


def downwards(number: float) -> str:
    """Return a number in three digits, rounded down."""
    exact = Decimal(f"{number:.9g}")  # the rest is rounding already
    return f"{Context(prec=3, rounding=ROUND_FLOOR).plus(exact):,f}"


def size(count: float) -> str:
    """Return a number of bytes in words."""
    units = ["TB", "GB", "MB", "kB", "bytes"]
    while count >= 999.5 and len(units) > 1:
        count /= 1000
        units.pop()
    return f"{count:.3g} {units[-1]}"


def duration(seconds: float) -> str:
    """Return a duration in words, as exact as an estimate deserves."""
    if seconds == math.inf:
        return "without end"
    if seconds < 1:
        return "less than a second"
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    hours = seconds / 3600
    if hours < 72:
        return f"{hours:.0f} h"
    days = hours / 24
    return f"{days:,.0f} days" if days < 1000 else "years"


def printable(text: str) -> str:
    """Return text on one line: names from files may hold line ends and terminal commands."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def titled(blocks: Mapping[str, Sequence[str]]) -> list[str]:
    """Return sentences by title as lines of a terminal, the titles beside them."""
    wrapped = {
        title: [part for line in lines for part in wrap(printable(line), BESIDE_TITLES)]
        for title, lines in blocks.items()
    }
    return [
        f"{title if i == 0 else '':<11}{line}"
        for title, lines in wrapped.items()
        for i, line in enumerate(lines)
    ]


def first_of(words: Sequence[str], most: int = 20) -> str:
    """Return the first words, and how many there are beyond them."""
    more = len(words) - most
    return ", ".join(words[:most]) + (f" and {more:,} more" if more > 0 else "")
