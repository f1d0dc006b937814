"""Answers from weighted samples, where exact ones take too much memory.

Likelihood weighting: what is given is not drawn, and a sample weighs as much as the given is
probable in it. Sources: Fung and Chang 1989; Shachter and Peot 1989.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dagscape.errors import ParameterError
from dagscape.networks.network import draw_column
from dagscape.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dagscape.networks.evidence import Evidence
    from dagscape.networks.network import Network
    from dagscape.networks.nodes.table import Table


class WeightedSamples:
    """Samples of a network in which the evidence holds, with their weights."""

    def __init__(self, network: Network, evidence: Evidence, samples: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self._arities = network.arities
        self._given = {**evidence.states, **evidence.numbers}
        self.count = samples
        self.drawn: dict[str, np.ndarray] = {}
        logs = np.zeros(samples)
        for x in network.dag.topological_order():
            above = [self.drawn[p] for p in network.dag.parents(x)]
            # Given ones are drawn too: the seed decides each by itself.
            self.drawn[x] = draw_column(network, x, above, samples, rng)
            if x in self._given:
                self.drawn[x] = np.full(samples, self._given[x])
                logs += network.node(x).log_density(self.drawn[x], above)
            if x in evidence.weights:
                with np.errstate(divide="ignore"):
                    logs += np.log(evidence.weights[x])[self.drawn[x]]
        most = logs.max()
        self._weights = weights = np.exp(logs - most) if most > -np.inf else np.zeros(samples)
        if not weights.any():
            raise ParameterError(
                f"what is given did not occur in {counted(samples, 'sample')}: it is impossible "
                "or too improbable; ask for more samples, or allow more memory for an exact answer"
            )

    @property
    def worth(self) -> float:
        """How many samples of equal weight would tell as much (Kish's effective size)."""
        return float(self._weights.sum() ** 2 / np.square(self._weights).sum())

    def numbers(self, x: str) -> tuple[Table, Table]:
        """Return the weights of samples, which sum to 1, and a number in each of them."""
        kept = self._weights > 0
        return self._weights[kept] / self._weights.sum(), self.drawn[x][kept]

    def joint(self, targets: Sequence[str]) -> tuple[Table, Table]:
        """Return estimates and their standard errors, with an axis for each target."""
        shape = tuple(self._arities[x] for x in targets)
        cell = np.ravel_multi_index(tuple(self.drawn[x] for x in targets), shape)
        size = int(np.prod(shape))
        total = self._weights.sum()
        share = np.bincount(cell, self._weights, minlength=size) / total
        # The ratio of two means: errors of both count.
        squares = np.bincount(cell, np.square(self._weights), minlength=size) / total**2
        all_squares = np.square(self._weights).sum() / total**2
        variance = squares * (1 - 2 * share) + all_squares * np.square(share)
        # What was never drawn may still have about one sample's share.
        errors = np.maximum(np.sqrt(np.maximum(variance, 0)), 1 / self.worth)
        if all(x in self._given for x in targets):
            errors[:] = 0
        return share.reshape(shape), errors.reshape(shape)
