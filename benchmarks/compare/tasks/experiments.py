"""Rows from experiments: which directions are found, and in what time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.compare.datasets import DataSets
from benchmarks.compare.graphs import essential, shd
from benchmarks.compare.job import Job, Record, Setup
from benchmarks.compare.peers import can
from benchmarks.compare.report.ahead import Reasons, ahead
from benchmarks.compare.report.tables import comparison
from benchmarks.compare.table import TARGET
from benchmarks.compare.tasks import Task

NAME = "experiments"
FULL = {
    "touched-10-1000": None,
    "touched-20-1000": "touched-10-1000",
    "touched-50-2000": "touched-20-1000",
}
QUICK = {"touched-10-1000": None, "touched-20-1000": "touched-10-1000"}
ACTIONS = (("experiments", ""), ("ignored", "experiments ignored"))
ABOUT = """
Tables of numbers are drawn from random linear networks, a variable with 3 neighbors in the mean:
half of the rows observed, the others from five experiments, each of which set one variable low in
half of its rows and high in the others. dagscape climbs by the BIC of Gaussian networks in which a
variable is scored where it was free; gies searches over the classes that the experiments leave, by
a BIC of its own, whose price of an arc counts all rows. So graphs are compared and not scores: SHD
is to what the experiments tell of the true network, with each arc at a target directed.
"Experiments ignored" is dagscape on the same rows, taken as observed. The other tools have no such
search for numbers.
"""
REASONS: Reasons = {}


def jobs(setup: Setup) -> Iterator[Job]:
    """Yield what is to be measured."""
    limit = 5.0 if setup.quick else 60.0
    for data, smaller in (QUICK if setup.quick else FULL).items():
        for tool in setup.tools:
            for action, variant in ACTIONS:
                if can(tool, action):
                    for shuffle in setup.shuffles(3):
                        yield Job(
                            *(NAME, data, tool, action, data, shuffle),
                            limit=limit,
                            variant=variant,
                            after=smaller,
                        )


def judge(job: Job, answer: Any, data: DataSets) -> Record:
    """Return how many edges there are, and how far they are from what experiments tell."""
    known = data[job.data or ""]
    names = [name for name in known.table.names if name != TARGET]
    targets = known.table.states[known.table.names.index(TARGET)][1:]
    directed = {(a, b) for a, b in answer["arcs"]}
    undirected = {frozenset(edge) for edge in answer["undirected"]}
    truth = essential(names, known.truth or (), targets)
    return {"edges": len(directed) + len(undirected), "shd": shd((directed, undirected), truth)}


def section(records: list[Record]) -> str:
    """Write the section of the page."""
    return "\n\n".join([ABOUT.strip(), comparison(records), ahead(records, REASONS)])


TASK = Task(NAME, "Rows from experiments", jobs, judge, section)
