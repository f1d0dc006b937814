"""Series: which drive which, and after how many steps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from benchmarks.compare.datasets import DataSets
from benchmarks.compare.job import Job, Record, Setup
from benchmarks.compare.peers import can, load_peer
from benchmarks.compare.ranking import average_precision
from benchmarks.compare.report.ahead import Reasons, ahead
from benchmarks.compare.report.summary import cells
from benchmarks.compare.report.tables import not_done, table, with_spread
from benchmarks.compare.report.words import seconds
from benchmarks.compare.tasks import Task

NAME = "series"
SIMULATED = ("series-5-100", "series-5-400", "series-10-200", "series-20-400")
SEEDS = 3
REAL = tuple(f"dream4-{number}" for number in range(1, 6))
LAGS = {"series": 2, "dream4": 1}
WAYS = {
    "dagscape": "`ds.posterior` by default, at most 4 parents; an arc is there from 0.5",
    "tigramite": "PCMCI+, partial correlation, defaults, from one step back",
    "statsmodels": "vector autoregression; an arc is there if p is below 0.05",
}
LIMIT, QUICK_LIMIT = 60.0, 10.0
ABOUT = """
Networks over time with known arcs are drawn: "series-10-200" has 10 series of 200 steps, each with
its own past and up to 2 others, one or two steps back; three networks of each kind. With `--data`
the five networks of ten genes of DREAM4 are there too, five series of 21 times each, at one lag.
All tools are told the number of lags. "Average precision" is that of the ranking of all arcs
between different series (with their lag, where that is known) by what the tool says of them:
probability, partial correlation, or t; "F1" is that of the arcs that the tool says are there. A
series' arc to itself does not count in either. Shown is the median over the networks of a kind, in
brackets the range.
"""
REASONS: Reasons = {
    "cpu_seconds": """
A regression is a single equation for each series; dagscape weighs all sets of up to 4 parents.
""",
    "grown_mb": """
The table of lags is made by libraries that are loaded when they are first needed, and dagscape
keeps the value of every set that it has met.
""",
    "f1": """
dagscape weighs how many arcs there can be; where nearly all are there, a test that lets one in
twenty through by chance finds more.
""",
}


def jobs(setup: Setup) -> Iterator[Job]:
    """Yield what is to be measured."""
    limit = QUICK_LIMIT if setup.quick else LIMIT
    names = [*SIMULATED[: 1 if setup.quick else None]]
    asked = {
        name: [f"{name}-seed{s}" for s in range(1 if setup.quick else SEEDS)] for name in names
    }
    if setup.real and not setup.quick:
        asked["dream4"] = list(REAL)
    for case, sets in asked.items():
        for tool in setup.tools:
            if can(tool, NAME):
                for data in sets:
                    options = {"lags": LAGS[data.split("-")[0]]}
                    yield Job(NAME, case, tool, NAME, data, options=options, limit=limit)


def judge(job: Job, answer: Any, data: DataSets) -> Record:
    """Rank arcs between different series against the truth, and count those said to be there."""
    known = data[job.data or ""]
    lagged = any("[" in a for a, _ in known.truth or ())
    names = [name for name in known.table.names if name != "series"]
    lags = range(1, job.options["lags"] + 1)
    strength: dict[tuple[str, str], float] = {}
    said: set[tuple[str, str]] = set()
    for a, b, lag, value, there in answer:
        arc = (f"{a}[-{lag}]" if lagged else a, b)
        strength[arc] = max(strength.get(arc, 0.0), value)
        if there:
            said.add(arc)
    pairs = [(a, b) for a, b in product(names, names) if a != b]
    arcs = [(f"{a}[-{lag}]", b) for a, b in pairs for lag in lags] if lagged else pairs
    true = {*(known.truth or ())} & {*arcs}
    ranked = np.array([strength.get(arc, 0.0) for arc in arcs])
    right = len(said & true)
    return {
        "precision": average_precision(ranked, np.array([arc in true for arc in arcs])),
        "f1": 2 * right / max(1, len(said & {*arcs}) + len(true)),
    }


def section(records: list[Record]) -> str:
    """Write the section of the page."""
    rows, before = [], None
    for (case, tool), some in cells(records).items():
        done = [record for record in some if record["status"] == "done"]
        figures = [not_done(some[0]), "", ""]
        if done:
            digits = "{:.3f}".format
            figures = [
                with_spread(done, "cpu_seconds", seconds),
                with_spread(done, "precision", digits),
                with_spread(done, "f1", digits),
            ]
        here = "" if case == before else case
        rows.append([here, load_peer(tool).NAME, WAYS[tool], *figures])
        before = case
    titles = ("data", "tool", "way", "CPU s", "average precision", "F1")
    return "\n\n".join([ABOUT.strip(), table(titles, rows, words=3), ahead(records, REASONS)])


TASK = Task(NAME, "Series", jobs, judge, section)
