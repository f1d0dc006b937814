"""What the page tells of groups of rows: where parameters differ, and the pooled network beside."""

from __future__ import annotations

from base64 import b64encode

import dagscape as ds
from dagscape.learning import Learned
from dagscape.report.drawing import drawing
from dagscape.report.scene import scene
from dagscape.report.sections import Section
from dagscape.report.svg_files import svg_file

MOST_DRAWN = 150
"""Variables of networks that are drawn side by side."""


def groups_section(result: ds.Result) -> Section | None:
    """Return the section of the page; None where rows are in no groups."""
    if not isinstance(result, Learned) or (found := result.groups) is None:
        return None
    rows = [[each.child, each.parents, each.evidence, each.verdict] for each in found.families]
    columns = ["variable", "parents", "nats for parameters of each group", "parameters"]
    pictures = {}
    if found.pooled is not None and len(result.dag.names) <= MOST_DRAWN:
        pictures = {
            "Parameters of each group's own": _picture(result),
            "The same parameters in all groups": _picture(found.pooled),
        }
    return Section(
        "Groups",
        {found.column: found.told(result.mpdag)},
        {"Where parameters differ": (columns, rows)},
        pictures,
    )


def _picture(result: ds.Result) -> str:
    """Return the essential graph as the address of an image."""
    text = svg_file(scene(drawing(result.dag, known=result.mpdag)))
    return f"data:image/svg+xml;base64,{b64encode(text.encode()).decode()}"
