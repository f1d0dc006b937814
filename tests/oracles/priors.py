"""Priors on structures, from their definitions: what a network weighs before any row is seen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from oracles import graphs

if TYPE_CHECKING:
    from collections.abc import Callable


def uniform(_dag: graphs.Graph, _n: int) -> float:
    """All networks alike."""
    return 0.0


def fair(dag: graphs.Graph, n: int) -> float:
    """1 / C(n − 1, k) for each variable with k parents."""
    sizes = [sum(child == v for _, child in dag) for v in range(n)]
    return -sum(math.log(math.comb(n - 1, k)) for k in sizes)


def edges(neighbors: float) -> Callable[[graphs.Graph, int], float]:
    """ω for each arc."""

    def log_weight(dag: graphs.Graph, n: int) -> float:
        p = min(neighbors / (n - 1), 0.5) if n > 1 else 0.5
        return len(dag) * math.log((p / 2) / (1 - p))

    return log_weight
