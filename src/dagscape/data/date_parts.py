"""Dates and times as parts that can be learned from: days, hours, weekdays, months, years.

A date itself is no variable: each occurs once. Its parts are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TypeAlias

import numpy as np

from dagscape.arguments import as_list
from dagscape.data.columns import Column, Levels, Numbers, code_type
from dagscape.data.labels import spells_dates
from dagscape.errors import DataError, ParameterError
from dagscape.speech import setting
from dagscape.variables import suggest

Dates: TypeAlias = "Mapping[str, str | Sequence[str]] | str | Sequence[str] | None"
"""Parts of all columns of dates, or of columns by name: ["days", "weekday"] or "days+weekday"."""

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
PARTS = ("days", "hour", "weekday", "month", "year")
"""Days since the first date of the column, with the time of day as a fraction; the hour of the day,
with minutes as a fraction; the others as they are."""

_ISO = re.compile(r"([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})")
_OTHER = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})\2([0-9]{4})")
_TIME = re.compile(
    r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.,][0-9]+)?)?\s*(AM|PM|am|pm)?"
    r"\s*(?:Z|UTC|[+-][0-9]{2}:?[0-9]{2})?"
)


def check_dates(dates: Dates) -> Mapping[str, tuple[str, ...]] | tuple[str, ...]:
    """Return which parts are asked for, or say what is wrong with them."""
    if dates is None:
        return ()
    if isinstance(dates, Mapping):
        return {name: _parts(parts) for name, parts in dates.items()}
    return _parts(dates)


def _parts(parts: str | Sequence[str]) -> tuple[str, ...]:
    listed = parts.split("+") if isinstance(parts, str) else as_list("dates", parts, "strings")
    for part in listed:
        if not isinstance(part, str) or part not in PARTS:
            raise ParameterError(
                f"{setting('dates')} must be a list of {', '.join(PARTS)}, or such lists by "
                f"column, got {part!r}"
            )
    if not listed:
        raise ParameterError(f"{setting('dates')} must name one of {', '.join(PARTS)} at least")
    return tuple(dict.fromkeys(listed))


def spread_dates(
    columns: Sequence[Column], dates: Mapping[str, tuple[str, ...]] | tuple[str, ...]
) -> list[Column]:
    """Return the columns with parts in the place of dates, each named like "admitted.hour"."""
    if not dates:
        return list(columns)
    names = [column.name for column in columns]
    if isinstance(dates, Mapping):
        for name in dates:
            if name not in names:
                raise ParameterError(
                    f'{setting("dates")} names "{name}", which is not a column'
                    f"{suggest(name, names)}"
                )
    spread: list[Column] = []
    for column in columns:
        asked = dates.get(column.name, ()) if isinstance(dates, Mapping) else dates
        labels = column.labels if isinstance(column, Levels) else ()
        if not asked or (not isinstance(dates, Mapping) and not spells_dates(labels)):
            spread.append(column)
            continue
        if not isinstance(column, Levels) or not spells_dates(labels):
            odd = next((label for label in labels if not spells_dates([label])), "numbers")
            raise DataError(
                f'{setting("dates")} names "{column.name}", which does not hold dates alone (it '
                f"has {odd}); take it out there"
            )
        for part in _spread(column, asked):
            if part.name in names:
                raise DataError(
                    f'"{part.name}" is a column already, and would be a part of "{column.name}"; '
                    "rename it"
                )
            spread.append(part)
    return spread


def _spread(column: Levels, parts: Sequence[str]) -> list[Column]:
    """Return parts of one column."""
    moments = moments_of(column.name, column.labels)
    dated = [each for each in moments if isinstance(each, datetime)]
    first = min(dated, default=datetime.min).replace(hour=0, minute=0, second=0)
    made: list[Column] = []
    for part in parts:
        name = f"{column.name}.{part}"
        if part != "hour" and len(dated) < len(moments):
            raise DataError(
                f'column "{column.name}" has times of day without a date, such as '
                f'"{column.labels[0]}"; only their hour can be taken: {setting("dates")} hour'
            )
        if part == "hour":
            hours = [_day_share(each) * 24 for each in moments]
            made.append(_numbers(name, column, hours))
        elif part == "days":
            days = [(each - first) / timedelta(days=1) for each in dated]
            made.append(_numbers(name, column, days))
        elif part == "year":
            made.append(_numbers(name, column, [float(each.year) for each in dated]))
        elif part == "month":
            made.append(_states(name, column, [each.month - 1 for each in dated], MONTHS))
        else:
            made.append(_states(name, column, [each.weekday() for each in dated], WEEKDAYS))
    return made


def _day_share(moment: datetime | timedelta) -> float:
    if isinstance(moment, timedelta):
        return moment / timedelta(days=1)
    return (moment - moment.replace(hour=0, minute=0, second=0)) / timedelta(days=1)


def _numbers(name: str, column: Levels, values: Sequence[float]) -> Column:
    """Return numbers of each row, by those of each label; whole ones as a file would spell them."""
    if all(value == int(value) for value in values):
        texts = [str(int(value)) for value in values]
        labels = tuple(dict.fromkeys(texts))
        return _recoded(name, column, [labels.index(text) for text in texts], labels, "cell")
    table = np.array([*values, np.nan])
    return Numbers(name, table[column.codes])


def _states(name: str, column: Levels, codes: Sequence[int], labels: Sequence[str]) -> Levels:
    """Return states in their order, those that occur."""
    used = sorted(set(codes))
    place = {code: number for number, code in enumerate(used)}
    shown = tuple(labels[code] for code in used)
    found = _recoded(name, column, [place[code] for code in codes], shown, "label")
    return Levels(name, found.codes, shown, "label", declared=True)


def _recoded(
    name: str, column: Levels, codes: Sequence[int], labels: tuple[str, ...], kind: str
) -> Levels:
    table = np.array([*codes, len(labels)], dtype=code_type(len(labels) + 1))
    return Levels(name, table[column.codes], labels, "cell" if kind == "cell" else "label")


def moments_of(name: str, labels: Sequence[str]) -> list[datetime | timedelta]:
    """Return what dates and times labels spell; which of two numbers is the day must be clear."""
    pairs = [(int(found[1]), int(found[3])) for x in labels if (found := _OTHER.match(x.strip()))]
    day_first, month_first = (any(pair[place] > 12 for pair in pairs) for place in (0, 1))
    pointed = all("." in x for x in labels if _OTHER.match(x.strip()))  # never the month first
    if pairs and day_first == month_first and not pointed:
        what = "in some the day comes first, in others the month" if day_first else "either"
        raise DataError(
            f'column "{name}" has dates such as "{labels[0]}", whose first number may be the day '
            f"or the month ({what}); write them as 2024-12-31"
        )
    moments = []
    for label in labels:
        moment = _moment(label.strip(), day_first=day_first or pointed)
        if moment is None:
            raise DataError(
                f'column "{name}" has "{label}", which is no date that can be read; write dates '
                "as 2024-12-31 or 2024-12-31 23:59"
            )
        moments.append(moment)
    return moments


def _moment(text: str, *, day_first: bool) -> datetime | timedelta | None:
    found = _ISO.match(text)
    if found:
        year, month, day = int(found[1]), int(found[3]), int(found[4])
    elif found := _OTHER.match(text):
        first, second, year = int(found[1]), int(found[3]), int(found[4])
        day, month = (first, second) if day_first else (second, first)
    rest = text[found.end() :].lstrip(" T,") if found else text
    time = _TIME.fullmatch(rest)
    if rest and time is None:
        return None
    hour, minute, second = (int(time[n] or 0) for n in (1, 2, 3)) if time else (0, 0, 0)
    if time and time[4]:
        hour = hour % 12 + (12 if time[4].lower() == "pm" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    if not found:
        return timedelta(hours=hour, minutes=minute, seconds=second)
    try:
        return datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None
