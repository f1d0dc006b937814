"""Features of essential graphs, counted over many of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dagscape import _core
from dagscape.variables import Variables, check_name

Numbers: TypeAlias = NDArray[np.intp]
Shares: TypeAlias = NDArray[np.float64]
Marks: TypeAlias = NDArray[np.bool_]

KINDS = {
    "edges": {"directed": "{} -> {}", "undirected": "{} -- {}"},
    "paths": {"paths": "{} -> ... -> {}"},
    "blankets": {"blankets": "{} ~ {}"},
}
"""The kinds of features, what the engine knows them by, and how they are written."""

ROUNDING = 1e-9
"""A share of weights this much below a threshold reaches it."""


@dataclass(frozen=True)
class Graphs:
    """Graphs in the engine's code, and what each of them weighs."""

    variables: Variables
    codes: Sequence[bytes]
    weights: Shares

    def having(self, feature: str) -> Shares:
        """Return the share of the graphs with one of the engine's features, for all pairs."""
        # Added up in the engine's order, so that a feature of all graphs has a share of 1.
        total = np.cumsum(self.weights)[-1]
        shares: Shares = _weigh(feature, self.variables, self.codes, self.weights) / total
        return shares


@dataclass(frozen=True)
class Features:
    """Features of one kind, the most certain first."""

    kind: str
    variables: Variables
    part: Numbers
    """Which of the engine's features in the kind."""
    a: Numbers
    b: Numbers
    confidence: Shares

    def at_least(self, threshold: float) -> Marks:
        """Tell which have this confidence, up to rounding: 9 of 20 are 0.45."""
        return self.confidence >= threshold - ROUNDING

    def of(self, code: bytes) -> Marks:
        """Tell which a graph has."""
        tables = [_weigh(part, self.variables, [code], np.ones(1)) for part in KINDS[self.kind]]
        marks: Marks = np.stack(tables)[self.part, self.a, self.b] > 0
        return marks

    def parts(self) -> list[str]:
        """Return the engine's names."""
        names = list(KINDS[self.kind])
        return [names[part] for part in self.part]

    def words(self) -> list[str]:
        """Return the features as they are written."""
        forms, name = list(KINDS[self.kind].values()), self.variables.name
        ends = zip(self.part, self.a, self.b, strict=True)
        return [forms[part].format(name(a), name(b)) for part, a, b in ends]


def count_features(kind: str, graphs: Graphs, also: Sequence[bytes]) -> Features:
    """Return the features of a kind that some of the graphs have, or some of those others."""
    check_name("kind of feature", kind, KINDS)
    shares = np.stack([graphs.having(part) for part in KINDS[kind]])
    ones = np.ones(len(also))
    there = [
        shares[i] + _weigh(part, graphs.variables, also, ones) for i, part in enumerate(KINDS[kind])
    ]
    part, a, b = np.nonzero(np.stack(there))
    confidence = shares[part, a, b]
    order = np.lexsort((part, b, a, -confidence))
    return Features(kind, graphs.variables, part[order], a[order], b[order], confidence[order])


def strengths(graphs: Graphs) -> tuple[Shares, Shares]:
    """Return the share of graphs with each pair adjacent, and of first → second among these.

    An undirected edge counts half each way. Without an edge there is no direction: NaN.
    """
    directed, undirected = graphs.having("directed"), graphs.having("undirected")
    undirected = undirected + undirected.T
    strength = directed + directed.T + undirected
    with np.errstate(invalid="ignore"):
        return strength, (directed + undirected / 2) / strength


def _weigh(feature: str, variables: Variables, codes: Sequence[bytes], weights: Shares) -> Shares:
    table: Shares = _core.feature_weights(feature, len(variables), list(codes), list(weights))
    return table
