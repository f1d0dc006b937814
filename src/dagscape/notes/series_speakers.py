"""What notes say of a table of series."""

from __future__ import annotations

from collections.abc import Sequence

from dagscape.notes.note import Note
from dagscape.notes.speakers import Many, Spell
from dagscape.words import counted, first_of

NAMED = 8
"""Columns to be named in a sentence."""

ASSUMED = (
    "; it is assumed that these lags are all the memory there is, that nothing changes with time, "
    "and that nothing outside the table drives several series"
)


def _series(group: Sequence[Note], _: Spell) -> str:
    counts = group[0].counts
    within = " or in the same step" if group[0].how == "within" else ""
    return (
        f"{counted(counts['rows'], 'step')} of {counts['series']:,} series, "
        f"each with its past ({counts['dropped']:,} had none and were left out); parents lie in "
        f"the past{within}{ASSUMED}"
    )


def _lagged(group: Sequence[Note], _: Spell) -> str:
    lags = sorted({note.counts["lag"] for note in group})
    steps = first_of([str(lag) for lag in lags], NAMED)
    columns = first_of([str(note.column) for note in group], NAMED)
    return (
        f"{counted(len(group), 'column')} hold the past, {steps} "
        f"step{'' if lags == [1] else 's'} before: {columns}"
    )


def _known_ahead(group: Sequence[Note], _: Spell) -> str:
    columns = first_of([str(note.column) for note in group], NAMED)
    return f"known ahead, so parents and never children: {columns}"


def _lag_scores(group: Sequence[Note], _: Spell) -> str:
    curve = ", ".join(f"{note.counts['lag']}: {note.examples[0]}" for note in group)
    chosen = next((note.counts["lag"] for note in group if note.counts["chosen"]), 0)
    return f"scores by the longest lag, on the same rows: {curve}; {chosen} has the best"


TOGETHER: dict[str, Many] = {
    "series": _series,
    "lagged": _lagged,
    "known_ahead": _known_ahead,
    "lag_score": _lag_scores,
}
"""Groups of notes that make one sentence."""
