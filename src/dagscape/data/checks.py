"""All that is wrong with a table, at once, and the one call that reads it well."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl

from dagscape.data.cells import Spelling
from dagscape.data.closer import looked_over
from dagscape.data.columns import Column, Levels
from dagscape.data.copies import near_copies
from dagscape.data.data import Data
from dagscape.data.formats import MISSING_VALUES, split_ending
from dagscape.data.frames import columns_of
from dagscape.data.inspection import Inspected, inspect
from dagscape.data.oddities import FEW_ROWS
from dagscape.data.read import columns_as_written, find, read_data
from dagscape.data.sniff import first_lines, has_names, names_of, separator_of, usual_separator
from dagscape.data.tables import TableLike
from dagscape.data.write import write_frame
from dagscape.errors import DataError
from dagscape.files.endings import TEXT
from dagscape.notes import Note, Said, is_copy, mended_by, sentences
from dagscape.speech import in_python, in_shell, spoken

MOST_DROPPED = 0.1
"""The share of rows that may be dropped because of gaps before something else is suggested."""

HARMLESS = ("separator", "header", "decimal", "trim", "missing_values")
"""Settings that change how a table is written and not what it says."""


@dataclass(frozen=True)
class Check:
    """What is wrong with a table, and the settings that mend it; see :func:`check`."""

    notes: tuple[Note, ...]
    """Every problem, as data."""
    settings: Mapping[str, Any]
    """What :func:`read_data` needs to read the table well, or :class:`Data` for a frame."""
    harmless: Mapping[str, Any]
    """Those of the settings that only mend the spelling: what :meth:`write` applies."""
    rows: int = 0
    columns: int = 0
    path: Path | None = None
    """The file; None for a table in memory."""
    refused: str = ""
    """What still keeps the table from being read with these settings; "" if nothing does."""
    _columns: tuple[Column, ...] = field(default=(), repr=False, compare=False)
    _frame: str = field(default="frame", repr=False, compare=False)

    def __bool__(self) -> bool:
        """Tell whether anything is to be looked at."""
        return bool(self.notes) or bool(self.refused)

    @property
    def sentences(self) -> tuple[str, ...]:
        """A sentence for each problem; one for many columns with the same."""
        return tuple(said.words for said in self._said())

    def _said(self) -> list[Said]:
        return sentences(self.notes, in_python if spoken() is None else in_shell)

    @property
    def call(self) -> str:
        """The call in Python that reads the table with all settings."""
        name = self._frame if self.path is None else _in_python(str(self.path))
        given = [f"{key}={_in_python(value)}" for key, value in self.settings.items()]
        function = "ds.Data" if self.path is None else "ds.read_data"
        return f"{function}({', '.join([name, *given])})"

    @property
    def command(self) -> str:
        """The command that learns from the table with all settings; "" for one in memory."""
        if self.path is None:
            return ""
        return " ".join(["dagscape learn", quote(str(self.path)), *_options(self.settings)])

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the table with what is harmless mended, and all else as it is.

        Cells lose blanks at their ends, words for a missing value become empty cells, decimal
        commas points, and numbers that were spelled in several ways are spelled in one.
        """
        if not self._columns:
            raise DataError(self.refused or "the table could not be read")
        spelling = Spelling.check(
            self.harmless.get("missing_values", ()),
            self.harmless.get("trim", False),
            self.harmless.get("decimal", "."),
        )
        made = {column.name: _as_text(spelling.read(column)) for column in self._columns}
        write_frame(pl.DataFrame(made), path)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values that JSON can hold."""
        return {
            "file": None if self.path is None else str(self.path),
            "rows": self.rows,
            "columns": self.columns,
            "problems": [
                {"words": said.words, "notes": [note.to_dict() for note in said.notes]}
                for said in self._said()
            ],
            "settings": _plain(self.settings),
            "harmless": sorted(self.harmless),
            "refused": self.refused,
            "command": self.command,
            "call": self.call,
        }

    def __str__(self) -> str:
        size = f"{self.rows:,} rows, {self.columns:,} columns"
        lines = [*self.sentences, *([f"still in the way: {self.refused}"] if self.refused else [])]
        if not lines:
            return f"{size}: nothing to mend\n{self.command or self.call}"
        return "\n".join([f"{size}: {len(lines)} to look at", *lines, self.command or self.call])


def check(table: TableLike, *, separator: str | None = None) -> Check:
    """Look for everything that may be wrong with a table, and say it at once.

    Separators, a missing line of names, decimal commas, blanks around labels, numbers spelled in
    several ways or with stray text among them, gaps and how they are spelled, identifiers,
    constants, dates, columns with many states for the rows, and near copies of other columns. The
    table itself stays as it is.

    Parameters
    ----------
    table
        A path, a frame, a dict of columns or an array. Of :class:`Data` only what is left after
        reading can be found, in little time: `settings` are those to read it with again.
    separator
        Of a text file; found by itself where it is not given.

    Returns
    -------
    Check
        True if there is something to look at. `notes` and `sentences` say what; `settings` mend
        it, and `command` and `call` have them filled in.

    Examples
    --------
    >>> import dagscape as ds
    >>> found = ds.check({"answer": ["yes", "no ", "n/a", "no"] * 5, "site": ["A"] * 20})
    >>> found.call
    'ds.Data(frame, trim=True, missing_values=["n/a"], missing="keep")'
    >>> print(found.notes[0].kind, found.notes[0].counts["cells"])
    blanks 5
    """
    if isinstance(table, Data):
        return _of_data(table)
    if not isinstance(table, str | os.PathLike):
        columns, named = columns_of(table, None)
        of_pandas = type(table).__module__.startswith("pandas")
        drop = "frame.drop(columns={})" if of_pandas else "frame.drop({})"
        return _checked(columns, named, {}, None, drop if hasattr(table, "drop") else "")
    path = Path(table)
    file = find(path)
    settings: dict[str, Any] = {}
    notes: list[Note] = []
    header = True
    ending, _ = split_ending(file)
    try:
        if separator is not None or ending in TEXT or ending in (".txt", ".dat", ".data", ""):
            text = first_lines(file)
            usual = usual_separator(file)
            mark = separator or separator_of(text, usual)
            names = names_of(text, mark)
            header = has_names(names)
            if mark != usual or ending not in TEXT:
                settings["separator"] = mark
            if mark != usual and separator is None:
                notes.append(Note("separator", examples=(mark,)))
            if not header:
                settings["header"] = False
                notes.append(Note("no_header", examples=tuple(names[:3])))
        columns = columns_as_written(file, settings.get("separator"), header=header)
    except DataError as error:
        return Check(
            tuple(notes),
            MappingProxyType(settings),
            MappingProxyType(settings),
            path=path,
            refused=str(error),
        )
    return _checked(columns, notes, settings, path)


def _checked(
    columns: list[Column],
    notes: list[Note],
    settings: dict[str, Any],
    path: Path | None,
    frame: str = "",
) -> Check:
    found = {column.name: inspect(column) for column in columns}
    rows = columns[0].n_rows
    if rows < FEW_ROWS:
        notes.append(Note("few_rows", counts={"rows": rows}))
    for each in found.values():
        notes += each.notes
    left_out = [name for name, each in found.items() if each.leave_out]
    copies = list(
        near_copies(
            {
                name: each.codes
                for name, each in found.items()
                if each.codes is not None and not each.leave_out
            }
        )
    )
    notes += copies
    left_out += [note.column for note in copies if note.column is not None and is_copy(note)]
    if any(each.decimal == "," for each in found.values()):
        settings["decimal"] = ","
    if any(each.trim for each in found.values()):
        settings["trim"] = True
    usual = () if path is None else MISSING_VALUES
    plain = _words(found, doubtful=False)
    harmless = dict(settings) | ({"missing_values": [*usual, *plain]} if plain else {})
    if words := _words(found, doubtful=True):
        settings["missing_values"] = [*usual, *words]
    if len(left_out) == len(columns) or (path is None and not frame.startswith("frame")):
        left_out = []
    if left_out and path is not None:
        settings["leave_out"] = left_out
    elif left_out:
        frame = frame.format(_in_python(left_out))
    kept = {name: each for name, each in found.items() if name not in left_out}
    if policy := _policy(list(kept.values()), rows):
        settings["missing"] = policy
    refused = _refused(columns, settings, path, left_out)
    return Check(
        tuple(notes),
        MappingProxyType(settings),
        MappingProxyType(harmless),
        rows,
        len(columns),
        path,
        refused,
        tuple(columns),
        frame if left_out else "frame",
    )


def _of_data(data: Data) -> Check:
    """Return what is to be looked at in a table that was read already: nothing is read again."""
    notes = tuple(note for note in looked_over(data).notes if note.level != "fact")
    settings = mended_by(notes)
    harmless = {name: value for name, value in settings.items() if name in HARMLESS}
    return Check(
        notes,
        MappingProxyType(settings),
        MappingProxyType(harmless),
        data.n_rows,
        data.n_variables,
    )


def _words(found: Mapping[str, Inspected], *, doubtful: bool) -> list[str]:
    words: dict[str, None] = {}
    for each in found.values():
        words |= dict.fromkeys(each.missing_values)
        if doubtful:
            words |= dict.fromkeys(each.doubtful_values)
    return list(words)


def _policy(kept: Sequence[Inspected], rows: int) -> str:
    """Return what to do with gaps: keep them, as learn does, unless there are numbers.

    Beside numbers they cannot be kept: rows are dropped if these are few, else cells are filled.
    """
    if not kept:
        return ""
    holed = np.logical_or.reduce([each.gaps for each in kept])
    if not holed.any():
        return ""
    if not any(each.continuous for each in kept):
        return "keep"
    if holed.sum() <= MOST_DROPPED * rows:
        return "drop"
    return "random" if any(each.continuous and each.gaps.any() for each in kept) else "state"


def _refused(
    columns: Sequence[Column], settings: Mapping[str, Any], path: Path | None, left_out: list[str]
) -> str:
    """Return the error that remains when the table is read with all settings."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if path is not None:
                read_data(path, **settings)
            else:
                kept = [column for column in columns if column.name not in left_out]
                Data._read(kept, settings)
    except DataError as error:
        return str(error)
    return ""


