"""The local scores that the page holds, to tell what knowledge would cost.

All sets of few parents are there in one order that needs no words: by size, then as numbers of
variables count up (for 4 variables, of number 1: none, 0, 2, 3, 02, 03, 23). Beside them are the
sets around the network's own families, where these are larger.
"""

from __future__ import annotations

import base64
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

import dagscape as ds

MOST_SETS = 32_000
"""Sets of all variables together: 170 kilobytes."""
MOST_PARENTS = 4
"""Parents of a set that is stored among all."""
MOST_SECONDS = 3.0
"""What scoring these may take, about: columns of thousands of states take long beside numbers."""
MOST_AROUND = 60
"""Variables with which larger families get neighbors."""


def families_of(result: ds.Result, data: ds.Data | None) -> dict[str, Any] | None:
    """Return what sets of parents lose beside each variable's best; None where that is not known.

    ``max_parents`` is the size up to which all are there, ``losses`` holds them as four bytes each,
    a variable after the other, and ``around`` has further ones: child, parents, loss.
    """
    n = len(result.dag.names)
    most = _stored(n, result.scope.max_parents)
    if data is None or data.missing or result.score_kind is None or most is None:
        return None
    if data.rows.series is not None or data.rows.facts:
        return None
    number = {name: i for i, name in enumerate(result.dag.names)}
    while most > 1 and _seconds(result, data, most) > MOST_SECONDS:
        most -= 1
    scored = _scored(result, data, most)
    if scored is None:
        return None
    around = [
        (number[x], sorted(number[p] for p in parents), value)
        for x, parents, value in _around(result, data, most)
    ]
    best = [max(own) for own in scored]
    for child, _, value in around:
        best[child] = max(best[child], value)
    losses = np.concatenate([top - np.array(own) for top, own in zip(best, scored, strict=True)])
    return {
        "max_parents": most,
        "limit": result.scope.max_parents,
        "losses": base64.b64encode(losses.astype("<f4").tobytes()).decode("ascii"),
        "around": [[x, parents, round(best[x] - value, 4)] for x, parents, value in around],
    }


def _stored(n: int, limit: int | None) -> int | None:
    """Return up to how many parents all sets fit; None if not even one does."""
    for most in range(min(MOST_PARENTS, n - 1, limit or n), 0, -1):
        if n * sum(comb(n - 1, k) for k in range(most + 1)) <= MOST_SETS:
            return most
    return None


def _seconds(result: ds.Result, data: ds.Data, most: int) -> float:
    """Return how long scoring sets of so many parents takes, about."""
    problem = ds.Problem(data, score=result.score_kind, max_parents=most)
    return ds.estimate(problem, "parents", threads=1).seconds or 0.0


def _scored(result: ds.Result, data: ds.Data, most: int) -> list[list[float]] | None:
    """Return the score of every set of each variable, in the order of the page."""
    names = result.dag.names
    problem = ds.Problem(data, score=result.score_kind, max_parents=most)
    found = ds.candidate_parents(problem, prune=False)
    number = {name: i for i, name in enumerate(names)}
    scored = []
    for child, name in enumerate(names):
        own = {tuple(sorted(number[p] for p in parents)): value for value, parents in found[name]}
        others = [i for i in range(len(names)) if i != child]
        sets = (s for size in range(most + 1) for s in combinations(others, size))
        try:
            scored.append([own[some] for some in sets])
        except KeyError:  # a score that refuses some sets
            return None
    return scored


def _around(
    result: ds.Result, data: ds.Data, most: int
) -> list[tuple[str, tuple[str, ...], float]]:
    """Return the families of the network that are larger, and those with one more, or one less."""
    names, limit = result.dag.names, result.scope.max_parents
    found = []
    for x in names:
        own = result.dag.parents(x)
        if x in data.rows.given or len(own) < most or len(own) > most + 4:
            continue
        sets = {own, *(tuple(p for p in own if p != gone) for gone in own)}
        if len(names) <= MOST_AROUND and (limit is None or len(own) < limit):
            sets |= {(*own, new) for new in names if new != x and new not in own}
        for some in sorted(sets):
            if len(some) > most:
                score = result.score_kind
                found.append((x, some, ds.local_score(data, x, some, score=score)))
    return found
