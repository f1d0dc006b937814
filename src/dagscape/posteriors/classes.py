"""The most probable classes of equivalent networks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from dagscape import _core
from dagscape.graphs import Dag, Mpdag, essential_of
from dagscape.posteriors.agreement import chained
from dagscape.posteriors.pieces import Networks, Piece, drawn, proven
from dagscape.variables import Variables
from dagscape.words import counted

MOST_MEMBERS = 100_000
"""Directions of one undirected component that are listed to weigh a class."""


ROUNDING = 1e-9
"""By how much a sum of probabilities may be off."""


@dataclass(frozen=True, slots=True, repr=False)
class ProbableClass:
    """A class of equivalent networks with its probability. Immutable."""

    probability: float
    """The sum over its networks that are allowed."""
    lower: float
    upper: float
    """The probability lies between these."""
    score: float | None
    """Of the best of its networks: score + ln prior, where both are given. None where cells are
    missing: every completed table scores it differently."""
    proven: bool
    """Whether no class that is not before it in the list is more probable."""
    _code: bytes
    _variables: Variables = field(compare=False)

    @property
    def cpdag(self) -> Mpdag:
        """The essential graph of the class, with what experiments tell if there were any."""
        variables = self._variables
        return essential_of(variables, _core.decode_graph(len(variables), self._code))

    @property
    def dag(self) -> Dag:
        """A network of the class."""
        return self.cpdag.to_dag()

    def __repr__(self) -> str:
        graph = self.cpdag
        edges = counted(len(graph.directed) + len(graph.undirected), "edge")
        return f"<ProbableClass: probability {self.probability:.4g}, {edges}>"


@dataclass(frozen=True)
class ClassWeight:
    """A class whose weight is known."""

    code: bytes
    log_weight: float
    log_best: float


def weigh_classes(
    scorer: _core.Scorer, constraints: _core.Constraints, graphs: Networks
) -> Iterator[ClassWeight]:
    """Add up the weights of the members of classes; leave out those with too many."""
    for code in graphs.codes:
        graph = _core.decode_graph(graphs.variables, code)
        weight = _core.class_weight(scorer, constraints, graph, MOST_MEMBERS)
        if weight is not None and weight[0] > -math.inf:
            yield ClassWeight(code, weight[0], weight[1])


def most_probable(
    weighed: Iterable[ClassWeight], piece: Piece, *, all_: bool, variables: Variables
) -> tuple[ProbableClass, ...]:
    """Return classes with their probabilities, the most probable first.

    Unless these are all there are, what is left of the probability is the most that another class
    can have: so far as they are above it, their ranks are proven.
    """
    ranked = sorted(weighed, key=lambda each: (-each.log_weight, each.code))
    total = 0.0 if piece.log_total is None else piece.log_total
    shares = [math.exp(each.log_weight - total) for each in ranked]
    # The sums leave some networks out, of which these may have some; then a share of all is less.
    lowest = [share / (1 + piece.dropped) for share in shares]
    rest = 0.0 if all_ else max(0.0, 1 - math.fsum(lowest)) + ROUNDING
    return tuple(
        ProbableClass(share, low, min(1.0, share), each.log_best, low >= rest, each.code, variables)
        for each, share, low in zip(ranked, shares, lowest, strict=True)
    )


def by_share(
    weighed: Iterable[ClassWeight], networks: Networks, dropped: float, variables: Variables
) -> tuple[ProbableClass, ...]:
    """Return classes by their shares of the networks of all resamples."""
    scores = {each.code: each.log_best for each in weighed}
    shares = networks.weights
    within = drawn(shares, networks.drawn, dropped) if networks.drawn else proven(shares, dropped)
    found = zip(networks.codes, shares, within.lower, within.upper, strict=True)
    made = [
        ProbableClass(
            float(share),
            float(low),
            float(high),
            scores[code],
            not networks.drawn,
            code,
            variables,
        )
        for code, share, low, high in found
        if code in scores
    ]
    return tuple(sorted(made, key=lambda each: (-each.probability, each._code)))


def by_chains(
    scores: Mapping[bytes, float | None], chains: Sequence[Networks], variables: Variables
) -> tuple[ProbableClass, ...]:
    """Return classes by their shares of the networks of chains, and how far the chains differ."""
    shares = [dict(zip(each.codes, each.weights, strict=True)) for each in chains]
    codes = sorted(scores)
    tables = [np.array([share.get(code, 0.0) for code in codes]) for share in shares]
    found = chained(tables, sum(each.drawn for each in chains))
    numbers = zip(codes, found.probability, found.lower, found.upper, strict=True)
    made = [
        ProbableClass(float(p), float(low), float(high), scores[code], False, code, variables)
        for code, p, low, high in numbers
    ]
    return tuple(sorted(made, key=lambda each: (-each.probability, each._code)))
