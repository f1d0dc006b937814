"""Tables of a network drawn from what the data say of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dagscape.scores import Score

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.networks.tables import Table


class ParameterDraws:
    """Draws P(child | parents) from its posterior, a Dirichlet distribution for each row of it.

    The prior is the score's own (:meth:`Score.imagined`).
    """

    def __init__(self, data: Data, score: Score, rng: np.random.Generator) -> None:
        self._codes = {x: data.codes[:, i].astype(np.intp) for i, x in enumerate(data.names)}
        self._arities = data.arities
        self._score = score.base
        self._rng = rng
        self._known: dict[tuple[str, tuple[str, ...]], Table] = {}

    def draw(self, child: str, parents: tuple[str, ...]) -> Table:
        """Return a table with an axis for each parent and the child's last."""
        drawn = self._rng.standard_gamma(self.weights(child, parents))
        # A row of tiny weights may come out as zeros: then one of its states has all.
        total = drawn.sum(axis=-1, keepdims=True)
        first = np.zeros_like(drawn)
        first[..., 0] = 1
        return np.asarray(np.divide(drawn, total, out=first, where=total > 0))

    def mean(self, child: str, parents: tuple[str, ...]) -> Table:
        """Return the posterior mean of the table."""
        weights = self.weights(child, parents)
        return np.asarray(weights / weights.sum(axis=-1, keepdims=True))

    def weights(self, child: str, parents: tuple[str, ...]) -> Table:
        """Return counts plus what the prior adds to them."""
        key = (child, parents)
        if key not in self._known:
            family = (*parents, child)
            shape = tuple(self._arities[x] for x in family)
            cells = np.ravel_multi_index(tuple(self._codes[x] for x in family), shape)
            counts = np.bincount(cells, minlength=math.prod(shape)).reshape(shape)
            added = self._score.imagined(counts, counts.size, len(family))
            self._known[key] = counts.astype(np.float64) + added
        return self._known[key]
