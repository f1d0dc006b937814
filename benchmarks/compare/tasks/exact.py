"""The best network of all, by number of variables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.compare.job import Job, Record, Setup
from benchmarks.compare.judge import judge_learned
from benchmarks.compare.peers import can
from benchmarks.compare.report.ahead import OURS, Reasons, ahead
from benchmarks.compare.report.plots import figure_by_number
from benchmarks.compare.report.tables import comparison
from benchmarks.compare.tasks import Task

NAME = "exact"
FULL = (4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 37)
QUICK = (4, 5, 8, 16, 24)
ABOUT = """
The first columns of alarm, 1,000 rows, BIC, no limit of parents. pgmpy looks at every DAG.
causal-learn's A* knows only the BIC of Gaussian variables; it is shown for its time, on the codes
of the states as numbers, and what it finds is judged by the discrete BIC, for which it was not
looking. pyAgrum and PyBNesian have no exact search. A tool that did not finish is not asked for
more variables.
"""
REASONS: Reasons = {
    "cpu_seconds": """
On so few variables both take milliseconds.
""",
}


def jobs(setup: Setup) -> Iterator[Job]:
    """Yield what is to be measured."""
    limit = 4.0 if setup.quick else 20.0
    smaller: str | None = None
    for number in QUICK if setup.quick else FULL:
        data = f"alarm-1000-first{number}"
        for tool in setup.tools:
            if can(tool, NAME):
                yield Job(NAME, data, tool, NAME, data, None, limit=limit, after=smaller)
        smaller = data


def section(records: list[Record]) -> str:
    """Write the section of the page."""
    plot = "![CPU seconds of exact learning by number of variables](compare/exact.svg)"
    ours = [r for r in records if r["tool"] == OURS]
    proven = sum(record.get("proven", False) for record in ours)
    said = f"dagscape proved that its network is the best in {proven} of {len(ours)} rows."
    return "\n\n".join([ABOUT.strip(), plot, said, comparison(records), ahead(records, REASONS)])


def plots(records: list[Record], folder: Path) -> None:
    """Draw seconds by number of variables."""
    figure_by_number(records, folder / "exact.svg")


TASK = Task(NAME, "Exact learning", jobs, judge_learned, section, plots)
