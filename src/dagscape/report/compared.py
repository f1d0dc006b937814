"""The page of two results: what differs, and the second with the first drawn beside it."""

from __future__ import annotations

import dagscape as ds
from dagscape.comparisons import ResultComparison
from dagscape.report.report import report_page
from dagscape.report.sections import Section

FIRST = "the first network"


def comparison_page(
    comparison: ResultComparison,
    data: ds.Data | None = None,
    network: ds.Network | None = None,
    title: str | None = None,
) -> str:
    """Return the page as HTML: what differs, then the second result."""
    second = comparison.second
    return report_page(
        second,
        data=data if second.data is None else second.data,
        landscape=second.landscape,
        network=network or second.network,
        truth=comparison.first.dag,
        other=FIRST,
        sections=[section_of(comparison)],
        title=title,
    )


def section_of(comparison: ResultComparison) -> Section:
    """Return what is said of both, and the tables."""
    frames = {
        "Edges": comparison.edges,
        "Families that differ": comparison.families,
        "Variables in both tables": comparison.drifted,
    }
    tables = {name: (frame.columns, frame.rows()) for name, frame in frames.items()}
    return Section("What changed", comparison.blocks, tables)
