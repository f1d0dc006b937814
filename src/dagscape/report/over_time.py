"""What the page tells of a network over time: which series drive which, and what is assumed."""

from __future__ import annotations

from typing import Any

import dagscape as ds
from dagscape.learning import Learned
from dagscape.notes import in_no_words, sentences
from dagscape.report.sections import Section

MOST_SERIES = 40
"""Series that are drawn; more would be a knot."""


def over_time_of(result: ds.Result) -> list[Section]:
    """Return the section of a network over time; none for other tables."""
    summary = result.summary
    if summary is None:
        return []
    shown = summary.between
    lines = {
        "Series": [_counted(summary)],
        "Lags": [
            said.words
            for said in sentences(result.notes, in_no_words)
            if any(note.kind == "lag_score" for note in said.notes)
        ],
    }
    columns = ["from", "to", "steps before"]
    rows: list[list[Any]] = [
        [a, b, lag] for (a, b), lags in summary.lags.items() for lag in lags if (a, b) in shown
    ]
    if isinstance(result, Learned):
        lines["Assumed"] = [str(each) for each in result.assumptions]
        known = {frozenset((edge.a, edge.b)): edge.probability for edge in result.edges}
        if result.posterior is not None:
            columns.append("probability")
            for row in rows:
                start = f"{row[0]}[-{row[2]}]" if row[2] else row[0]
                row.append(known.get(frozenset((start, row[1]))))
    graph = None
    if shown and len(summary.names) <= MOST_SERIES:
        place = {name: number for number, name in enumerate(summary.names)}
        graph = {
            "names": list(summary.names),
            "arcs": [
                [place[a], place[b], ", ".join(map(str, summary.lags[a, b]))] for a, b in shown
            ],
        }
    return [Section("Over time", lines, {"Arcs between series": (columns, rows)}, graph)]


def _counted(summary: Any) -> str:
    own = len(summary.arcs) - len(summary.between)
    return (
        f"{len(summary.between)} arcs between {len(summary.names)} series, after the steps that "
        f"stand at them; {own} series follow from their own past, which is not drawn. Arrows may "
        "go in circles here, since an effect comes later than its cause."
    )
