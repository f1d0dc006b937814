"""What can be told of a messy table's columns at first sight, and how they are plainly meant.

Blanks, words for a missing value, decimal commas and bounds among numbers are taken for what they
plainly mean. Columns that are no variables are left out: identifiers, dates, text. What could mean
either stays as it is, with the note that says so. No row is left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dagscape.control.limits import Progress
from dagscape.data.blocks import occurrences, recoded
from dagscape.data.cell_rules import CellRules
from dagscape.data.cells import Spelling, bounds_among
from dagscape.data.column_names import names_as_given, renamed, with_names
from dagscape.data.columns import Column, Levels, tells_rows_apart
from dagscape.data.formats import MISSING_VALUES
from dagscape.data.frames import columns_of, kept_columns
from dagscape.data.inspection import ColumnNotes, holds, inspect, spelled_with_comma
from dagscape.data.labels import spells_bound, spells_dates, spells_number
from dagscape.data.oddities import means_missing
from dagscape.data.options import Options
from dagscape.data.roles import Roles
from dagscape.data.seen_file import SeenFile
from dagscape.data.text_tables import Choice, check_left_out
from dagscape.errors import DataError
from dagscape.notes import MOST_EXAMPLES, Note
from dagscape.speech import setting
from dagscape.words import first_of

NO_VARIABLES = (
    *("identifier", "dates", "many_states", "not_cut", "decimal_commas", "infinite"),
    *("no_values", "unreadable"),
)
"""Kinds of notes on columns that are left out, where all of a column is so."""
_SIGN = re.compile(r"[<>≤≥]=?\s*")


@dataclass(frozen=True)
class FirstSight:
    """Settings of :func:`read_data` that read a table as it plainly is meant, and what they do."""

    settings: Mapping[str, Any]
    notes: tuple[Note, ...]
    file: SeenFile | None = None
    """What was read for it, where it is a file."""


def look_at(
    columns: Sequence[Column],
    given: Mapping[str, Any],
    kept: Collection[str] = (),
    unreadable: Sequence[Note] = (),
) -> FirstSight:
    """Look at columns once; settings that are given stay as they are.

    ``kept`` are columns of which something is said, which are not judged.
    """
    return _Look(columns, dict(given), kept, unreadable).done()


def columns_to_build(
    frame: object,
    names: Sequence[str] | None,
    leave_out: Collection[str],
    rules: CellRules,
    options: Options,
    roles: Roles,
    *,
    strict: bool,
    tell: Progress | None,
) -> tuple[list[Column], CellRules, Options, list[Note]]:
    """Return the columns of a frame that are variables, and how they are to be read."""
    if strict:
        columns, notes = kept_columns(frame, names, leave_out, tell)
        return columns, rules, options, notes
    named: list[Note] = []
    given = names_as_given(frame)
    if given and (better := renamed(given)) is not None:
        frame = with_names(frame, better)
        named.append(new_names(given, better))
    gone = check_left_out(leave_out)
    skipped: list[Note] = []
    columns, notes = columns_of(frame, names, skipped, tell)
    Choice(None, gone).among([*(c.name for c in columns), *(str(n.column) for n in skipped)])
    unreadable = [note for note in skipped if note.column not in gone]
    columns = [column for column in columns if column.name not in gone]
    found = look_at(
        columns,
        rules.given
        | {"kinds": options.kinds, "states": options.states, "discretize": options.rules},
        roles.columns,
        unreadable,
    )
    settings = found.settings
    left = [column for column in columns if column.name not in settings.get("leave_out", ())]
    missing = "keep" if options.missing == "error" else options.missing
    options = replace(options, kinds=settings.get("kinds") or {}, missing=missing)
    return left, CellRules.of(settings), options, [*named, *notes, *found.notes]


def new_names(before: Sequence[object], now: Sequence[str]) -> Note:
    """Return the note on columns that got a name of their own."""
    new = [name for old, name in zip(before, now, strict=True) if old != name]
    return Note("read_as", how="names", examples=tuple(new[:MOST_EXAMPLES]))


@dataclass
class _Look:
    """A table on its way to a :class:`FirstSight`."""

    columns: Sequence[Column]
    settings: dict[str, Any]
    kept: Collection[str]
    unreadable: Sequence[Note]
    notes: list[Note] = field(default_factory=list)

    def done(self) -> FirstSight:
        """Return how to read the table."""
        settings = self.settings
        if not self.columns or not self.columns[0].n_rows:
            return FirstSight(settings, ())  # whoever reads it has a sentence for that
        own = frozenset(settings.get("missing_values", ()))
        given = Spelling(own, settings.get("trim", False), settings.get("decimal", "."))
        columns = [given.read(column) for column in self.columns if self._judged(column)]
        certain = settings.get("separator") == ";" or any(map(spelled_with_comma, columns))
        limits = {each.name: signed for each in columns if (signed := _limits(each))}
        plain = [_without_limits(each, limits.get(each.name, set())) for each in columns]
        found = {column.name: inspect(column, commas=certain) for column in plain}
        for each in found.values():
            _take_what_is_plain(each)
        self._keep_values(columns, found)
        self._leave_out(columns, found)
        left = [column for column in columns if not found[column.name].leave_out]
        self._spell(left, found)
        self._read_limits(left, limits)
        return FirstSight(settings, tuple(self.notes))

    def _judged(self, column: Column) -> bool:
        """Tell whether nobody has said yet what becomes of a column."""
        dates = self.settings.get("dates") or ()
        if column.name in self.kept or (isinstance(dates, Mapping) and column.name in dates):
            return False
        labels = column.labels if isinstance(column, Levels) else ()
        return isinstance(dates, Mapping) or not dates or not spells_dates(labels)

    def _keep_values(self, columns: Sequence[Column], found: Mapping[str, ColumnNotes]) -> None:
        """Take no word for a missing value that is a value of another column."""
        for name, each in found.items():
            for word in each.doubtful_values:
                if any(c.name != name and _is_value(word, c) for c in columns):
                    each.leave_out = True
                    break

    def _leave_out(self, columns: Sequence[Column], found: Mapping[str, ColumnNotes]) -> None:
        """Leave out what is no variable, and say why."""
        said = _said_of(self.settings)
        for column in columns:
            each = found[column.name]
            why = [note for note in each.notes if note.kind in NO_VARIABLES]
            size = _size(column)
            no_states = bool(why) and _cannot_be(column, why[-1].kind, size)
            unusable = bool(why) and (each.leave_out or no_states)
            each.leave_out = unusable and column.name not in said
            if each.leave_out:
                shown = why[-1].examples or tuple(each.doubtful_values)
                how = _why(why[-1].kind, size)
                self.notes.append(Note("left_out", column.name, how, size, shown[:3]))
        for note in self.unreadable:
            size = {"states": 0, "rows": self.columns[0].n_rows if self.columns else 0}
            shown = () if note.kind == "unreadable" else note.examples[:3]
            self.notes.append(Note("left_out", note.column, note.kind, size, shown))
        gone = [str(note.column) for note in self.notes]
        if not gone:
            return
        left_out = dict.fromkeys([*self.settings.get("leave_out", ()), *gone])
        if not {column.name for column in self.columns} - {*left_out, *self.kept}:
            raise DataError(
                f"no column is left to learn from: {first_of(gone, MOST_EXAMPLES)} seem to be "
                f"identifiers, dates or text; say what they are by {setting('kinds')}"
            )
        self.settings["leave_out"] = list(left_out)

    def _spell(self, left: Sequence[Column], found: Mapping[str, ColumnNotes]) -> None:
        """Settle how cells are spelled, and say what that changes."""
        settings = self.settings
        each_left = [found[column.name] for column in left]
        words = list(dict.fromkeys(word for each in each_left for word in _words(each)))
        if words:
            usual = settings.get("missing_values", MISSING_VALUES)
            settings["missing_values"] = list(dict.fromkeys([*usual, *words]))
        if any(each.decimal == "," for each in each_left):
            settings["decimal"] = ","
        if any(each.trim for each in each_left):
            settings["trim"] = True
        kinds = {column.name: "continuous" for column in left if found[column.name].as_text}
        if kinds:
            settings["kinds"] = {**(settings.get("kinds") or {}), **kinds}
        for column in left:
            if not isinstance(column, Levels):
                continue
            cells = _cells(column)
            self._tell("words_for_gaps", column, {x for x in cells if x.strip() in words})
            if found[column.name].trim:
                self._tell("trimmed", column, {x for x in cells if x != x.strip()})
            if found[column.name].decimal == ",":
                self._tell("commas_read", column, {x for x in cells if "," in x})

    def _read_limits(self, left: Sequence[Column], limits: Mapping[str, set[str]]) -> None:
        """Settle which numbers bounds are."""
        bounded = [column for column in left if column.name in limits]
        if not bounded:
            return
        if self.settings.get("bounds", "text") == "text":
            self.settings["bounds"] = "half"
        for column in bounded:
            self._tell("bounds_read", column, limits[column.name], self.settings["bounds"])

    def _tell(self, kind: str, column: Column, labels: Collection[str], how: str = "") -> None:
        """Note what becomes of cells of a column that are labeled so, if there are any."""
        assert isinstance(column, Levels), "only text is spelled"  # noqa: S101
        cells = _cells(column)
        if at := [label for label in cells if label in labels or label.strip() in labels]:
            counts = {"cells": sum(cells[label] for label in at)}
            self.notes.append(Note(kind, column.name, how, counts, tuple(at[:MOST_EXAMPLES])))


def _said_of(settings: Mapping[str, Any]) -> set[str]:
    """Return the columns whose kind, states or cuts are given."""
    given = (settings.get(name) for name in ("kinds", "states", "discretize"))
    return {name for each in given if isinstance(each, Mapping) for name in each}


def _words(each: ColumnNotes) -> list[str]:
    return [*each.missing_values, *each.doubtful_values]


def _is_value(word: str, column: Column) -> bool:
    """Tell whether a column has a word, and does not mean a missing value by it."""
    if not holds(column, word):
        return False
    return not means_missing(word, column.labels if isinstance(column, Levels) else ())


def _cells(column: Levels) -> dict[str, int]:
    """Return how often each label occurs, of those that do."""
    counts = occurrences(column.codes, len(column.labels) + 1)
    return {label: int(n) for label, n in zip(column.labels, counts, strict=False) if n}


def _size(column: Column) -> dict[str, int]:
    if isinstance(column, Levels):
        states = len(_cells(column))
    else:
        states = len(np.unique(column.values[~column.missing()]))
    return {"states": states, "rows": column.n_rows}


def _cannot_be(column: Column, kind: str, size: Mapping[str, int]) -> bool:
    """Tell whether dates are refused as states: of a frame always, of text if few repeat."""
    if kind != "dates" or not isinstance(column, Levels):
        return False
    return column.kind == "date" or tells_rows_apart(size["states"], size["rows"])


def _why(kind: str, size: Mapping[str, int]) -> str:
    """Return why a column is left out; an identifier that repeats names subjects."""
    repeats = 2 * size["states"] <= size["rows"]
    return "subjects" if kind == "identifier" and repeats else kind


def _take_what_is_plain(each: ColumnNotes) -> None:
    """Take words among numbers for missing ones; what may be a value of states stays one."""
    words = [word for word in each.doubtful_values if not spells_number(word)]
    each.doubtful_values = words if each.continuous else []


def _limits(column: Column) -> set[str]:
    """Return the bounds of a column that has numbers beside, words for a missing value apart."""
    if not isinstance(column, Levels) or column.declared:
        return set()
    texts = {label.strip() for label in column.labels}
    if not any(map(spells_bound, texts)):
        return set()
    all_ = tuple(texts)
    return bounds_among({x for x in texts if not means_missing(x, all_)}, commas=True)


def _without_limits(column: Column, limits: Collection[str]) -> Column:
    """Return a column with numbers for its bounds, so that it can be judged as one of numbers."""
    if not limits or not isinstance(column, Levels):
        return column
    bare = [_SIGN.sub("", label) if label.strip() in limits else label for label in column.labels]
    labels = tuple(dict.fromkeys(bare))
    place = {label: code for code, label in enumerate(labels)}
    table = np.array([*(place[text] for text in bare), len(labels)], dtype=np.uint32)
    return replace(column, codes=recoded(column.codes, table), labels=labels)
