"""Answers in the limit of many rows, where a graph is known: tests by d-separation, and a score.

The score is BIC of a distribution instead of a table: entropies times a large number of rows. With
so many that every dependence overcomes the penalty it is locally consistent, and score equivalent
as BIC is. A network with drawn probabilities is faithful to its graph with probability one. For
what else holds of a distribution see ``oracles.distributions``.

``LOCAL_FIGURE`` is the graph of Figure 1 of Niinimäki and Parviainen, UAI 2012, whose picture is
lost to us: of the graphs that fit what the text says of it, the only one with the fewest arcs.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from functools import cache

from oracles import graphs
from oracles.distributions import Joint, marginal
from oracles.g2 import Outcome
from oracles.graphs import Graph

T, U, S, V, W = range(5)
# T and V are not adjacent, and no subset of T's neighbors U and S separates them.
LOCAL_FIGURE: Graph = frozenset({(T, U), (W, U), (U, V), (W, V), (T, S), (V, S)})


def d_separation_test(dag: Graph) -> Callable[[int, int, frozenset[int]], Outcome]:
    """Return a test that is always right: p-value 1 or 0, and as statistic 0 or 1."""

    @cache
    def test(x: int, y: int, given: frozenset[int]) -> Outcome:
        if graphs.d_separated_by_moralisation(dag, x, y, given):
            return Outcome(0.0, 1, 0.0)
        return Outcome(1.0, 1, -math.inf)

    return test


def limit_score(
    dag: Graph, n: int, seed: int = 0, rows: float = 1e8
) -> Callable[[int, frozenset[int]], float]:
    """Return the local BIC of so many rows of a binary network, drawn from ``seed``."""
    value = limit_value(draw_distribution(dag, n, seed), rows)
    return lambda child, parents: value(parents | {child}) - value(parents)


def limit_value(joint: Joint, rows: float) -> Callable[[frozenset[int]], float]:
    """Return the value of a set of variables, whose differences are the local BIC."""
    states = [max(column) + 1 for column in zip(*joint, strict=True)]

    @cache
    def value(variables: frozenset[int]) -> float:
        mass = marginal(joint, variables).values()
        fit = rows * math.fsum(p * math.log(p) for p in mass if p > 0)
        return fit - 0.5 * math.log(rows) * math.prod(states[v] for v in variables)

    return value


def draw_distribution(dag: Graph, n: int, seed: int) -> Joint:
    """Return the joint probabilities of n binary variables, those of a network drawn."""
    rng = random.Random(seed)
    chance = {
        (v, states): rng.choice([rng.uniform(0.1, 0.4), rng.uniform(0.6, 0.9)])
        for v in range(n)
        for states in itertools.product((0, 1), repeat=len(graphs.parents(dag, v)))
    }
    return distribution(dag, n, lambda v, states: chance[v, states])


def distribution(dag: Graph, n: int, chance: Callable[[int, tuple[int, ...]], float]) -> Joint:
    """Return the joint probabilities, given that of 1 for each variable and states of parents."""

    def probability(state: tuple[int, ...]) -> float:
        factors = []
        for v in range(n):
            given = tuple(state[p] for p in sorted(graphs.parents(dag, v)))
            factors.append(chance(v, given) if state[v] else 1 - chance(v, given))
        return math.prod(factors)

    return {state: probability(state) for state in itertools.product((0, 1), repeat=n)}
