"""What would settle whether an edge is there: how many rows, if it is as strong as it seems."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dagscape.scores import LogLikelihood, local_score

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.graphs import Dag
    from dagscape.scores import Score

SETTLED = 3.0
"""Nats: odds of 20 to 1."""

MOST = 1e12
"""More rows than anybody has."""


def rows_to_settle(data: Data, dag: Dag, edge: tuple[str, str], score: Score) -> float | None:
    """Return roughly how many rows it takes for a network with the edge to score 3 nats more.

    The likelihood that the edge gains grows with the rows, the price of its parameters with their
    logarithm. Of the gain, what chance gives (half a nat for each parameter) is taken off first.
    None if nothing is left then: more rows would rather show that there is no edge. No more than
    the rows there are where 3 nats are reached already, so that something else leaves it open.
    """
    parent, child = edge
    if parent in dag.descendants(child):
        parent, child = child, parent
    others = [name for name in dag.parents(child) if name != parent]
    parents = [*others, parent]
    own = local_score(data, child, parents, score=score)
    gain = own - local_score(data, child, others, score=score)
    likelihood = local_score(data, child, parents, score=LogLikelihood())
    likelihood -= local_score(data, child, others, score=LogLikelihood())
    arity = data.arities
    cells = math.prod(arity[name] for name in others)
    parameters = (arity[child] - 1) * cells * (arity[parent] - 1)
    rows = float(data.n_rows)
    if gain >= SETTLED:
        return rows
    rate = (likelihood - parameters / 2) / rows
    if rate <= 0:
        return None
    price = likelihood - gain

    def difference(many: float) -> float:
        return many * rate + parameters / 2 - price - parameters / 2 * math.log(many / rows)

    most = rows
    while difference(most) < SETTLED:
        most *= 2
        if most > MOST:
            return None
    least = most / 2
    for _ in range(30):
        middle = (least + most) / 2
        least, most = (least, middle) if difference(middle) >= SETTLED else (middle, most)
    return most
