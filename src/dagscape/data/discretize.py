"""Cut numbers into intervals, each a state named by its bounds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dagscape.data.columns import MAX_STATES, Codes, Levels, Numbers, code_type
from dagscape.data.mdl import mdl_points
from dagscape.errors import DataError, ParameterError
from dagscape.speech import setting

Rule: TypeAlias = (
    "str | tuple[str, int] | tuple[str, str] | Sequence[float] "
    "| tuple[Sequence[float], Sequence[str]]"
)
Discretize: TypeAlias = "Rule | Mapping[str, Rule] | None"


class Cut(NamedTuple):
    """How to cut a column: by a rule with a number of intervals, or at points of the user's own."""

    how: str
    parts: int
    points: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    target: str = ""
    """The column whose states the intervals are to tell of."""

    @property
    def words(self) -> str:
        """The rule, as a sentence names it."""
        return f'{self.how} for "{self.target}"' if self.target else self.how


_HALVES = ("mean", "median")
_PARTS = ("quantile", "width")
SUPERVISED = "mdl"
"""The rule that looks at another column."""
UNCUT = "any"
"""The one state of a column in which no cut pays."""
_LARGEST = 1e300  # sums and differences of larger numbers would overflow


def check_rule(rule: object) -> Cut:
    """Return a rule, or say what is wrong with it."""
    if isinstance(rule, str) and rule in _HALVES:
        return Cut(rule, 2)
    if isinstance(rule, (tuple, list)) and len(rule) == 2 and rule[0] in _PARTS:
        k = rule[1]
        if isinstance(k, (int, np.integer)) and not isinstance(k, bool) and 2 <= k <= MAX_STATES:
            return Cut(str(rule[0]), int(k))
        raise ParameterError(
            f"the number of intervals in {setting('discretize')} must be between 2 and "
            f"{MAX_STATES:,}, got {k!r}"
        )
    if isinstance(rule, (tuple, list)) and len(rule) == 2 and rule[0] == SUPERVISED:
        if isinstance(rule[1], str) and rule[1]:
            return Cut(SUPERVISED, 0, target=rule[1])
        raise ParameterError(
            f'"{SUPERVISED}" in {setting("discretize")} goes with the name of a column of states, '
            f"got {rule[1]!r}"
        )
    if isinstance(rule, (tuple, list)) and len(rule) and not isinstance(rule[0], str):
        return _own_cut(rule)
    parts = (*(f'("{n}", k)' for n in _PARTS), f'("{SUPERVISED}", "column")')
    choices = ", ".join([*(f'"{name}"' for name in _HALVES), *parts])
    raise ParameterError(
        f"{setting('discretize')} must be None, {choices}, cut points such as [18.5, 25, 30] "
        f"or a dict by column, got {rule!r}"
    )


def _own_cut(rule: Sequence[object]) -> Cut:
    """Return cut points of the user's own, with names for the intervals if there are any."""
    points, labels = (rule, None) if _is_number(rule[0]) else (rule[0], rule[1:])
    if not isinstance(points, (tuple, list)) or not all(map(_is_number, points)):
        raise ParameterError(
            f"cut points in {setting('discretize')} must be numbers such as [18.5, 25, 30], "
            f"got {rule!r}"
        )
    at = tuple(float(point) for point in points)
    if not at or any(low >= high for low, high in pairwise(at)) or len(at) >= MAX_STATES:
        raise ParameterError(
            f"cut points in {setting('discretize')} must grow from one to the next, got {points!r}"
        )
    if labels is None:
        return Cut("points", len(at) + 1, at)
    named = labels[0] if len(labels) == 1 and isinstance(labels[0], (tuple, list)) else ()
    if len(named) != len(at) + 1 or len(set(named)) != len(named):
        raise ParameterError(
            f"{len(at)} cut points in {setting('discretize')} make {len(at) + 1} intervals, and "
            f"each needs a name of its own; got {list(named)!r}"
        )
    return Cut("points", len(at) + 1, at, tuple(map(str, named)))


def _is_number(value: object) -> bool:
    is_real = isinstance(value, (int, float, np.integer, np.floating))
    return is_real and not isinstance(value, bool) and bool(np.isfinite(float(str(value))))


