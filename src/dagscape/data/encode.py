"""From the values of one column, in whatever form, to its levels or numbers."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from dagscape.data.columns import (
    MAX_STATES,
    Column,
    ColumnError,
    Levels,
    Numbers,
    code_type,
    too_many_states,
)
from dagscape.errors import DataError
from dagscape.notes import Note
from dagscape.speech import leave_out

LONGEST_SHOWN = 60
"""Letters of a value that a sentence repeats."""


def encode_series(name: str, series: nw.Series[Any]) -> Column:
    """Encode a column of a frame by its declared type."""
    dtype = series.dtype
    if dtype == nw.Categorical or isinstance(dtype, nw.Enum):
        return _encode_categories(name, series)
    if dtype == nw.String:
        return encode_strings(name, _as_polars(name, series))
    if dtype == nw.Boolean:
        return _encode_integers(name, *_filled(series, False))
    if dtype.is_integer():
        return _encode_integers(name, *_filled(series, 0))
    if dtype.is_float() or dtype.is_decimal():
        return Numbers(name, np.array(series.cast(nw.Float64).to_numpy(), dtype=np.float64))
    if series.is_null().all():
        return _all_missing(name, len(series))
    if dtype == nw.Unknown and hasattr(series.to_native(), "sparse"):
        return encode_array(name, series.to_native().sparse.to_dense().to_numpy())
    if dtype == nw.Object:
        return encode_objects(name, _nulls_as_none(series))
    if dtype.is_temporal() and dtype != nw.Duration:
        return encode_dates(name, _nulls_as_none(series))
    native: Any = series.to_native()
    what = dtype if dtype != nw.Unknown else getattr(native, "dtype", None) or native.type
    raise unusable(name, str(what), series.drop_nulls().head(1).to_list())


def encode_array(name: str, values: NDArray[Any]) -> Column:
    """Encode a one-dimensional NumPy array."""
    if isinstance(values, np.ma.MaskedArray):
        return encode_objects(name, values.tolist())  # masked becomes None
    kind = values.dtype.kind
    if kind in "biu":
        return _encode_integers(name, values, None)
    if kind == "f":
        return Numbers(name, values.astype(np.float64))
    if kind in "UT":
        return encode_strings(name, pl.Series(values.tolist(), dtype=pl.String))
    if kind == "O":
        return encode_objects(name, values.tolist())
    if kind == "M":
        return encode_dates(name, [None if np.isnat(x) else x for x in values])
    raise unusable(name, str(values.dtype), values[:1].tolist())


def encode_strings(name: str, series: pl.Series) -> Levels:
    """Encode a polars series of strings; nulls are missing."""
    distinct = series.drop_nulls().unique(maintain_order=True)
    if len(distinct) > MAX_STATES:
        raise too_many_states(name, len(distinct))
    labels = tuple(distinct.to_list())
    codes = series.cast(pl.Enum(distinct)).to_physical().cast(pl.UInt32).fill_null(len(labels))
    small = codes.to_numpy().astype(code_type(len(labels) + 1))
    return Levels(name, small, labels, "label")


def encode_objects(name: str, values: Sequence[object]) -> Column:
    """Encode Python objects, which must all be of one kind; None and NaN are missing."""
    there = [value for value in values if not _is_missing(value)]
    if not there:
        return _all_missing(name, len(values))
    classes = set(map(type, there))
    if all(issubclass(each, str) for each in classes):
        texts = [None if _is_missing(value) else str(value) for value in values]
        return encode_strings(name, pl.Series(texts, dtype=pl.String))
    if all(issubclass(each, (bool, np.bool_)) for each in classes):
        return _encode_repeated(name, values, "label")
    if any(issubclass(each, (bool, np.bool_)) for each in classes):
        raise _mixed(name, there)
    if all(issubclass(each, (int, np.integer)) for each in classes):
        return _encode_repeated(name, values, "integer")
    if all(issubclass(each, (int, float, Decimal, np.integer, np.floating)) for each in classes):
        numbers = (np.nan if _is_missing(value) else value for value in values)
        return Numbers(name, np.fromiter(numbers, dtype=np.float64, count=len(values)))
    if all(issubclass(each, (datetime.date, datetime.time)) for each in classes):
        return encode_dates(name, values)
    if len(classes) == 1:
        raise unusable(name, classes.pop().__name__, there[:1])
    raise _mixed(name, there)


def encode_dates(name: str, values: Sequence[object]) -> Levels:
    """Encode dates and times as text; what becomes of them is settled later."""
    texts = [None if _is_missing(value) else str(value).replace("T", " ") for value in values]
    column = encode_strings(name, pl.Series(texts, dtype=pl.String))
    return replace(column, kind="date")


def _encode_repeated(name: str, values: Sequence[object], kind: Any) -> Levels:
    distinct = dict.fromkeys(value for value in values if not _is_missing(value))
    if len(distinct) > MAX_STATES:
        raise too_many_states(name, len(distinct))
    position = {value: code for code, value in enumerate(distinct)}
    codes = (len(position) if _is_missing(value) else position[value] for value in values)
    array = np.fromiter(codes, dtype=code_type(len(position) + 1), count=len(values))
    return Levels(name, array, tuple(map(str, distinct)), kind)


def _encode_integers(name: str, values: NDArray[Any], holes: NDArray[np.bool_] | None) -> Column:
    """Encode integers or booleans; ``holes`` marks the missing ones."""
    there = values if holes is None else values[~holes]
    if not len(there):
        return _all_missing(name, len(values))
    distinct, inverse = _distinct_integers(there)
    if len(distinct) > MAX_STATES:
        numbers = values.astype(np.float64)
        if holes is not None:
            numbers[holes] = np.nan
        return Numbers(name, numbers, whole=True)
    codes = np.full(len(values), len(distinct), dtype=code_type(len(distinct) + 1))
    codes[slice(None) if holes is None else ~holes] = inverse
    kind: Any = "label" if values.dtype.kind == "b" else "integer"
    return Levels(name, codes, tuple(map(str, distinct.tolist())), kind)


def _distinct_integers(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the sorted distinct values, and where each value is among them."""
    low, high = int(values.min()), int(values.max())
    if values.dtype.kind == "b" or high - low >= 16 * MAX_STATES:
        distinct, inverse = np.unique(values, return_inverse=True)
        return distinct, inverse
    # A narrow range needs no sorting, which is what takes the time.
    wide = values if values.dtype == np.uint64 else values.astype(np.int64)
    offsets = (wide - wide.dtype.type(low)).astype(np.intp)
    seen = np.zeros(high - low + 1, dtype=np.bool_)
    seen[offsets] = True
    distinct = np.flatnonzero(seen).astype(wide.dtype) + wide.dtype.type(low)
    return distinct, (np.cumsum(seen) - 1)[offsets]


