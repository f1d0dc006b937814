"""How probable fresh rows of real tables are in the networks of the default score and of others.

python reproduce/real_tables.py [--data FOLDER] [--only plants jester accidents] [--seconds 600]

Of three of the binary tables of density estimation (the folder ``debd`` of the data sets), the part
for training is learned from by hill climbing without restarts, under each score; its tables of
probabilities are those of ``ds.fit``, or have an equivalent sample size of 1; and told is the mean
log-likelihood of the rows of the part for testing. docs/reproduce/accuracy.md has the figures.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from _data import add_data_option, check_folder
from _sizes import likely_size
from _tables import Table, add_output_options, console, put_out

import dagscape as ds
from dagscape.scores import as_score

TABLES = ("plants", "jester", "accidents")
SCORES: dict[str, Callable[[ds.Data], ds.Score]] = {
    "default": ds.default_score,
    "BDeu by rule, 2 neighbors": lambda data: as_score(ds.BDeu(likely_size(data)), ds.EdgePrior(2)),
    "BIC": lambda _: as_score("bic"),
    "qNML": lambda _: as_score("qnml"),
}


def main() -> None:
    """Tell of each table and score."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--only", nargs="+", choices=TABLES, default=TABLES)
    parser.add_argument("--seconds", type=float, default=600.0, help="for each network")
    add_output_options(parser)
    options = parser.parse_args()
    check_folder(parser, options.data)
    rows = [
        row for name in options.only for row in told(options.data / "debd", name, options.seconds)
    ]
    header = ["table, score", "arcs", "most parents", "a test row", "the same, size 1"]
    put_out(console(), options, [Table("Log-likelihood of a row for testing", header, rows)], rows)


def told(folder: Path, name: str, seconds: float) -> Iterator[list[str]]:
    """Yield a row for each score."""
    train, test = parts(folder, name)
    for words, score in SCORES.items():
        found = ds.hill_climb(
            train, score=score(train), restarts=0, seed=0, threads=1, time_limit=seconds
        )
        ended = " (ended early)" if found.stopped else ""
        own, one = (
            np.mean(ds.fit(found.dag, train, ess=ess).log_likelihood(test) / test.n_rows)
            for ess in (None, 1.0)
        )
        most = max(len(found.dag.parents(x)) for x in found.dag.names)
        fresh = f"{own:.3f}", f"{one:.3f}"
        yield [f"{name}, {words}{ended}", str(len(found.dag.arcs)), str(most), *fresh]


def parts(folder: Path, name: str) -> tuple[ds.Data, ds.Data]:
    """Return the rows for training, and those for testing."""
    with (folder / "splits.csv").open(encoding="utf-8") as file:
        split = next(row for row in csv.DictReader(file) if name in row.values())
    data = ds.read_data(folder / f"{name}.csv.gz", rows_independent=True)
    train, test = int(split["train"]), int(split["test"])
    return data.head(train), data.take(range(data.n_rows - test, data.n_rows))


if __name__ == "__main__":
    main()
