"""Text in blocks of whole records, and a strict reader that finds the line that is wrong.

polars parses the blocks; this module cuts them and, when something does not add up, says where.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, NamedTuple

import numpy as np

from dagscape import words
from dagscape.errors import DataError

BLOCK_BYTES = 2 << 20  # measured: larger ones cost memory and save little time
LONGEST_RECORD = 64 << 20  # an open quotation mark would otherwise swallow the file


class Block(NamedTuple):
    """Bytes that begin and end with whole records, and the number of their first line."""

    data: bytes
    line: int


class Record(NamedTuple):
    """The cells of one record, the line it begins on, and where it ends in the text."""

    cells: list[str]
    line: int
    end: int


def blocks(stream: IO[bytes], size: int = BLOCK_BYTES) -> Iterator[Block]:
    """Cut a stream into blocks; line breaks inside quotation marks do not end a record."""
    held: list[bytes] = []
    amount, line = 0, 1
    for more in _pieces(stream, size):
        held.append(more)
        amount += len(more)
        # Where no record ends, what is held is not looked through again and again.
        if amount <= LONGEST_RECORD and not (b"\n" in more and more.strip(b"\r\n")):
            continue
        data = b"".join(held)
        end = _last_record_end(data)
        if end == 0 and amount > LONGEST_RECORD:
            if b'"' in data:
                raise DataError(f"line {line}: the quotation mark opened here is never closed")
            raise DataError(
                f"line {line}: a row, or blank lines, go on for more than "
                f"{words.size(LONGEST_RECORD)}; this is not a table"
            )
        held, data, more = [data[end:]], data[:end], b""  # one copy at a time
        amount = len(held[0])
        if data:
            yield Block(data, line)
            line += data.count(b"\n")
    if rest := b"".join(held):
        yield Block(rest, line)


def _pieces(stream: IO[bytes], size: int) -> Iterator[bytes]:
    """Yield a stream piece by piece, with usual line ends where old Macs' are the only ones."""
    more = stream.read(size)
    old = b"\r" in more[:-1] and b"\n" not in more
    while more:
        yield more.replace(b"\r", b"\n") if old else more
        more = stream.read(size)


def _last_record_end(data: bytes) -> int:
    """Return the end of the last record that ends for certain and is not followed by nothing.

    Blank lines at the end stay with the last record, so that the caller can judge them.
    """
    end = data.rfind(b"\n", 0, len(data.rstrip(b"\r\n"))) + 1
    if data.count(b'"', 0, end) % 2 == 0:
        return end
    # An odd number of marks before a line break puts it inside a quoted cell: the last break with
    # an even number is the one before the line on which that cell was opened.
    bytes_ = np.frombuffer(data, np.uint8, end)
    breaks = np.flatnonzero(bytes_ == ord("\n"))
    marks = np.searchsorted(np.flatnonzero(bytes_ == ord('"')), breaks)
    outside = breaks[marks % 2 == 0]
    return int(outside[-1]) + 1 if len(outside) else 0


def records(text: str, separator: str, line: int = 1) -> Iterator[Record]:
    """Split text into records, strictly; a stray quotation mark is a DataError."""
    mark = re.escape(separator)
    cell = re.compile(rf'(?:"([^"]*(?:""[^"]*)*)"|([^"\n{mark}]*))({mark}|\r?\n|\Z)')
    cells: list[str] = []
    first, position = line, 0
    while position < len(text) or cells:
        found = cell.match(text, position)
        if found is None:
            raise DataError(
                f"line {line}: a quotation mark is open or out of place; put quotation marks "
                "around the whole cell, and double those inside it"
            )
        quoted, plain, end = found.groups()
        cells.append(plain.removesuffix("\r") if quoted is None else quoted.replace('""', '"'))
        line += found.group().count("\n")
        position = found.end()
        if end != separator:
            yield Record(cells, first, position)
            cells, first = [], line


def marks_fit(data: bytes, separator: str) -> bool:
    """Say whether quotation marks only open, close or stand doubled within whole cells.

    polars reads a cell such as ""a"" as it pleases; here it is refused.
    """
    padded = np.frombuffer(b"\n" + data + b"\n\n", dtype=np.uint8)
    marks = np.flatnonzero(padded == ord('"'))
    if len(marks) % 2:
        return False
    edges = (ord(separator), ord("\n"), ord('"'))  # a mark beside a mark is half of a doubled one
    before, after = padded[marks[::2] - 1], padded[marks[1::2] + 1]
    returns = (after == ord("\r")) & (padded[marks[1::2] + 2] == ord("\n"))
    return bool(np.isin(before, edges).all() and (np.isin(after, edges) | returns).all())


def decode(block: Block) -> str:
    """Return a block as text, or say on which line it is not UTF-8."""
    try:
        return block.data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = block.data[: error.start]
        line = block.line + before.count(b"\n")
        column = error.start - (before.rfind(b"\n") + 1) + 1
        raise DataError(
            f"line {line}, byte {column}: not UTF-8 (byte 0x{block.data[error.start]:02x}); "
            "save the file as UTF-8"
        ) from None


def explain(block: Block, separator: str, width: int) -> DataError:
    """Return what is wrong with a block that did not parse into rows of ``width`` cells."""
    try:
        text = decode(block)
        for record in records(text, separator, block.line):
            if len(record.cells) < width and record.end == len(text) and text[-1] != "\n":
                return DataError(
                    f"line {record.line} has {_cells(len(record.cells))} and the header has "
                    f"{width}; it is the last, and the file seems to be cut short: fetch or write "
                    "it again, or fix the line"
                )
            if len(record.cells) != width:
                return DataError(
                    f"line {record.line} has {_cells(len(record.cells))} and the header has "
                    f"{width}; fix the line, or put quotation marks around a cell that contains "
                    "the separator"
                )
    except DataError as error:
        return error
    last = block.line + block.data.count(b"\n")
    return DataError(f"lines {block.line} to {last} cannot be read as a table")


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"
