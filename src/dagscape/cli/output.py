"""Where words go: data to stdout, everything else to stderr."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from shlex import join
from typing import Any, Literal

import typer

import dagscape as ds
from dagscape.cli.file_kinds import is_text
from dagscape.files.spreadsheets import guarded
from dagscape.notes import AT_FIRST_SIGHT, in_no_words, sentences
from dagscape.speech import in_shell
from dagscape.words import printable

_CONTROLS = re.compile("[\x7f-\x9f]")
"""Commands of terminals that JSON would leave as they are."""


def emit(text: str) -> None:
    """Write a line, or several, to stdout, as UTF-8 wherever it goes.

    A terminal is shown what it would take for commands.
    """
    if sys.stdout.isatty():
        lines = (line.split("\t") for line in text.split("\n"))
        text = "\n".join("\t".join(map(printable, cells)) for cells in lines)
    # Half characters, which odd file names contain, become escapes that JSON understands.
    typer.echo(f"{text}\n".encode("utf-8", "backslashreplace"), nl=False)


def emit_file(name: str, write: Callable[[Path], object]) -> None:
    """Write to stdout what a file of this name would hold, byte for byte; but see `emit`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        write(path)
        with path.open("rb") as file:
            if not sys.stdout.isatty():
                shutil.copyfileobj(file, typer.get_binary_stream("stdout"))
                return
            for line in io.TextIOWrapper(file, "utf-8", newline="\n"):
                emit(line.removesuffix("\n"))


def emit_json(content: object) -> None:
    """Write JSON to stdout."""
    text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
    emit(_CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def emit_rows(columns: Iterable[str], rows: Iterable[Sequence[str]]) -> None:
    """Write rows to stdout as tab-separated values: a file, where it is sent to one."""
    shown = printable if sys.stdout.isatty() else guarded
    lines = io.StringIO()
    writer = csv.writer(lines, delimiter="\t", lineterminator="\n")
    writer.writerows([shown(cell) for cell in row] for row in (tuple(columns), *rows))
    emit(lines.getvalue().removesuffix("\n"))


def emit_columns(columns: Mapping[str, Sequence[object]]) -> None:
    """Write columns to stdout as :func:`emit_rows` does, with all digits."""
    rows = zip(*columns.values(), strict=True)
    emit_rows(columns, ([_cell(value) for value in row] for row in rows))


def rows_of(columns: Mapping[str, Sequence[object]]) -> list[dict[str, object]]:
    """Return columns as rows by name, as JSON has them."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _cell(value: object) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def emit_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    last: Sequence[str] = (),
    numbers: Collection[str] | None = None,
) -> None:
    """Write rows to stdout: ruled on a terminal, with a last row; else as tab-separated values.

    Of numbers is the last column, if no others are named.
    """
    if not sys.stdout.isatty():
        cells = ([guarded(printable(cell)) for cell in row] for row in (columns, *rows))
        emit("\n".join(map("\t".join, cells)))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, show_footer=bool(last), pad_edge=False)
    for at, title in enumerate(columns):
        right = title in (columns[-1:] if numbers is None else numbers)
        side: Literal["left", "right"] = "right" if right else "left"
        table.add_column(title, last[at] if last else "", justify=side, no_wrap=right)
    for row in rows:
        table.add_row(*map(printable, row))
    Console(markup=False, emoji=False, highlight=False).print(table)


def note(message: str) -> None:
    """Write one line about what happens to stderr."""
    typer.echo(f"dagscape: {printable(message)}", err=True)


def loud_notes(data: ds.Data) -> list[str]:
    """Return what must not be overlooked about a table, in the words of the command line."""
    return [said.words for said in sentences(data.notes, in_shell) if said.loud]


def first_sight(data: ds.Data) -> list[str]:
    """Return how a table was read where nobody said how."""
    told = [note for note in data.notes if note.kind in AT_FIRST_SIGHT and not note.loud]
    return [said.words for said in sentences(told, in_shell)]


def warn_of_losses(data: ds.Data) -> None:
    """Pass on what must not be overlooked about a table, before any work is done on it."""
    for words in loud_notes(data):
        note(f"warning: {words}")


def note_data(data: ds.Data, but: Collection[str] = (), *, advise: bool = True) -> None:
    """Pass on the rest that is to be known of a table; last, so that an error stays one line.

    But for kinds of notes that are said elsewhere. Options are advised only where they can be
    given: not where the table belongs to something that is made already.
    """
    for said in sentences(data.notes, in_shell if advise else in_no_words):
        if not said.loud and said.notes[0].kind not in but:
            note(said.words)


def plain_notes(data: ds.Data) -> list[dict[str, Any]]:
    """Return all that is to be known of a table, as JSON has it."""
    return [each.to_dict() for each in data.notes]


def note_losses(data: ds.Data, written: Path) -> None:
    """Pass on what a text file of a table does not give back."""
    if not is_text(written):
        return
    for sentence in data.lost_as_text:
        note(sentence)


def write_text(path: Path, text: str) -> None:
    """Write a text file under a temporary name and move it into place."""
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file under a temporary name and move it into place."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, path)
    except OSError as error:
        raise ds.ParameterError(f'"{path}" cannot be written: {error.strerror}') from None
    finally:
        temporary.unlink(missing_ok=True)


def origin_of_call(file: str | None) -> dict[str, str]:
    """Return what a page says it was made of: the table's file, if there is one, and this call."""
    command = {"command": join(["dagscape", *sys.argv[1:]])}
    return command if file is None else {"file": file} | command
