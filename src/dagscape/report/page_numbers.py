"""What the page tells of columns of numbers: how values lie, and how columns follow their parents.

Large tables are described by rows drawn at random, and points are a share of these, so that the
page stays small; it says how many.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dagscape as ds
from dagscape.learning import NotLinear
from dagscape.regression import Regression, Slope, regress

MOST_CELLS = 20_000_000
"""Tables of more cells are described by rows drawn at random."""
POINTS = 1_000
"""The most rows that pictures show as points."""
ALL_POINTS = 200_000
"""The most points of all columns together: half a megabyte."""
BINS = 24
"""Bars of a histogram."""
CURVE = 49
"""Places at which a density is told."""
FENCE = 6.0
"""Values this many widths of the middle half beyond it are left out of pictures, and counted."""
STEPS = 65_534
"""A value is told as one of so many steps through the range; one more is for those left out."""
MOST_STATES = 12
"""The most states that get a box, the most frequent ones."""
MOST_BOXES = 5_000
"""The most boxes of all pairs together."""
MOST_CROSSED = 20_000
"""The most cells of all tables of two columns of states together."""
TENTHS = 10
"""Groups of rows whose means show how a relation bends."""

Values = NDArray[np.float64]


def describe_numbers(
    variables: list[dict[str, Any]],
    dag: ds.Dag,
    data: ds.Data,
    pairs: Iterable[tuple[int, int]],
    bent: Sequence[NotLinear],
) -> dict[str, Any]:
    """Add to each variable what is known of its numbers; return what is known of pairs.

    Parameters
    ----------
    variables
        What the page is told of each variable, in the order of the network.
    pairs
        The pairs that the page lists, by number.
    bent
        Relations that are no lines.
    """
    names = dag.names
    rows = max(2, MOST_CELLS // data.n_variables)
    if data.n_rows > rows:
        data = data.take(_drawn(data.n_rows, rows))
    pairs = list(pairs)
    points = data.take(_drawn(data.n_rows, min(POINTS, max(20, ALL_POINTS // len(names)))))
    number = {name: i for i, name in enumerate(names)}
    for name, about in zip(names, variables, strict=True):
        if name in data.numbers:
            lies = _column(data.numbers[name])
            lies["points"] = _steps(points.numbers[name], *lies["range"])
            about["numbers"] = lies
            about["line"] = _line(regress(data, name, dag.parents(name)), number, data)
        else:
            codes = points.select([name]).codes[:, 0]
            about["points"] = _packed(codes)
            about["shares"] = _shares(data, name)
    return {
        "described": data.n_rows,
        "slopes_caution": f"{Slope.caution[0].upper()}{Slope.caution[1:]}.",
        "points": points.n_rows,
        "boxes": _boxes(names, data, pairs),
        "crossed": _crossed(names, data, pairs),
        "bent": [_bend(one, dag, data, number) for one in bent],
    }


def _drawn(rows: int, most: int) -> NDArray[np.intp]:
    """Return the rows that stand for all, in their order; always the same ones."""
    if rows <= most:
        return np.arange(rows)
    return np.sort(np.random.default_rng(0).choice(rows, most, replace=False))


def _column(values: Values) -> dict[str, Any]:
    """Return how a column's values lie: quartiles, bars of a histogram and a smooth density."""
    largest = float(abs(values).max()) or 1.0  # sums and squares of the largest would overflow
    small = values / largest
    quartiles = np.quantile(small, [0.25, 0.5, 0.75])
    reach = FENCE * (quartiles[2] - quartiles[0])
    inside = abs(small - quartiles[1]) <= (reach if reach > 0 else np.inf)
    shown = small[inside]
    low, high = float(shown.min()), float(shown.max())
    if low == high:
        pad = abs(low) * 0.5 or 0.5
        low, high = low - pad, high + pad
    scaled = (shown - low) / (high - low)
    return {
        "least": _short(float(values.min())),
        "most": _short(float(values.max())),
        "mean": _short(float(small.mean()) * largest),
        "deviation": _short(float(small.std()) * largest),
        "quartiles": [_short(float(quartile) * largest) for quartile in quartiles],
        "range": [_times(low, largest), _times(high, largest)],
        "beyond": int(len(values) - inside.sum()),
        "bars": np.histogram(scaled, BINS, (0, 1))[0].tolist(),
        "curve": _density(scaled),
    }


def _density(scaled: Values) -> list[float]:
    """Return a density by normal kernels (Silverman's width), as heights of bars would have it."""
    spread = float(scaled.std())
    quarter = np.subtract(*np.quantile(scaled, [0.75, 0.25])) / 1.34
    width = 0.9 * (min(spread, quarter) or spread) * len(scaled) ** -0.2
    if width <= 0:
        return []
    fine = 512
    counts = np.histogram(scaled, fine, (0, 1))[0]
    places = (np.arange(fine) + 0.5) / fine
    at = np.linspace(0, 1, CURVE)
    width = max(width, 1 / fine)
    density = np.zeros(CURVE)
    for mirrored in (places, -places, 2 - places):  # so that it does not fall off at the ends
        density += np.exp(-0.5 * ((at[:, None] - mirrored) / width) ** 2) @ counts
    density /= width * math.sqrt(2 * math.pi)
    return [_short(height / BINS) for height in density]


