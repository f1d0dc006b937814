"""Sentences made of notes, for whoever reads them.

Advice names a setting in the words of the place where the sentence is read, which a function
spells: ``missing="mode"`` in Python, ``--missing mode`` in a shell, nothing on a page.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from dagscape.notes import (
    check_speakers,
    first_speakers,
    gap_speakers,
    row_speakers,
    speakers,
)
from dagscape.notes.note import Note
from dagscape.notes.speakers import NAMED, Spell

TOGETHER = (
    speakers.TOGETHER
    | check_speakers.TOGETHER
    | gap_speakers.TOGETHER
    | row_speakers.TOGETHER
    | first_speakers.TOGETHER
)
BY_COLUMN = speakers.BY_COLUMN | check_speakers.BY_COLUMN


class Sentence(NamedTuple):
    """A sentence, and the notes it was made of."""

    words: str
    notes: tuple[Note, ...]

    @property
    def loud(self) -> bool:
        """Whether it must not be overlooked."""
        return any(note.loud for note in self.notes)


def sentences(notes: Iterable[Note], spell: Spell) -> list[Sentence]:
    """Return what notes say; where many columns have the same note, all of them in one sentence."""
    groups: dict[str, list[Note]] = {}
    for note in notes:
        groups.setdefault(_group(note), []).append(note)
    said: list[Sentence] = []
    for name, group in groups.items():
        if name in TOGETHER:
            said.append(Sentence(TOGETHER[name](group, spell), tuple(group)))
            continue
        one, many = BY_COLUMN[name]
        if len(group) > NAMED:
            said.append(Sentence(many(group, spell), tuple(group)))
        else:
            said += [Sentence(one(note, spell), (note,)) for note in group]
    return said


def in_no_words(_setting: str, *_values: object) -> str:
    """Write no setting at all, for readers who cannot change one."""
    return ""


def _group(note: Note) -> str:
    """Return which notes share a sentence: missing cells go with what became of them."""
    if note.kind == "not_cut":
        return speakers.mixture_of(note)
    if note.kind == "missing_cells":
        return "rows_dropped" if note.how == "drop" else f"filled by {note.how}"
    return note.kind
