"""Hill climbing: each tool's own, with its defaults, by BIC."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.compare.datasets import DataSets
from benchmarks.compare.job import Job, Record, Setup
from benchmarks.compare.judge import judge_graph
from benchmarks.compare.peers import can
from benchmarks.compare.report.tables import comparison
from benchmarks.compare.tasks import Task

NAME = "hill_climbing"


def jobs(setup: Setup) -> Iterator[Job]:
    """Yield what is to be measured."""
    for data in ("alarm-1000",):
        for tool in setup.tools:
            if can(tool, "hill_climbing"):
                for shuffle in setup.shuffles(5):
                    yield Job(NAME, data, tool, "hill_climbing", data, shuffle, limit=60)


def judge(job: Job, answer: Any, data: DataSets) -> Record:
    """Score a graph."""
    return judge_graph(answer, data[job.data or ""])


def section(records: list[Record]) -> str:
    """Write the section of the page."""
    return comparison(records)


TASK = Task(NAME, "Hill climbing", jobs, judge, section)
