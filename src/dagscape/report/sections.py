"""Sections of the page that are made here and shown as they are: hidden causes, time, others."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import dagscape as ds
from dagscape.hidden_causes.hidden_words import because, told
from dagscape.learning import LearnResult
from dagscape.notes import Note, in_no_words, sentences

MOST_ROWS = 500
"""Of a table; more would make the page long and large."""


@dataclass(frozen=True)
class Section:
    """A heading, sentences by title, tables, and pictures side by side."""

    title: str
    lines: Mapping[str, Sequence[str]]
    tables: Mapping[str, tuple[Sequence[str], Sequence[Sequence[Any]]]]
    """By title: the names of columns, and rows."""
    graph: Mapping[str, Any] | None = None
    """A graph to draw in a circle: "names", "arcs" of two numbers, a label, and the marks at both
    ends (">", "-" or "o"), and "says", what it shows."""
    pictures: Mapping[str, str] = field(default_factory=dict)
    """By title: addresses of images that hold these themselves (``data:``)."""

    def content(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "title": self.title,
            "graph": self.graph,
            "lines": [[title, list(lines)] for title, lines in self.lines.items() if lines],
            "tables": [
                {
                    "title": title,
                    "columns": [name.replace("_", " ") for name in columns],
                    "rows": [[_cell(value) for value in row] for row in rows[:MOST_ROWS]],
                    "more": max(0, len(rows) - MOST_ROWS),
                }
                for title, (columns, rows) in self.tables.items()
            ],
            "pictures": [[title, address] for title, address in self.pictures.items()],
        }


def _cell(value: Any) -> str | float:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return value if abs(value) >= 1e-3 or value == 0 else f"{value:.1e}"
    if isinstance(value, list | tuple):
        return ", ".join(value) or "none"
    return "" if value is None else str(value)


# What the page says where causes may be hidden.


def hidden_of(result: ds.Result, data: ds.Data | None) -> dict[str, Any] | None:
    """Return the edges that are left with the marks at their ends, and sentences; None without.

    An edge is two numbers in the order of the names listed, two marks (">", "-", "o"), and facts.
    """
    if data is None or not isinstance(result, LearnResult) or result.hidden is None:
        return None
    found = result.hidden
    place = {name: i for i, name in enumerate(result.dag.names)}
    supported = {(each.cause, each.effect): because(each) for each in found.supported}
    visible = {*found.pag.visible}
    edges = []
    for a, edge, b in found.pag.edges:
        begin, end = _ends(edge)
        facts: dict[str, Any] = {"supported": (a, b) in supported, "visible": (a, b) in visible}
        if (a, b) in supported:
            facts["because"] = supported[a, b]
        x, y = place[a], place[b]
        if x > y:
            x, y, begin, end = y, x, end, begin
        edges.append([x, y, begin + end, facts])
    return {"edges": edges, "removed": len(found.removed), "words": told(found)}


def pag_in_circle(pag: ds.Pag) -> dict[str, Any] | None:
    """Return a graph to draw; None where it would be a knot."""
    place = {name: number for number, name in enumerate(pag.names)}
    if len(place) > MOST_IN_CIRCLE:
        return None
    return {
        "names": list(pag.names),
        "arcs": [[place[a], place[b], "", "".join(_ends(edge))] for a, edge, b in pag.edges],
        "says": "Your graph, in which causes may be hidden",
    }


def _ends(edge: str) -> tuple[str, str]:
    """Return the marks at both ends of an edge such as ``o->``."""
    return {"<": ">"}.get(edge[0], edge[0]), edge[-1]


# What the page tells of a network over time: which series drive which, and what is assumed.

MOST_IN_CIRCLE = 40
"""Variables that are drawn; more would be a knot."""


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
    if isinstance(result, LearnResult):
        lines["Assumed"] = [str(each) for each in result.assumptions]
        known = {frozenset((edge.a, edge.b)): edge.probability for edge in result.edges}
        if result.posterior is not None:
            columns.append("probability")
            for row in rows:
                start = f"{row[0]}[-{row[2]}]" if row[2] else row[0]
                row.append(known.get(frozenset((start, row[1]))))
    graph = None
    if shown and len(summary.names) <= MOST_IN_CIRCLE:
        place = {name: number for number, name in enumerate(summary.names)}
        graph = {
            "names": list(summary.names),
            "arcs": [
                [place[a], place[b], ", ".join(map(str, summary.lags[a, b])), "->"]
                for a, b in shown
            ],
            "says": "Which series drive which",
        }
    curve = lag_curve(result.notes)
    pictures = {"How much lower others score, by the longest lag (nats)": curve} if curve else {}
    tables = {"Arcs between series": (columns, rows)}
    return [Section("Over time", lines, tables, graph, pictures)]


def _counted(summary: Any) -> str:
    own = len(summary.arcs) - len(summary.between)
    return (
        f"{len(summary.between)} arcs between {len(summary.names)} series, after the steps that "
        f"stand at them; {own} series follow from their own past, which is not drawn. Arrows may "
        "go in circles here, since an effect comes later than its cause."
    )


WIDTH, HEIGHT = 360, 170
LEFT, RIGHT, TOP, BOTTOM = 24, 24, 34, 34
INK, LINE = "#6b7280", "#2f7fc1"
"""Colors that can be read on light and dark ground alike."""


def lag_curve(notes: Iterable[Note]) -> str:
    """Return the curve as the address of an image; "" where lags were given.

    Written at each point is how many nats it scores below the best.
    """
    found = sorted((n for n in notes if n.kind == "lag_score"), key=lambda n: n.counts["lag"])
    if len(found) < 2:
        return ""
    scores = [float(note.examples[0].replace(",", "")) for note in found]
    best, worst = max(scores), min(scores)
    step = (WIDTH - LEFT - RIGHT) / (len(found) - 1)
    height = HEIGHT - TOP - BOTTOM
    spots = [
        (LEFT + i * step, TOP + height * (best - score) / ((best - worst) or 1.0))
        for i, score in enumerate(scores)
    ]
    parts = [
        f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in spots)}" fill="none" '
        f'stroke="{LINE}" stroke-width="1.5"/>'
    ]
    for note, score, (x, y) in zip(found, scores, spots, strict=True):
        chosen = note.counts["chosen"] == 1
        fill = LINE if chosen else "#ffffff"
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}" stroke="{LINE}"/>')
        parts.append(_text(x, y - 10, "best" if score == best else f"{score - best:,.1f}"))
        parts.append(_text(x, HEIGHT - 8, str(note.counts["lag"]), bold=chosen))
    return address_of(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}">{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, words: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" font-size="12" '
        f'font-family="sans-serif" fill="{INK}"{weight}>{words}</text>'
    )


def address_of(svg: str) -> str:
    """Return the address of an image that holds itself."""
    held = b64encode(svg.encode("utf-8", "xmlcharrefreplace")).decode()
    return f"data:image/svg+xml;base64,{held}"
