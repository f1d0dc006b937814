"""The sentences of notes on how a table was read where nobody said how."""

from __future__ import annotations

from collections.abc import Sequence

from dagscape.notes.check_speakers import MARKS, ways_to_group
from dagscape.notes.note import Note
from dagscape.notes.speakers import Many, Spell
from dagscape.notes.speakers import _column as named
from dagscape.notes.speakers import _values as values
from dagscape.words import counted, first_of

LISTED = 20
"""Columns that a sentence names: nothing is done in silence."""

WHY = {
    "identifier": "it looks like an identifier",
    "subjects": "it names whom rows are about",
    "dates": "dates or times",
    "many_states": "too many states to learn from",
    "not_cut": "text among numbers, or around them",
    "decimal_commas": "numbers with commas, of decimals or of thousands",
    "infinite": "infinite numbers",
    "no_values": "no values at all",
    "unreadable": "neither states nor numbers, or far too many values",
}


def _read_as(group: Sequence[Note], _: Spell) -> str:
    said = []
    for note in group:
        if note.how == "separator":
            said.append(f"cells are separated by {MARKS.get(note.examples[0], note.examples[0])}")
        elif note.how == "header":
            said.append(
                f"the first line looks like values ({values(note)}), so columns are called X1, X2, "
                "..."
            )
        elif note.how == "words":
            said.append(f"{values(note)} among very many numbers is a gap, in all columns")
        else:
            several = len(note.examples) > 1
            who = "columns without a name of their own" if several else "a column without a name"
            said.append(f"{who} got one: {values(note)}")
    return "; ".join(said)


def _left_out(group: Sequence[Note], spell: Spell) -> str:
    columns = []
    for note in group:
        shown = f", such as {values(note)}" if note.examples else ""
        columns.append(f"{named(note)} ({WHY.get(note.how, note.how)}{shown})")
    words = f"left out: {first_of(columns, LISTED)}"
    dated = next((note.column for note in group if note.how == "dates"), None)
    if dated is not None and (parts := spell("dates", {dated: "days+weekday"})):
        words += f"; to have parts of dates, give {parts}"
    subjects = next((note for note in group if note.how == "subjects"), None)
    if subjects is not None and (option := spell("clusters", str(subjects.column))):
        words += (
            f"; if rows with the same {named(subjects)} belong together "
            f"({subjects.counts['states']:,} in {counted(subjects.counts['rows'], 'row')}), give "
            f"{option}"
        )
    many = next((note for note in group if note.how == "many_states" and note.counts), None)
    if many is not None and (ways := ways_to_group(many, spell)):
        words += f"; join states of {named(many)} to learn from it, or {', or '.join(ways)}"
    return words


def _in_columns(group: Sequence[Note], *, shown: bool = True) -> str:
    return first_of(
        [
            f"{named(note)} ({f'{values(note)}; ' if shown else ''}"
            f"{counted(note.counts['cells'], 'cell')})"
            for note in group
        ],
        LISTED,
    )


def _gaps(group: Sequence[Note], _: Spell) -> str:
    return f"words taken for a missing value: {_in_columns(group)}"


def _trimmed(group: Sequence[Note], _: Spell) -> str:
    return f"blanks taken away around values: {_in_columns(group, shown=False)}"


def _commas(group: Sequence[Note], _: Spell) -> str:
    return f"decimal commas read as points: {_in_columns(group)}"


def _bounds(group: Sequence[Note], spell: Spell) -> str:
    half = any(note.how == "half" for note in group)
    read = "what is below a limit as half of it, other bounds as the limit" if half else "the limit"
    other = spell("bounds", "limit") if half else ""
    return (
        f"bounds read as numbers, {read}: {_in_columns(group)}"
        f"{other and f'; to have the limits themselves, give {other}'}"
    )


TOGETHER: dict[str, Many] = {
    "read_as": _read_as,
    "left_out": _left_out,
    "words_for_gaps": _gaps,
    "trimmed": _trimmed,
    "commas_read": _commas,
    "bounds_read": _bounds,
}
