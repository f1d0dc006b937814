"""How probable it is that two variables are joined: for every pair, all that a posterior tells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dagscape.posteriors.posterior import Posterior
from dagscape.posteriors.probable_features import KINDS


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
