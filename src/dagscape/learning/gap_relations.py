"""Whether gaps go with what other columns say: a test for each pair, corrected for their number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dagscape.chance import Shuffles
from dagscape.data import Data
from dagscape.notes import Note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

LEVEL = 0.01
"""Of all tests together, by Bonferroni's correction."""
MOST_TESTS, MOST_ROWS, MOST_EACH = 2_000, 20_000, 3
"""Tests, rows that are looked at, and columns that are told of the gaps of one, at most."""
LEAST_CELLS = 5
"""Missing cells that a column must have, and values that it must have, to be asked about."""


def with_gaps_told(data: Data) -> Data:
    """Return the table with notes on what its gaps go with, if they go with anything.

    In each question one column is whether cells are missing, the other is as it is, in the rows in
    which it has a value; :class:`Shuffles` says how probable as much is by chance.
    """
    known = any(note.kind == "gaps_go_with" for note in data.notes)
    if known or not data.missing or data.rows.times is not None or data.rows.series is not None:
        return data
    found = list(_found(data))
    return data._noting(found) if found else data


def _found(data: Data) -> Iterator[Note]:
    some = data
    if data.n_rows > MOST_ROWS:
        some = data.take(np.linspace(0, data.n_rows - 1, MOST_ROWS).astype(np.intp))
    told = Data(some, missing="indicator")
    gaps = [note for note in told.notes if note.kind == "indicator"]
    gaps = [note for note in gaps if _enough(note.counts["cells"], some.n_rows)]
    gaps.sort(key=lambda note: -note.counts["cells"])
    columns = [name for name in data.names if len(_different(some, name)) > 1]
    pairs = [
        (note, name)
        for note in gaps[: max(1, MOST_TESTS // max(1, len(columns)))]
        for name in columns
        if name not in note.examples and name != note.column
    ]
    asked = Shuffles(told)
    logs = {(note.column, y): asked.alone(str(note.column), y) for note, y in pairs}
    least = math.log(LEVEL / max(1, len(pairs)))
    for note in gaps:
        strong = sorted((p, y) for (column, y), p in logs.items() if column == note.column)
        where = told.column(str(note.column)) == 1
        for log_p, y in strong[:MOST_EACH]:
            if log_p <= least:
                counts = {"cells": int(data.missing.columns[note.examples[0]])}
                counts |= {"rows": data.n_rows, "tests": len(pairs)}
                words = (_probability(log_p), *_shown(some, y, where))
                yield Note("gaps_go_with", note.examples[0], y, counts, words)


def _enough(cells: int, rows: int) -> bool:
    return LEAST_CELLS <= cells <= rows - LEAST_CELLS


def _values(data: Data, name: str) -> NDArray[np.float64]:
    """Return a column, NaN where a cell is missing."""
    values = np.array(data.column(name), dtype=np.float64)
    if name not in data.numbers:
        values[values == data.arities[name]] = np.nan
    return values


def _different(data: Data, name: str) -> NDArray[np.float64]:
    values = _values(data, name)
    return np.unique(values[~np.isnan(values)])


def _shown(data: Data, name: str, where: NDArray[np.bool_]) -> tuple[str, ...]:
    """Return a state, and how often cells are missing there and elsewhere; or "" and medians."""
    values = _values(data, name)
    known = ~np.isnan(values)
    if name in data.numbers:
        here, there = values[known & where], values[known & ~where]
        return "", *(f"{np.median(own):.4g}" if len(own) else "unknown" for own in (here, there))
    codes, missing = values[known].astype(np.intp), where[known]
    rows = np.bincount(codes)
    cells = np.bincount(codes, missing)
    above = cells - rows * missing.mean()  # in a state, more than its rows would have
    state = int(np.argmax(above))
    shares = cells[state] / rows[state], (cells.sum() - cells[state]) / (len(codes) - rows[state])
    return data.states[name][state], *(f"{100 * share:.2g} %" for share in shares)


def _probability(log_p: float) -> str:
    return f"{math.exp(log_p):.1g}" if log_p > math.log(1e-300) else "less than 1e-300"
