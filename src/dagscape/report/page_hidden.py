"""What the page says where causes may be hidden."""

from __future__ import annotations

from typing import Any

import dagscape as ds
from dagscape.hidden_causes.sentences import because, told
from dagscape.learning import Learned


def hidden_of(result: ds.Result, data: ds.Data | None) -> dict[str, Any] | None:
    """Return the edges that are left with the marks at their ends, and sentences; None without.

    An edge is two numbers in the order of the names listed, two marks (">", "-", "o"), and facts.
    """
    if data is None or not isinstance(result, Learned) or result.hidden is None:
        return None
    found = result.hidden
    place = {name: i for i, name in enumerate(result.dag.names)}
    supported = {(each.cause, each.effect): because(each) for each in found.supported}
    visible = {*found.pag.visible}
    edges = []
    for a, edge, b in found.pag.edges:
        begin, end = {"<": ">"}.get(edge[0], edge[0]), edge[-1]
        facts: dict[str, Any] = {"supported": (a, b) in supported, "visible": (a, b) in visible}
        if (a, b) in supported:
            facts["because"] = supported[a, b]
        x, y = place[a], place[b]
        if x > y:
            x, y, begin, end = y, x, end, begin
        edges.append([x, y, begin + end, facts])
    return {"edges": edges, "removed": len(found.removed), "words": told(found)}
