"""Tables in memory: frames of any library, dicts of columns, NumPy arrays."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
from narwhals.exceptions import DuplicateError
from numpy.typing import NDArray

from dagscape.control.limits import Progress
from dagscape.data.build import check_names
from dagscape.data.columns import Column, ColumnError
from dagscape.data.encode import encode_array, encode_objects, encode_series
from dagscape.data.streams import batches_of, columns_of_batches
from dagscape.data.text_tables import Choice, check_left_out
from dagscape.errors import DataError, ParameterError
from dagscape.notes import MOST_EXAMPLES, Note, sentences
from dagscape.speech import in_python


def columns_of(
    source: object,
    names: Sequence[str] | None,
    skipped: list[Note] | None = None,
    tell: Progress | None = None,
) -> tuple[list[Column], list[Note]]:
    """Return the columns of a table, and a note if some were named by numbers.

    ``names`` are for arrays, which have none. Columns that cannot be read are an error, unless
    there is a list for what is wrong with them.
    """
    try:
        return _columns_of(source, names, skipped, tell)
    except UnicodeEncodeError as error:
        raise DataError(
            f"a name or label holds half a character (a lone surrogate): {error.object!r}; "
            "replace it"
        ) from None


def kept_columns(
    source: object,
    names: Sequence[str] | None,
    leave_out: Collection[str],
    tell: Progress | None = None,
) -> tuple[list[Column], list[Note]]:
    """Return the columns of a table but those that are left out, which need not be readable."""
    left_out = check_left_out(leave_out)
    if not left_out:
        return columns_of(source, names, None, tell)
    skipped: list[Note] = []
    columns, notes = columns_of(source, names, skipped, tell)
    if wrong := [note for note in skipped if note.column not in left_out]:
        raise DataError(sentences(wrong, in_python)[0].words)
    Choice(None, left_out).among([*(c.name for c in columns), *(str(n.column) for n in skipped)])
    return [column for column in columns if column.name not in left_out], notes


def _columns_of(
    source: object,
    names: Sequence[str] | None,
    skipped: list[Note] | None,
    tell: Progress | None = None,
) -> tuple[list[Column], list[Note]]:
    if isinstance(source, np.ndarray):
        return _columns_of_array(source, names, skipped), []
    if names is not None:
        raise ParameterError(
            "names= goes with a NumPy array; rename the columns of a frame or dict in place"
        )
    if isinstance(source, Mapping):
        texts, notes = _as_text(list(source))
        columns = dict(zip(texts, source.values(), strict=True))
        return _columns_of_dict(columns, skipped), notes
    try:
        frame = nw.from_native(source, pass_through=True)
        if not isinstance(frame, nw.DataFrame):
            return _columns_in_batches(source, skipped, tell)
        names_found = frame.columns
    except DuplicateError:
        check_names(_native_names(source))
        raise
    texts, notes = _as_text(names_found)
    if notes:  # only frames like those of pandas have such names
        frame = nw.from_native(frame.to_native().set_axis(texts, axis=1), eager_only=True)
    return _encoded(texts, lambda name: encode_series(name, frame[name]), skipped), notes


def _columns_in_batches(
    source: Any, skipped: list[Note] | None, tell: Progress | None
) -> tuple[list[Column], list[Note]]:
    batches = batches_of(source)
    if batches is None:
        raise DataError(
            f"cannot read a table from {type(source).__name__}; give a pandas, polars or pyarrow "
            "frame, a stream of Arrow, a dict of columns, or a two-dimensional NumPy array with "
            "names="
        )
    notes: list[Note] = []

    def encode(batch: Any) -> list[Column]:
        columns, notes[:] = _columns_of(batch, None, skipped)
        return columns

    parts = getattr(source, "npartitions", None)  # of Dask
    return columns_of_batches(batches, encode, tell, parts), notes


def _encoded(
    names: Iterable[str], encode: Callable[[str], Column], skipped: list[Note] | None
) -> list[Column]:
    if skipped is None:
        return list(map(encode, names))
    columns = []
    for name in names:
        try:
            columns.append(encode(name))
        except ColumnError as error:
            skipped.append(error.note)
    return columns


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


def _columns_of_dict(source: Mapping[str, Any], skipped: list[Note] | None) -> list[Column]:
    columns = _encoded(source, lambda name: _encode_values(name, source[name]), skipped)
    usual = max(Counter(column.n_rows for column in columns).items(), key=_often, default=(0, 0))[0]
    for column in columns:
        if column.n_rows == usual:
            continue
        if skipped is None:
            raise DataError(
                f'column "{column.name}" has {column.n_rows:,} values and others have {usual:,}; '
                "all columns must be of one length"
            )
        lengths = (f"{column.n_rows:,}", f"{usual:,}")
        skipped.append(Note("unreadable", column.name, "length", examples=lengths))
    return [column for column in columns if column.n_rows == usual]


def _often(length: tuple[int, int]) -> int:
    return length[1]


def _encode_values(name: str, values: Any) -> Column:
    if isinstance(values, np.ndarray):
        if values.ndim != 1:
            words = f'column "{name}" has {values.ndim} dimensions; it must have one'
            raise ColumnError(words, _no_list(name, f"{values.ndim} dimensions"))
        return encode_array(name, values)
    if isinstance(values, (list, tuple, range)):
        return encode_objects(name, values)
    series = nw.from_native(_as_series(values), series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        return encode_series(name, series)
    what = type(values).__name__
    words = f'column "{name}" is of type {what}; give a list, an array or a series'
    raise ColumnError(words, _no_list(name, what))


def _as_series(values: Any) -> Any:
    """Return an array or index of pandas, or an array of pyarrow, as a series; others as is."""
    library = type(values).__module__.partition(".")[0]
    if not hasattr(values, "__len__") or hasattr(values, "iloc") or hasattr(values, "chunks"):
        return values
    if library == "pandas":
        return sys.modules["pandas"].Series(values)
    if library == "pyarrow" and hasattr(values, "dictionary_encode"):
        return sys.modules["pyarrow"].chunked_array([values])
    return values


def _no_list(name: str, what: str) -> Note:
    return Note("unreadable", name, "shape", examples=(what,))


def _columns_of_array(
    array: NDArray[Any], names: Sequence[str] | None, skipped: list[Note] | None
) -> list[Column]:
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
    numbers = {name: number for number, name in enumerate(names)}
    return _encoded(names, lambda name: encode_array(name, array[:, numbers[name]]), skipped)
