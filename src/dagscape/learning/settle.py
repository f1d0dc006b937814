"""What would settle whether an edge is there: how many rows, by how strong the edge may be.

An edge is open where chance had a hand in it: it looks stronger than it is (the winner's curse). So
the rows it would take if it is as strong as it seems are the least there may be. Beside them are
told those by which it shows in nine tables of ten if it is as weak as the rows allow.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

from dagscape.data.ordered_states import by_order
from dagscape.scores import LogLikelihood
from dagscape.scoring import local_score

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.graphs import Dag
    from dagscape.scores import Score

SETTLED = 3.0
"""Nats: odds of 20 to 1."""

WEAK = 0.975
"""An edge is as weak as the rows allow where chance keeps its likelihood below in this share."""

MISSED = 0.1
"""Of an edge that is as weak as the rows allow, the share of tables that do not show it yet."""

MOST = 1000.0
"""Times the rows there are: beyond, nothing is foretold."""


@dataclass(frozen=True)
class RowsToSettle:
    """How many rows would settle whether there is an edge; ``str`` of it is a clause."""

    least: float | None
    """If it is as strong as it seems; None where it seems no stronger than chance would make it."""
    most: float | None
    """If it is as weak as the rows allow, in nine tables of ten; None where that is weaker than
    anybody can foretell."""
    paths: bool = False
    """Whether there are rows enough: other paths, not the rows, leave it open."""
    probability: float | None = None
    """That of the edge, where it is known."""

    def __str__(self) -> str:
        if self.paths:
            return "other paths may explain it"
        doubtful = self.probability is not None and self.probability < 0.5
        if self.least is None:
            return "rather no edge" if doubtful else "no stronger than chance would make it"
        rows = f"{_rounded(self.least):,}"
        if self.most is None:
            rows = f"{rows} rows or more"
        elif _rounded(self.most) > _rounded(self.least):
            rows = f"{rows} to {_rounded(self.most):,} rows"
        else:
            rows = f"about {rows} rows"
        if doubtful:
            return f"rather no edge; if there is one, {rows} would show it"
        return f"{rows} would settle it"


def foretold(data: Data, score: Score) -> bool:
    """Tell whether rows are foretold: for whole tables that are scored by counts, all alike."""
    by_counts = not score.base.of_numbers or data is by_order(data)
    alike = data.rows.interventions is None
    return not (data.numbers or data.missing) and by_counts and alike


def rows_to_settle(
    data: Data, dag: Dag, edge: tuple[str, str], score: Score, probability: float | None = None
) -> RowsToSettle:
    """Return how many rows it takes for a network with the edge to score 3 nats more, about.

    The likelihood that the edge gains grows with the rows, the price of its parameters with their
    logarithm. Twice that likelihood has a noncentral chi-squared distribution, and how strong the
    edge is, its noncentrality: what is left of it when chance (one for each parameter) is taken
    off, and what it is at least.
    """
    parent, child = edge
    dag.variables.number(parent)
    if parent in dag.descendants(child):
        parent, child = child, parent
    others = [name for name in dag.parents(child) if name != parent]
    parents = [*others, parent]
    own = local_score(data, child, parents, score=score)
    gain = own - local_score(data, child, others, score=score)
    likelihood = local_score(data, child, parents, score=LogLikelihood())
    likelihood -= local_score(data, child, others, score=LogLikelihood())
    arity = data.arities
    cells = math.prod(arity[name] for name in others) * len(data.by_group())
    parameters = (arity[child] - 1) * cells * (arity[parent] - 1)
    if gain >= SETTLED:
        return RowsToSettle(None, None, paths=True, probability=probability)
    price = likelihood - gain

    def asked(many: float) -> float:
        """Return the likelihood that settles it, doubled, where rows are so many times as many."""
        return 2 * (SETTLED + price) + parameters * math.log(many)

    def seen(many: float) -> bool:
        return many * seems + parameters >= asked(many)

    def sure(many: float) -> bool:
        return chi_squared_below(asked(many), parameters, many * least) <= MISSED

    seems = 2 * likelihood - parameters
    least = least_strength(2 * likelihood, parameters)
    many = None if seems <= 0 else times(seen)
    if many is None:
        return RowsToSettle(None, None, probability=probability)
    weak = times(sure) if least > 0 else None
    rows = data.n_rows
    most = None if weak is None else max(weak, many) * rows
    return RowsToSettle(many * rows, most, probability=probability)


def times(enough: Callable[[float], bool]) -> float | None:
    """Return how many times the rows are enough; None if too many for anybody to say."""
    most = 1.0
    while not enough(most):
        most *= 2
        if most > MOST:
            return None
    least = most / 2
    for _ in range(30):
        middle = (least + most) / 2
        least, most = (least, middle) if enough(middle) else (middle, most)
    return most


def least_strength(value: float, freedom: int) -> float:
    """Return the noncentrality with which a chi-squared value is below this one in most cases."""
    if chi_squared_below(value, freedom, 0.0) <= WEAK:
        return 0.0
    low, high = 0.0, value + 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if chi_squared_below(value, freedom, middle) > WEAK:
            low = middle
        else:
            high = middle
    return low


def chi_squared_below(value: float, freedom: float, strength: float) -> float:
    """Return how probable a smaller value of a noncentral chi-squared distribution is, about.

    Near its upper end: far below the middle it is rough.
    Source: Sankaran, On the non-central chi-square distribution, Biometrika 1959.
    """
    mean, spread = freedom + strength, freedom + 2 * strength
    h = 1 - 2 * mean * (freedom + 3 * strength) / (3 * spread**2)
    p = spread / mean**2
    m = (h - 1) * (1 - 3 * h)
    middle = 1 + h * p * (h - 1 - (2 - h) * m * p / 2)
    deviation = h * math.sqrt(2 * p) * (1 + m * p / 2)
    return NormalDist(middle, deviation).cdf((max(0.0, value) / mean) ** h)


def _rounded(rows: float) -> int:
    """Return a number with two digits: the rest would be pretence."""
    return int(float(f"{rows:.1e}"))
