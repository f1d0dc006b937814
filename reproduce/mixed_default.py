"""Which score of numbers comes nearest to the truth, with states beside them and without.

python reproduce/mixed_default.py [--seeds N] [--markdown FILE] [--json FILE]
python reproduce/mixed_default.py --chance [--markdown FILE]

Truths are mixed networks, with a line for each combination of states, and linear and nonlinear
networks of numbers, whole or with every second column cut into three states when the table is
drawn. The search is GES with the edge prior, as learning has by default. All truths have other
seeds than those of mixed.py.

With --chance: the odds that each score gives to pairs of columns that have nothing to do with each
other. Where a score is a probability of the rows, their mean is at most 1.
"""

from __future__ import annotations

import argparse
import math
from itertools import combinations, product
from statistics import mean
from typing import Any

import numpy as np
from _tables import Table, add_output_options, console, put_out

import dagscape as ds

KINDS = {
    "mixed": "lines by states",
    "gaussian": "linear",
    "gaussian, half": "linear, half of it cut",
    "nonlinear": "nonlinear",
    "nonlinear, half": "nonlinear, half of it cut",
}
SIZES = ((20, 3.0), (10, 1.5))
"""Variables, and how many neighbors they have in the mean."""
ROWS = (50, 100, 300, 1_000, 3_000)
SCORES = (
    *(ds.RankBGe(degree=degree) for degree in (1, 2, 3)),
    *(ds.BasisBIC(degree=degree) for degree in (1, 2, 3)),
)
FIRST_SEED = 500
EDGES = (-0.43, 0.43)
"""Numbers have the variance 1, so these cut a normal one into thirds."""
FEW_ROWS = (4, 8, 20, 40, 100, 1_000)
TABLES, COLUMNS = 20, 10
"""Tables without relations, and their columns of numbers and of each kind of states."""
STATES = {"coins": 0.5, "events of 2 %": 0.02, "6 states": None}


def main() -> None:
    """Ask all, and show the means."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=12, metavar="N", help="truths of each kind")
    parser.add_argument("--chance", action="store_true", help="pairs without a relation")
    add_output_options(parser)
    options = parser.parse_args()
    if options.chance:
        put_out(console(), options, [chance()], [])
        return
    records = [
        {"kind": kind, "variables": variables, "rows": rows, **found}
        for kind in KINDS
        for variables, neighbors in SIZES
        for rows in ROWS
        for seed in range(FIRST_SEED, FIRST_SEED + options.seeds)
        for found in answers(kind, variables, neighbors, rows, seed)
    ]
    put_out(console(), options, [table(records, options.seeds)], records)


def answers(
    kind: str, variables: int, neighbors: float, rows: int, seed: int
) -> list[dict[str, Any]]:
    """Return how near each score comes to a truth."""
    name, *half = kind.split(", ")
    truth = ds.random_network(variables, neighbors=neighbors, kind=name, seed=seed)
    data = truth.sample(rows, seed=seed)
    if half:
        data = half_cut(data)
    return [
        {
            "score": str(score),
            "seed": seed,
            "shd": ds.shd(ds.ges(data, score=score, prior=ds.EdgePrior()).dag, truth.dag),
        }
        for score in SCORES
    ]


def half_cut(data: ds.Data) -> ds.Data:
    """Return the table with every second column as three states."""
    states = np.array(["low", "middle", "high"])
    return ds.Data(
        {
            name: values if at % 2 else states[np.digitize(values, EDGES)]
            for at, (name, values) in enumerate(data.numbers.items())
        }
    )


def table(records: list[dict[str, Any]], truths: int) -> Table:
    """Return the mean SHD by kind of truth, score and rows; both sizes together."""
    rows = []
    for kind, words in {**KINDS, "all": "all"}.items():
        for score in map(str, SCORES):
            own = [r for r in records if kind in (r["kind"], "all") and r["score"] == score]
            shown = [mean(r["shd"] for r in own if r["rows"] == n) for n in ROWS]
            rows.append([f"{words}, {score}", *(f"{shd:.1f}" for shd in shown)])
    header = ["truth and score", *(f"{n:,} rows" for n in ROWS)]
    return Table(f"Mean SHD of {truths} truths of each kind and size", header, rows)


def chance() -> Table:
    """Return the mean odds of pairs without a relation, by score, kinds of the pair, and rows."""
    scores = (ds.RankBGe(), ds.BGe(standardized=True), ds.BasisBIC(degree=2))
    shown: dict[tuple[str, str], list[str]] = {}
    for rows in FEW_ROWS:
        odds: dict[tuple[str, str], list[float]] = {}
        for seed in range(TABLES):
            data, numbers, states = unrelated(rows, seed)
            pairs = {"two numbers": list(combinations(numbers, 2))}
            pairs |= {
                f"number, {kind}": list(product(numbers, own)) for kind, own in states.items()
            }
            for score, (kind, own) in product(scores, pairs.items()):
                alone = data.select(numbers) if kind == "two numbers" else data
                if score.takes(alone):
                    odds.setdefault((kind, str(score)), []).extend(
                        math.exp(gain(alone, a, b, score)) for a, b in own
                    )
        for key, found in odds.items():
            shown.setdefault(key, []).append(f"{mean(found):.2g}")
    body = [[kind, score, *cells] for (kind, score), cells in shown.items()]
    header = ["pair", "score", *(f"{n:,} rows" for n in FEW_ROWS)]
    return Table("Mean odds for pairs without a relation", header, body)


def unrelated(rows: int, seed: int) -> tuple[ds.Data, list[str], dict[str, list[str]]]:
    """Return a table in which nothing is related, with its numbers, and its states by kind."""
    rng = np.random.default_rng(seed)
    frame: dict[str, Any] = {f"x{i}": rng.normal(size=rows) for i in range(COLUMNS)}
    numbers, states = list(frame), {kind: [] for kind in STATES}
    for (kind, share), i in product(STATES.items(), range(COLUMNS)):
        codes = rng.integers(6, size=rows) if share is None else rng.random(rows) < share
        frame[f"{kind} {i}"] = codes.astype(int)
        states[kind].append(f"{kind} {i}")
    kinds = {name: "continuous" if name in numbers else "discrete" for name in frame}
    return ds.Data(frame, kinds=kinds), numbers, states


def gain(data: ds.Data, a: str, b: str, score: ds.Score) -> float:
    """Return what a scores more with b as its parent."""
    return ds.local_score(data, a, [b], score=score) - ds.local_score(data, a, [], score=score)


if __name__ == "__main__":
    main()
