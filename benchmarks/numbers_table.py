"""Measure how fast tables of numbers are searched, beside what was aimed at.

python benchmarks/numbers_table.py [--only WORDS ...] [--dense]

Everything runs on one thread, on tables drawn from random networks, and CPU seconds are shown;
reading the table is not among them. The climb is run beside PyBNesian's where that is installed,
both by the Gaussian BIC, and both networks are scored by this package. `--dense` adds proofs for
networks with more arcs, which take minutes and 9 GB.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from cases.numbers import linear_network
from rich.console import Console

import dagscape as ds


class Line(NamedTuple):
    """One line of the table."""

    what: str
    aim: str
    seconds: float
    remark: str


def parents() -> Iterator[Line]:
    """All sets of up to four of 100 variables."""
    data = ds.Data(linear_network(100, 150, 1000))
    found, seconds = _timed(
        ds.candidate_parents, data, score="gaussian_bic", max_parents=3, threads=1
    )
    yield Line(
        "all sets of ≤ 4 of 100 variables", "1 s", seconds, f"{len(found):,} parent sets kept"
    )


def ges() -> Iterator[Line]:
    """GES on a thousand variables."""
    data = ds.Data(linear_network(1000, 2000, 1000))
    for prior in ("uniform", "fair"):
        found, seconds = _timed(ds.ges, data, score="gaussian_bic", prior=prior)
        remark = f"prior {prior}: {len(found.dag.arcs):,} arcs found"
        yield Line("GES, 1,000 variables x 1,000 rows, 2,000 arcs", "5 s", seconds, remark)


def climb() -> Iterator[Line]:
    """Hill climbing, beside PyBNesian's."""
    for variables, arcs, rows in ((100, 150, 5000), (300, 450, 1000)):
        table = linear_network(variables, arcs, rows)
        data = ds.Data(table)
        what = f"climb, {variables} variables x {rows:,} rows"
        ours, seconds = _timed(ds.hill_climb, data, score="gaussian_bic", threads=1)
        if importlib.util.find_spec("pybnesian") is None:
            yield Line(what, "a tenth of PyBNesian's", seconds, "PyBNesian is not installed")
            continue
        other, theirs = _pybnesian(table)
        apart = ours.score - ds.score(data, other, score="gaussian_bic")
        remark = f"PyBNesian {theirs:.2f} s, {theirs / seconds:.0f} times; score {apart:+.1f}"
        yield Line(what, "a tenth of PyBNesian's", seconds, remark)


def exact(dense: bool) -> Iterator[Line]:
    """Proofs for 30 variables."""
    for arcs in (30, 45, 60) if dense else (30,):
        data = ds.Data(linear_network(30, arcs, 1000))
        found, seconds = _timed(ds.exact, data, score="gaussian_bic", max_parents=4, threads=1)
        proof = "proven" if found.optimal else f"open: {found.bound - found.score:.1f}"
        ran = " + ".join(part["algorithms"] for part in found.work["components"])
        remark = f"{found.work['parent_sets']:,} parent sets; {proof} by {ran}"
        yield Line(f"optimum of 30 variables, ≤ 4 parents, {arcs} arcs", "5 s", seconds, remark)


def kes() -> Iterator[Line]:
    """Many runs of KES."""
    data = ds.Data(linear_network(50, 75, 1000))
    found, seconds = _timed(
        ds.local_optima, data, score="gaussian_bic", runs=1000, threads=1, seed=0
    )
    remark = f"{len(found.optima):,} distinct optima"
    yield Line("1,000 runs of KES, 50 variables x 1,000 rows", "5 s", seconds, remark)


def mixed() -> Iterator[Line]:
    """Score many rows by the conditional Gaussian."""
    table: dict[str, Any] = linear_network(20, 30, 25_000)
    for name in list(table)[::2]:
        table[name] = np.digitize(table[name], [-0.5, 0.5])
    found, seconds = _timed(ds.ges, ds.Data(table), score="conditional_gaussian")
    remark = f"GES, 10 columns of states: {len(found.dag.arcs)} arcs found"
    yield Line("conditional Gaussian, 20 variables x 25,000 rows", "5 s", seconds, remark)


def _timed(work: Callable[..., Any], *args: Any, **settings: Any) -> tuple[Any, float]:
    begun = time.process_time()
    found = work(*args, **settings)
    return found, time.process_time() - begun


def _pybnesian(table: dict[str, Any]) -> tuple[ds.Dag, float]:
    import pandas as pd
    import pybnesian

    frame = pd.DataFrame(table)
    model, seconds = _timed(
        pybnesian.hc,
        frame,
        bn_type=pybnesian.GaussianNetworkType(),
        score="bic",
        operators=["arcs"],
    )
    return ds.Dag(table, model.arcs()), seconds


def main() -> None:
    """Print a line for each aim, as soon as it is measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    measures = {"parents": parents, "ges": ges, "climb": climb, "kes": kes, "mixed": mixed}
    parser.add_argument("--only", nargs="*", choices=[*measures, "exact"], help="what to measure")
    parser.add_argument("--dense", action="store_true", help="proofs that take minutes too")
    options = parser.parse_args()
    show = Console(highlight=False, markup=False, soft_wrap=True).print
    show("| what | aim | CPU s | remark |")
    show("| --- | --- | --: | --- |")
    measures["exact"] = lambda: exact(options.dense)
    for name, measure in measures.items():
        if options.only is None or name in options.only:
            for line in measure():
                show(f"| {line.what} | {line.aim} | {line.seconds:.2f} | {line.remark} |")


if __name__ == "__main__":
    main()
