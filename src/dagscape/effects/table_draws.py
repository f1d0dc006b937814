"""Tables of a network drawn from what the data say of them, and P(outcome | do(cause)) in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dagscape import _core
from dagscape.data.contents import counts_of
from dagscape.graphs.named_graph import reached
from dagscape.networks.exact_answers import CELL
from dagscape.scores import Score

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dagscape.data import Data
    from dagscape.graphs import Dag
    from dagscape.networks.nodes.table import Table


class ParameterDraws:
    """Draws P(child | parents) from its posterior, a Dirichlet distribution for each row of it.

    The prior is the score's own (:meth:`Score.imagined`). Where rows come from experiments, a child
    is learned from those in which it was free.
    """

    def __init__(self, data: Data, score: Score, rng: np.random.Generator) -> None:
        self._data = data
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
            counts = counts_of(self._free(child), family)
            self._known[key] = counts + self._score.imagined(counts, counts.size, len(family))
        return self._known[key]

    def _free(self, child: str) -> Data:
        done = self._data.rows.interventions
        if done is None:
            return self._data
        return self._data.part(done.free_rows(child), "interventions")


def drawn_effect(
    dag: Dag,
    cause: str,
    outcome: str,
    arities: Mapping[str, int],
    parameters: ParameterDraws,
    memory: int,
) -> Table:
    """Draw the network's parameters; return a row of P(outcome | do(state)) for each state.

    The arcs into the cause are cut and its states made equally probable: then setting a state is
    the same as seeing it. Only what is above the outcome by then has a part.
    """
    above = reached(outcome, lambda x: () if x == cause else dag.parents(x))
    if cause not in above:  # nothing that is done to it reaches the outcome
        alone = _joint(dag, cause, [outcome], above, arities, parameters, memory)
        return np.tile(alone, (arities[cause], 1))
    both = _joint(dag, cause, sorted([cause, outcome]), above, arities, parameters, memory)
    if cause > outcome:
        both = both.T
    return np.asarray(both / both.sum(axis=1, keepdims=True))


def _joint(
    dag: Dag,
    cause: str,
    wanted: list[str],
    members: set[str],
    arities: Mapping[str, int],
    parameters: ParameterDraws,
    memory: int,
) -> Table:
    names = sorted(members)
    number = {x: v for v, x in enumerate(names)}
    parents: list[list[int]] = []
    tables = []
    for x in names:
        if x == cause:
            parents.append([])
            tables.append(np.full(arities[x], 1 / arities[x]))
        else:
            given = dag.parents(x)
            parents.append([number[p] for p in given])
            tables.append(np.ascontiguousarray(parameters.draw(x, given)).reshape(-1))
    engine = _core.TableNetwork([arities[x] for x in names], parents, tables)
    values, _ = engine.joint(
        [number[x] for x in wanted], [-1] * len(names), [[] for _ in names], memory // CELL
    )
    return np.asarray(values).reshape([arities[x] for x in wanted])
