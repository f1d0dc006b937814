"""Mean likelihood of the rows in which a child and its parents are known, for tables with gaps.

What is given is computed on other rows than the joint value of the same set, so equivalent networks
score differently (Balov 2013; Bodewes and Scutari 2021).
"""

from __future__ import annotations

import math

import numpy as np

from toys.from_python import PythonScore

MISSING = -1


def average_likelihood(codes: np.ndarray, arities: list[int]) -> PythonScore:
    """Return N times the mean likelihood of available cases, less the BIC's price of parameters."""
    rows = len(codes)
    price = math.log(rows) / 2

    def fit(members, known):
        """Sum n ln n over the rows in which `known` is complete, for each such row."""
        complete = codes[(codes[:, list(known)] != MISSING).all(axis=1)]
        counts: dict[tuple[int, ...], int] = {}
        for row in complete[:, list(members)]:
            counts[tuple(row)] = counts.get(tuple(row), 0) + 1
        return sum(n * math.log(n) for n in counts.values()) * rows / max(1, len(complete))

    def combinations(members):
        return math.prod(arities[v] for v in members)

    def joint(members):
        return fit(members, members) - price * combinations(members)

    def given(child, parents):
        return fit(parents, sorted([*parents, child])) - price * combinations(parents)

    return PythonScore(
        len(arities), float(rows), joint, lambda members: combinations(members) - 1.0, given
    )
