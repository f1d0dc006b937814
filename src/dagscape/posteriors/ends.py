"""How probable each edge of a graph with hidden causes is, given the posterior's networks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from dagscape.graphs import Cpdag, Dag
    from dagscape.knowledge import Knowledge

EDGES = {
    "arrow": "->",
    "arrow_back": "<-",
    "circle_arrow": "o->",
    "circle_arrow_back": "<-o",
    "circles": "o-o",
}
"""The columns, and the edges from a to b that they are about."""


def ends_of(
    names: Sequence[str], drawn: Iterable[Dag], knowledge: Knowledge | None
) -> dict[str, pl.Series]:
    """Return a row for each pair that some network joins: shares of the networks, by edge."""
    classes: Counter[Cpdag] = Counter(dag.to_cpdag() for dag in drawn)
    total = sum(classes.values())
    place = {name: i for i, name in enumerate(names)}
    found: dict[tuple[str, str], Counter[str]] = {}
    for graph, times in classes.items():
        pag = graph.to_dag().to_pag()
        if knowledge is not None:
            pag = knowledge.orient(pag)
        visible = {*pag.visible}
        for x, _, y in pag.edges:
            a, b = (x, y) if place[x] < place[y] else (y, x)
            shares = found.setdefault((a, b), Counter())
            shares[str(pag.edge(a, b))] += times
            shares["visible"] += times * ((a, b) in visible)
            shares["visible_back"] += times * ((b, a) in visible)
    pairs = sorted(found, key=lambda pair: (place[pair[0]], place[pair[1]]))
    columns = {
        "a": pl.Series([a for a, _ in pairs], dtype=pl.String),
        "b": pl.Series([b for _, b in pairs], dtype=pl.String),
    }
    asked = {**EDGES, "visible": "visible", "visible_back": "visible_back"}
    for column, edge in asked.items():
        shares_of = [found[pair][edge] / total for pair in pairs]
        columns[column] = pl.Series(shares_of, dtype=pl.Float64)
    joined = [sum(found[pair][edge] for edge in EDGES.values()) for pair in pairs]
    columns["none"] = pl.Series([1 - n / total for n in joined], dtype=pl.Float64)
    return columns
