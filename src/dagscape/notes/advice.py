"""What notes ask for: in a few words, and as settings by which the table would be read again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dagscape.notes.note import Note
from dagscape.words import counted, first_of

SHOWN = 3
"""Columns to be named for each kind."""

BRIEFLY = {
    "rows_dropped": "rows dropped",
    "missing_cells": "cells filled in",
    "not_cut": "text among numbers",
    "missing_words": "words for a missing value",
    "blanks": "blanks around states",
    "constant": "the same value in every row",
    "dates": "dates",
    "decimal_commas": "decimal commas",
    "many_integers": "whole numbers as states",
    "far_values": "numbers far from all others",
    "copy": "copies of other columns",
    "sum_of_others": "sums of other columns",
    "names_are_values": "names that are values too",
    "one_column": "a single column",
    "few_rows": "few rows",
    "empty_rows": "empty rows",
    "separator": "another separator",
    "no_header": "no line of names",
    "no_values": "no values at all",
    "identifier": "identifiers",
    "many_states": "many states for the rows",
    "number_codes": "numbers that may stand for a missing value",
    "twin_numbers": "numbers spelled in several ways",
    "twin_words": "states that differ only in case",
    "near_copy": "near copies of other columns",
    "gaps": "missing values",
    "infinite": "infinite values",
    "unreadable": "columns that cannot be read",
    "renamed": "names that cannot be kept",
    "neighbors_alike": "rows that seem to depend on their neighbors",
    "rows_copied": "rows that seem to be copied",
    "rows_repeat": "rows that repeat too often",
    "rows_share": "rows that seem to be of the same subjects",
    "rows_weighted": "weights that may be no counts",
    "rows_dependent": "rows that depend on each other",
    "left_out": "columns left out",
    "always_set": "variables set in every row",
}
"""Every kind that is more than a fact."""

LEFT_OUT = ("constant", "no_values", "identifier", "copy")
"""Kinds whose columns have nothing to tell that the rest of the table does not."""
REPEATED = 3
"""Cells in which a number must stand to be taken for a code: in fewer it may be a value far off."""
WORDS = ("missing_words", "number_codes")
"""Kinds whose examples may stand for a missing value."""


def in_brief(notes: Iterable[Note]) -> str:
    """Return what is to be looked at in one line: kinds, each with some of its columns."""
    groups: dict[str, list[str]] = {}
    for note in notes:
        if note.level != "fact":
            columns = groups.setdefault(note.kind, [])
            if note.column is not None:
                columns.append(note.column)
    said = []
    for kind, columns in groups.items():
        where = f" ({first_of(columns, SHOWN)})" if columns else ""
        said.append(f"{BRIEFLY[kind]}{where}")
    return f"{counted(len(said), 'thing')} to look at in the table: {'; '.join(said)}"


def is_copy(note: Note) -> bool:
    """Tell whether a column tells the same as another in every row."""
    return note.kind == "near_copy" and note.counts["agree"] == note.counts["rows"]


def repeats(note: Note) -> bool:
    """Tell whether numbers set apart are so frequent that they are codes rather than values."""
    return note.counts["cells"] >= REPEATED * len(note.examples)


def mended_by(notes: Iterable[Note]) -> dict[str, Any]:
    """Return the settings of :func:`dagscape.read_data` that would mend what notes are about."""
    settings: dict[str, Any] = {}
    words: dict[str, None] = {}
    left_out: dict[str, None] = {}
    for note in notes:
        if note.kind in WORDS and (note.kind != "number_codes" or repeats(note)):
            words |= dict.fromkeys(example.strip() for example in note.examples)
        if note.kind == "blanks":
            settings["trim"] = True
        if note.kind == "decimal_commas" and not note.how:
            settings["decimal"] = ","
        if note.column is not None and (note.kind in LEFT_OUT or is_copy(note)):
            left_out[note.column] = None
    if words:
        settings["missing_values"] = list(words)
    if left_out:
        settings["leave_out"] = list(left_out)
    return settings
