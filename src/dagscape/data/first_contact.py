"""How an ordinary messy file is read at once: see `first_sight`, which looks at its columns."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from dagscape.control.limits import Progress
from dagscape.data.cell_rules import CellRules
from dagscape.data.column_files import columns_as_written
from dagscape.data.column_names import renamed
from dagscape.data.columns import ColumnError
from dagscape.data.first_sight import FirstSight, look_at, new_names
from dagscape.data.formats import MISSING_VALUES, SHEETS, may_be_text, split_ending
from dagscape.data.many_files import files_of
from dagscape.data.oddities import means_missing
from dagscape.data.sniff import first_lines, has_names, names_of, separator_of, usual_separator
from dagscape.files.endings import TEXT
from dagscape.notes import Note


def contact_with_file(
    path: str | os.PathLike[str],
    given: Mapping[str, Any],
    *,
    kept: Collection[str] = (),
    wanted: Collection[str] | None = None,
    progress: Progress | None = None,
) -> FirstSight:
    """Look at a file once; settings that are given stay as they are.

    ``kept`` are columns of which something is said, which are not judged, ``wanted`` the only ones
    to be read. ``progress`` hears how many rows are read.
    """
    settings = dict(given)
    notes: list[Note] = []
    file = files_of(path)[0]
    ending, _ = split_ending(file)
    if settings.get("separator") or may_be_text(ending):
        notes += _sniffed(file, settings)
    elif ending in SHEETS:
        settings["repair_names"] = True
    unreadable: list[Note] = []
    gaps: list[str] = []
    left_out = list(settings.get("leave_out") or ())
    while True:
        try:
            seen = columns_as_written(path, CellRules.of(settings), left_out, gaps, progress)
            break
        except ColumnError as error:
            among = error.note.examples[1:]  # numbers, too many of them to be held as text
            if among and among[0] not in gaps and means_missing(among[0], ()):
                gaps.append(among[0])
                continue
            unreadable.append(error.note)
            left_out.append(str(error.note.column))
    if gaps:
        settings["missing_values"] = [*(settings.get("missing_values") or MISSING_VALUES), *gaps]
        notes.append(Note("read_as", how="words", examples=tuple(gaps)))
    looked_at = [each for each in seen.columns if wanted is None or each.name in wanted]
    found = look_at(looked_at, settings, kept, unreadable)
    return FirstSight(found.settings, (*notes, *found.notes), seen)


def _sniffed(file: Path, settings: dict[str, Any]) -> list[Note]:
    """Settle how the cells of a text file are separated, and what they are called."""
    notes: list[Note] = []
    text, usual = first_lines(file), usual_separator(file)
    if settings.get("separator") is None:
        mark = separator_of(text, usual)
        if mark != usual or split_ending(file)[0] not in TEXT:
            settings["separator"] = mark
        if mark != usual:
            notes.append(Note("read_as", how="separator", examples=(mark,)))
    names = names_of(text, settings.get("separator") or usual)
    if not settings.get("header", True):
        return notes
    if not has_names(names):
        settings["header"] = False
        notes.append(Note("read_as", how="header", examples=tuple(names[:3]) or ("",)))
    elif len(names) > 1 and (better := renamed(names)) is not None:
        nameless = sum(not name.strip() for name in names)
        if 2 * nameless < len(names):  # else the first line is a title, or the last of one
            settings["repair_names"] = True
            notes.append(new_names(names, better))
    return notes
