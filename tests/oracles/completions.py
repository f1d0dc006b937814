"""Rows with gaps by the definition: all completions, one after another."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from oracles import graphs, scores


class PlainNetwork:
    """Parents and tables by number; tables have an axis for each parent, and the child's last."""

    def __init__(
        self, arities: Sequence[int], parents: Sequence[Sequence[int]], rng: np.random.Generator
    ) -> None:
        self.arities, self.parents = list(arities), [list(p) for p in parents]
        self.tables = [
            rng.dirichlet(np.full(arities[v], 0.7), size=[arities[p] for p in parents[v]])
            for v in range(len(arities))
        ]

    def probability(self, row: Sequence[int]) -> float:
        """Return the probability of a whole row."""
        return math.prod(
            float(table[(*(row[p] for p in parents), row[v])])
            for v, (table, parents) in enumerate(zip(self.tables, self.parents, strict=True))
        )

    def completions(self, row: Sequence[int | None]) -> Iterator[tuple[tuple[int, ...], float]]:
        """Yield every row that agrees with this one, and its probability."""
        choices = [
            range(self.arities[v]) if value is None else [value] for v, value in enumerate(row)
        ]
        for whole in itertools.product(*choices):
            yield whole, self.probability(whole)


def expected_counts(
    network: PlainNetwork, rows: Sequence[Sequence[int | None]], variables: Sequence[int]
) -> NDArray[np.float64]:
    """Return the expected counts of all value combinations of some variables."""
    counts = np.zeros([network.arities[v] for v in variables])
    for row in rows:
        all_ways = list(network.completions(row))
        total = sum(weight for _, weight in all_ways)
        for whole, weight in all_ways:
            counts[tuple(whole[v] for v in variables)] += weight / total
    return counts


def log_likelihood(network: PlainNetwork, rows: Sequence[Sequence[int | None]]) -> float:
    """Return ln P(what the rows have)."""
    return sum(math.log(sum(weight for _, weight in network.completions(row))) for row in rows)


def node_average_likelihood(
    rows: Sequence[Sequence[int | None]],
    arities: Sequence[int],
    child: int,
    parents: Sequence[int],
    alpha: float,
) -> float:
    """Return n times the mean log-likelihood of available cases, less n^-alpha per parameter."""
    n = len(rows)
    available = [row for row in rows if all(row[v] is not None for v in (child, *parents))]
    price = n ** (1 - alpha) * (arities[child] - 1) * math.prod(arities[p] for p in parents)
    if not available:
        return -n * math.log(arities[child]) - price
    total = 0.0
    for row in available:
        above = [r for r in available if all(r[p] == row[p] for p in parents)]
        alike = [r for r in above if r[child] == row[child]]
        total += math.log(len(alike) / len(above))
    return n * total / len(available) - price


def log_weights_of_networks(
    rows: Sequence[Sequence[int | None]], arities: Sequence[int], score: str, ess: float = 1.0
) -> dict[graphs.Graph, float]:
    """Return ln P(what the rows have | network) of every network.

    That is the sum of the probabilities of all tables that agree with the rows.
    """
    n = len(arities)
    choices = [
        range(arities[v]) if value is None else [value]
        for row in rows
        for v, value in enumerate(row)
    ]
    logs: dict[graphs.Graph, list[float]] = {dag: [] for dag in graphs.all_dags(n)}
    for cells in itertools.product(*choices):
        table = [cells[first : first + n] for first in range(0, len(cells), n)]
        local = {
            (v, parents): scores.local_score(table, arities, v, parents, score, ess)
            for v in range(n)
            for size in range(n)
            for parents in itertools.combinations([u for u in range(n) if u != v], size)
        }
        for dag, found in logs.items():
            found.append(sum(local[v, tuple(sorted(graphs.parents(dag, v)))] for v in range(n)))
    return {dag: float(np.logaddexp.reduce(found)) for dag, found in logs.items()}
