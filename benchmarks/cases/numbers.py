"""Tables of numbers, and of numbers and states: parent sets, searches and proofs.

The tables are drawn from random linear networks, so no data folder is needed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import dagscape as ds
from cases import Facts, Run, case


def linear_network(variables: int, arcs: int, rows: int, seed: int = 0) -> dict[str, Any]:
    """Draw rows of a random linear Gaussian network; slopes lie between 0.4 and 1 in size."""
    rng = np.random.default_rng(seed)
    slopes = np.zeros((variables, variables))
    pairs = np.array(np.triu_indices(variables, 1)).T
    for i, j in pairs[rng.choice(len(pairs), arcs, replace=False)]:
        slopes[i, j] = rng.choice([-1, 1]) * rng.uniform(0.4, 1)
    values = rng.normal(size=(rows, variables))
    for child in range(variables):
        values[:, child] += values @ slopes[:, child]
        values[:, child] /= values[:, child].std()
    return {f"x{v:04}": values[:, v] for v in range(variables)}


@case("numbers-parents-100", threads=(1,))
def parents(run: Run) -> Facts:
    """Score all parent sets of up to 3 of 100 Gaussian variables: 4.1 million sets of variables."""
    data = ds.Data(linear_network(100, 150, 1000))
    found = run.timed(
        ds.candidate_parents, data, score="gaussian_bic", max_parents=3, threads=run.threads
    )
    return {"variables": 100, "rows": 1000, "remark": f"{len(found):,} sets kept"}


@case("numbers-kes-50-x1000", threads=(1,))
def many(run: Run) -> Facts:
    """Run k-greedy search a thousand times on 50 Gaussian variables."""
    data = ds.Data(linear_network(50, 75, 1000))
    found = run.timed(
        ds.local_optima, data, score="gaussian_bic", runs=1000, threads=run.threads, seed=0
    )
    return {
        "variables": 50,
        "rows": 1000,
        "score": found.best.score,
        "remark": f"{len(found.optima)} distinct optima",
    }


@case("numbers-exact-30", threads=(1,))
def exact(run: Run) -> Facts:
    """Prove the best network of 30 Gaussian variables, at most 4 parents, within a minute."""
    data = ds.Data(linear_network(30, 30, 1000))
    found = run.timed(
        ds.exact, data, score="gaussian_bic", max_parents=4, time_limit=60, threads=run.threads
    )
    gap = found.bound - found.score
    return {
        "variables": 30,
        "rows": 1000,
        "score": found.score,
        "optimal": found.optimal,
        "remark": "proven" if found.optimal else f"not proven: at most {gap:.2f} higher",
    }


@case("numbers-ges-1000", threads=(1,))
def wide(run: Run) -> Facts:
    """Run GES on 1,000 Gaussian variables with 2,000 arcs, fair prior."""
    data = ds.Data(linear_network(1000, 2000, 1000))
    found = run.timed(ds.ges, data, score="gaussian_bic", prior="fair")
    return {
        "variables": 1000,
        "rows": 1000,
        "score": found.score,
        "remark": f"{len(found.dag.arcs):,} arcs",
    }


@case("numbers-climb-1000", threads=(1,))
def climb(run: Run) -> Facts:
    """Climb on the same 1,000 Gaussian variables, fair prior."""
    data = ds.Data(linear_network(1000, 2000, 1000))
    found = run.timed(ds.hill_climb, data, score="gaussian_bic", prior="fair", threads=run.threads)
    return {
        "variables": 1000,
        "rows": 1000,
        "score": found.score,
        "remark": f"{len(found.dag.arcs):,} arcs",
    }


@case("numbers-mixed-20", threads=(1,))
def mixed(run: Run) -> Facts:
    """Run GES by the conditional Gaussian on 20 variables, half of them cut, 25,000 rows."""
    frame: dict[str, Any] = linear_network(20, 30, 25_000)
    for name in list(frame)[::2]:
        frame[name] = np.digitize(frame[name], [-0.5, 0.5])
    found = run.timed(ds.ges, ds.Data(frame), score="conditional_gaussian")
    return {
        "variables": 20,
        "rows": 25_000,
        "score": found.score,
        "remark": f"{len(found.dag.arcs):,} arcs",
    }
