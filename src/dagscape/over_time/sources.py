"""A table of series as it comes: its columns, the times of its rows, and the series they are of."""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from dagscape.data import Data
from dagscape.data.cell_rules import CellRules
from dagscape.data.column_files import columns_of_file
from dagscape.data.columns import Column, Numbers
from dagscape.data.frames import columns_of
from dagscape.errors import DataError, ParameterError
from dagscape.notes import Note
from dagscape.over_time.times import Times, times_of
from dagscape.speech import setting
from dagscape.variables import suggest
from dagscape.words import counted

READING = ("leave_out", *CellRules.NAMES)
"""Settings of :func:`dagscape.read_data` for cells of text files."""


class Source:
    """The columns of a table that are variables, and what the others say of its rows."""

    def __init__(
        self, frame: Any, time: str | None, series: str | None, reading: Mapping[str, Any]
    ) -> None:
        for role, name in (("time", time), ("series", series)):
            if name is not None and not isinstance(name, str):
                raise ParameterError(f"{setting(role)} must be the name of a column, got {name!r}")
        if time is not None and time == series:
            raise ParameterError(
                f'{setting("time")} and {setting("series")} both name "{time}"; one says when a '
                "row was, the other whose it is"
            )
        self.times: Times | None = None
        columns, self.notes = self._columns(frame, time, reading)
        names = [column.name for column in columns]
        by_name = dict(zip(names, columns, strict=True))
        for role, name in (("time", time), ("series", series)):
            dated = role == "time" and self.times is not None
            if name is not None and name not in by_name and not dated:
                raise ParameterError(
                    f'{setting(role)} names "{name}", which is not a column{suggest(name, names)}'
                )
        if time is not None and self.times is None:
            self.times = times_of(by_name.pop(time))
        self.series = series
        self.labels, self.codes = _series_of(None if series is None else by_name.pop(series))
        if not by_name:
            raise DataError("every column says when rows were or whose; none is left as a variable")
        self.columns = list(by_name.values())
        if series is None:
            self.codes = np.zeros(self.columns[0].n_rows, dtype=np.intp)
        self._refuse_gaps()

    def _columns(
        self, frame: Any, time: str | None, reading: Mapping[str, Any]
    ) -> tuple[list[Column], list[Note]]:
        if isinstance(frame, str | os.PathLike):
            return columns_of_file(frame, **reading), []
        if unknown := list(reading):
            raise ParameterError(f"{setting(unknown[0])} is for files, and this is a table already")
        if isinstance(frame, Data):
            frame = frame.to_polars()
        return columns_of(self._without_dates(frame, time), None)

    def _without_dates(self, frame: Any, time: str | None) -> Any:
        """Take dates out of a frame or dict, which as a column of a table would be refused."""
        if time is None or isinstance(frame, np.ndarray):
            return frame
        if not isinstance(frame, Mapping):
            wrapped: Any = nw.from_native(frame, eager_only=True, pass_through=True)
            if not isinstance(wrapped, nw.DataFrame) or time not in wrapped.columns:
                return frame
            if not wrapped.schema[time].is_temporal() and wrapped.schema[time] != nw.Object:
                return frame
            frame = {name: wrapped[name].to_native() for name in wrapped.columns}
        if time not in frame:
            return frame
        dates = _as_dates(frame[time])
        if dates is None:
            return frame
        if (missing := np.isnat(dates)).any():
            row = int(missing.argmax()) + 1
            raise DataError(
                f'{setting("time")} names "{time}", which has no value in row {row}; say when '
                "every row was"
            )
        self.times = Times(time, dates)
        return {name: values for name, values in frame.items() if name != time}

    def _refuse_gaps(self) -> None:
        for column in self.columns:
            if (missing := column.missing()).any():
                row, cells = int(missing.argmax()) + 1, int(missing.sum())
                raise DataError(
                    f'column "{column.name}" has {counted(cells, "missing cell")}, the first in '
                    f"row {row}; in a table of series a cell is in several rows, once for each "
                    "lag, so rows cannot be completed or dropped one by one: fill the cells "
                    "before, or leave the column out"
                )


def _as_dates(values: Any) -> NDArray[Any] | None:
    """Return dates and times as numpy has them; None for any other values."""
    array = np.asarray(values)
    if array.dtype.kind == "O":
        there = [each for each in array if each is not None]
        if not there or not all(isinstance(each, datetime.date) for each in there):
            return None
        array = np.array([np.datetime64("NaT") if x is None else np.datetime64(x) for x in array])
    return array.astype("datetime64[us]") if array.dtype.kind == "M" else None


def _series_of(column: Column | None) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """Return the names of the series, and the place of each row's among them."""
    if column is None:
        return ("",), np.zeros(0, dtype=np.intp)
    if (missing := column.missing()).any():
        row = int(missing.argmax()) + 1
        raise DataError(
            f'{setting("series")} names "{column.name}", which has no value in row {row}; say '
            "which series every row is of"
        )
    if isinstance(column, Numbers):
        found, codes = np.unique(column.values, return_inverse=True)
        return tuple(f"{value:.15g}" for value in found), codes.astype(np.intp)
    used, codes = np.unique(column.codes, return_inverse=True)
    return tuple(column.labels[code] for code in used), codes.astype(np.intp)