def _as_text(column: Column) -> pl.Series:
    if not isinstance(column, Levels):
        return pl.Series(column.name, column.values, nan_to_null=True)
    labels = [_number(label) for label in column.labels]
    return pl.Series(column.name, [*labels, None], dtype=pl.String).gather(
        column.codes.astype(np.int64)
    )


def _number(label: str) -> str:
    """Return a whole number without a point: "1" for "1.0"."""
    whole, point, rest = label.partition(".")
    return whole if point and whole.lstrip("+-").isdigit() and not rest.strip("0") else label


def _options(settings: Mapping[str, Any]) -> list[str]:
    """Return settings as options of a command."""
    words: list[str] = []
    for name, value in settings.items():
        if name == "leave_out":
            words += [f"--leave-out {quote(column)}" for column in value]
        elif name == "missing_values":
            added = [word for word in value if word not in MISSING_VALUES and "," not in word]
            words += [f"--na={quote(','.join(added))}"] if added else []
        elif name == "header":
            words.append("--no-header")
        elif name == "trim":
            words.append("--trim")
        else:
            words.append(f"--{name} {'tab' if value == chr(9) else quote(value)}")
    return words


def _in_python(value: object) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t") + '"'
    if isinstance(value, list | tuple):
        if tuple(value[: len(MISSING_VALUES)]) == MISSING_VALUES:
            rest = ", ".join(map(_in_python, value[len(MISSING_VALUES) :]))
            return f"[*ds.MISSING_VALUES, {rest}]"
        return f"[{', '.join(map(_in_python, value))}]"
    return repr(value)


def _plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()
    }
