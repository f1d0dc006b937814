"""What to do with values that are not there."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dagscape.data.columns import Column, Levels, Numbers
from dagscape.data.labels import free_name
from dagscape.errors import DataError, ParameterError
from dagscape.notes import Note
from dagscape.speech import choice, for_python, leave_out, setting, values

Missing = Literal["error", "drop", "mode", "random", "state", "keep", "indicator"]

KEPT = ("keep", "indicator")
"""Policies that leave cells missing; the second adds columns that say where."""


def check_missing(missing: object) -> Missing:
    """Return the policy, or say which there are."""
    for policy in get_args(Missing):
        if isinstance(missing, str) and missing == policy:
            return policy  # type: ignore[no-any-return]
    policies = values("missing", *get_args(Missing))
    raise ParameterError(f"{setting('missing')} must be one of {policies}, got {missing!r}")


def refuse_missing(columns: Sequence[Column], cut: Container[str] = ()) -> None:
    """Raise an error that names the first column with missing values, and what can be chosen.

    Gaps in numbers, unless these are cut, cannot be a state.
    """
    counts = {column.name: int(column.missing().sum()) for column in columns}
    holed = [name for name, count in counts.items() if count]
    if not holed:
        return
    first, others = holed[0], len(holed) - 1
    cells = "value" if counts[first] == 1 else "values"
    also = f" (and {others} other column{'s' if others > 1 else ''} too)" if others else ""
    measured = any(
        counts[column.name] and isinstance(column, Numbers) and column.name not in cut
        for column in columns
    )
    states = () if measured else ("state",)
    keep = for_python('; or missing="keep", to learn with ds.learn or ds.structural_em')
    raise DataError(
        f'column "{first}" has {counts[first]:,} missing {cells}{also}; '
        f"choose {choice('missing', 'drop', 'mode', 'random', *states)}{keep}"
    )


def missing_cells(columns: Sequence[Column], policy: Missing) -> list[Note]:
    """Return a note on each column with missing values, which says what becomes of them."""
    notes = []
    for column in columns:
        if cells := int(column.missing().sum()):
            counts = {"cells": cells, "rows": column.n_rows}
            how = "keep" if policy in KEPT else policy
            notes.append(Note("missing_cells", column.name, how, counts))
    if notes and policy in KEPT:
        empty = np.logical_and.reduce([column.missing() for column in columns])
        if empty.any():
            counts = {"rows": len(empty), "empty": int(empty.sum())}
            notes.append(Note("empty_rows", counts=counts))
    return notes


def drop_rows(
    columns: list[Column],
) -> tuple[list[Column], list[Note], NDArray[np.bool_] | None]:
    """Return the columns without the rows in which any has no value, and what was lost.

    And which rows are kept, unless all are.
    """
    whole = np.ones(columns[0].n_rows, dtype=np.bool_)
    for column in columns:
        whole &= ~column.missing()
    if whole.all():
        return columns, [], None
    if not whole.any():
        empty = max(columns, key=lambda column: int(column.missing().sum()))
        # A gap in numbers cannot be a state.
        measured = any(isinstance(each, Numbers) and each.missing().any() for each in columns)
        states = () if measured else ("state",)
        raise DataError(
            f"every row has a missing value, so {choice('missing', 'drop')} leaves none; "
            f'most are in column "{empty.name}": {leave_out(empty.name)}, or choose '
            f"{choice('missing', 'mode', 'random', *states)}"
        )
    counts = {"rows": len(whole), "dropped": int((~whole).sum())}
    notes = [Note("rows_dropped", counts=counts), *missing_cells(columns, "drop")]
    return [column.keep(whole) for column in columns], notes, whole


def fill(column: Levels, policy: Missing, seed: int) -> Levels:
    """Return the column with a state in every row, or in all that had one if gaps are kept."""
    holes = column.missing()
    n_missing = int(holes.sum())
    if n_missing == 0:
        return column
    if policy == "state":
        labels = (*column.labels, free_name("missing", column.labels))
        return Levels(column.name, column.codes, labels, column.kind, declared=True)
    observed = column.codes[~holes]
    if not len(observed):
        raise DataError(
            f'column "{column.name}" has no values at all; {leave_out(column.name)}, or choose '
            f"{choice('missing', 'state')}"
        )
    if policy in KEPT:
        return column
    codes = column.codes.copy()
    if policy == "mode":
        codes[holes] = np.bincount(observed).argmax()  # ties go to the first state
    else:
        draws = stream(seed, column.name).integers(len(observed), size=n_missing)
        codes[holes] = observed[draws]
    return Levels(column.name, codes, column.labels, column.kind, column.declared)


def stream(seed: int, name: str) -> np.random.Generator:
    """Return the stream of numbers that the gaps of a column are filled from."""
    # Seeded by name, so that neither the order of columns nor other columns change the draw.
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng([seed, int.from_bytes(digest[:16], "little")])
