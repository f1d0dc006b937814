"""Tables whose rows occur as often as a column of weights says.

Such a table *is* the one in which each row stands as often as it occurs, right after itself: every
answer is the same. A small one is written out so. A large one of states stays as it is, packed: its
counts are sums of weights, and what must see each row writes it out, if that fits, or is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dagscape.data.build import Built, build
from dagscape.data.columns import Column, Levels, Numbers
from dagscape.data.options import Options
from dagscape.data.rows import Rows
from dagscape.errors import DataError
from dagscape.notes import Note
from dagscape.words import counted

LEAST_LINES, LEAST_COUNT, MEAN_COUNT, SAME_SHARE = 50, 5, 20, 0.1
"""Rows, the least weight, the mean weight, and the share of rows that an equal one comes before,
from which on weights may be no counts."""
WRITTEN_OUT = 4_000_000
"""Cells up to which a table is written out."""
MOST_WRITTEN_OUT = 400_000_000
"""Cells up to which it can be, for what must see each row."""
MOST_CASES = 2**32 - 1
"""What the engine can count."""
FEW_TIMES = 4
"""Rows that occur fewer times than this on average are as well written out."""


def build_rows(columns: list[Column], rows: Rows, options: Options) -> tuple[Built, Rows]:
    """Return the finished table, and what is said of its rows."""
    times = rows.times
    if times is None:
        built = build(columns, options)
        known = rows if built.kept is None else rows.take(built.kept)
        return built, _judged(built, known.since(built.before))
    odd = tuple(_no_counts(columns, rows, times))
    built, rows = _build_counted(columns, rows, times, options)
    return replace(built, notes=(*built.notes, *odd)), rows


def _no_counts(columns: list[Column], rows: Rows, times: NDArray[np.int64]) -> Iterator[Note]:
    """Yield what tells that weights are no counts, but say for how many people a row stands.

    Whoever counts rows brings equal ones together, and finds few of some. Here all are many, and
    equal rows stand apart, some more often than others. (Where a column was left out of a table of
    counts, each row is there as often as that column has values.) Or rows are decimal numbers, of
    which none is there twice.
    """
    lines = len(times)
    if rows.independent is not None or lines < LEAST_LINES or times.min() < LEAST_COUNT:
        return
    if times.sum() < MEAN_COUNT * lines:
        return
    marks = np.zeros(lines, dtype=np.int64)
    for column in columns:
        cells = column.codes if isinstance(column, Levels) else column.values
        own = np.unique(cells, return_inverse=True)[1].reshape(-1)
        marks = np.unique(marks * (int(own.max()) + 1) + own, return_inverse=True)[1].reshape(-1)
    each = np.bincount(marks)
    decimals = any(isinstance(column, Numbers) and not column.whole for column in columns)
    apart = lines - len(each) >= SAME_SHARE * lines and each.min() < each.max()
    if apart or (decimals and len(each) == lines):
        assert rows.weights is not None, "times are of weights"  # noqa: S101
        counts = {"lines": lines, "different": len(each), "rows": int(times.sum())}
        yield Note("rows_weighted", counts=counts, examples=(rows.weights.column,))


def _build_counted(
    columns: list[Column], rows: Rows, times: NDArray[np.int64], options: Options
) -> tuple[Built, Rows]:
    """Return the table in which each row occurs so often."""
    total, wide = int(times.sum()), len(columns)
    as_well = total < FEW_TIMES * len(times) and total * wide <= MOST_WRITTEN_OUT
    if total * wide > WRITTEN_OUT and not as_well and _can_stay_packed(columns, rows, options):
        if total > MOST_CASES:
            raise DataError(
                f"the weights add up to {total:,} rows, and at most {MOST_CASES:,} can be counted; "
                "draw a part of them"
            )
        packed = _packed(columns, times, options)
        if packed is not None:
            return packed, rows
    check_written_out(total, wide)
    each = np.repeat(np.arange(len(times)), times)
    columns[:] = [taken(column, each) for column in columns]
    built = build(columns, options)
    assert rows.weights is not None, "times are of weights"  # noqa: S101
    written = rows.but(weights=None).take(each).but(weights=replace(rows.weights, times=None))
    known = written if built.kept is None else written.take(built.kept)
    return built, _judged(built, known.since(built.before))


def _judged(built: Built, rows: Rows) -> Rows:
    """Return what is said of rows, with what rows of one subject tell."""
    if rows.clusters is None:
        return rows
    codes = {
        name: np.where(own == len(states), -1, own.astype(np.intp))
        for name, states, own in zip(built.names, built.states, built.codes.T, strict=True)
        if name not in built.numbers
    }
    effect = design_effect(rows.clusters.codes, codes, built.numbers)
    own = replace(rows.clusters, effect=effect.value, alike=effect.columns)
    return rows.but(clusters=own)


def stored(rows: Rows, chosen: NDArray[np.intp]) -> tuple[NDArray[np.intp], Rows]:
    """Return where rows of a table are kept, and what is said of them, each written out."""
    if rows.times is None or rows.weights is None:
        return chosen, rows.take(chosen)
    places = np.searchsorted(np.cumsum(rows.times), chosen, side="right")
    written = rows.but(weights=None).take(places)
    return places, written.but(weights=replace(rows.weights, times=None))


def check_written_out(total: int, wide: int) -> None:
    """Refuse to write out what would not fit."""
    if total * wide > MOST_WRITTEN_OUT:
        raise DataError(
            f"the weights add up to {total:,} rows of {counted(wide, 'variable')}, and this needs "
            "each of them written out, which is too much; that is not needed for scores, searches "
            "and posteriors of tables of states without gaps, whose rows are in no groups and "
            "clusters"
        )


def taken(column: Column, rows: NDArray[np.intp]) -> Column:
    """Return the column with these rows, as often as each is named."""
    if isinstance(column, Levels):
        return replace(column, codes=column.codes[rows])
    return replace(column, values=column.values[rows])


def _can_stay_packed(columns: list[Column], rows: Rows, options: Options) -> bool:
    whole = not any(column.missing().any() for column in columns)
    cut = options.rule is not None or options.rules
    return whole and not cut and set(rows.facts) == {"weights"}


def _packed(columns: list[Column], times: NDArray[np.int64], options: Options) -> Built | None:
    """Return a table of states with each row once; None where some columns are numbers."""
    # What a column holds is told by its values, by whether these repeat, and by whether they are
    # more than half as many as the rows: three times the rows are enough to know.
    some = np.minimum(times, 3)
    some[times.argmax()] += min(int(times.sum() - some.sum()), 2 * len(times) + 100)
    each = np.repeat(np.arange(len(times)), some)
    built = build([taken(column, each) for column in columns], options)
    if built.numbers:
        return None
    first = np.concatenate([[0], np.cumsum(some)[:-1]])
    codes = np.asfortranarray(built.codes[first])
    codes.flags.writeable = False
    return replace(built, codes=codes)


# How much less rows of the same subjects tell than as many independent rows would.
#
# If rows are alike within subjects, chance relates two columns more strongly than among
# independent rows: what it adds to Pearson's X² is multiplied by a design effect, for two columns
#
#     1 + (m − 1) ρ_x ρ_y,
#
# with ρ how alike rows of one subject are in a column (0 as rows of different ones, 1 the same)
# and m − 1 how many other rows of its subject a row has in the mean. So X² of N rows is like that
# of N divided by the effect (Rao and Scott 1981). A score must divide the counts of all sets by
# the same number: two sets that count otherwise make relations where there are none, or hide
# some. It is the effect of the two columns that are most alike within subjects; what any other
# two tell is told less surely than it could be.

Ints = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DesignEffect:
    """What counts are divided by, and the two columns that say so."""

    value: float
    columns: tuple[str, ...] = ()


def design_effect(
    subjects: Ints, codes: Mapping[str, Ints], numbers: Mapping[str, Floats]
) -> DesignEffect:
    """Return the effect for a table of which each row belongs to a subject.

    Parameters
    ----------
    codes
        Of columns of states, −1 where one is missing.
    numbers
        Of columns of numbers, NaN where one is missing.
    """
    shares = {name: alike_states(subjects, own) for name, own in codes.items()}
    shares |= {name: alike_numbers(subjects, own) for name, own in numbers.items()}
    most = sorted(shares, key=lambda name: (-shares[name], name))[:2]
    if len(most) < 2:
        return DesignEffect(1.0)
    added = others_of_subject(subjects) * shares[most[0]] * shares[most[1]]
    return DesignEffect(1.0 + added, tuple(most) if added > 0 else ())


def others_of_subject(subjects: Ints) -> float:
    """Return how many other rows of its subject a row has, in the mean."""
    sizes = np.bincount(subjects).astype(np.float64)
    return float((sizes * (sizes - 1)).sum() / sizes.sum())


def alike_states(subjects: Ints, codes: Ints) -> float:
    """Return how alike rows of one subject are in a column of states, from 0 to 1.

    In two ways, of which the higher counts: each state as much as it is frequent, and all states
    the same, as X² has them.
    """
    known = codes >= 0
    subjects, codes = subjects[known], codes[known]
    states, codes = np.unique(codes, return_inverse=True)
    cells, times = np.unique(subjects * len(states) + codes, return_counts=True)
    within = np.bincount(cells % max(1, len(states)), times * (times - 1.0), len(states))
    of_states = np.bincount(codes, minlength=len(states)).astype(np.float64)
    pairs, apart = _pairs(subjects)
    if not pairs or not apart or len(states) < 2:
        return 0.0
    together = within / pairs
    between = (of_states * (of_states - 1) - within) / apart
    frequent = (together.sum() - between.sum()) / (1 - between.sum())
    share = of_states / len(codes)
    scaled, expected = (together / share).sum(), (between / share).sum()
    evenly = (scaled - expected) / (len(states) - expected) if expected < len(states) else 0.0
    return float(np.clip(max(frequent, evenly), 0.0, 1.0))


def alike_numbers(subjects: Ints, values: Floats) -> float:
    """Return how alike rows of one subject are in a column of numbers, by ranks, from 0 to 1."""
    known = ~np.isnan(values)
    subjects, values = subjects[known], values[known]
    pairs, apart = _pairs(subjects)
    if not pairs or not apart:
        return 0.0
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - counts / 2)[places.reshape(-1)]
    ranks -= ranks.mean()
    squares = float((ranks**2).sum())
    sums = float((np.bincount(subjects, ranks) ** 2).sum())
    within, between = (sums - squares) / pairs, -sums / apart
    variance = squares / len(ranks)
    if variance <= between:
        return 0.0
    return float(np.clip((within - between) / (variance - between), 0.0, 1.0))


def _pairs(subjects: Ints) -> tuple[float, float]:
    """Return how many ordered pairs of rows are of one subject, and how many of two."""
    sizes = np.bincount(subjects, minlength=1).astype(np.float64)
    within = float((sizes * (sizes - 1)).sum())
    return within, float(len(subjects)) * (len(subjects) - 1) - within
