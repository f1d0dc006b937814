"""Missing cells of rows drawn by their probability in a network that may have numbers.

Each variable is drawn in turn given the rest of its row (Gibbs sampling). Numbers whose children
are lines in them are normal given all else, and all such numbers of a row that are missing are
drawn together. A number with a child that has states is drawn as if it had none, and what was drawn
is accepted by how much better it explains that child (Metropolis).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dagscape.networks.nodes import GaussianNode
from dagscape.networks.nodes.node import Column, Floats, row_of
from dagscape.networks.number_predictions import state_probabilities

if TYPE_CHECKING:
    from dagscape.networks.network import Network

Rows = npt.NDArray[np.intp]

LEAST_NOISE = 1e-9
"""What is certain has at least this noise, as a share of its size."""
TRIES = 3
"""Numbers that are proposed, one after another, where children with states decide."""
MOST_CELLS = 4e6
"""Cells of the matrices of rows that are drawn at a time."""


@dataclass(frozen=True)
class _Together:
    """Numbers that are drawn together, and where one of them is missing."""

    names: list[str]
    rows: Rows
    missing: list[npt.NDArray[np.bool_]]

    @classmethod
    def of(cls, names: list[str], gaps: Mapping[str, Rows]) -> _Together:
        """Find the rows of numbers."""
        rows = np.unique(np.concatenate([gaps[x] for x in names]))
        return cls(names, rows, [np.isin(rows, gaps[x]) for x in names])


class CellDraws:
    """Draws the missing cells of rows, again and again.

    Parameters
    ----------
    network
        Its numbers must be lines in their parents.
    gaps
        The rows in which each variable is missing, for those that are missing somewhere.
    """

    def __init__(self, network: Network, gaps: Mapping[str, Rows]) -> None:
        self._network = network
        self._gaps = {x: gaps[x] for x in network.dag.topological_order() if x in gaps}
        holed = [x for x in self._gaps if not network.states[x]]
        self._singly = [x for x in holed if any(network.states[y] for y in _children(network, x))]
        together = [x for x in holed if x not in self._singly]
        self._together = [_Together.of(names, self._gaps) for names in _linked(network, together)]

    def sweep(self, columns: Mapping[str, Column], rng: np.random.Generator) -> None:
        """Draw all missing cells once, in their columns."""
        for x, rows in self._gaps.items():
            if self._network.states[x]:
                self._draw_states(x, rows, columns, rng)
        for some in self._together:
            step = max(1, int(MOST_CELLS / len(some.names) ** 2))
            for start in range(0, len(some.rows), step):
                self._draw_together(some, slice(start, start + step), columns, rng)
        for x in self._singly:
            self._draw_singly(x, self._gaps[x], columns, rng)

    def _draw_states(
        self, x: str, rows: Rows, columns: Mapping[str, Column], rng: np.random.Generator
    ) -> None:
        known = {y: columns[y][rows] for y in self._network.dag.markov_blanket(x)}
        steps = np.cumsum(state_probabilities(self._network, x, known, len(rows)), axis=1)
        codes = (rng.random(len(rows))[:, None] >= steps[:, :-1] / steps[:, -1:]).sum(axis=1)
        possible = np.isfinite(steps[:, -1])  # elsewhere nothing explains the row
        columns[x][rows[possible]] = codes[possible]

    def _draw_together(
        self,
        some: _Together,
        part: slice,
        columns: Mapping[str, Column],
        rng: np.random.Generator,
    ) -> None:
        """Draw numbers that no states depend on, given all else: they are jointly normal."""
        names, rows = some.names, some.rows[part]
        toward, precision = _information(self._network, names, columns, rows)
        for place, x in enumerate(names):
            there = ~some.missing[place][part]
            if not there.any():
                continue
            # What is there is given: it moves the others, and is drawn as nothing.
            toward[there] -= precision[there, :, place] * columns[x][rows[there], None]
            precision[there, place, :] = precision[there, :, place] = 0.0
            precision[there, place, place], toward[there, place] = 1.0, 0.0
        scale = 1 / np.sqrt(np.einsum("rii->ri", precision))
        factor = np.linalg.cholesky(precision * scale[:, :, None] * scale[:, None, :])
        noise = rng.standard_normal(toward.shape)
        half = np.linalg.solve(factor, (toward * scale)[..., None]) + noise[..., None]
        found = np.linalg.solve(factor.transpose(0, 2, 1), half)[..., 0] * scale
        for place, x in enumerate(names):
            missing = some.missing[place][part]
            columns[x][rows[missing]] = found[missing, place]

    def _draw_singly(
        self, x: str, rows: Rows, columns: Mapping[str, Column], rng: np.random.Generator
    ) -> None:
        """Draw a number that states depend on: by lines, accepted by what these states say."""
        network = self._network
        toward, precision = _information(network, [x], columns, rows)
        center, sd = toward[:, 0] / precision[:, 0, 0], 1 / np.sqrt(precision[:, 0, 0])
        known = {y: columns[y][rows] for y in network.dag.markov_blanket(x)}

        def told(values: Floats) -> Floats:
            filled = {**known, x: values}
            logs = np.zeros(len(rows))
            for child in network.dag.children(x):
                if network.states[child]:
                    above = [filled[p] for p in network.dag.parents(child)]
                    logs += network.node(child).log_density(known[child], above)
            return logs

        here = columns[x][rows]
        says = told(here)
        for _ in range(TRIES):
            there = center + sd * rng.standard_normal(len(rows))
            would_say = told(there)
            with np.errstate(invalid="ignore"):
                taken = ~(np.log(rng.random(len(rows))) >= would_say - says)
            here, says = np.where(taken, there, here), np.where(taken, would_say, says)
        columns[x][rows] = here


def _linked(network: Network, names: Sequence[str]) -> list[list[str]]:
    """Return numbers in groups: given all else, those of different groups are independent.

    Two are in one group if a family of lines has both, or a chain of such families does.
    """
    group = {x: x for x in names}
    for y in network.dag.names:
        if network.states[y]:
            continue
        family = [x for x in (y, *network.dag.parents(y)) if x in group]
        joined = {group[x] for x in family}
        for x in names if len(joined) > 1 else ():
            if group[x] in joined:
                group[x] = group[family[0]]
    return [[x for x in names if group[x] == one] for one in dict.fromkeys(group.values())]


def _children(network: Network, x: str) -> tuple[str, ...]:
    return tuple(network.dag.children(x))


def _information(
    network: Network, names: Sequence[str], columns: Mapping[str, Column], rows: Rows
) -> tuple[Floats, Floats]:
    """Return what lines say of some numbers, given all others: precisions, and these times means.

    Of each row, ln P = −½ xᵀ precision x + towardᵀ x + a constant.
    """
    place = {x: i for i, x in enumerate(names)}
    toward = np.zeros((len(rows), len(names)))
    precision = np.zeros((len(rows), len(names), len(names)))
    families = [*names, *(y for x in names for y in _children(network, x) if y not in place)]
    for y in dict.fromkeys(families):
        node = network.node(y)
        if not isinstance(node, GaussianNode):
            continue
        parents = network.dag.parents(y)
        above = [p for p in parents if not network.states[p]]
        discrete = [columns[p][rows] for p in parents if network.states[p]]
        cell = row_of(discrete, node.mean.shape)
        slopes = node.slopes.reshape(-1, len(above))[cell] if above else np.zeros((1, 0))
        slopes = np.broadcast_to(slopes, (len(rows), len(above)))
        mean = np.broadcast_to(node.mean.reshape(-1)[cell], len(rows))
        sd = np.broadcast_to(node.sd.reshape(-1)[cell], len(rows))
        sd = np.maximum(sd, LEAST_NOISE * np.maximum(np.abs(mean), 1.0))
        # The noise is weights · (the family) − off, of which some members are asked about.
        off = mean - slopes @ node.centers
        weights = {y: np.ones(len(rows)), **{p: -slopes[:, j] for j, p in enumerate(above)}}
        for p, weight in weights.items():
            if p not in place:
                off = off - weight * columns[p][rows]
        asked = [p for p in weights if p in place]
        for p in asked:
            share = weights[p] / np.square(sd)
            toward[:, place[p]] += share * off
            for q in asked:
                precision[:, place[p], place[q]] += share * weights[q]
    return toward, precision
