"""How far a mean over networks may be off: how chains agree, and independent draws."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dagscape.intervals import t_quantile
from dagscape.posteriors.pieces import Estimate, Networks, Piece, Table
from dagscape.variables import Variables

FAR_APART = 0.1
"""Chains whose mean may be off by this have not come together."""

MOST_ARCS = 5
"""Arcs in which chains differ most that are named."""


def half_width(values: Sequence[Table]) -> Table:
    """Return how far the t-interval of a mean of independent values reaches to either side."""
    if len(values) == 1:
        return np.full_like(values[0], math.inf)
    spread: Table = np.std(values, axis=0, ddof=1)
    return spread * t_quantile(len(values) - 1) / math.sqrt(len(values))


def chained(tables: Sequence[Table], seen: int) -> Estimate:
    """Return the mean over chains, with intervals from how far these differ.

    Chains from dispersed starts are independent, so the mean of their means has a t-interval. It
    holds the truth 19 times in 20 if every chain has come to where the probability is: of what none
    of them has met, they say nothing. One chain alone says nothing of its error.

    Parameters
    ----------
    seen
        Networks that were looked at: shares are no finer than one of them.
    """
    mean: Table = np.mean(tables, axis=0)
    if len(tables) == 1:
        return Estimate(mean, np.zeros_like(mean), np.ones_like(mean))
    error = np.maximum(half_width(tables), 1 / max(1, seen))
    return Estimate(mean, np.clip(mean - error, 0, 1), np.clip(mean + error, 0, 1))


@dataclass(frozen=True)
class Agreement:
    """How far chains agree on the probabilities of arcs; see :attr:`Posterior.agreement`."""

    chains: int
    starts: tuple[str, ...]
    """What each began with: "empty", "random", or "optimum" of a search over orders."""
    error: float
    """No arc's probability has an interval that reaches further to either side."""
    apart: float
    """The most by which two chains differ in an arc."""
    arcs: tuple[tuple[str, str, float, float], ...]
    """Those in which they differ most: from, to, the least and the most that a chain says."""
    completed: int = 0
    """Where cells are missing, the tables with drawn cells that each chain went through, on
    average; 0 where none are."""
    jumps_tried: int = 0
    """How often the chains, all together, tried to jump from one known optimum to another."""
    jumps_taken: int = 0
    """How often they did."""

    @property
    def together(self) -> bool:
        """Whether the error is below 0.1: chains that are further apart are still on their way."""
        return self.error < FAR_APART


def agreement(variables: Variables, pieces: Sequence[Piece]) -> Agreement:
    """Compare chains arc by arc."""
    tables = [piece.arcs for piece in pieces]
    low, high = np.min(tables, axis=0), np.max(tables, axis=0)
    facts = [piece.chain for piece in pieces if piece.chain is not None]
    found = chained(tables, sum(each.rounds for each in facts))
    error = np.maximum(found.upper - found.probability, found.probability - found.lower)
    np.fill_diagonal(error, 0)
    most = np.argsort(-(high - low), axis=None, kind="stable")[:MOST_ARCS]
    ends = [divmod(int(at), len(variables)) for at in most]
    name = variables.name
    return Agreement(
        chains=len(pieces),
        starts=tuple(each.start for each in facts),
        error=float(error.max(initial=0)),
        apart=float((high - low).max(initial=0)),
        arcs=tuple(
            (name(u), name(v), float(low[u, v]), float(high[u, v]))
            for u, v in ends
            if high[u, v] > low[u, v]
        ),
        completed=round(np.mean([each.rounds if each.completed else 0 for each in facts])),
        jumps_tried=sum(each.jumps_tried for each in facts),
        jumps_taken=sum(each.jumps_taken for each in facts),
    )


Measure: TypeAlias = Callable[[Networks], NDArray[np.float64]]
"""What is a mean over networks, by their shares."""

PARTS = 20
"""Independent draws are dealt out into so many parts, to see how far these differ."""


def error_of_mean(
    tables: Sequence[Networks], measure: Measure, *, chain: bool
) -> NDArray[np.float64]:
    """Return by how much a measure may be off, 19 times in 20.

    Chains and resamples are independent of each other, and so are parts of independent draws: the
    mean over them has a t-interval. Listed networks leave no error; one chain has nothing to be
    compared with and leaves it open (infinite).

    Parameters
    ----------
    tables
        The networks of each chain or resample, or those of the one table there is.
    chain
        Whether networks are those of chains, which are not independent draws.
    """
    if len(tables) > 1:
        return half_width([measure(each) for each in tables])
    only = tables[0]
    if chain:
        return np.full_like(measure(only), np.inf)
    if not only.drawn:
        return np.zeros_like(measure(only))
    return half_width([measure(part) for part in _dealt(only)])


def _dealt(networks: Networks) -> list[Networks]:
    """Return the drawn networks in parts, each as if fewer had been drawn."""
    counts = np.rint(networks.weights * networks.drawn).astype(np.int64)
    cards = np.random.default_rng(0).permutation(np.repeat(np.arange(len(counts)), counts))
    return [
        replace(
            Networks.from_draws(networks.variables, [networks.codes[at] for at in part]),
            kinds=networks.kinds,
        )
        for part in np.array_split(cards, min(PARTS, len(cards)))
    ]
