"""The sentences of notes that only a check of a table makes."""

from __future__ import annotations

from collections.abc import Sequence

from dagscape.notes.note import Note
from dagscape.notes.speakers import Many, One, Spell
from dagscape.notes.speakers import _column as named
from dagscape.notes.speakers import _listed as listed
from dagscape.notes.speakers import _values as values
from dagscape.words import counted

MARKS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "blanks"}
LARGE_GROUP = 20
"""Rows of a group, on average, from which on groups are worth naming."""


def _separator(group: Sequence[Note], spell: Spell) -> str:
    mark = group[0].examples[0]
    option = spell("separator", mark)
    return f"cells are separated by {MARKS.get(mark, mark)}{option and f' ({option})'}"


def _no_header(group: Sequence[Note], spell: Spell) -> str:
    option = spell("header")
    give = option and f" ({option}{'' if option.startswith('-') else '=False'})"
    return (
        f"the first line looks like values, not like names ({values(group[0])}); the columns "
        f"are then called X1, X2, ...{give}"
    )


def _no_values(note: Note, _: Spell) -> str:
    return f"column {named(note)} has no values at all"


def _many_without_values(group: Sequence[Note], _: Spell) -> str:
    return f"{len(group):,} columns have no values at all: {listed(list(map(named, group)))}"


def _identifier(note: Note, spell: Spell) -> str:
    states, rows = note.counts["states"], counted(note.counts["rows"], "row")
    several = note.counts["states"] <= note.counts["rows"] / 2
    what = "it names whom or what a row is about" if several else "it looks like an identifier"
    return (
        f"column {named(note)} has {states:,} different values in {rows}, such as {values(note)}: "
        f"{what}, and is no variable; leave it out{_or_name(note, spell) if several else ''}"
    )


def _or_name(note: Note, spell: Spell) -> str:
    """Say what else to do with a column that several rows share."""
    option = spell("clusters", note.column)
    named = f" ({option})" if option else ""
    return f", or, where it says whose a row is, name it{named}, so that such rows count as theirs"


def _identifiers(group: Sequence[Note], _: Spell) -> str:
    columns = listed(list(map(named, group)))
    return f"{len(group):,} columns look like identifiers: {columns}; leave them out"


def _many_states(note: Note, spell: Spell) -> str:
    states, rows = note.counts["states"], counted(note.counts["rows"], "row")
    ways = ["merge some, for each is too rare to learn from", "leave it out"]
    return (
        f"column {named(note)} has {states:,} states in {rows}, "
        f"such as {values(note)}; {', or '.join([*ways, *ways_to_group(note, spell)])}"
    )


def ways_to_group(note: Note, spell: Spell) -> list[str]:
    """Return what else a column of many states can be: what says which rows go together."""
    ways = []
    if option := spell("clusters", note.column):
        ways.append(f"give {option} if rows with the same one belong together")
    if note.counts["rows"] >= LARGE_GROUP * note.counts["states"] and (
        option := spell("groups", note.column)
    ):
        ways.append(f"give {option} if each is a group with parameters of its own")
    return ways


def _many_of_many_states(group: Sequence[Note], _: Spell) -> str:
    columns = listed([f"{named(note)} ({note.counts['states']:,})" for note in group])
    return f"{len(group):,} columns have many states for the rows: {columns}; merge some of them"


def _codes(note: Note, spell: Spell) -> str:
    cells, option = counted(note.counts["cells"], "cell"), spell("missing_values")
    return (
        f"column {named(note)} has {values(note)} ({cells}), set apart from all its other numbers; "
        f"if that stands for a missing value, name it{option and f' in {option}'}"
    )


def _many_codes(group: Sequence[Note], spell: Spell) -> str:
    option = spell("missing_values")
    columns = listed([f"{named(note)} ({values(note)})" for note in group])
    return (
        f"{len(group):,} columns have numbers set apart from all others: {columns}; if they stand "
        f"for a missing value, name them{option and f' in {option}'}"
    )


def _twins(note: Note, _: Spell) -> str:
    return (
        f"column {named(note)} spells {counted(note.counts['values'], 'number')} in several ways, "
        f"such as {values(note)} ({counted(note.counts['cells'], 'cell')})"
    )


