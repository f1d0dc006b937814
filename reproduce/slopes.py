"""How often the interval of a slope holds the true one, of arcs that were found in the same rows.

python reproduce/slopes.py [--tables 100]

Tables of ten numbers with linear relations, whose slopes are drawn from -0.6 to 0.6: weak ones
among them. The network is found by the default score; each of its arcs has an interval by
edge_slopes, and a true slope: that of the child on the same parents, in a table without end.
Beside it the same for arcs that nobody had to find: those of the true network.
docs/howto/numbers.md has the figures.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

import dagscape as ds
from dagscape.regression import edge_slopes

COLUMNS, ARCS, STRONGEST = 10, 0.2, 0.6
ROWS = (50, 100, 300, 1000)
WEAK = 0.2

Matrix = NDArray[np.float64]


def main() -> None:
    """Tell how many intervals hold the true slope, by the rows of the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=100)
    options = parser.parse_args()
    for line in coverage(options.tables, ROWS):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def truth(seed: int) -> tuple[ds.Dag, Matrix]:
    """Return a network of lines: its arcs, and the slope of each column on those before it."""
    rng = np.random.default_rng([seed, 1])
    slopes = np.tril(rng.uniform(-STRONGEST, STRONGEST, (COLUMNS, COLUMNS)), -1)
    slopes *= rng.random((COLUMNS, COLUMNS)) < ARCS
    names = [f"x{i}" for i in range(COLUMNS)]
    arcs = [(names[j], names[i]) for i, j in zip(*np.nonzero(slopes), strict=True)]
    return ds.Dag(names, arcs), slopes


def held(data: ds.Data, dag: ds.Dag, covariance: Matrix) -> Iterator[tuple[bool, float]]:
    """Yield of each arc whether its interval holds the true slope, and how strong that is."""
    at = {name: i for i, name in enumerate(data.names)}
    for parent, child in dag.arcs:
        parents = [at[name] for name in dag.parents(child)]
        slopes = np.linalg.solve(
            covariance[np.ix_(parents, parents)], covariance[parents, at[child]]
        )
        true = float(slopes[parents.index(at[parent])])
        (slope,) = edge_slopes(data, dag, parent, child)
        if slope.lower is not None and slope.upper is not None:
            yield slope.lower <= true <= slope.upper, abs(true)


def coverage(tables: int, rows: Sequence[int]) -> Iterator[str]:
    """Yield a line for each number of rows."""
    for n in rows:
        found: list[tuple[bool, float]] = []
        given: list[tuple[bool, float]] = []
        for seed in range(tables):
            dag, slopes = truth(seed)
            paths = np.linalg.inv(np.eye(COLUMNS) - slopes)
            noise = np.random.default_rng([seed, 2, n]).normal(size=(n, COLUMNS))
            data = ds.Data(dict(zip(dag.names, (noise @ paths.T).T, strict=True)))
            covariance = paths @ paths.T
            best = ds.learn(data, runs=0, resamples=0)
            found += held(data, best.dag, covariance)
            given += held(data, dag, covariance)
        weak = [each for each in found if each[1] < WEAK]
        yield (
            f"{n} rows: {_share(found)} of {len(found)} arcs found, {_share(weak)} of the "
            f"{len(weak)} whose true slope is below {WEAK:g}; {_share(given)} of {len(given)} "
            "arcs of the true network"
        )


def _share(some: list[tuple[bool, float]]) -> str:
    return f"{np.mean([hit for hit, _ in some]):.2f}" if some else "-"


if __name__ == "__main__":
    main()
