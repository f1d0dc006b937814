"""What notes say of columns that describe rows: weights, subjects, experiments, series."""

from __future__ import annotations

from collections.abc import Sequence

from dagscape.notes.note import Note
from dagscape.notes.speakers import Many, Spell
from dagscape.notes.speakers import _column as named
from dagscape.words import counted, first_of

NAMED = 8
"""Columns to be named in a sentence."""

ASSUMED = (
    "; it is assumed that these lags are all the memory there is, that nothing changes with time, "
    "and that nothing outside the table drives several series"
)


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
    alike = " and ".join(f'"{name}"' for name in note.examples)
    by = f"; most alike within them are columns {alike}" if alike else ""
    return (
        f"rows with the same value of column {named(note)} belong together ({rows}, "
        f"{note.counts['clusters']:,} values), and tell as much as {note.counts['effective']:,} "
        f"independent rows would{by}"
    )


def _groups(group: Sequence[Note], _: Spell) -> str:
    note = group[0]
    return (
        f"each of the {note.counts['groups']:,} values of column {named(note)} has parameters of "
        "its own, in one network"
    )


def _interventions(group: Sequence[Note], _: Spell) -> str:
    note, counts = group[0], group[0].counts
    return (
        f"rows come from {counted(counts['experiments'], 'experiment')} with "
        f"{counted(counts['targets'], 'target')} ({_columns(note.examples)}), "
        f"{counted(counts['observed'], 'row')} from none; a variable is learned from the rows in "
        "which it was not set"
    )


def _always_set(group: Sequence[Note], _: Spell) -> str:
    names = first_of([f'"{note.column}"' for note in group], NAMED)
    is_, it = ("is", "its") if len(group) == 1 else ("are", "their")
    return (
        f"{names} {is_} set in every row, so no row tells anything about {it} causes: no arc leads "
        "there, whatever the truth; add rows in which nothing was set"
    )


def _columns(names: Sequence[str]) -> str:
    return f"column{'' if len(names) == 1 else 's'} {first_of([*names], NAMED)}"


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
    "weights": _weights,
    "survey_weights": _survey_weights,
    "clusters": _clusters,
    "groups": _groups,
    "interventions": _interventions,
    "always_set": _always_set,
    "series": _series,
    "lagged": _lagged,
    "known_ahead": _known_ahead,
    "lag_score": _lag_scores,
}
"""Groups of notes that make one sentence."""
