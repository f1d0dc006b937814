"""Features of networks and of their classes, with the probability of each."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import polars as pl

from dagscape.posteriors.agreement import chained
from dagscape.posteriors.pieces import Estimate, Networks, Piece, Table, bagged, drawn, proven
from dagscape.variables import Variables


@dataclass(frozen=True)
class FeaturePart:
    """One kind of feature, or a part of it."""

    words: str
    """How it is written."""
    ordered: bool
    """Whether (a, b) is another feature than (b, a)."""
    sums: Callable[[Piece], Table] | None
    """What the sums tell; NaN where they do not."""
    counted: Callable[[Networks], Table]
    """The share of networks that have it."""


def _symmetric(table: Table) -> Table:
    return table + table.T


KINDS: dict[str, dict[str, FeaturePart]] = {
    "arcs": {"": FeaturePart("{} -> {}", True, lambda p: p.arcs, lambda n: n.having("directed"))},
    "adjacencies": {
        "": FeaturePart(
            "{} - {}",
            False,
            lambda p: _symmetric(p.arcs),
            lambda n: _symmetric(n.having("directed")),
        )
    },
    "ancestors": {
        "": FeaturePart("{} -> ... -> {}", True, lambda p: p.ancestors, lambda n: n.having("paths"))
    },
    "blankets": {
        "": FeaturePart("{} ~ {}", False, None, lambda n: _symmetric(n.classes.having("blankets")))
    },
    "edges": {
        "directed": FeaturePart("{} -> {}", True, None, lambda n: n.classes.having("directed")),
        "undirected": FeaturePart(
            "{} -- {}", False, None, lambda n: _symmetric(n.classes.having("undirected"))
        ),
    },
    "paths": {"": FeaturePart("{} -> ... -> {}", True, None, lambda n: n.classes.having("paths"))},
}
"""Arcs, adjacencies, ancestors and blankets of networks; edges and paths of essential graphs."""


def estimate_of(part: FeaturePart, pieces: Sequence[Piece]) -> Estimate:
    """Return the probability of a feature for all pairs, by one posterior or the mean of many."""
    found = [_of_piece(part, piece) for piece in pieces]
    if pieces[0].chain is not None:
        return chained([each.probability for each in found], _seen(part, pieces))
    return found[0] if len(found) == 1 and pieces[0].number < 0 else bagged(found)


def _seen(part: FeaturePart, pieces: Sequence[Piece]) -> int:
    """Return how many networks of chains the shares were taken from."""
    if any(needs_networks(part, piece) for piece in pieces):
        return sum(piece.networks.drawn for piece in pieces if piece.networks is not None)
    return sum(piece.chain.rounds for piece in pieces if piece.chain is not None)


def needs_networks(part: FeaturePart, piece: Piece) -> bool:
    """Tell whether the sums leave some pair open."""
    return part.sums is None or bool(np.isnan(part.sums(piece)).any())


def _of_piece(part: FeaturePart, piece: Piece) -> Estimate:
    if part.sums is not None:
        exact = proven(part.sums(piece), piece.dropped)
        if not needs_networks(part, piece):
            return exact
    networks = piece.networks
    if networks is None:
        raise RuntimeError("networks must be drawn before they are counted")
    share = part.counted(networks)
    if networks.drawn:
        counted = drawn(share, networks.drawn, piece.dropped)
    else:
        counted = proven(share, piece.dropped)
    if part.sums is None:
        return counted
    known = ~np.isnan(exact.probability)
    pairs = zip(_tables(exact), _tables(counted), strict=True)
    return Estimate(*(np.where(known, a, b) for a, b in pairs))


def _tables(found: Estimate) -> tuple[Table, Table, Table]:
    return found.probability, found.lower, found.upper


class FeatureSource(Protocol):
    """What is known of features: their probabilities, and those of arcs."""

    @property
    def arcs(self) -> Table:
        """The probability of each arc."""

    def estimate(self, part: FeaturePart) -> Estimate:
        """Return the probability of a feature for all pairs."""


def rank(probability: float | None) -> float:
    """Return a key that sorts the most probable first, and ignores rounding."""
    return -float(f"{probability or 0.0:.12g}")


def columns(
    kind: str, variables: Variables, known: FeatureSource, least: float
) -> dict[str, pl.Series]:
    """Return a row for each feature of a kind, the most probable first."""
    rows: list[tuple[float, int, int, int, float, float]] = []
    parts = list(KINDS[kind].items())
    for place, (_, part) in enumerate(parts):
        found = known.estimate(part)
        a, b = _pairs(part, len(variables))
        numbers = (table[a, b] for table in _tables(found))
        for u, v, p, low, high in zip(a, b, *numbers, strict=True):
            if not p < least:  # one that is not known may be as probable
                rows.append((-float(p), int(u), int(v), place, float(low), float(high)))
    rows.sort(key=lambda row: (rank(-row[0]), *row[1:]))
    name = variables.name
    words = [parts[row[3]][1].words.format(name(row[1]), name(row[2])) for row in rows]
    made = {
        "feature": pl.Series(words, dtype=pl.String),
        "from": pl.Series([name(row[1]) for row in rows], dtype=pl.String),
        "to": pl.Series([name(row[2]) for row in rows], dtype=pl.String),
    }
    if len(parts) > 1:
        made["kind"] = pl.Series([parts[row[3]][0] for row in rows], dtype=pl.String)
    shares = [None if math.isnan(row[0]) else -row[0] for row in rows]
    made["probability"] = pl.Series(shares, dtype=pl.Float64)
    made["lower"] = pl.Series([row[4] for row in rows], dtype=pl.Float64)
    made["upper"] = pl.Series([row[5] for row in rows], dtype=pl.Float64)
    if kind == "adjacencies":
        ends = [(u, v) for _, u, v, *_ in rows]
        made["direction"] = pl.Series(_directions(ends, known.arcs), dtype=pl.Float64)
    return made


def _directions(ends: list[tuple[int, int]], arcs: Table) -> list[float | None]:
    """Return how probable the arc from the first to the second is, given that one joins them."""
    return [
        float(arcs[a, b] / both) if (both := arcs[a, b] + arcs[b, a]) > 0 else None for a, b in ends
    ]


def _pairs(part: FeaturePart, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of all pairs; of pairs without an order the lower comes first."""
    a, b = np.nonzero(~np.eye(n, dtype=bool))
    kept = np.ones(len(a), dtype=bool) if part.ordered else a < b
    return a[kept], b[kept]
