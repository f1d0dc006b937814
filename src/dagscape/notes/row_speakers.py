"""What notes say of what columns say of the rows."""

from __future__ import annotations

from collections.abc import Sequence

from dagscape.notes.note import Note
from dagscape.notes.speakers import Many, Spell
from dagscape.notes.speakers import _column as named
from dagscape.words import counted


def _weights(group: Sequence[Note], _: Spell) -> str:
    note = group[0]
    rows = counted(note.counts["rows"], "row")
    return f"each row occurs as often as column {named(note)} says: {rows} in all"


def _survey_weights(group: Sequence[Note], _: Spell) -> str:
    note = group[0]
    rows = counted(note.counts["rows"], "row")
    return (
        f"each row counts by the survey weights of column {named(note)}; {rows} tell as much as "
        f"{note.counts['effective']:,} of equal weights would, and probabilities are approximate"
    )


def _clusters(group: Sequence[Note], _: Spell) -> str:
    note = group[0]
    rows = counted(note.counts["rows"], "row")
    return (
        f"rows with the same value of column {named(note)} belong together: {rows}, "
        f"{note.counts['clusters']:,} values"
    )


def _groups(group: Sequence[Note], _: Spell) -> str:
    note = group[0]
    return (
        f"each of the {note.counts['groups']:,} values of column {named(note)} has parameters of "
        "its own, in one network"
    )


TOGETHER: dict[str, Many] = {
    "weights": _weights,
    "survey_weights": _survey_weights,
    "clusters": _clusters,
    "groups": _groups,
}
"""Groups of notes that make one sentence."""
