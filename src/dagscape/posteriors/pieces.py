"""What is known of the posterior of one table: numbers, and networks drawn from it or listed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dagscape import _core
from dagscape.errors import ParameterError
from dagscape.intervals import wilson
from dagscape.words import counted

Table: TypeAlias = NDArray[np.float64]
"""A number for each ordered pair of variables."""


@dataclass(frozen=True)
class Networks:
    """Some networks or all of them, with the probability of each."""

    variables: int
    codes: tuple[bytes, ...]
    """In the engine's code, each once."""
    weights: NDArray[np.float64]
    """Shares that add up to 1."""
    drawn: int
    """How many were drawn; 0 where the list is that of all networks there are."""
    kinds: tuple[int, ...] = ()
    """Of the variables, where experiments tell networks of one class apart; see `kinds_in`."""

    @classmethod
    def from_draws(cls, variables: int, codes: Sequence[bytes]) -> Networks:
        """Return the networks that were drawn, each with its share."""
        counts: dict[bytes, int] = {}
        for code in codes:
            counts[code] = counts.get(code, 0) + 1
        weights = np.array(list(counts.values()), float) / max(1, len(codes))
        return cls(variables, tuple(counts), weights, len(codes))

    @classmethod
    def from_list(cls, lists: _core.ParentLists) -> Networks:
        """Return all networks that can be built from the lists: a handful of variables."""
        codes, logs = _core.list_networks(lists)
        weights = np.exp(logs - logs.max())
        return cls(lists.variables, tuple(codes), weights / weights.sum(), 0)

    @cached_property
    def classes(self) -> Networks:
        """Their essential graphs, with the shares of their members added up."""
        codes, which = _classes_of(self.variables, self.codes, self.kinds)
        weights = np.bincount(which, self.weights, len(codes)).astype(np.float64)
        return Networks(self.variables, codes, weights, self.drawn)

    def most_frequent(self, count: int) -> Networks:
        """Return those with the largest shares, as they are."""
        order = sorted(range(len(self.codes)), key=lambda i: (-self.weights[i], self.codes[i]))
        kept = order[:count]
        codes = tuple(self.codes[i] for i in kept)
        return Networks(self.variables, codes, self.weights[kept], self.drawn, self.kinds)

    def draw(self, count: int, rng: np.random.Generator) -> list[bytes]:
        """Return networks by their shares; of those that were drawn, each as often at most."""
        if not self.drawn:
            return [self.codes[at] for at in rng.choice(len(self.codes), count, p=self.weights)]
        if count > self.drawn:
            raise ParameterError(
                f"this posterior holds {counted(self.drawn, 'network')} drawn when it was made, "
                f"got count={count}; an exact posterior that was just made from data, and is not "
                "bagged, draws any number"
            )
        times = np.rint(self.weights * self.drawn).astype(int)
        drawn = rng.permutation(np.repeat(np.arange(len(times)), times))[:count]
        return [self.codes[at] for at in drawn]

    def having(self, feature: str) -> Table:
        """Return the share of those with one of the engine's features, for all pairs."""
        found: Table = _core.feature_weights(
            feature, self.variables, list(self.codes), list(self.weights)
        )
        return found.round(12) if self.drawn else found  # 9 draws of 10 are 0.9


@lru_cache(maxsize=1)
def _classes_of(
    variables: int, codes: tuple[bytes, ...], kinds: tuple[int, ...]
) -> tuple[tuple[bytes, ...], NDArray[np.intp]]:
    """Return essential graphs, and which of them each network has.

    Kept for the next table: where all networks are listed, it has the same ones.
    """
    numbers: dict[bytes, int] = {}
    classes = _core.class_codes(variables, codes, kinds)
    which = np.array([numbers.setdefault(code, len(numbers)) for code in classes], dtype=np.intp)
    return tuple(numbers), which