def cut(column: Numbers, rule: Cut, target: Levels | None = None) -> Levels:
    """Return a column's intervals, at the points given or at those that its values suggest.

    A rule that looks at another column is given that as ``target``.

    An interval includes its upper bound. Intervals that nothing falls into are left out, since
    only declared states count without being seen; the user's own are declared, and stay.
    """
    if rule.points:
        return _cut_at(column, rule)
    there = ~column.missing()
    observed = column.values[there]
    codes = np.zeros(column.n_rows, dtype=np.uint32)
    labels: list[str] = []
    if len(observed):
        if target is not None:
            known = there & ~target.missing()
            points = mdl_points(column.values[known], target.codes[known])
        else:
            points = _cut_points(column.name, observed, rule)
        bins = np.searchsorted(points, observed, side="left")
        used, codes[there] = np.unique(bins, return_inverse=True)
        names = _interval_names(observed, points)
        labels = [names[interval] for interval in used]
    codes[~there] = len(labels)
    small = codes.astype(code_type(len(labels) + 1))
    return Levels(column.name, small, tuple(labels), "label", declared=True)


def _cut_at(column: Numbers, rule: Cut) -> Levels:
    """Return the user's own intervals, all of them."""
    texts = [_plain(repr(point), point) for point in rule.points]
    names = [f"<={texts[0]}", *(f"({a},{b}]" for a, b in pairwise(texts)), f">{texts[-1]}"]
    codes = np.searchsorted(np.array(rule.points), column.values, side="left")
    codes[column.missing()] = len(names)
    small = codes.astype(code_type(len(names) + 1))
    return Levels(column.name, small, rule.labels or tuple(names), "label", declared=True)


def _cut_points(name: str, observed: NDArray[np.float64], rule: Cut) -> NDArray[np.float64]:
    low, high = observed.min(), observed.max()
    if max(-low, high) > _LARGEST:
        raise DataError(f'column "{name}" has numbers beyond {_LARGEST:g}; scale it down first')
    how, k = rule.how, rule.parts
    shares = np.arange(1, k) / k
    if how == "mean":
        # The mean of equal numbers may miss them by a rounding error.
        return np.array([min(max(observed.mean(), low), high)])
    if how == "median":
        return np.array([np.median(observed)])
    points = np.quantile(observed, shares) if how == "quantile" else low + (high - low) * shares
    return np.unique(points)


def _interval_names(observed: NDArray[np.float64], points: NDArray[np.float64]) -> list[str]:
    if not len(points):
        return [UNCUT]
    ordered = np.sort(observed)
    texts: list[str] = []
    for point in points:
        texts.append(_short(float(point), ordered, float(texts[-1]) if texts else -np.inf))
    inner = [f"({low},{high}]" for low, high in pairwise(texts)]
    return [f"<={texts[0]}", *inner, f">{texts[-1]}"]


_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_INTERVAL = re.compile(rf"<=({_NUMBER})|\(({_NUMBER}),({_NUMBER})\]|>({_NUMBER})")


def intervals_of(states: Sequence[str]) -> list[tuple[float, float]] | None:
    """Return the intervals that states are named after, None where they are not.

    So numbers are cut at the points of a table that was cut before, whatever rule found them.
    """
    found = []
    for state in states:
        match = _INTERVAL.fullmatch(state)
        if match is None:
            return None
        highest, low, high, lowest = (None if end is None else float(end) for end in match.groups())
        found.append(
            (
                low if low is not None else lowest if lowest is not None else -np.inf,
                high if high is not None else highest if highest is not None else np.inf,
            )
        )
    return found or None


def codes_in(values: NDArray[np.float64], intervals: Sequence[tuple[float, float]]) -> Codes:
    """Return in which interval each number lies; their number where it lies in none, or is NaN."""
    codes = np.full(len(values), len(intervals), dtype=np.uint32)
    for code, (low, high) in enumerate(intervals):
        codes[(values > low) & (values <= high)] = code
    return codes


def _short(point: float, ordered: NDArray[np.float64], above: float) -> str:
    """Return the shortest text of four digits or more that cuts the values at the same place."""
    place = int(np.searchsorted(ordered, point, side="right"))
    for digits in range(4, 17):
        text = f"{point:.{digits}g}"
        near = float(text)
        if near > above and int(np.searchsorted(ordered, near, side="right")) == place:
            return _plain(text, near)
    return _plain(repr(point), point)


def _plain(text: str, number: float) -> str:
    """Write whole numbers of moderate size without an exponent or a point."""
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else text
