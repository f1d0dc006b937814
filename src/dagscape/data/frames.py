"""Tables in memory: frames of any library, dicts of columns, NumPy arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
from narwhals.exceptions import DuplicateError
from numpy.typing import NDArray

from dagscape.data.build import check_names
from dagscape.data.columns import Column
from dagscape.data.encode import encode_array, encode_objects, encode_series
from dagscape.errors import DataError, ParameterError
from dagscape.notes import MOST_EXAMPLES, Note


def columns_of(source: object, names: Sequence[str] | None) -> tuple[list[Column], list[Note]]:
    """Return the columns of a table, and a note if some were named by numbers.

    ``names`` are for arrays, which have none.
    """
    if isinstance(source, np.ndarray):
        return _columns_of_array(source, names), []
    if names is not None:
        raise ParameterError(
            "names= goes with a NumPy array; rename the columns of a frame or dict in place"
        )
    if isinstance(source, Mapping):
        texts, notes = _as_text(list(source))
        return _columns_of_dict(dict(zip(texts, source.values(), strict=True))), notes
    try:
        frame = nw.from_native(source)  # type: ignore[call-overload]
        if not isinstance(frame, nw.DataFrame):
            raise DataError("the frame is lazy; call .collect() on it first, to have its values")
        names_found = frame.columns
    except DuplicateError:
        check_names(_native_names(source))
        raise
    except TypeError:
        raise DataError(
            f"cannot read a table from {type(source).__name__}; give a pandas, polars or pyarrow "
            "frame, a dict of columns, or a two-dimensional NumPy array with names="
        ) from None
    texts, notes = _as_text(names_found)
    if notes:  # only frames like those of pandas have such names
        frame = nw.from_native(frame.to_native().set_axis(texts, axis=1), eager_only=True)
    return [encode_series(name, frame[name]) for name in texts], notes


def _as_text(names: Sequence[object]) -> tuple[list[str], list[Note]]:
    """Return names with whole numbers made text, as pandas names columns without a header."""
    texts = [str(name) if _is_number(name) else name for name in names]
    check_names(texts)
    made = tuple(map(str, filter(_is_number, names)))
    counts = {"columns": len(made)}
    notes = [Note("names_made_text", counts=counts, examples=made[:MOST_EXAMPLES])] if made else []
    return [str(name) for name in texts], notes


def _is_number(name: object) -> bool:
    return isinstance(name, int | np.integer) and not isinstance(name, bool)


def _native_names(source: Any) -> list[object]:
    """Return the names as the library has them, pyarrow's or that of pandas."""
    return list(source.column_names if hasattr(source, "column_names") else source.columns)


def _columns_of_dict(source: Mapping[str, Any]) -> list[Column]:
    columns = [_encode_values(name, values) for name, values in source.items()]
    usual = Counter(column.n_rows for column in columns).most_common(1)[0][0]
    for column in columns:
        if column.n_rows != usual:
            raise DataError(
                f'column "{column.name}" has {column.n_rows:,} values and others have {usual:,}; '
                "all columns must be of one length"
            )
    return columns


def _encode_values(name: str, values: Any) -> Column:
    if isinstance(values, np.ndarray):
        if values.ndim != 1:
            raise DataError(f'column "{name}" has {values.ndim} dimensions; it must have one')
        return encode_array(name, values)
    if isinstance(values, (list, tuple, range)):
        return encode_objects(name, values)
    series = nw.from_native(values, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        return encode_series(name, series)
    raise DataError(
        f'column "{name}" is of type {type(values).__name__}; give a list, an array or a series'
    )


def _columns_of_array(array: NDArray[Any], names: Sequence[str] | None) -> list[Column]:
    if array.ndim != 2:
        raise DataError(
            f"the array has {array.ndim} dimension{'' if array.ndim == 1 else 's'}; "
            "it must have two, rows and variables"
        )
    n_columns = array.shape[1]
    if names is None:
        names = [f"X{number}" for number in range(1, n_columns + 1)]
    elif isinstance(names, str) or len(names) != n_columns:
        count = 1 if isinstance(names, str) else len(names)
        raise ParameterError(f"names must be a list of {n_columns} names, got {count}")
    check_names(list(names))
    return [encode_array(name, array[:, number]) for number, name in enumerate(names)]
