"""How good a ranking of pairs of variables is, against the edges of the true network."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np
from benchmarks.compare.table import Arc


def rank(
    names: Iterable[str], strengths: Iterable[tuple[str, str, float]], truth: Iterable[Arc]
) -> dict[str, float]:
    """Return average precision and Brier score over all pairs; one that is not named has 0."""
    known = {frozenset((a, b)): strength for a, b, strength in strengths}
    true = {frozenset(arc) for arc in truth}
    pairs = [frozenset(pair) for pair in combinations(names, 2)]
    strength = np.array([known.get(pair, 0.0) for pair in pairs])
    edge = np.array([pair in true for pair in pairs])
    return {
        "precision": average_precision(strength, edge),
        "brier": float(np.mean((strength - edge) ** 2)),
    }


def average_precision(strength: np.ndarray, edge: np.ndarray) -> float:
    """Return the sum over thresholds of precision times the recall gained there.

    Pairs of the same strength come in together, so no order among them helps or harms.
    """
    order = np.argsort(-strength, kind="stable")
    strength, edge = strength[order], edge[order]
    last = np.append(strength[1:] != strength[:-1], True)
    found = np.cumsum(edge)[last]
    precision = found / (np.flatnonzero(last) + 1)
    gained = np.diff(found, prepend=0) / edge.sum()
    return float(np.sum(precision * gained))