def _line(found: Regression, number: dict[str, int], data: ds.Data) -> dict[str, Any]:
    """Return a regression as plain values; states by their place among the parent's states."""
    return {
        "mean": _short(found.mean, 8),
        "deviation": _short(found.deviation),
        "explained": _short(found.explained),
        "factor": None if found.factor is None else _short(found.factor),
        "slopes": [
            [
                number[slope.parent],
                None if slope.state is None else data.states[slope.parent].index(slope.state),
                None if slope.against is None else data.states[slope.parent].index(slope.against),
                *(None if end is None else _short(end, 6) for end in _ends(slope)),
            ]
            for slope in found.slopes
        ],
    }


def _ends(slope: Slope) -> tuple[float | None, ...]:
    return slope.value, slope.lower, slope.upper


def _shares(data: ds.Data, name: str) -> list[float]:
    codes = data.select([name]).codes[:, 0]
    counts = np.bincount(codes, minlength=len(data.states[name]))
    return [_short(share) for share in counts / max(1, counts.sum())]


def _boxes(
    names: Sequence[str], data: ds.Data, pairs: Iterable[tuple[int, int]]
) -> list[list[Any]]:
    """Return, for each pair of numbers and states, a box of the numbers for each state."""
    found, room = [], MOST_BOXES
    for a, b in pairs:
        if (names[a] in data.numbers) == (names[b] in data.numbers):
            continue
        of, by = (a, b) if names[a] in data.numbers else (b, a)
        codes = data.select([names[by]]).codes[:, 0]
        counts = np.bincount(codes, minlength=len(data.states[names[by]]))
        often = sorted(np.argsort(-counts, kind="stable")[:MOST_STATES].tolist())
        chosen = [code for code in often if counts[code]]
        room -= len(chosen)
        if room < 0:
            break
        values = data.numbers[names[of]]
        boxes = [[code, *_box(values[codes == code])] for code in chosen]
        found.append([of, by, int((counts > 0).sum()), boxes])
    return found


def _crossed(
    names: Sequence[str], data: ds.Data, pairs: Iterable[tuple[int, int]]
) -> list[list[Any]]:
    """Return, for each pair of columns of states, in how many rows each two states meet.

    A list for each state of the first, with a count for each of the second; columns of too many
    states for a picture are left out.
    """
    found, room = [], MOST_CROSSED
    for a, b in pairs:
        arities = [len(data.states[names[v]]) for v in (a, b)]
        if not 0 < min(arities) <= max(arities) <= MOST_STATES:
            continue
        room -= arities[0] * arities[1]
        if room < 0:
            break
        first, second = (data.select([names[v]]).codes[:, 0].astype(np.intp) for v in (a, b))
        counts = np.bincount(first * arities[1] + second, minlength=arities[0] * arities[1])
        found.append([a, b, counts.reshape(arities).tolist()])
    return found


def _box(values: Values) -> list[Any]:
    """Return rows, whiskers, quartiles and the mean; whiskers as Tukey drew them."""
    largest = float(abs(values).max()) or 1.0
    small = values / largest
    low, middle, high = np.quantile(small, [0.25, 0.5, 0.75])
    reach = 1.5 * (high - low)
    inside = small[(small >= low - reach) & (small <= high + reach)]
    marks = (inside.min(), low, middle, high, inside.max(), small.mean())
    return [len(values), *(_short(float(mark) * largest) for mark in marks)]


def _bend(one: NotLinear, dag: ds.Dag, data: ds.Data, number: dict[str, int]) -> dict[str, Any]:
    """Return a relation that is no line, with the means of ten groups of rows."""
    by = data.numbers[one.parent]
    order = np.argsort(by, kind="stable")
    rest = [x for x in dag.parents(one.child) if x != one.parent]
    column = data.numbers[one.child]
    for slope in regress(data, one.child, dag.parents(one.child)).slopes if rest else ():
        if slope.value is not None and slope.parent != one.parent:
            column = column - slope.value * _centered(data, slope)
    means = [
        [_short(_mean(by[rows])), _short(_mean(column[rows]))]
        for rows in np.array_split(order, TENTHS)
    ]
    ends = number[one.child], number[one.parent]
    return {"ends": ends, "joined": one.joined, "share": _short(one.share), "means": means}


def _mean(values: Values) -> float:
    return float((values / len(values)).sum())


def _centered(data: ds.Data, slope: Slope) -> Values:
    if slope.state is None:
        values = data.numbers[slope.parent]
        return np.asarray(values - _mean(values))
    codes = data.select([slope.parent]).codes[:, 0]
    has = codes == data.states[slope.parent].index(slope.state)
    return np.asarray(has - has.mean())


def _steps(values: Values, low: float, high: float) -> str:
    """Return values as steps through a range, two bytes each, in base 64."""
    place = (values / 2 - low / 2) / (high / 2 - low / 2) * STEPS
    inside = (place >= -0.5) & (place <= STEPS + 0.5)
    return _packed(np.where(inside, np.rint(np.where(inside, place, 0)), STEPS + 1))


def _packed(codes: NDArray[Any]) -> str:
    return base64.b64encode(codes.astype("<u2").tobytes()).decode("ascii")


def _times(share: float, largest: float) -> float:
    """Return a share of a number, which may be the largest that there is."""
    return math.copysign(min(abs(share) * (largest / 2), 8.9e307) * 2, share)


def _short(value: float, digits: int = 5) -> float:
    return float(f"{value:.{digits}g}")
