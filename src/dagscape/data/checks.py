"""All that is wrong with a table, at once, and the one call that reads it well."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dagscape.data.cell_rules import CellRules, check_separator
from dagscape.data.check_result import Check
from dagscape.data.closer_look import looked_over
from dagscape.data.column_files import columns_as_written
from dagscape.data.column_names import in_words, names_as_given, renamed, renamed_note, with_names
from dagscape.data.columns import Column, ColumnError
from dagscape.data.copies import near_copies
from dagscape.data.data import Data
from dagscape.data.formats import MISSING_VALUES, may_be_text, split_ending
from dagscape.data.frames import columns_of
from dagscape.data.inspection import ColumnNotes, count_gaps, holds, inspect, spelled_with_comma
from dagscape.data.labels import spells_number
from dagscape.data.many_files import find
from dagscape.data.oddities import FEW_ROWS
from dagscape.data.read import read_data
from dagscape.data.sniff import first_lines, has_names, names_of, separator_of, usual_separator
from dagscape.data.tables import TableLike
from dagscape.errors import DataError, ParameterError
from dagscape.files.endings import TEXT
from dagscape.notes import DEPENDENT, Note, is_copy, mended_by

HARMLESS = ("separator", "header", "decimal", "trim", "missing_values")
"""Settings that change how a table is written and not what it says."""

AFTER_READING = ("copy", "sum_of_others", "far_values", "names_are_values", "one_column")
"""Kinds of notes that are looked for in a table once it is read."""

WHY_LEFT_OUT = ("not_cut", "identifier", "many_states", "dates", "decimal_commas", "infinite")
"""Kinds of notes that say what is wrong with all of a column: one of them is enough."""


def check(table: TableLike, *, separator: str | None = None) -> Check:
    """Look for everything that may be wrong with a table, and report it all at once.

    Separators, a missing line of names, names that cannot be used, decimal commas, blanks around
    labels, numbers spelled in several ways or with stray text among them, gaps and how they are
    spelled, identifiers, constants, dates, columns with many states for the rows or of a type that
    cannot be used, and near copies of other columns. The table itself stays as it is.

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
        it, and `command` and `call` have them filled in. What these leave out is little to learn
        from: constants, identifiers, columns of dates or of very many states, and copies: columns
        that say the same as another in every row, as states or as numbers up to scale, where that
        cannot be chance. No row of the table tells such columns apart.

    Examples
    --------
    >>> import dagscape as ds
    >>> found = ds.check({"answer": ["yes", "no ", "n/a", "no"] * 5, "site": ["A"] * 20})
    >>> print(found.call)
    ds.Data(frame, trim=True, missing_values=["n/a"], leave_out=["site"], missing="keep")
    >>> print(found.notes[0].kind, found.notes[0].counts["cells"])
    blanks 5
    """
    if isinstance(table, Data):
        return _of_data(table)
    if not isinstance(table, str | os.PathLike):
        return _of_frame(table)
    return _of_file(Path(table), separator)


def _of_frame(table: Any) -> Check:
    names = names_as_given(table)
    notes: list[Note] = []
    better = None
    source = table
    if names == []:
        return _refusing("the table has no columns")
    if names is not None and (better := renamed(names)) is not None:
        notes.append(renamed_note(names, better))
        source = with_names(table, better)
    unreadable: list[Note] = []
    columns, named = columns_of(source, None, unreadable)
    notes += [*named, *unreadable]
    left_out = [str(note.column) for note in unreadable]

    return _Checking(columns, notes, {}, None, left_out, in_words(table, better)).check()


def _of_file(path: Path, separator: str | None) -> Check:
    check_separator(separator)
    file = find(path)
    settings: dict[str, Any] = {}
    notes: list[Note] = []
    header, better = True, None
    ending, _ = split_ending(file)
    left_out: list[str] = []
    try:
        if separator is not None or may_be_text(ending):
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
            elif len(names) > 1 and (better := renamed(names)) is not None:
                notes.append(renamed_note(names, better))
        while True:
            try:
                rules = CellRules.check(
                    settings.get("separator"), header=header, repair_names=better is not None
                )
                columns = columns_as_written(file, rules, left_out).columns
                break
            except ColumnError as error:
                notes.append(error.note)
                left_out.append(str(error.note.column))
    except (DataError, ParameterError) as error:
        return _refusing(str(error), notes, settings, path, len(left_out))
    return _Checking(columns, notes, settings, path, left_out).check()


def _refusing(
    why: str,
    notes: Sequence[Note] = (),
    settings: Mapping[str, Any] = MappingProxyType({}),
    path: Path | None = None,
    columns: int = 0,
) -> Check:
    """Return what is known of a table that cannot be looked at."""
    known = MappingProxyType(dict(settings))
    return Check(tuple(notes), known, known, columns=columns, path=path, refused=why)


@dataclass
class _Checking:
    """A table on its way to a :class:`Check`."""

    columns: list[Column]
    notes: list[Note]
    settings: dict[str, Any]
    path: Path | None
    left_out: list[str]
    """At first columns that cannot be read."""
    frame: str = "frame"
    """The table in Python, where it is none of a file."""

    def check(self) -> Check:
        """Return what is wrong with the table."""
        columns, unreadable = self.columns, tuple(self.left_out)
        rows = columns[0].n_rows if columns else 0
        if not rows:
            why = "the table has no rows" if columns else "no column of the table can be read"
            width = len(columns) + len(unreadable)
            return _refusing(why, self.notes, self.settings, self.path, width)
        commas = self.settings.get("separator") == ";" or any(map(spelled_with_comma, columns))
        found = {column.name: inspect(column, commas=commas) for column in columns}
        self._keep_values(found)
        self._note(found, rows)
        harmless = self._spell(found)
        refused, data = self._read(found)
        if data is not None:
            self.notes += [note for note in looked_over(data).notes if note.kind in DEPENDENT]
        dropped = (
            sum(n.counts["dropped"] for n in data.notes if n.kind == "rows_dropped") if data else 0
        )
        return Check(
            tuple(self.notes),
            MappingProxyType(self.settings),
            MappingProxyType(harmless),
            rows,
            len(columns) + len(unreadable),
            self.path,
            refused,
            dropped,
            tuple(self.left_out),
            unreadable,
            tuple(columns),
            self.frame,
        )

    def _keep_values(self, found: Mapping[str, ColumnNotes]) -> None:
        """Take no word for a missing value that is a value of another column.

        The settings are for all columns: where one has -9 for a gap, another may have it as such.
        """
        columns = {column.name: column for column in self.columns}

        def is_value(word: str, name: str) -> bool:
            each = found[name]
            known = word in (*each.missing_values, *each.doubtful_values)
            return not known and not each.leave_out and holds(columns[name], word)

        for name, each in found.items():
            if taken := [w for w in each.doubtful_values if any(is_value(w, x) for x in found)]:
                each.doubtful_values = [w for w in each.doubtful_values if w not in taken]
                each.leave_out = each.leave_out or (
                    each.continuous and not all(map(spells_number, taken))
                )
                count_gaps(columns[name], each)

    def _note(self, found: Mapping[str, ColumnNotes], rows: int) -> None:
        """Note what is wrong with single columns, and which are copies."""
        if rows < FEW_ROWS:
            self.notes.append(Note("few_rows", counts={"rows": rows}))
        for each in found.values():
            self.notes += each.notes
        self.left_out += [name for name, each in found.items() if each.leave_out]
        states = {
            name: codes
            for name, each in found.items()
            if not each.leave_out and not each.continuous and (codes := each.codes) is not None
        }
        copies = list(near_copies(states))
        self.notes += copies
        self.left_out += [str(note.column) for note in copies if is_copy(note)]
        if set(self.left_out) >= set(found):  # then only what cannot be read
            self.left_out = [
                name for name in self.left_out if name not in found or found[name].gaps == rows
            ]

    def _spell(self, found: Mapping[str, ColumnNotes]) -> dict[str, Any]:
        """Settle how cells are spelled; return what of it is harmless."""
        settings = self.settings
        if any(each.decimal == "," for each in found.values()):
            settings["decimal"] = ","
        if any(each.trim for each in found.values()):
            settings["trim"] = True
        usual = () if self.path is None else MISSING_VALUES
        plain = _words(found, doubtful=False)
        harmless = dict(settings) | ({"missing_values": [*usual, *plain]} if plain else {})
        if words := _words(found, doubtful=True):
            settings["missing_values"] = [*usual, *words]
        return harmless

    def _read(self, found: Mapping[str, ColumnNotes]) -> tuple[str, Data | None]:
        """Read the table with the settings, and without what keeps it from being read.

        Return the error that remains, and the table if there is none.
        """
        while True:
            kept = {name: each for name, each in found.items() if name not in self.left_out}
            if not kept:
                return "no column is left to learn from", None
            self._settle(kept)
            try:
                data = self._tried()
            except ColumnError as error:
                said = (note.kind for note in self.notes if note.column == error.note.column)
                if not set(said) & set(WHY_LEFT_OUT):
                    self.notes.append(error.note)
                self.left_out.append(str(error.note.column))
                continue
            except DataError as error:
                return str(error), None
            told = self._told()
            more = [note for note in data.notes if note.kind in AFTER_READING]
            if self.left_out:  # then it is the settings that leave one
                more = [note for note in more if note.kind != "one_column"]
            more = [note for note in more if (note.kind, note.column) not in told]
            self.notes += more
            copies = [str(note.column) for note in more if note.kind == "copy"]
            if not copies:
                return "", data
            self.left_out += copies

    def _told(self) -> set[tuple[str, str | None]]:
        return {(note.kind, note.column) for note in self.notes}

    def _settle(self, kept: Mapping[str, ColumnNotes]) -> None:
        """Settle what is left out, which strings are numbers, and what becomes of gaps."""
        changing = {
            "leave_out": list(self.left_out),
            "kinds": {name: "continuous" for name, each in kept.items() if each.as_text},
            "missing": _policy(list(kept.values())),
        }
        for name, value in changing.items():
            self.settings.pop(name, None)
            if value:
                self.settings[name] = value

    def _tried(self) -> Data:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if self.path is not None and not any(note.kind == "renamed" for note in self.notes):
                return read_data(self.path, **self.settings)
            kept = [column for column in self.columns if column.name not in self.left_out]
            return Data._read(kept, self.settings)


def _of_data(data: Data) -> Check:
    """Return what is to be looked at in a table that was read already: nothing is read again."""
    notes = tuple(note for note in looked_over(data).notes if note.level != "fact")
    settings = mended_by(notes)
    if set(settings.get("leave_out", ())) >= set(data.names):
        del settings["leave_out"]
    harmless = {name: value for name, value in settings.items() if name in HARMLESS}
    return Check(
        notes,
        MappingProxyType(settings),
        MappingProxyType(harmless),
        data.n_rows,
        data.n_variables,
        left_out=tuple(settings.get("leave_out", ())),
        _frame="",
    )


def _words(found: Mapping[str, ColumnNotes], *, doubtful: bool) -> list[str]:
    words: dict[str, None] = {}
    for each in found.values():
        words |= dict.fromkeys(each.missing_values)
        if doubtful:
            words |= dict.fromkeys(each.doubtful_values)
    return list(words)


def _policy(kept: Sequence[ColumnNotes]) -> str:
    """Return what to do with gaps: keep them, as learn does."""
    return "keep" if any(each.gaps for each in kept) else ""