def merged(parts: Sequence[Networks]) -> Networks:
    """Return the networks of several tables, each table with the same weight."""
    if len(parts) == 1:
        return parts[0]
    drawn = sum(part.drawn for part in parts)
    if all(part.codes == parts[0].codes for part in parts):  # all there are, in each of them
        listed = np.mean([part.weights for part in parts], axis=0)
        return replace(parts[0], weights=listed, drawn=drawn)
    shares: dict[bytes, list[float]] = {}
    for part in parts:
        for code, weight in zip(part.codes, part.weights, strict=True):
            shares.setdefault(code, []).append(float(weight))
    weights = np.array([math.fsum(each) for each in shares.values()]) / len(parts)
    return replace(parts[0], codes=tuple(shares), weights=weights, drawn=drawn)


def mixed(halves: Sequence[Networks]) -> Networks:
    """Return the networks of both, each counting half, as if so many had been drawn."""
    whole = merged(halves)
    squares = math.fsum(1 / (4 * half.drawn) for half in halves if half.drawn)
    return replace(whole, drawn=round(1 / squares) if squares else 0)


@dataclass(frozen=True)
class Chain:
    """How a chain of networks went."""

    start: str
    """What it began with: an empty network, a random one, or an optimum of order search."""
    rounds: int
    """Those that count."""
    start_log_weight: float
    best_log_weight: float
    completed: bool = False
    """Whether cells are missing, and each round had a table of its own in which they were drawn."""
    jumps_tried: int = 0
    """From the order of one known optimum to that of another."""
    jumps_taken: int = 0


@dataclass(frozen=True)
class ChainPool:
    """Several chains on one table, of which the mean was taken."""

    chains: int
    apart: float
    """The most by which they differ in the probability of an arc."""


@dataclass(frozen=True)
class Piece:
    """What is known of the posterior of one table, the data or rows drawn from them.

    By sums, by several chains, or as one chain on the data tells it.
    """

    number: int
    """Of the sample of the rows, or of the chain; -1 for sums over the data themselves."""
    log_total: float | None
    """The log of the sum of all weights that were added up; None if none were."""
    dropped: float
    """What was left out weighs at most this share of that sum."""
    arcs: Table
    ancestors: Table
    """NaN where sums do not tell."""
    networks: Networks | None
    """None until somebody asks for what the sums alone do not tell."""
    rounding: float
    """By how much a sum that should be 1 misses it, at most."""
    components: tuple[int, ...]
    """How many variables were summed over together, each time."""
    chain: Chain | None = None
    """Where it is one chain."""
    pooled: ChainPool | None = None
    """Where it is the mean of several."""


@dataclass(frozen=True)
class Estimate:
    """Probabilities for all pairs, with their intervals."""

    probability: Table
    lower: Table
    upper: Table


def proven(probability: Table, dropped: float) -> Estimate:
    """Return what sums tell if up to a share of the weight was left out of them.

    With F the weight of the networks that have a feature, Z of all and L the most that was left
    out, the probability is at least F / (Z + L), and at most (F + L) / (Z + L).
    """
    probability = np.clip(probability, 0, 1)  # rounding
    if dropped == 0:
        return Estimate(probability, probability, probability)
    whole = 1 + dropped
    return Estimate(probability, probability / whole, (probability + dropped) / whole)


def drawn(share: Table, draws: int, dropped: float) -> Estimate:
    """Return what samples tell, with intervals that hold the truth 19 times in 20 (Wilson 1927)."""
    low, high = wilson(share, draws)
    whole = 1 + dropped
    return Estimate(share, low / whole, (high + dropped) / whole)


def bagged(parts: Sequence[Estimate]) -> Estimate:
    """Return the mean of many posteriors; 95 % of them lie between lower and upper.

    A single one does not tell how far others lie apart: then anything may be.
    """
    mean = np.mean([part.probability for part in parts], axis=0)
    if len(parts) == 1:
        return Estimate(mean, np.zeros_like(mean), np.ones_like(mean))
    lower = np.quantile([part.lower for part in parts], 0.025, axis=0)
    upper = np.quantile([part.upper for part in parts], 0.975, axis=0)
    return Estimate(mean, np.minimum(lower, mean), np.maximum(upper, mean))
