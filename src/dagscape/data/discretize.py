"""Cut numbers into intervals, each a state named by its bounds."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dagscape.data.columns import MAX_STATES, Levels, Numbers, code_type
from dagscape.errors import DataError, ParameterError
from dagscape.speech import setting

Rule: TypeAlias = str | tuple[str, int]
Discretize: TypeAlias = Rule | Mapping[str, Rule] | None

_HALVES = ("mean", "median")
_PARTS = ("quantile", "width")
_LARGEST = 1e300  # sums and differences of larger numbers would overflow


def check_rule(rule: object) -> tuple[str, int]:
    """Return a rule as its name and number of intervals, or say what is wrong with it."""
    if isinstance(rule, str) and rule in _HALVES:
        return rule, 2
    if isinstance(rule, (tuple, list)) and len(rule) == 2 and rule[0] in _PARTS:
        k = rule[1]
        if isinstance(k, (int, np.integer)) and not isinstance(k, bool) and 2 <= k <= MAX_STATES:
            return str(rule[0]), int(k)
        raise ParameterError(
            f"the number of intervals in {setting('discretize')} must be between 2 and "
            f"{MAX_STATES:,}, got {k!r}"
        )
    choices = ", ".join([*(f'"{name}"' for name in _HALVES), *(f'("{n}", k)' for n in _PARTS)])
    raise ParameterError(
        f"{setting('discretize')} must be None, {choices} or a dict by column, got {rule!r}"
    )


def cut(column: Numbers, rule: tuple[str, int]) -> Levels:
    """Return a column's intervals; cut points come from the values that are there.

    An interval includes its upper bound. Intervals that nothing falls into are left out, since
    only declared states count without being seen.
    """
    there = ~column.missing()
    observed = column.values[there]
    codes = np.zeros(column.n_rows, dtype=np.uint32)
    labels: list[str] = []
    if len(observed):
        points = _cut_points(column.name, observed, rule)
        bins = np.searchsorted(points, observed, side="left")
        used, codes[there] = np.unique(bins, return_inverse=True)
        names = _interval_names(observed, points)
        labels = [names[interval] for interval in used]
    codes[~there] = len(labels)
    small = codes.astype(code_type(len(labels) + 1))
    return Levels(column.name, small, tuple(labels), "label", declared=True)


def _cut_points(
    name: str, observed: NDArray[np.float64], rule: tuple[str, int]
) -> NDArray[np.float64]:
    low, high = observed.min(), observed.max()
    if max(-low, high) > _LARGEST:
        raise DataError(f'column "{name}" has numbers beyond {_LARGEST:g}; scale it down first')
    how, k = rule
    shares = np.arange(1, k) / k
    if how == "mean":
        # The mean of equal numbers may miss them by a rounding error.
        return np.array([min(max(observed.mean(), low), high)])
    if how == "median":
        return np.array([np.median(observed)])
    points = np.quantile(observed, shares) if how == "quantile" else low + (high - low) * shares
    return np.unique(points)


def _interval_names(observed: NDArray[np.float64], points: NDArray[np.float64]) -> list[str]:
    ordered = np.sort(observed)
    texts: list[str] = []
    for point in points:
        texts.append(_short(float(point), ordered, float(texts[-1]) if texts else -np.inf))
    inner = [f"({low},{high}]" for low, high in pairwise(texts)]
    return [f"<={texts[0]}", *inner, f">{texts[-1]}"]


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
