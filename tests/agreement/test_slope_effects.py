"""Effects between numbers against listings: all DAGs, and lines from the definition of BGe."""

from __future__ import annotations

import numpy as np
import pytest

import dagscape as ds
from oracles import graphs, numbers

SCORES = {
    "own units": (ds.BGe(), {}),
    "imagined rows": (ds.BGe(iss_mu=3.0, iss_w=9.0), {"iss_mu": 3.0, "iss_w": 9.0}),
    "standardized": (ds.BGe(standardized=True), {"standardized": True}),
}


def tables(count, seed):
    """Yield the columns of small tables in odd units, with a cause and an outcome."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        n = int(rng.integers(2, 5))
        rows = int(rng.integers(8, 60))
        mix = np.eye(n) + np.triu(rng.normal(size=(n, n)), 1)
        values = rng.normal(size=(rows, n)) @ mix * rng.choice([0.2, 1.0, 30.0], n)
        cause, outcome = (int(v) for v in rng.permutation(n)[:2])
        yield [*values.T], cause, outcome, list(SCORES)[number % len(SCORES)]


def weighed(columns, settings):
    """Return every DAG with its probability, all being as probable beforehand."""
    n = len(columns)
    sets = {
        key: numbers.bge(columns, key, **settings)
        for key in (tuple(v for v in range(n) if bits >> v & 1) for bits in range(1 << n))
    }
    dags = [set(dag) for dag in graphs.all_dags(n)]
    logs = []
    for dag in dags:
        total = 0.0
        for child in range(n):
            parents = tuple(sorted(a for a, b in dag if b == child))
            total += sets[tuple(sorted((*parents, child)))] - sets[parents]
        logs.append(total)
    weights = np.exp(np.array(logs) - max(logs))
    return dags, weights / weights.sum()


def scatter(columns, settings):
    """Return T + S_N of all columns, in their units, and the degrees of freedom with the rows."""
    n, rows = len(columns), len(columns[0])
    mu, w = settings.get("iss_mu", 1.0), settings.get("iss_w", n + 2.0)
    centered = np.stack([column - column.mean() for column in columns])
    units = centered.std(axis=1) if settings.get("standardized") else np.ones(n)
    prior = mu * (w - n - 1) / (mu + 1) * np.diag(units**2)
    return prior + centered @ centered.T, w + rows


def rise(dag, cause, outcome, matrix):
    """Return the sum over directed paths of the products of mean slopes.

    The mean over parameters is that: slopes of different columns are independent given the data.
    """
    if cause == outcome:
        return 1.0
    parents = sorted(a for a, b in dag if b == outcome)
    if not parents:
        return 0.0
    slopes = np.linalg.solve(matrix[np.ix_(parents, parents)], matrix[parents, outcome])
    return sum(
        slope * rise(dag, cause, parent, matrix)
        for slope, parent in zip(slopes, parents, strict=True)
    )


def reaches(dag, cause, outcome):
    return any(a == cause and (b == outcome or reaches(dag, b, outcome)) for a, b in dag)


def test_the_mean_over_all_networks():
    draws, missed = 1500, []
    for columns, cause, outcome, name in tables(18, seed=4):
        score, settings = SCORES[name]
        if settings.get("iss_w", 99) <= len(columns) + 1:
            continue
        dags, weights = weighed(columns, settings)
        matrix, _ = scatter(columns, settings)
        expected = sum(
            w * rise(dag, cause, outcome, matrix) for dag, w in zip(dags, weights, strict=True)
        )
        none = sum(
            w for dag, w in zip(dags, weights, strict=True) if not reaches(dag, cause, outcome)
        )
        data = ds.Data({f"x{v}": column for v, column in enumerate(columns)})
        posterior = ds.posterior(data, score=score, prior="uniform")
        found = ds.effect(posterior, f"x{cause}", f"x{outcome}", networks=draws)
        error = found.draws.std() / np.sqrt(draws)
        missed.append((found.mean - expected) / max(error, 1e-12))
        assert abs(found.no_effect - none) < 4 * np.sqrt(none * (1 - none) / draws) + 1e-9
    assert len(missed) > 15
    assert np.abs(missed).max() < 4.5
    assert np.sqrt(np.mean(np.square(missed))) < 1.5


@pytest.mark.parametrize("name", SCORES)
def test_slopes_vary_as_the_data_allow(name):
    """Two columns, joined one way: precisions are Wishart, and the slope is read off them."""
    score, settings = SCORES[name]
    rng = np.random.default_rng(7)
    x = rng.normal(size=9)
    columns = [x, 5 * (x + rng.normal(size=9))]
    known = ds.Knowledge(required=[("x0", "x1")])
    data = ds.Data({f"x{v}": column for v, column in enumerate(columns)})
    posterior = ds.posterior(data, score=score, prior="uniform", knowledge=known)
    found = ds.effect(posterior, "x0", "x1", networks=6000)
    matrix, free = scatter(columns, settings)
    root = np.linalg.cholesky(np.linalg.inv(matrix))
    normal = root @ rng.normal(size=(20_000, 2, round(free)))
    precision = normal @ normal.transpose(0, 2, 1)
    slopes = -precision[:, 0, 1] / precision[:, 1, 1]
    for share in (0.025, 0.25, 0.5, 0.75, 0.975):
        below = (found.draws < np.quantile(slopes, share)).mean()
        assert abs(below - share) < 4.5 * np.sqrt(share * (1 - share) / 6000)
