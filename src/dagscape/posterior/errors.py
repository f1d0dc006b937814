"""How far a mean over networks may be off: those that were drawn are not all there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dagscape import _core
from dagscape.posterior.agreement import half_width
from dagscape.posterior.consensus import States
from dagscape.posterior.findings import Findings
from dagscape.posterior.pieces import Networks

Measure: TypeAlias = Callable[[Networks], NDArray[np.float64]]
"""What is a mean over networks, by their shares."""

PARTS = 20
"""Independent draws are dealt out into so many parts, to see how far these differ."""


def error_of_mean(findings: Findings, measure: Measure) -> NDArray[np.float64]:
    """Return by how much a measure may be off, 19 times in 20.

    Chains and resamples are independent of each other, and so are parts of independent draws: the
    mean over them has a t-interval. Listed networks leave no error; one chain has nothing to be
    compared with and leaves it open (infinite).
    """
    networks = [piece.networks for piece in findings.pieces if piece.networks is not None]
    whole = findings.networks
    if len(networks) > 1:
        return half_width([measure(each) for each in networks])
    if findings.sampled:
        return np.full_like(measure(whole), np.inf)
    if not whole.drawn:
        return np.zeros_like(measure(whole))
    return half_width([measure(part) for part in _dealt(whole)])


def mean_distance_error(findings: Findings, graph: _core.Pdag) -> float:
    """Return by how much the mean distance of an essential graph may be off."""

    def distance(networks: Networks) -> NDArray[np.float64]:
        return np.array(States.of(networks.classes).expected(graph))

    return float(error_of_mean(findings, distance))


def _dealt(networks: Networks) -> list[Networks]:
    """Return the networks that were drawn in parts, each as if fewer had been drawn."""
    counts = np.rint(networks.weights * networks.drawn).astype(np.int64)
    cards = np.random.default_rng(0).permutation(np.repeat(np.arange(len(counts)), counts))
    return [
        Networks.from_draws(networks.variables, [networks.codes[at] for at in part])
        for part in np.array_split(cards, min(PARTS, len(cards)))
    ]