def _encode_categories(name: str, series: nw.Series[Any]) -> Levels:
    """Encode a categorical with the levels it declares, in its order, used or not.

    A polars Categorical (unlike an Enum) declares none: there the levels that occur are taken.
    """
    native: Any = series.to_native()
    in_pyarrow = series.implementation.is_pyarrow()
    if series.implementation.is_pandas_like():
        if hasattr(native, "cat"):
            return _from_codes(name, native.cat.codes.to_numpy(), native.cat.categories)
        native, in_pyarrow = native.array.__arrow_array__(), True  # a dictionary of pyarrow
    if in_pyarrow:
        whole = native.unify_dictionaries().combine_chunks()
        chunks = whole.chunks if hasattr(whole, "chunks") else [whole]
        signed = [chunk.indices.cast("int64").fill_null(-1) for chunk in chunks]
        codes = [indices.to_numpy(zero_copy_only=False) for indices in signed]
        levels = chunks[0].dictionary.to_pylist() if chunks else []
        return _from_codes(name, np.concatenate([*codes, np.empty(0, np.int64)]), levels)
    if isinstance(series.dtype, nw.Enum):
        codes = native.to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
        return _from_codes(name, codes, native.dtype.categories.to_list())
    return encode_strings(name, _as_polars(name, series.cast(nw.String)))


def _from_codes(name: str, codes: NDArray[Any], levels: Iterable[object]) -> Levels:
    """Encode codes among declared levels; -1 is missing."""
    labels = tuple(map(str, levels))
    if len(set(labels)) != len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        note = Note("unreadable", name, "categories", examples=(twice,))
        words = f'column "{name}" has two categories that read "{twice}"; rename one'
        raise ColumnError(words, note)
    if len(labels) > MAX_STATES:
        raise too_many_states(name, len(labels))
    filled = np.where(codes < 0, len(labels), codes).astype(code_type(len(labels) + 1))
    return Levels(name, filled, labels, "label", declared=True)


def _as_polars(name: str, series: nw.Series[Any]) -> pl.Series:
    native: Any = series.to_native()
    if series.implementation.is_polars():
        return native  # type: ignore[no-any-return]
    if series.implementation.is_pyarrow():
        return pl.Series(pl.from_arrow(native)).cast(pl.String)
    return pl.Series(name, _nulls_as_none(series), dtype=pl.String)


def _nulls_as_none(series: nw.Series[Any]) -> list[object]:
    # pandas alone has None, NaN, NaT and NA for a value that is not there.
    holes = series.is_null().to_list()
    return [None if hole else value for value, hole in zip(series.to_list(), holes, strict=True)]


def _filled(series: nw.Series[Any], filler: int) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    holes = series.is_null().to_numpy()
    if not holes.any():
        return series.to_numpy(), None
    return series.fill_null(filler).to_numpy(), holes


def _is_missing(value: object) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):  # those of pandas
        return True
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def _all_missing(name: str, n_rows: int) -> Levels:
    return Levels(name, np.zeros(n_rows, dtype=np.uint8), (), "label")


def unusable(name: str, what: str, first: Sequence[object] = ()) -> DataError:
    """Return the error for a column whose values are no states."""
    note = Note("unreadable", name, "type", examples=(what,))
    return ColumnError(
        f'column "{name}" holds values of type {what}, which are not states; '
        f"convert it to strings, integers or booleans, or {leave_out(name)}",
        Note("dates", name, examples=(str(first[0]),)) if what.startswith("period") else note,
    )


def _mixed(name: str, values: Sequence[object]) -> DataError:
    first = values[0]
    other = next(value for value in values if type(value) is not type(first))
    shown = (repr(first)[:LONGEST_SHOWN], repr(other)[:LONGEST_SHOWN])
    return ColumnError(
        f'column "{name}" mixes values of different types, such as {first!r} and {other!r}; '
        "convert it to one type",
        Note("unreadable", name, "types", examples=shown),
    )
