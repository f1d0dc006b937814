"""The posterior over networks of a few variables, by listing every DAG.

Parent sets are given as ``{child: [(log weight, parents), ...]}``, as in :mod:`oracles.exact`; a
network weighs the product of the weights of its parent sets, and its probability is its share of
the weight of all. Logarithms are added as fractions and turned to decimals of 40 digits, so that
weights may differ by thousands of nats and nothing is lost to rounding.

Sources
-------
Definition: Friedman and Koller 2003, section 2. Fair prior: Eggeling and others 2019.
"""

from __future__ import annotations

import decimal
import math
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from oracles import equivalence, features, graphs

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from oracles.exact import Lists, Parents
    from oracles.graphs import Graph

WIDE = decimal.Context(prec=40, Emin=-(10**9), Emax=10**9)


def log_prior(prior: str, variables: int, parents: int, neighbors: float = 2.0) -> float:
    """Return the log prior of a variable with so many parents, without a normalizer."""
    if prior == "uniform":
        return 0.0
    if prior == "fair":
        return -math.log(math.comb(variables - 1, parents))
    if prior == "edges":  # a pair is joined with probability p, either way
        p = min(neighbors / max(1, variables - 1), 0.5)
        return parents * math.log(p / 2 / (1 - p))
    raise ValueError(prior)


def with_prior(lists: Lists, prior: str, neighbors: float = 2.0) -> Lists:
    """Add the log prior to the scores of all parent sets."""
    n = len(lists)
    return {
        child: [(score + log_prior(prior, n, len(p), neighbors), p) for score, p in sets]
        for child, sets in lists.items()
    }


def without_score(lists: Lists, prior: str, neighbors: float = 2.0) -> Lists:
    """Return the same sets with nothing but their log prior."""
    return with_prior(
        {c: [(0.0, p) for _, p in sets] for c, sets in lists.items()}, prior, neighbors
    )


@cache
def families(n: int) -> tuple[tuple[Parents, ...], ...]:
    """Return the parents of every variable in every DAG of n variables."""
    return tuple(tuple(graphs.parents(dag, v) for v in range(n)) for dag in graphs.all_dags(n))


@cache
def _paths(dag: Graph) -> tuple[graphs.Arc, ...]:
    return tuple((a, b) for b in graphs.nodes(dag) for a in graphs.ancestors(dag, b))


@dataclass(frozen=True)
class Listed:
    """Every DAG that the lists allow, with its probability; and the log of the sum of weights."""

    variables: int
    dags: tuple[Graph, ...]
    probabilities: tuple[float, ...]
    log_total: float

    def share(self, found: Callable[[Graph], Iterable[Hashable]]) -> dict[Hashable, float]:
        """Return the probability of everything that is found in a network."""
        having: dict[Hashable, list[float]] = defaultdict(list)
        for dag, probability in zip(self.dags, self.probabilities, strict=True):
            for feature in found(dag):
                having[feature].append(probability)
        return {feature: math.fsum(parts) for feature, parts in having.items()}

    def arcs(self) -> dict[Hashable, float]:
        """Return the probability of every arc (a, b)."""
        return self.share(lambda dag: dag)

    def ancestors(self) -> dict[Hashable, float]:
        """Return the probability of every path from a to b."""
        return self.share(_paths)

    def parent_sets(self, child: int) -> dict[Hashable, float]:
        """Return the probability of every set of parents of a child."""
        return self.share(lambda dag: [graphs.parents(dag, child)])

    def classes(self) -> dict[Hashable, float]:
        """Return the probability of every class: that of its members that the lists allow."""
        of = equivalence.class_of(self.variables)
        return self.share(lambda dag: [of[dag]])

    def features(self, kind: str) -> dict[Hashable, float]:
        """Return the probability of every feature of essential graphs."""
        of = equivalence.class_of(self.variables)
        return self.share(lambda dag: features.KINDS[kind](of[dag]))


def listed(lists: Lists) -> Listed:
    """Weigh every DAG."""
    n = len(lists)
    logs = {v: {parents: Fraction(log) for log, parents in lists[v]} for v in range(n)}
    kept, weights = [], []
    for dag, sets in zip(graphs.all_dags(n), families(n), strict=True):
        if all(parents in logs[v] for v, parents in enumerate(sets)):
            kept.append(dag)
            weights.append(sum(logs[v][parents] for v, parents in enumerate(sets)))
    highest = max(weights)
    shares = [WIDE.exp(_decimal(weight - highest)) for weight in weights]
    total = Decimal(0)
    for share in shares:
        total = WIDE.add(total, share)
    log_total = float(WIDE.add(_decimal(highest), WIDE.ln(total)))
    return Listed(n, tuple(kept), tuple(float(WIDE.divide(s, total)) for s in shares), log_total)


def _decimal(value: Fraction) -> Decimal:
    return WIDE.divide(Decimal(value.numerator), Decimal(value.denominator))


# --- beyond what can be listed ------------------------------------------------------------------


def log_total(lists: Lists) -> Decimal:
    """Return the log of the sum of all weights, by sets of sinks, in 40 digits.

    Robinson 1973: the networks on S are those in which all of T are sinks, over all T, those with
    two taken off again, those with three added, and so on.
    """
    n = len(lists)
    sets = [
        [(_bits(parents), WIDE.exp(_decimal(Fraction(log)))) for log, parents in lists[v]]
        for v in range(n)
    ]

    @cache
    def among(v: int, allowed: int) -> Decimal:
        total = Decimal(0)
        for parents, weight in sets[v]:
            if parents & ~allowed == 0:
                total = WIDE.add(total, weight)
        return total

    sums = [Decimal(1)]
    for here in range(1, 1 << n):
        total, sinks = Decimal(0), here
        while sinks:
            rest = here & ~sinks
            term = sums[rest]
            for v in range(n):
                if sinks >> v & 1:
                    term = WIDE.multiply(term, among(v, rest))
            sign = 1 if sinks.bit_count() % 2 else -1
            total = WIDE.add(total, sign * term)
            sinks = (sinks - 1) & here
        sums.append(total)
    return WIDE.ln(sums[-1])


def arc_probability(lists: Lists, parent: int, child: int) -> float:
    """Return the share of the networks with an arc: the child takes only sets with the parent."""
    having = {**lists, child: [(log, p) for log, p in lists[child] if parent in p]}
    if not having[child]:
        return 0.0
    return float(WIDE.exp(WIDE.subtract(log_total(having), log_total(lists))))


def _bits(parents: Parents) -> int:
    return sum(1 << v for v in parents)
