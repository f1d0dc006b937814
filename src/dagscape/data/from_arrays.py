"""Tables that are given as codes and numbers, so that nothing is left to infer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagscape.data.build import Built, check_names
from dagscape.data.columns import Numbers, code_type
from dagscape.data.kinds import check_finite
from dagscape.data.options import check_labels
from dagscape.errors import DataError


def from_codes(codes: NDArray[Any], states: Mapping[str, Sequence[object]]) -> Built:
    """Return a table of codes, rows by variables; see ``Data.from_codes``."""
    names = list(states)
    check_names(names)
    given = np.asarray(codes)
    if given.ndim != 2 or given.shape[1] != len(names):
        raise DataError(
            f"codes must have rows and {len(names)} columns, one for each variable; "
            f"got the shape {given.shape}"
        )
    if given.dtype.kind not in "biu":
        raise DataError(f"codes must be integers, got {given.dtype}")
    labels = {name: check_labels(name, states[name]) for name in names}
    return _built({name: given[:, number] for number, name in enumerate(names)}, labels)


def from_columns(
    columns: Mapping[str, NDArray[Any]], states: Mapping[str, Sequence[object]]
) -> Built:
    """Return a table of columns of codes and of numbers; see ``Data.from_columns``."""
    check_names(list(columns))
    for name in states:
        if name not in columns:
            raise DataError(f'there are states of "{name}", and no column of that name')
    arrays = {name: np.asarray(column) for name, column in columns.items()}
    first, length = next((name, len(np.atleast_1d(a))) for name, a in arrays.items())
    for name, array in arrays.items():
        if array.ndim != 1:
            raise DataError(f'column "{name}" must be a list, got the shape {array.shape}')
        if len(array) != length:
            raise DataError(
                f'columns must be equally long; "{first}" has {length:,} rows, "{name}" has '
                f"{len(array):,}"
            )
        if states.get(name) and array.dtype.kind not in "biu":
            raise DataError(f'codes of "{name}" must be integers, got {array.dtype}')
        if not states.get(name) and array.dtype.kind not in "biuf":
            raise DataError(f'column "{name}" has no states, so it must hold numbers')
    labels = {name: check_labels(name, states[name]) if states.get(name) else () for name in arrays}
    return _built(arrays, labels)


def _built(columns: Mapping[str, NDArray[Any]], labels: Mapping[str, tuple[str, ...]]) -> Built:
    rows = len(next(iter(columns.values())))
    if not rows:
        raise DataError("the table has no rows")
    made = np.ones((rows, len(columns)), dtype=code_type(max(map(len, labels.values()))), order="F")
    numbers: dict[str, NDArray[np.float64]] = {}
    for number, (name, column) in enumerate(columns.items()):
        if labels[name]:
            _check_codes(name, column, len(labels[name]))
            made[:, number] = column
            continue
        values = Numbers(name, np.array(column, dtype=np.float64))
        check_finite(values)
        if values.missing().any():
            row = int(values.missing().argmax())
            raise DataError(f'column "{name}" has no number in row {row + 1}')
        numbers[name] = values.values
    made.flags.writeable = False
    return Built(tuple(columns), tuple(labels.values()), made, (), numbers)


def _check_codes(name: str, column: NDArray[Any], states: int) -> None:
    low, high = int(column.min()), int(column.max())
    if low < 0 or high >= states:
        raise DataError(
            f'codes of "{name}" must be between 0 and {states - 1} (states - 1), '
            f"got {low if low < 0 else high}"
        )
