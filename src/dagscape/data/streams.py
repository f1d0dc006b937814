"""Tables that come in parts: Arrow streams, frames that are not computed yet, several files.

Each part is turned into codes at once, so that memory stays near the size of the codes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from dagscape.control.limits import Progress
from dagscape.data.columns import Column
from dagscape.data.join_columns import JoinedColumn
from dagscape.data.rows_read import RowsRead
from dagscape.errors import DagscapeError, DataError

ROWS_AT_ONCE = 1 << 16
"""Rows that are held as their source has them; short batches are put together until they have as
many, since each takes its time whatever it holds."""


class Growing:
    """The columns of a table of which parts come one after another."""

    def __init__(self) -> None:
        self.rows = 0
        self._columns: dict[str, JoinedColumn] = {}

    def add(self, part: list[Column]) -> None:
        """Take the columns of the next rows, which must be those of the rows before.

        The list is emptied, to keep memory low.
        """
        self.rows += part[0].n_rows
        if not self._columns:
            self._columns = {column.name: JoinedColumn(column) for column in part}
            return
        if odd := self._columns.keys() ^ {column.name for column in part}:
            where = "this part has not" if min(odd) in self._columns else "those before it have not"
            raise DataError(f'all parts must have the same columns, and "{min(odd)}" {where}')
        while part:
            column = part.pop()
            self._columns[column.name].add(column)

    def add_piece(self, piece: Column) -> None:
        """Take the next rows of one column."""
        if piece.name in self._columns:
            self._columns[piece.name].add(piece)
        else:
            self._columns[piece.name] = JoinedColumn(piece)
        self.rows = max(self.rows, self._columns[piece.name].n_rows)

    def finish(self) -> list[Column]:
        """Return the whole columns."""
        growing, self._columns = list(self._columns.values()), {}
        return [growing.pop(0).finish() for _ in range(len(growing))]


def batches_of(source: Any) -> Iterator[Any] | None:
    """Return the frames that a table comes in; None if it is nothing that comes in parts."""
    if hasattr(source, "collect_batches"):  # polars
        batches: Iterator[Any] = source.collect_batches(chunk_size=ROWS_AT_ONCE)
        return batches
    if hasattr(source, "partitions") and hasattr(source, "npartitions"):  # Dask
        return (source.partitions[number].compute() for number in range(source.npartitions))
    if hasattr(source, "scanner"):  # a dataset of pyarrow
        return _batches_of_arrow(source.scanner().to_reader())
    if hasattr(source, "__arrow_c_stream__"):
        return _batches_of_arrow(source)
    return None


def _batches_of_arrow(source: Any) -> Iterator[Any]:
    try:
        import pyarrow as pa
    except ImportError:
        import polars as pl

        yield pl.DataFrame(source)  # polars reads a stream as a whole
        return
    waiting: list[Any] = []
    rows = 0
    reader = pa.RecordBatchReader.from_stream(source)
    for batch in reader:
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= ROWS_AT_ONCE:
            yield pa.Table.from_batches(waiting)
            waiting, rows = [], 0
    yield pa.Table.from_batches(waiting, reader.schema)


def columns_of_batches(
    batches: Iterator[Any],
    encode: Callable[[Any], list[Column]],
    tell: Progress | None = None,
    parts: int | None = None,
) -> list[Column]:
    """Return the columns of all batches; ``encode`` gives those of one.

    ``tell`` hears how many rows are read, and which share that is if the number of parts is known.

    A stream that breaks off is an error that says after how many rows: a part of a table must not
    pass for the whole.
    """
    growing, read, number = Growing(), RowsRead(tell), 0
    while True:
        try:
            batch = next(batches, None)
        except (DagscapeError, MemoryError):
            raise
        except Exception as error:
            said = str(error).partition("\n")[0].partition(". Detail: ")[0][:200]
            raise DataError(
                f"the table ended with an error after {growing.rows:,} rows "
                f"({said or type(error).__name__}); nothing is taken from a part of it"
            ) from error
        if batch is None:
            return growing.finish()
        growing.add(encode(batch))
        number += 1
        read.at(growing.rows, None if parts is None else number / parts)
