"""How far a graph is below the best network with as many arcs.

A price for every arc keeps the order of networks with the same number of arcs. So the best network
under a price is, among those with as many arcs as it has, the best of all; and whatever number it
has, no network with k arcs scores more than its priced score plus k times the price. Prices are
tried until the best network under one has as many arcs as the graph (Lagrange's relaxation;
Everett, Generalized Lagrange multiplier method, Operations Research 1963).

Prices are never negative: for a graph with more arcs than the best network, the best network bounds
all of them too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dagscape.problem import Problem
from dagscape.scores.base import higher
from dagscape.scores.priors import Prior, UniformPrior
from dagscape.scoring import total
from dagscape.search.exact import exact

if TYPE_CHECKING:
    from dagscape.graphs import Dag
    from dagscape.results import Result

TRIES = 24
"""Prices that are tried."""


@dataclass(frozen=True)
class AsManyArcs:
    """The graph beside networks with as many arcs."""

    arcs: int
    """How many it has."""
    regret: float
    """How much less it scores than the best of them that was found, in nats: never negative."""
    most_regret: float
    """No network with as many arcs scores higher by more than this."""

    @property
    def proven(self) -> bool:
        """Whether no network with as many arcs scores above the best that was found."""
        return not higher(self.most_regret, self.regret)


@dataclass(frozen=True)
class ArcPrice(Prior):
    """A prior, and on top of it a price for every arc."""

    of: Prior = field(default_factory=UniformPrior)
    price: float = 0.0
    names = ("price",)

    def log_weights(self, variables: int) -> list[float]:
        """Return the prior's log weights, less the price of each parent."""
        return [weight - k * self.price for k, weight in enumerate(self.of.log_weights(variables))]


def as_many_arcs(
    problem: Problem,
    dag: Dag,
    best: Result,
    seconds: Callable[[], float | None],
    over: Callable[[], bool],
) -> AsManyArcs | None:
    """Return how far the graph is below the best with as many arcs; None where that is not known.

    Parameters
    ----------
    best
        The best network, proven: without a price.
    seconds
        What a search may take.
    """
    kind = problem.score
    if kind is None or not best.optimal or not best.scope.admits(dag):
        return None
    arcs, own = len(dag.arcs), total(problem, dag)
    found, bound = own, best.score
    if len(best.dag.arcs) == arcs:
        found = max(found, best.score)
    low, high, price = 0.0, None, 1.0
    for _ in range(TRIES if len(best.dag.arcs) > arcs else 0):
        if over() or not higher(bound, found):
            break
        priced = Problem(
            problem.data,
            score=kind.base,
            prior=ArcPrice(kind.prior, price),
            max_parents=problem.max_parents,
            knowledge=problem.knowledge,
        )
        tried = exact(priced, time_limit=seconds())
        if not tried.optimal:
            break
        score, many = total(problem, tried.dag), len(tried.dag.arcs)
        bound = min(bound, score - price * (many - arcs))
        if many == arcs:
            found = max(found, score)
        low, high = (price, high) if many > arcs else (low, price)
        price = 2 * price if high is None else (low + high) / 2
    return AsManyArcs(
        arcs,
        found - own if higher(found, own) else 0.0,
        bound - own if higher(bound, own) else 0.0,
    )
