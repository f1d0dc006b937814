"""P(outcome | do(cause)) in one network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dagscape import _core
from dagscape.networks.exact_answers import CELL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dagscape.effects.parameters import ParameterDraws
    from dagscape.graphs import Dag
    from dagscape.networks.tables import Table


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
    above = {outcome}
    stack = [outcome]
    while stack:
        x = stack.pop()
        for p in () if x == cause else dag.parents(x):
            if p not in above:
                above.add(p)
                stack.append(p)
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
