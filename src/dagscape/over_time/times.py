"""When rows were: numbers or dates, in order, one row for each step of each series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagscape.data.columns import Levels, Numbers
from dagscape.data.labels import spell_numbers
from dagscape.errors import DataError
from dagscape.speech import choice, setting
from dagscape.words import counted

NEAR = 1e-6
"""Share of a step by which times may be off: decimal numbers are rounded."""


@dataclass(frozen=True)
class Times:
    """When each row was, as numbers that steps can be counted in."""

    column: str
    values: NDArray[Any]
    """Numbers, or dates as numpy has them."""

    def spell(self, row: int) -> str:
        """Return the time of a row as one writes it."""
        value = self.values[row]
        if not self.dated:
            return f"{value:.15g}"
        day = value.astype("datetime64[D]")
        return str(day if day == value else value.astype("datetime64[s]"))

    @property
    def dated(self) -> bool:
        """Whether they are dates."""
        return bool(self.values.dtype.kind == "M")


@dataclass(frozen=True)
class Order:
    """Rows sorted by series and time, and the step that each is."""

    rows: NDArray[np.intp]
    """Rows of the source."""
    codes: NDArray[np.intp]
    """Of each, the place of its series among the labels."""
    steps: NDArray[np.int64]
    """Of each, its step, from 0 in each series; a gap in time leaves some out."""
    labels: tuple[str, ...]


def times_of(column: Levels | Numbers) -> Times:
    """Return the times that a column holds: numbers, or dates as ISO 8601 writes them."""
    said = f'{setting("time")} names "{column.name}"'
    if (missing := column.missing()).any():
        row = int(missing.argmax()) + 1
        raise DataError(f"{said}, which has no value in row {row}; say when every row was")
    if isinstance(column, Numbers):
        if not np.isfinite(column.values).all():
            raise DataError(f"{said}, which has an infinite value")
        return Times(column.name, column.values)
    if spell_numbers(column.labels):
        numbers = np.array([float(label) for label in column.labels])
        return Times(column.name, numbers[column.codes])
    dates = []
    for place, label in enumerate(column.labels):
        try:
            dates.append(np.datetime64(label.strip().replace(" ", "T"), "us"))
        except ValueError:
            row = int((column.codes == place).argmax()) + 1
            raise DataError(
                f'{said}, which has "{label}" in row {row}; times are numbers, or dates such as '
                "2024-05-31 or 2024-05-31T14:00"
            ) from None
    return Times(column.name, np.array(dates, dtype="datetime64[us]")[column.codes])


def in_order(
    n_rows: int,
    times: Times | None,
    labels: Sequence[str],
    codes: NDArray[np.intp],
    column: str | None,
    *,
    split: bool,
) -> Order:
    """Return the rows by series and time; without times they stand in order.

    Parameters
    ----------
    labels, codes, column
        Which series each row is of, and the column that says so, if there is one.
    split
        Whether steps may be left out, rather than refused.
    """
    if times is None:
        rows = np.argsort(codes, kind="stable")
        sizes = np.bincount(codes, minlength=len(labels))
        steps = np.concatenate([np.arange(size) for size in sizes])
        return Order(rows, codes[rows], steps.astype(np.int64), tuple(labels))
    rows = np.lexsort((times.values, codes))
    codes, same = codes[rows], np.diff(codes[rows]) == 0

    def of(row: int) -> str:
        return f' of series "{labels[codes[row]]}"' if column is not None else ""

    sorted_times = Times(times.column, times.values[rows])
    twice = same & (sorted_times.values[1:] == sorted_times.values[:-1])
    if twice.any():
        at = int(twice.argmax())
        first, second = sorted(int(row) + 1 for row in rows[at : at + 2])
        what = (
            f"give {setting('series')} the column that tells series apart, or keep one row for "
            "each time"
            if column is None
            else "keep one row for each time"
        )
        raise DataError(
            f"rows {first} and {second} are both of the time {sorted_times.spell(at)}{of(at)} "
            f'(column "{times.column}"); {what}'
        )
    places, step = _counted_in_steps(sorted_times, same)
    ahead = np.diff(places)
    if (uneven := same & (np.abs(ahead - np.rint(ahead)) > NEAR)).any():
        at = int(uneven.argmax())
        raise DataError(
            f'the times in column "{times.column}" are not regular: most steps are {step}, and '
            f"{sorted_times.spell(at + 1)}{of(at)} follows {sorted_times.spell(at)}; a lag needs "
            f"steps of one length: bring the series to a regular grid, or leave {setting('time')} "
            "away if each row is one step after the row before it"
        )
    ahead = np.rint(ahead)
    if not split and (gap := same & (ahead > 1)).any():
        at = int(gap.argmax())
        lost = int(ahead[at]) - 1
        raise DataError(
            f"{counted(int(gap.sum()), 'gap')} in time: {counted(lost, 'step')} of {step} between "
            f"{sorted_times.spell(at)} and {sorted_times.spell(at + 1)}{of(at)} (column "
            f'"{times.column}") {"has" if lost == 1 else "have"} no row; give '
            f"{choice('gaps', 'drop')} to leave out rows whose past is not there, or leave "
            f"{setting('time')} away if each row is one step after the row before it"
        )
    begins = np.flatnonzero(np.concatenate([[True], ~same]))
    whole = np.concatenate([[0], np.cumsum(np.where(same, ahead, 0))])
    from_start = whole - np.repeat(whole[begins], np.diff(np.append(begins, n_rows)))
    return Order(rows, codes, from_start.astype(np.int64), tuple(labels))


def _counted_in_steps(times: Times, same: NDArray[np.bool_]) -> tuple[NDArray[np.float64], str]:
    """Return times as numbers of steps, and the step in words.

    The step is what most neighbors in time differ by. Dates that lie whole months apart are counted
    in months, which are not equally long.
    """
    values = times.values
    if times.dated:
        months = values.astype("datetime64[M]")
        within = values - months.astype("datetime64[us]")
        ends = (values.astype("datetime64[D]") + 1).astype("datetime64[M]") > months
        if len(values) > 1 and (len(np.unique(within)) == 1 or ends.all()):
            return _in_steps(months.astype(np.float64), same, "month")
        return _in_steps(values.astype(np.float64), same, "")
    return _in_steps(values.astype(np.float64), same, "unit")


def _in_steps(
    numbers: NDArray[np.float64], same: NDArray[np.bool_], unit: str
) -> tuple[NDArray[np.float64], str]:
    differences = np.diff(numbers)[same]
    if not len(differences):
        return numbers - numbers[0], unit
    # Rounded to tell differences apart, since 0.3 - 0.2 is not 0.1.
    found, often = np.unique(np.round(differences / differences.min(), 6), return_counts=True)
    step = float(found[often.argmax()] * differences.min())
    if unit == "month":
        words = counted(round(step), "month")
    elif unit == "unit":
        words = f"{step:.6g}"
    else:
        words = str(np.timedelta64(round(step), "us").item())
    return (numbers - numbers[0]) / step, words
