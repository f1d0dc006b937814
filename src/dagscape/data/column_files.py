"""The columns of files: text with a header line, Parquet, Arrow, one after another."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from dagscape.control.limits import Progress
from dagscape.data.cell_rules import CellRules
from dagscape.data.cells import Spelling
from dagscape.data.columns import Column, ColumnError
from dagscape.data.formats import MISSING_VALUES, check_signature, split_ending, unknown_ending
from dagscape.data.many_files import files_of
from dagscape.data.other_programs import OTHERS, columns_of_other
from dagscape.data.reader_process import SHARED
from dagscape.data.rows_read import RowsRead
from dagscape.data.seen_file import SeenFile, without_usual
from dagscape.data.streams import Growing
from dagscape.data.text_tables import Choice, check_left_out, read_text
from dagscape.errors import DataError
from dagscape.files.compression import open_binary
from dagscape.files.endings import ARROW, PARQUET, TEXT


def read_columns(path: str | os.PathLike[str]) -> list[Column]:
    """Read the columns of a file as they are, with their gaps."""
    return columns_of_file(path)


def columns_of_file(
    path: str | os.PathLike[str], *, leave_out: Collection[str] = (), **rules: Any
) -> list[Column]:
    """Read the columns of a file as :func:`read_data` does, before they are made a table.

    ``rules`` are those of its settings that say how cells are written.
    """
    choice = Choice(None, check_left_out(leave_out))
    return read_all(files_of(path), CellRules.check(**rules), choice)


def columns_as_written(
    path: str | os.PathLike[str],
    rules: CellRules,
    left_out: Collection[str] = (),
    gaps: Collection[str] = (),
    tell: Progress | None = None,
) -> SeenFile:
    """Read the columns of a file with their cells as they are spelled, but for usual gaps.

    ``gaps`` are further words for these.
    """
    words = frozenset({*MISSING_VALUES, *gaps})
    spelled = replace(rules, spelling=Spelling(words), dates=())
    columns = read_all(files_of(path), spelled, Choice(None, left_out), tell)
    return SeenFile(path, spelled, tuple(left_out), columns)


def read_all(
    files: Sequence[Path], rules: CellRules, choice: Choice, tell: Progress | None = None
) -> list[Column]:
    """Read the columns of files that follow each other."""
    growing, read = Growing(), RowsRead(tell, files)
    for file in files:
        with naming(file):
            growing.add(read_one(file, rules, choice, read))
        read.next_file()
    with naming(files[0]):
        return rules.spread(growing.finish())


@contextmanager
def naming(file: Path) -> Iterator[None]:
    """Let errors say which file they are about."""
    try:
        yield
    except ColumnError as error:
        raise ColumnError(f'in "{file.name}": {error}', error.note) from error.__cause__
    except DataError as error:
        raise DataError(f'in "{file.name}": {error}') from error.__cause__
    except OSError as error:
        raise DataError(f'cannot read "{file}": {error.strerror or error}') from error


def read_one(
    file: Path, rules: CellRules, choice: Choice, read: RowsRead | None = None
) -> list[Column]:
    """Read the chosen columns of one file, before dates are spread."""
    read = read or RowsRead()
    ending, compression = split_ending(file)
    spelling = rules.spelling
    if ending in (*PARQUET, *ARROW) and not compression:
        with file.open("rb") as stream:
            start = _start(stream)
        check_signature(file, start, (".parquet" if ending in PARQUET else ".arrow",))
        added = without_usual(spelling)
        return [added.read(column) for column in SHARED.columns(file, choice, read.at)]
    if ending in OTHERS and not compression:
        others = columns_of_other(file, choice, repair_names=rules.repair_names)
        return [spelling.read(column) for column in others]
    mark = rules.separator or TEXT.get(ending)
    if mark is None:
        raise unknown_ending(file, reading=True)
    if compression:
        with file.open("rb") as stream:
            check_signature(file, _start(stream), (compression,))
    with open_binary(file, "rb") as stream:
        check_signature(file, _start(stream), ("",))
        columns = read_text(
            stream,
            mark,
            spelling,
            choice,
            header=rules.header,
            repair=rules.repair_names,
            tell=read.at,
            size=None if compression else file.stat().st_size,
        )
        return [spelling.read(column) for column in columns]


def _start(stream: IO[bytes]) -> bytes:
    start = stream.read(16)
    stream.seek(0)
    return start
