"""Iterative proportional fitting (Deming and Stephan, 1940)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dagscape.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dagscape.networks.nodes.table import Table


def fit_margins(
    start: npt.ArrayLike,
    margins: Iterable[tuple[Sequence[int], npt.ArrayLike]],
    *,
    tolerance: float = 1e-13,
    max_rounds: int = 10_000,
) -> Table:
    """Scale a joint table until it has the given margins.

    The result is the table nearest to ``start`` (in Kullback-Leibler divergence) among those with
    these margins, so it keeps the interactions of ``start`` that no margin speaks of: from the
    uniform table it is the one of the undirected model whose cliques are the margins.

    Parameters
    ----------
    margins
        Pairs of the axes that are kept, ascending, and the table wanted on them.
    tolerance
        Stop when no cell of any margin is off by more.
    """
    table = np.array(start, dtype=np.float64)
    wanted = []
    for axes, target in margins:
        others = tuple(a for a in range(table.ndim) if a not in axes)
        goal = np.expand_dims(np.asarray(target, dtype=np.float64), others)
        if goal.shape != tuple(n if a in axes else 1 for a, n in enumerate(table.shape)):
            raise ParameterError(
                f"the margin on axes {tuple(axes)} must have shape "
                f"{tuple(table.shape[a] for a in axes)}, got {np.shape(target)}"
            )
        wanted.append((others, goal))
    off = np.inf
    for _ in range(max_rounds):
        off = 0.0
        for others, goal in wanted:
            now = table.sum(axis=others, keepdims=True)
            if np.any((now == 0) & (goal > 0)):
                raise ParameterError("a margin asks for probability where the start table has none")
            off = max(off, float(np.abs(now - goal).max()))
            table *= np.divide(goal, now, out=np.zeros_like(goal), where=now > 0)
        if off <= tolerance:
            return table
    raise ParameterError(
        f"no table was found with these margins: after {max_rounds} rounds one is still off by "
        f"{off:.1g}; check that they agree where they overlap"
    )
