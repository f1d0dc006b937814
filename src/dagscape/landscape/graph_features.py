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

    def having(self, feature: str) -> PairWeights:
        """Return the share of the graphs with one of the engine's features, for pairs with it."""
        # Added up in the engine's order, so that a feature of all graphs has a share of 1.
        total = np.cumsum(self.weights)[-1]
        found = _weigh(feature, self.variables, self.codes, self.weights)
        return PairWeights(found.pairs, found.weights / total)


@dataclass(frozen=True)
class PairWeights:
    """Ordered pairs of variables, each as one number, in order, and what each weighs.

    All pairs of ten thousand variables would take a gigabyte.
    """

    pairs: Numbers
    weights: Shares

    def of(self, pairs: Numbers) -> Shares:
        """Return the weights of these pairs; 0 of one that is not there."""
        if not len(self.pairs):
            return np.zeros(len(pairs))
        at = np.minimum(np.searchsorted(self.pairs, pairs), len(self.pairs) - 1)
        return np.where(self.pairs[at] == pairs, self.weights[at], 0.0)


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
        pairs, there = self.a * len(self.variables) + self.b, np.zeros(len(self.a), bool)
        for number, part in enumerate(KINDS[self.kind]):
            own = _weigh(part, self.variables, [code], np.ones(1)).of(pairs) > 0
            there |= own & (self.part == number)
        return there

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
    n, ones = len(graphs.variables), np.ones(len(also))
    parts: list[Numbers] = []
    pairs: list[Numbers] = []
    confidences: list[Shares] = []
    for number, part in enumerate(KINDS[kind]):
        shares = graphs.having(part)
        found = np.union1d(shares.pairs, _weigh(part, graphs.variables, also, ones).pairs)
        parts.append(np.full(len(found), number))
        pairs.append(found)
        confidences.append(shares.of(found))
    which, pair = np.concatenate(parts), np.concatenate(pairs)
    confidence = np.concatenate(confidences)
    order = np.lexsort((which, pair, -confidence))
    a, b = np.divmod(pair[order], n)
    return Features(kind, graphs.variables, which[order], a, b, confidence[order])


def strengths(graphs: Graphs) -> tuple[PairWeights, PairWeights]:
    """Return the share of graphs with each pair adjacent, and of first → second among these.

    Both for every ordered pair that is adjacent in some graph. An undirected edge counts half each
    way.
    """
    n = len(graphs.variables)
    directed, undirected = graphs.having("directed"), graphs.having("undirected")
    there = np.concatenate([directed.pairs, undirected.pairs])
    pairs = np.union1d(there, _turned(there, n))
    back = _turned(pairs, n)
    free = undirected.of(pairs) + undirected.of(back)
    strength = directed.of(pairs) + directed.of(back) + free
    return PairWeights(pairs, strength), PairWeights(
        pairs, (directed.of(pairs) + free / 2) / strength
    )


def _turned(pairs: Numbers, n: int) -> Numbers:
    a, b = np.divmod(pairs, n)
    return b * n + a


def _weigh(
    feature: str, variables: Variables, codes: Sequence[bytes], weights: Shares
) -> PairWeights:
    """Return what the graphs with a feature weigh together, for each pair that has it in one."""
    n = len(variables)
    if feature not in KINDS["edges"]:
        table = _core.feature_weights(feature, n, list(codes), list(weights)).reshape(-1)
        (pairs,) = np.nonzero(table)
        return PairWeights(pairs, table[pairs])
    found = [np.array(getattr(_core.decode_graph(n, code), feature), np.intp) for code in codes]
    edges = [each.reshape(-1, 2) @ np.array([n, 1], np.intp) for each in found]
    if not edges:
        return PairWeights(np.zeros(0, np.intp), np.zeros(0))
    each = np.repeat(weights, [len(own) for own in edges])
    pairs, places = np.unique(np.concatenate(edges), return_inverse=True)
    sums = np.bincount(places.reshape(-1), each, minlength=len(pairs)).astype(float)
    there = sums > 0  # by score a graph can weigh nothing
    return PairWeights(pairs[there], sums[there])
