"""How often misfits are named where there are none, and found where an arc is missing.

python reproduce/misfits.py [--tables 20] [--networks asia ...] [--rows 100,300,1000]

Tables are drawn from known networks and from normal numbers on random graphs. Of each, r.fit is
asked for the true graph, for the one that a climb finds, and for the true one without one arc,
drawn at random: in what share of the tables anything is named, and in what share that arc, or its
reverse, is named as what mends it. docs/explain/trust.md has the figures.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator

import numpy as np

import dagscape as ds
from dagscape.misfits import fit_of

NETWORKS = ("asia", "sachs", "child", "numbers")
GRAPHS = ("true", "found", "less an arc")


def main() -> None:
    """Print a row for each network and number of rows."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--networks", nargs="+", default=NETWORKS)
    parser.add_argument("--rows", default="100,300,1000,4000")
    options = parser.parse_args()
    sys.stdout.write(f"| network | rows | {' | '.join(GRAPHS)} | that arc mends | seconds each |\n")
    sys.stdout.write(f"| --- | --: |{' --: |' * (len(GRAPHS) + 2)}\n")
    total: Counter[str] = Counter()
    for line in told(options, total):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    cells = " | ".join(f"{total[name] / total['tables']:.3f}" for name in (*GRAPHS, "mended"))
    sys.stdout.write(f"| all {total['tables']:,} tables | | {cells} | |\n")


def told(options: argparse.Namespace, total: Counter[str]) -> Iterator[str]:
    """Yield the rows; count."""
    for network in options.networks:
        for rows in map(int, options.rows.split(",")):
            named: Counter[str] = Counter()
            begun = time.process_time()
            for seed in range(options.tables):
                named.update(names(network, rows, seed))
            each = (time.process_time() - begun) / options.tables
            shares = [named[name] / options.tables for name in (*GRAPHS, "mended")]
            cells = " | ".join(f"{share:.2f}" for share in shares)
            yield f"| {network} | {rows:,} | {cells} | {each:.1f} |"
            total += named
            total["tables"] += options.tables


def names(network: str, rows: int, seed: int) -> Iterator[str]:
    """Yield for which graphs anything is named, and whether the missing arc is."""
    rng = np.random.default_rng(seed)
    data, true = sample(network, rows, seed, rng)
    lost = true.arcs[rng.integers(len(true.arcs))]
    graphs = {
        "true": true,
        "found": ds.hill_climb(data, restarts=5, max_parents=4, seed=0).dag,
        "less an arc": ds.Dag(true.names, [arc for arc in true.arcs if arc != lost]),
    }
    problem = ds.Problem(data)
    for name, graph in graphs.items():
        found = fit_of(problem, graph)
        if found is None or not found.misfits:
            continue
        yield name
        arcs = {frozenset(arc) for mend in found.mends for arc in mend.arcs}
        if name == "less an arc" and frozenset(lost) in arcs:
            yield "mended"


def sample(network: str, rows: int, seed: int, rng: np.random.Generator) -> tuple[ds.Data, ds.Dag]:
    """Return rows and the graph that they come from."""
    if network != "numbers":
        truth = ds.load_network(network)
        return truth.sample(rows, seed=500 + seed), truth.dag
    arcs = [(f"x{a}", f"x{b}") for b in range(8) for a in range(b) if rng.random() < 0.3]
    values: dict[str, np.ndarray] = {}
    for b in range(8):
        values[f"x{b}"] = rng.normal(size=rows)
        for start, end in arcs:
            if end == f"x{b}":
                values[end] = (
                    values[end] + rng.choice([-1, 1]) * rng.uniform(0.4, 1) * values[start]
                )
    return ds.Data({name: column.tolist() for name, column in values.items()}), ds.Dag(
        sorted(values), arcs or [("x0", "x1")]
    )


if __name__ == "__main__":
    main()
