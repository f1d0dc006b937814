"""How far a mean over networks may be off: those that were drawn are not all there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dagscape.posteriors.agreement import half_width
from dagscape.posteriors.pieces import Networks

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
    """Return the networks that were drawn in parts, each as if fewer had been drawn."""
    counts = np.rint(networks.weights * networks.drawn).astype(np.int64)
    cards = np.random.default_rng(0).permutation(np.repeat(np.arange(len(counts)), counts))
    return [
        Networks.from_draws(networks.variables, [networks.codes[at] for at in part])
        for part in np.array_split(cards, min(PARTS, len(cards)))
    ]
