"""Scores of states where rows count in parts, and design effects: from their definitions."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import permutations
from typing import Any

Row = Sequence[Any]


def counts(rows: Sequence[Row], parts: Sequence[float], columns: Sequence[int]) -> dict[Any, float]:
    """Return what the rows of each combination count for together."""
    found: dict[Any, float] = defaultdict(float)
    for row, part in zip(rows, parts, strict=True):
        found[tuple(row[c] for c in columns)] += part
    return found


def bic(
    rows: Sequence[Row],
    parts: Sequence[float],
    arities: Sequence[int],
    x: int,
    given: Sequence[int],
) -> float:
    """LL − (ln N / 2) parameters, N being what all rows count for."""
    both, above = counts(rows, parts, [*given, x]), counts(rows, parts, given)
    fit = sum(n * math.log(n / above[cell[:-1]]) for cell, n in both.items())
    parameters = (arities[x] - 1) * math.prod(arities[p] for p in given)
    return fit - math.log(math.fsum(parts)) / 2 * parameters


def bdeu(
    rows: Sequence[Row],
    parts: Sequence[float],
    arities: Sequence[int],
    x: int,
    given: Sequence[int],
    ess: float,
) -> float:
    """ln of Γ(a) / Γ(a + n) for each parent configuration and Γ(b + m) / Γ(b) for each cell."""
    both, above = counts(rows, parts, [*given, x]), counts(rows, parts, given)
    own = ess / math.prod(arities[p] for p in given)
    cell = own / arities[x]
    total = sum(math.lgamma(own) - math.lgamma(own + n) for n in above.values())
    return total + sum(math.lgamma(cell + n) - math.lgamma(cell) for n in both.values())


def alike(subjects: Sequence[Any], values: Sequence[Any]) -> float:
    """Return how alike rows of a subject are, by looking at all pairs of rows."""
    n = len(values)
    pairs = list(permutations(range(n), 2))
    within = [(i, j) for i, j in pairs if subjects[i] == subjects[j]]
    between = [(i, j) for i, j in pairs if subjects[i] != subjects[j]]
    states = sorted(set(values))
    if not within or not between or len(states) < 2:
        return 0.0

    def share(of: list[tuple[int, int]], state: Any) -> float:
        return sum(values[i] == state == values[j] for i, j in of) / len(of)

    p = {state: list(values).count(state) / n for state in states}
    together = {state: share(within, state) for state in states}
    apart = {state: share(between, state) for state in states}
    first = (sum(together.values()) - sum(apart.values())) / (1 - sum(apart.values()))
    scaled = [sum(of[state] / p[state] for state in states) for of in (together, apart)]
    second = (scaled[0] - scaled[1]) / (len(states) - scaled[1]) if scaled[1] < len(states) else 0
    return min(1.0, max(0.0, first, second))


def alike_numbers(subjects: Sequence[Any], values: Sequence[float]) -> float:
    """Return the same of numbers: covariances of ranks within pairs, less those between."""
    n = len(values)
    ranks = [
        sum(other < own for other in values) + sum(other == own for other in values) / 2
        for own in values
    ]
    middle = sum(ranks) / n
    off = [rank - middle for rank in ranks]
    pairs = list(permutations(range(n), 2))

    def covariance(same: bool) -> float:
        found = [off[i] * off[j] for i, j in pairs if (subjects[i] == subjects[j]) == same]
        return sum(found) / len(found)

    variance, within, between = sum(x * x for x in off) / n, covariance(True), covariance(False)
    return min(1.0, max(0.0, (within - between) / (variance - between)))