def _many_twins(group: Sequence[Note], _: Spell) -> str:
    columns = listed([f"{named(note)} ({values(note)})" for note in group])
    return f"{len(group):,} columns spell numbers in several ways: {columns}"


def _twin_words(note: Note, _: Spell) -> str:
    more = "" if note.counts["values"] == 1 else f" and {note.counts['values'] - 1:,} more"
    return (
        f"column {named(note)} has states that differ only in upper and lower case: {values(note)}"
        f"{more} ({counted(note.counts['cells'], 'cell')}); if they mean the same, write them alike"
    )


def _many_twin_words(group: Sequence[Note], _: Spell) -> str:
    columns = listed([f"{named(note)} ({values(note)})" for note in group])
    return (
        f"{len(group):,} columns have states that differ only in upper and lower case: {columns}; "
        "if they mean the same, write them alike"
    )


def _near_copy(note: Note, _: Spell) -> str:
    agree, rows = note.counts["agree"], note.counts["rows"]
    nearly, unless = ("", "") if agree == rows else ("nearly ", " if they mean the same")
    return (
        f"column {named(note)} is {nearly}a copy of {_other(note)}: they say the same in "
        f"{agree:,} of {counted(rows, 'row')}; leave one of them out{unless}"
    )


def _other(note: Note) -> str:
    return f'"{note.how}"' if note.how else "another"


def _near_copies(group: Sequence[Note], _: Spell) -> str:
    columns = listed([f"{named(note)} (of {_other(note)})" for note in group])
    return (
        f"{len(group):,} columns are copies of others, or nearly: {columns}; leave out those that "
        "mean the same"
    )


def _gaps(group: Sequence[Note], _: Spell) -> str:
    cells = sum(note.counts["cells"] for note in group)
    most = sorted(group, key=lambda note: -note.counts["cells"])
    columns = listed([f"{named(note)} ({note.counts['cells']:,})" for note in most])
    has, words = ("has", "a word") if cells == 1 else ("have", "words")
    return f"{counted(cells, 'cell')} {has} no value, or {words} for that: {columns}"


def _infinite(note: Note, _: Spell) -> str:
    cells = counted(note.counts["cells"], "cell")
    return f"column {named(note)} has infinite values ({cells}); replace them, or leave it out"


def _many_infinite(group: Sequence[Note], _: Spell) -> str:
    columns = listed(list(map(named, group)))
    return f"{len(group):,} columns have infinite values: {columns}; replace these"


def _unreadable(note: Note, _: Spell) -> str:
    first, second = (*note.examples, "?", "?")[:2]
    return f"column {named(note)} {_WHY.get(note.how, 'cannot be read').format(first, second)}"


_WHY = {
    "type": "holds values of type {0}, neither states nor numbers; convert it or leave it out",
    "types": "mixes values of different types, such as {0} and {1}; convert it to one type",
    "states": "has more than {0} different values, far too many for states; leave it out",
    "categories": 'has two categories that read "{0}"; rename one',
    "shape": "is no list of values ({0}); give one value for each row",
    "length": "has {0} values and others have {1}; give one value for each row",
}
"""By what is wrong with a column that cannot be read."""


def _many_unreadable(group: Sequence[Note], _: Spell) -> str:
    columns = listed(list(map(named, group)))
    return f"{len(group):,} columns hold neither states nor numbers: {columns}; convert them"


def _renamed(group: Sequence[Note], _: Spell) -> str:
    if group[0].counts["columns"] == 1:
        return f"1 column has no name of its own; it is called {values(group[0])} here"
    columns = group[0].counts["columns"]
    return f"{columns:,} columns have no name of their own; they are called {values(group[0])} here"


TOGETHER: dict[str, Many] = {
    "separator": _separator,
    "no_header": _no_header,
    "gaps": _gaps,
    "renamed": _renamed,
}
BY_COLUMN: dict[str, tuple[One, Many]] = {
    "no_values": (_no_values, _many_without_values),
    "identifier": (_identifier, _identifiers),
    "many_states": (_many_states, _many_of_many_states),
    "number_codes": (_codes, _many_codes),
    "twin_numbers": (_twins, _many_twins),
    "twin_words": (_twin_words, _many_twin_words),
    "near_copy": (_near_copy, _near_copies),
    "infinite": (_infinite, _many_infinite),
    "unreadable": (_unreadable, _many_unreadable),
}
