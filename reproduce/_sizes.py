"""One equivalent sample size for all columns, by rule: the default before sets had their own."""

from __future__ import annotations

import math

import dagscape as ds

SIZES = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
CHILDREN, PARENTS = 200, 1000
"""Columns that are looked at, and columns that their parents are looked for in."""


def likely_size(data: ds.Data) -> float:
    """Return the size under which pairs of columns are most probable.

    Each column given the one other column that says most about it by BIC, if any does.
    """
    varied = sorted(name for name in data.names if data.arities[name] > 1)
    if not varied:
        return 1.0
    table = data.select(_spread(varied, PARENTS))
    pairs = ds.candidate_parents(table, score="bic", max_parents=min(1, table.n_variables - 1))
    families = [(name, pairs[name][0][1]) for name in _spread(list(table.names), CHILDREN)]

    def evidence(ess: float) -> float:
        kind = ds.BDeu(ess)
        return math.fsum(ds.local_score(table, x, list(given), score=kind) for x, given in families)

    return max(SIZES, key=evidence)


def _spread(names: list[str], most: int) -> list[str]:
    """Return so many of the names, evenly spread over them."""
    count = min(most, len(names))
    return [names[i * len(names) // count] for i in range(count)]
