"""Parquet and Arrow files: some rows of a few columns at a time, by the types that they declare."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import narwhals as nw
import polars as pl
from polars.exceptions import PolarsError

from dagscape.data.build import check_names
from dagscape.data.columns import Column
from dagscape.data.encode import encode_series, unusable
from dagscape.data.text_tables import Choice
from dagscape.errors import DataError

MOST_DIGITS = 38
"""Digits of a decimal number that polars can hold; more end the process that reads them."""
ROWS_AT_ONCE = 1 << 20
CELLS_AT_ONCE = 2 * ROWS_AT_ONCE  # as strings they are larger than as codes
# Columns that hardly change pack well, but not as well as this. Tables of so many cells are read
# whatever the size of their file.
_CELLS_PER_BYTE = 1_000
_CELLS_AT_LEAST = 250_000_000


def typed_columns(
    file: Path, choice: Choice, tell_rows: Callable[[int], object] = int
) -> Iterator[Column]:
    """Yield pieces of the chosen columns of a file: all of the first rows, then of the next.

    ``tell_rows`` is called first, with how many rows there are.
    """
    try:
        lazy = _scan(file)
        schema = lazy.collect_schema()
        names = schema.names()
        check_names(names)
        chosen = [names[number] for number in choice.among(names)]
        for name in chosen:
            kind = schema[name]
            if isinstance(kind, pl.Decimal) and kind.precision > MOST_DIGITS:
                raise unusable(name, str(kind))
        n_rows = int(lazy.select(pl.len()).collect().item())
        if n_rows * len(chosen) > max(_CELLS_AT_LEAST, _CELLS_PER_BYTE * file.stat().st_size):
            raise DataError(f"the file says that it has {n_rows:,} rows, far too many for its size")
        tell_rows(n_rows)
        width = max(1, CELLS_AT_ONCE // min(ROWS_AT_ONCE, max(1, n_rows)))
        for row in range(0, max(1, n_rows), ROWS_AT_ONCE):
            rows = lazy.slice(row, ROWS_AT_ONCE)
            for first in range(0, len(chosen), width):
                for series in rows.select(chosen[first : first + width]).collect():
                    yield encode_series(series.name, nw.from_native(series, series_only=True))
    except PolarsError as error:
        reason = str(error).partition("\n")[0]
        raise DataError(f"the file cannot be read ({reason}); write it again") from None


def _scan(file: Path) -> pl.LazyFrame:
    with file.open("rb") as stream:
        start = stream.read(4)
    if start == b"PAR1":
        return pl.scan_parquet(file, glob=False)
    streamed = start == b"\xff\xff\xff\xff"
    if not streamed and not any(mark in str(file) for mark in "*?["):
        return pl.scan_ipc(file)
    # Read as a whole, for polars would take such a name for a pattern of many.
    with file.open("rb") as stream:
        return (pl.read_ipc_stream if streamed else pl.read_ipc)(stream).lazy()
