"""Which degree of BasisBIC comes nearest to the truth, on tables with numbers and states.

python reproduce/mixed_degree.py [--seeds N] [--markdown FILE] [--json FILE]

Truths are mixed networks, with a line for each combination of states, and linear and nonlinear
networks of numbers of which every second column is cut into three states when the table is drawn.
The search is GES. All truths have other seeds than those of mixed.py.
"""

from __future__ import annotations

import argparse
import time
from statistics import mean
from typing import Any

import numpy as np
from _tables import Table, add_output_options, console, put_out

import dagscape as ds

KINDS = {
    "mixed": "lines by states",
    "gaussian": "linear, half of it cut",
    "nonlinear": "nonlinear, half of it cut",
}
SIZES = ((20, 3.0), (10, 1.5))
"""Variables, and how many neighbors they have in the mean."""
ROWS = (100, 200, 300, 500, 1_000, 3_000)
DEGREES = (1, 2, 3)
FIRST_SEED = 500
EDGES = (-0.43, 0.43)
"""Numbers have the variance 1, so these cut a normal one into thirds."""


def main() -> None:
    """Ask all, and show the means."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=12, metavar="N", help="truths of each kind")
    add_output_options(parser)
    options = parser.parse_args()
    records = [
        {"kind": kind, "variables": variables, "rows": rows, "seed": seed, **found}
        for kind in KINDS
        for variables, neighbors in SIZES
        for rows in ROWS
        for seed in range(FIRST_SEED, FIRST_SEED + options.seeds)
        for found in answers(kind, variables, neighbors, rows, seed)
    ]
    put_out(console(), options, [table(records)], records)


def answers(
    kind: str, variables: int, neighbors: float, rows: int, seed: int
) -> list[dict[str, Any]]:
    """Return how near each degree comes to a truth, and the seconds of the processor it took."""
    truth = ds.random_network(variables, neighbors=neighbors, kind=kind, seed=seed)
    data = truth.sample(rows, seed=seed)
    if kind != "mixed":
        data = half_cut(data)
    found = []
    ds.ges(data, score=ds.BasisBIC(degree=1))  # the first search of a table prepares it
    for degree in DEGREES:
        begun = time.process_time()
        learned = ds.ges(data, score=ds.BasisBIC(degree=degree))
        seconds = time.process_time() - begun
        shd = ds.shd(learned.dag, truth.dag)
        found.append({"degree": degree, "shd": shd, "seconds": seconds})
    return found


def half_cut(data: ds.Data) -> ds.Data:
    """Return the table with every second column as three states."""
    states = np.array(["low", "middle", "high"])
    return ds.Data(
        {
            name: values if at % 2 else states[np.digitize(values, EDGES)]
            for at, (name, values) in enumerate(data.numbers.items())
        }
    )


def table(records: list[dict[str, Any]]) -> Table:
    """Return the mean SHD by kind of truth, size, degree and rows."""
    rows = []
    for kind, words in KINDS.items():
        for variables, _ in SIZES:
            for degree in DEGREES:
                own = [
                    r
                    for r in records
                    if (r["kind"], r["variables"], r["degree"]) == (kind, variables, degree)
                ]
                shown = [mean(r["shd"] for r in own if r["rows"] == n) for n in ROWS]
                seconds = mean(r["seconds"] for r in own)
                name = f"{words}, {variables} variables, degree {degree}"
                rows.append([name, *(f"{shd:.1f}" for shd in shown), f"{1000 * seconds:.1f}"])
    for degree in DEGREES:
        own = [r for r in records if r["degree"] == degree]
        shown = [mean(r["shd"] for r in own if r["rows"] == n) for n in ROWS]
        seconds = mean(r["seconds"] for r in own)
        rows.append(
            [f"all, degree {degree}", *(f"{shd:.1f}" for shd in shown), f"{1000 * seconds:.1f}"]
        )
    header = ["truth and score", *(f"{n:,} rows" for n in ROWS), "ms"]
    truths = len({r["seed"] for r in records})
    return Table(f"Mean SHD of {truths} truths of each kind, and CPU of a search", header, rows)


if __name__ == "__main__":
    main()
