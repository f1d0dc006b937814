"""The page of a graph that was examined: what was learned, and the graph beside it."""

from __future__ import annotations

import dagscape as ds
from dagscape.report.report import report_page
from dagscape.report.sections import Section

DRAWN = "your graph"


def examination_page(examination: ds.Examination, title: str | None = None) -> str:
    """Return the page as HTML: your graph, then the network that was learned."""
    learned = examination.learned
    return report_page(
        learned,
        data=learned.data,
        landscape=learned.landscape,
        truth=examination.graph,
        other=DRAWN,
        sections=[section_of(examination)],
        title=title,
    )


def section_of(examination: ds.Examination) -> Section:
    """Return what is said of the graph, and its tables."""
    frames = {
        "What it implies": examination.implications,
        "All pairs, drawn and not": examination.arcs,
        "Where it loses": examination.families,
        "Changes toward the best": examination.changes,
    }
    tables = {name: (frame.columns, frame.rows()) for name, frame in frames.items()}
    return Section("Your graph", examination.blocks, tables)
