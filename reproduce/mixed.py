"""How much of a network of numbers is found, by which score, from how many rows.

python reproduce/mixed.py [--store FILE] [--seeds N] [--quick] [--figure FILE] [--markdown FILE]

Truths are drawn at random: linear, nonlinear and mixed. Each way is a score with the same search,
GES. Two of them cut the numbers into three states first. What is done is kept in the store, so that
a run can be ended at any time and the same command goes on.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from _kept import Kept
from _mixed_results import Record, draw, tables
from _tables import add_output_options, console, put_out

import dagscape as ds

KINDS = ("gaussian", "nonlinear", "mixed")
ROWS = (100, 300, 1_000, 3_000, 10_000)
QUICK_ROWS = (100, 1_000)
VARIABLES = 20
NEIGHBORS = 3.0
CUTS = 3
"""States that numbers are cut into, equally many rows in each."""

WAYS: dict[str, Callable[[], ds.Score]] = {
    "gaussian_bic": ds.GaussianBIC,
    "bge": lambda: ds.BGe(standardized=True),
    "basis_bic(degree=1)": lambda: ds.BasisBIC(degree=1),
    "basis_bic(degree=3)": lambda: ds.BasisBIC(degree=3),
    "conditional_gaussian": ds.ConditionalGaussian,
    "cut, bic": ds.BIC,
    "cut, bdeu": lambda: ds.BDeu(ess=10),
}


def main() -> None:
    """Do what is missing in the store; show the tables, and draw the picture if asked."""
    options = _options()
    kept = Kept(options.store)
    screen = console()
    records = [
        asked | kept.get(asked, partial(answer, asked))
        for asked in questions(options.seeds, QUICK_ROWS if options.quick else ROWS)
    ]
    put_out(screen, options, tables(records), records)
    if options.figure:
        draw(records, options.figure)


def questions(seeds: int, sizes: tuple[int, ...]) -> Iterator[dict[str, Any]]:
    """Yield what is to be asked: a truth, rows and a way."""
    for seed in range(seeds):
        for kind in KINDS:
            for rows in sizes:
                for way in ways_for(kind):
                    yield {"kind": kind, "rows": rows, "seed": seed, "way": way}


def ways_for(kind: str) -> list[str]:
    """Return the ways that make sense for tables of a kind: on numbers alone some are the same."""
    numbers_only = ("gaussian_bic", "bge")
    same_on_numbers = ("basis_bic(degree=1)", "conditional_gaussian")
    left_out = numbers_only if kind == "mixed" else same_on_numbers
    return [way for way in WAYS if way not in left_out]


def answer(asked: dict[str, Any]) -> Record:
    """Return how near one way comes to the truth, and the seconds of the processor it took."""
    truth = ds.random_network(
        VARIABLES, kind=asked["kind"], neighbors=NEIGHBORS, states=(2, 4), seed=asked["seed"]
    )
    data = truth.sample(asked["rows"], seed=1_000 + asked["seed"])
    if asked["way"].startswith("cut"):
        data = cut(data)
    begun = time.process_time()
    found = ds.ges(data, score=WAYS[asked["way"]]())
    seconds = time.process_time() - begun
    edges = ds.compare(found.dag, truth.dag)
    true = len(truth.dag.arcs)
    right = true - len(edges.missing)
    return {
        "edges": true,
        "found": right + len(edges.extra),
        "right": right,
        "shd": ds.shd(found.dag, truth.dag),
        "seconds": seconds,
    }


def cut(data: ds.Data) -> ds.Data:
    """Return the table with its numbers cut into states."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ds.DataWarning)
        return ds.Data(data.to_polars(), discretize=dict.fromkeys(data.numbers, ("quantile", CUTS)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--store", type=Path, metavar="FILE", help="where answers are kept")
    parser.add_argument("--seeds", type=int, default=20, metavar="N", help="truths of each kind")
    parser.add_argument("--quick", action="store_true", help="100 and 1,000 rows alone")
    parser.add_argument("--figure", type=Path, metavar="FILE", help="draw the curves (.svg, .png)")
    add_output_options(parser)
    return parser.parse_args()


if __name__ == "__main__":
    main()
