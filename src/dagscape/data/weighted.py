"""Tables whose rows occur as often as a column of weights says.

Such a table *is* the one in which each row stands as often as it occurs, right after itself: every
answer is the same. A small one is written out so. A large one of states stays as it is, packed: its
counts are sums of weights, and what must see each row writes it out, if that fits, or is refused.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dagscape.data.build import Built, build
from dagscape.data.columns import Column, Levels
from dagscape.data.design_effect import design_effect
from dagscape.data.options import Options
from dagscape.data.rows import Rows
from dagscape.errors import DataError
from dagscape.words import counted

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
        return built, _judged(built, rows if built.kept is None else rows.take(built.kept))
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
    return built, _judged(built, written if built.kept is None else written.take(built.kept))


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
