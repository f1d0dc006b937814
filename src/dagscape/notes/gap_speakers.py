"""What notes say of cells that stay missing: how many, what is assumed, what goes with them."""

from __future__ import annotations

from collections.abc import Sequence

from dagscape.notes.note import Note
from dagscape.notes.speakers import NAMED, SHOWN, Many, Spell, _filled, _short
from dagscape.notes.speakers import _column as named
from dagscape.words import counted, first_of

ASSUMED = (
    "; it is assumed that whether a cell is missing depends on what the row has, not on the value "
    "that is missing: no table shows that, and no method mends it where it is not so"
)


def _indicator(group: Sequence[Note], _: Spell) -> str:
    shown = []
    for note in group:
        others = [f'"{name}"' for name in note.examples]
        cells, rows = note.counts["cells"], note.counts["rows"]
        shown.append(f"{named(note)} ({first_of(others, SHOWN)}: {cells:,} of {rows:,})")
    is_, says = ("is a variable", "says") if len(group) == 1 else ("are variables", "say")
    return (
        f"{counted(len(group), 'column')} that {says} where others have no value {is_}: "
        f"{first_of(shown, NAMED)}; none is joined to those it is about"
    )


def _goes_with(group: Sequence[Note], _: Spell) -> str:
    by_column: dict[str, list[str]] = {}
    for note in group:
        by_column.setdefault(named(note), []).append(_relation(note))
    shown = [f"of {name} with {'; '.join(found[:SHOWN])}" for name, found in by_column.items()]
    tests = group[0].counts["tests"]
    return (
        f"gaps go with other columns, at .01 corrected for {counted(tests, 'test')}: "
        f"{'; '.join(shown[:NAMED])}{'; ...' if len(shown) > NAMED else ''}; where these are "
        "in the table, this is allowed for"
    )


def _relation(note: Note) -> str:
    if len(note.examples) != 4:  # a file may hold anything
        return f'"{note.how}"' if note.how else "some of them"
    p, state, there, elsewhere = note.examples
    if state:
        told = f'missing in {there} of rows with "{_short(state)}", in {elsewhere} of others'
    else:
        told = f"median {there} where missing, {elsewhere} elsewhere"
    return f'"{note.how}" ({told}; p = {p})'


TOGETHER: dict[str, Many] = {
    "filled by keep": _filled("kept", ASSUMED),
    "indicator": _indicator,
    "gaps_go_with": _goes_with,
}
"""Groups of notes that make one sentence."""
