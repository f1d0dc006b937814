"""BIC where rows count by real weights, as completions of rows with gaps do."""

from __future__ import annotations

import math

import numpy as np

from toys.from_python import PythonScore


def weighted_bic(codes: np.ndarray, arities: list[int], weights: np.ndarray) -> PythonScore:
    """Return the BIC on expected counts."""
    cases = float(weights.sum())

    def combinations(members):
        return math.prod(arities[v] for v in members)

    def joint(members):
        counts: dict[tuple[int, ...], float] = {}
        for row, weight in zip(codes[:, list(members)], weights, strict=True):
            counts[tuple(row)] = counts.get(tuple(row), 0.0) + float(weight)
        fit = sum(n * math.log(n) for n in counts.values() if n > 0)
        return fit - math.log(cases) / 2 * combinations(members)

    return PythonScore(len(arities), cases, joint, lambda members: combinations(members) - 1.0)
