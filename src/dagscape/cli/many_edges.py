"""What stands out among hundreds of edges, in a few lines of a terminal."""

from collections.abc import Sequence
from itertools import islice

import dagscape as ds
from dagscape.learning import LearnedEdge, LearnResult
from dagscape.words import counted, first_of

MANY = 64
"""Variables above which nobody reads all edges."""
SHOWN = 10
"""Edges to name of each kind."""
HUBS = 5
"""Variables to name."""
SURPRISING = 2.0
"""What an edge matters beside other parents, by what it would alone, from where on it surprises."""


def standing_out(learned: LearnResult, folder: str) -> list[str]:
    """Name the strongest and the most surprising edges of a large network, and where to look."""
    names = learned.dag.names
    if len(names) <= MANY:
        return []
    found = [edge for edge in learned.edges if edge.in_network and edge.loss is not None]
    # Without a word there is nothing to go by but the score.
    believed = [edge for edge in found if edge.verdict in ("near certain", "likely", "")]
    believed.sort(key=lambda edge: (-(edge.loss or 0.0), edge.a, edge.b))
    lines = []
    if believed:
        strongest = _named(believed)
        lines.append(f"strongest, since the score loses most without them: {strongest}")
    if surprising := _surprising(learned, believed):
        named = _named(surprising)
        lines.append(f"surprising, since they tell little alone, and much beside others: {named}")
    joined = sorted(names, key=lambda name: (-len(learned.dag.neighbors(name)), name))
    hubs = [f"{name} ({len(learned.dag.neighbors(name))})" for name in islice(joined, HUBS)]
    lines.append(f"most neighbors: {', '.join(hubs)}")
    lines.append(
        f"of {counted(len(found), 'edge')}, these; look variables up in report.html, edges in "
        f"edges.csv, or: dagscape blanket DATA --of {folder} --target NAME"
    )
    return lines


def _named(edges: Sequence[LearnedEdge]) -> str:
    marks = {"directed": "->", "undirected": "-"}
    return first_of([f"{each.a} {marks[each.in_network]} {each.b}" for each in edges], SHOWN)


def _surprising(learned: LearnResult, edges: Sequence[LearnedEdge]) -> list[LearnedEdge]:
    """Return edges that matter far more beside the network's other parents than alone."""
    data, score = learned.data, learned.score_kind
    if data is None or data.missing or score is None:
        return []
    found = []
    for edge in edges:
        for parent, child in ((edge.a, edge.b), (edge.b, edge.a)):
            if parent not in learned.dag.parents(child) or len(learned.dag.parents(child)) < 2:
                continue
            empty = ds.local_score(data, child, [], score=score)
            alone = ds.local_score(data, child, [parent], score=score) - empty
            more = (edge.loss or 0.0) - max(0.0, alone)
            if (edge.loss or 0.0) >= SURPRISING * alone and more > 0:
                found.append((-more, edge.a, edge.b, edge))
    return [edge for *_, edge in sorted(found, key=lambda each: each[:3])]
