"""What local learning finds in a graph if there are as many rows as you like."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from oracles import graphs
from oracles.distributions import Joint
from oracles.graphs import Graph
from oracles.limit import distribution, draw_distribution, limit_value
from oracles.sll import Sll

SMALLEST: Graph = frozenset({(4, 1), (0, 2), (5, 2), (3, 4), (0, 4), (3, 5), (1, 5)})
"""The example of the page on spouses: t, b, c, s, a, d are 0 to 5."""
SHARES = {0: (0.5,), 1: (0.1, 0.9), 2: (0.1, 0.4, 0.9)}
"""Its probabilities of 1, by how many parents there are and how many of them are 1."""
MANY = 1e11
"""Rows, of which only the distribution matters."""

Order = tuple[int, ...]


class Limit:
    """The searches around the variables of a graph, in the order asked for."""

    def __init__(self, dag: Graph, joint: Joint) -> None:
        self.dag, self.n = dag, len(next(iter(joint)))
        value = limit_value(joint, MANY)
        self._first = Sll(lambda v, pa: value(pa | {v}) - value(pa), range(self.n))

    def steps(self, order: Sequence[int]) -> Sll:
        """Return the algorithms for an order; best networks are found once for all orders."""
        steps = Sll(self._first._local_score, range(self.n), lambda _: order)
        steps.asked = self._first.asked
        return steps

    def true_neighbors(self, t: int) -> frozenset[int]:
        return graphs.parents(self.dag, t) | graphs.children(self.dag, t)

    def true_spouses(self, t: int) -> frozenset[int]:
        return graphs.markov_blanket(self.dag, t) - self.true_neighbors(t)

    def neighbors_are_true(self, order: Sequence[int]) -> bool:
        steps = self.steps(order)
        return all(steps.find_neighbors(t) == self.true_neighbors(t) for t in range(self.n))

    def false_cases(self, order: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return the targets whose published, and whose checked spouses are wrong."""
        steps = self.steps(order)
        assert self.neighbors_are_true(order)
        return (
            [t for t in range(self.n) if steps.find_spouses(t) != self.true_spouses(t)],
            [t for t in range(self.n) if steps.find_checked_spouses(t) != self.true_spouses(t)],
        )


def drawn_limit(dag: Graph, n: int, seed: int) -> Limit:
    """Return a graph with probabilities drawn."""
    return Limit(dag, draw_distribution(dag, n, seed))


def example_limit() -> Limit:
    """Return the example with the probabilities of the page."""
    return Limit(
        SMALLEST, distribution(SMALLEST, 6, lambda _, states: SHARES[len(states)][sum(states)])
    )


def strong_limit(dag: Graph, n: int, seed: int) -> Limit:
    """Return a draw in which every dependence shows; one in thousands has one that does not."""
    order = tuple(range(n))
    draws = (drawn_limit(dag, n, seed + 1_000_000 * again) for again in range(3))
    return next(limit for limit in draws if limit.neighbors_are_true(order))


def random_limit(n: int, seed: int) -> Limit:
    """Return a random graph with n - 1 to 2n - 1 arcs, or all there are."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    arcs = [(int(a), int(b)) for i, b in enumerate(order) for a in order[:i]]
    kept = rng.permutation(len(arcs))[: int(rng.integers(n - 1, 2 * n))]
    return strong_limit(frozenset(arcs[i] for i in kept), n, seed)


def some_orders(n: int, count: int) -> list[Order]:
    rng = np.random.default_rng(n)
    return [tuple(rng.permutation(n).tolist()) for _ in range(count)]
