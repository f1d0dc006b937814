"""Nodes drawn at random for networks with numbers.

Every variable with numbers gets mean 0 and variance 1, so that variances tell nothing of the order
of causes (Reisach, Seiler and Weichwald 2021). What parents add is scaled by rows that are drawn
along the way, which holds for curves and mixtures as well as for lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dagscape.networks.nodes import Column, GaussianNode, Node, SoftmaxNode, TableNode
from dagscape.networks.nodes.curves import CURVES, LINE

ROWS = 4000
"""Rows by which shares of variance are scaled: good for about two digits."""
BENT = tuple(curve for curve in CURVES if curve != LINE)
STRENGTH = (0.5, 1.0)
"""How much a parent counts beside the others, at random within these bounds and of any sign."""
ODDS = (1.0, 2.0)
"""Half the difference in log odds between the outermost states, by one more sd of a parent."""
RAREST = 0.02
"""The least probability that a state has where its parents with numbers are at their means."""


class Family(NamedTuple):
    """A variable and its parents, of which each has so many states, or 0 for numbers."""

    x: str
    states: int
    parents: Mapping[str, int]

    @property
    def shape(self) -> tuple[int, ...]:
        """The states of the parents that have any."""
        return tuple(arity for arity in self.parents.values() if arity)


class RandomNodes:
    """Draws one node after another, parents first."""

    def __init__(
        self,
        tables: np.random.Generator,
        rng: np.random.Generator,
        concentration: float,
        noise: tuple[float, float],
        curved: bool,
    ) -> None:
        self._tables = tables
        self._rng = rng
        self._concentration = concentration
        self._noise = noise
        self._curved = curved
        self._columns: dict[str, Column] = {}

    def draw(self, family: Family) -> Node:
        """Return the node of a variable whose parents were drawn before."""
        above = [self._columns[p] for p in family.parents]
        floats = [column for column in above if column.dtype.kind == "f"]
        node: Node
        if not family.states:
            node = self._gaussian(family, above, floats)
        elif floats:
            node = self._softmax(family, len(floats))
        else:
            node = TableNode(self._probabilities(family))
        self._columns[family.x] = node.draw(above, ROWS, self._rng)
        return node

    def _gaussian(
        self, family: Family, above: Sequence[Column], floats: Sequence[Column]
    ) -> GaussianNode:
        count = len(floats)
        curves = (LINE,) * count
        if self._curved:
            curves = tuple(self._rng.choice(BENT) for _ in floats)
        if not above:
            return GaussianNode(0.0, 1.0)
        units = [_sd(CURVES[c](column)) for c, column in zip(curves, floats, strict=True)]
        main = self._signed(STRENGTH, count) / np.array(units)
        slopes = main * self._rng.uniform(0.5, 1.5, size=(*family.shape, count))
        if not family.shape:
            slopes = main
        offsets = np.zeros(family.shape)
        for axis, arity in enumerate(family.shape):  # each state of a parent adds its own
            along = [1] * len(family.shape)
            along[axis] = arity
            offsets = offsets + (self._signed(STRENGTH, 1) * self._levels(arity)).reshape(along)
        signal, _ = GaussianNode(offsets, np.ones_like(offsets), slopes, None, curves).means(above)
        noise = self._rng.uniform(*self._noise)
        scale = np.sqrt(1.0 - noise) / _sd(signal)
        mean = (offsets - signal.mean()) * scale
        sd = np.full(family.shape, np.sqrt(noise))
        return GaussianNode(mean, sd, slopes * scale, None, curves)

    def _softmax(self, family: Family, count: int) -> SoftmaxNode:
        intercepts = np.log(np.maximum(self._probabilities(family), RAREST))
        by_state = np.stack([self._levels(family.states) for _ in range(count)], axis=-1)
        main = self._signed(ODDS, count) * by_state
        each = self._rng.uniform(0.5, 1.5, size=(*family.shape, 1, count))
        return SoftmaxNode(intercepts, main * each if family.shape else main)

    def _probabilities(self, family: Family) -> npt.NDArray[np.float64]:
        weights = np.full(family.states, self._concentration)
        drawn: npt.NDArray[np.float64] = self._tables.dirichlet(weights, size=family.shape)
        return drawn

    def _levels(self, states: int) -> npt.NDArray[np.float64]:
        """Return numbers from -1 to 1 for states, in a random order."""
        return self._rng.permutation(np.linspace(-1.0, 1.0, states))

    def _signed(self, bounds: tuple[float, float], count: int) -> npt.NDArray[np.float64]:
        signs = np.where(self._rng.random(count) < 0.5, -1.0, 1.0)
        return signs * self._rng.uniform(*bounds, size=count)


def _sd(column: npt.NDArray[np.float64]) -> float:
    """Return the standard deviation; of a column that never changes 1."""
    return float(column.std()) or 1.0
