"""How probable it is that two variables are joined, and by what if causes may be hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from dagscape.posteriors.probable_features import KINDS

if TYPE_CHECKING:
    from dagscape.graphs import Cpdag, Dag
    from dagscape.knowledge import Knowledge
    from dagscape.posteriors.posterior import Posterior


@dataclass(frozen=True)
class Adjacency:
    """Two variables, in the order of their names, and how probable an edge between them is."""

    a: str
    b: str
    probability: float
    lower: float
    upper: float
    error: float
    """By how much it may be off, since networks and tables were drawn."""
    forth: float | None
    """The probability of a → b, given an edge; None where there is none in any network."""
    plain: float | None
    """By the posterior of the table itself, if that has a part in it."""
    resampled: float | None
    """By the mean over resampled tables, if that has a part in it."""


def adjacencies(posterior: Posterior) -> Iterator[Adjacency]:
    """Tell of every pair of variables."""
    (part,) = KINDS["adjacencies"].values()
    found = posterior._estimates
    known, error, arcs = found.estimate(part), found.error(part), found.arcs
    halves = [
        None if half is None else half._estimates.estimate(part).probability
        for half in (posterior.plain, posterior.resampled)
    ]
    names = posterior._variables.in_engine_order()
    for v, b in enumerate(names):
        for u, a in enumerate(names[:v]):
            both = arcs[u, v] + arcs[v, u]
            plain, resampled = (None if half is None else float(half[u, v]) for half in halves)
            yield Adjacency(
                a,
                b,
                float(known.probability[u, v]),
                float(known.lower[u, v]),
                float(known.upper[u, v]),
                float(error[u, v]),
                float(arcs[u, v] / both) if both > 0 else None,
                plain,
                resampled,
            )


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
