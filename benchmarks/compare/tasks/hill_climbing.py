"""Hill climbing: each tool's own, with its defaults, by BIC."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.compare.job import Job, Record, Setup
from benchmarks.compare.judge import judge_learned
from benchmarks.compare.peers import can
from benchmarks.compare.report.ahead import Reasons, ahead
from benchmarks.compare.report.plots import figure_of_rows
from benchmarks.compare.report.tables import comparison
from benchmarks.compare.tasks import Task

NAME = "hill_climbing"
# Each with the smaller case that a tool must have finished to be asked.
FULL = {
    "alarm-1000": None,
    "insurance-1000": None,
    "hailfinder-1000": None,
    "alarm-20000": "alarm-1000",
    "insurance-20000": "insurance-1000",
    "hailfinder-20000": "alarm-20000",
    "binary-500-1593": "hailfinder-20000",
    "binary-1058-2225": "binary-500-1593",
}
QUICK = {"alarm-1000": None, "insurance-20000": "alarm-1000", "binary-500-1593": "insurance-20000"}
ABOUT = """
Every tool climbs from the empty graph by BIC with no limit of parents and its own defaults. "One
climb" is dagscape without restarts, which is what the others do. dagscape has a tabu list of 100
networks, pgmpy one of 100 changes, pyAgrum and PyBNesian have none. pgmpy is asked by its present
interface (`pgmpy.causal_discovery`). causal-learn has no hill climbing. The tables named "binary"
are sampled from a random network of 500 or 1,058 binary variables.
"""
REASONS: Reasons = {
    "grown_mb": """
dagscape keeps what every family that it met would gain by each change, for the restarts.
""",
    "score": """
A climb ends where its first steps lead. Many of them are ties, such as an arc and its reverse, and
each tool breaks them in its own way. So a peer's climb can end higher than ours on some tables and
for some orders of columns. `ds.learn` searches further: see the next section.
""",
    "shd": """
The distance to the true network and the score are different aims: with few rows the networks of
highest score lack weak arcs of the true one, and among networks of nearly equal score the
distance is left to chance.
""",
}


def jobs(setup: Setup) -> Iterator[Job]:
    """Yield what is to be measured."""
    limit = 5.0 if setup.quick else 20.0
    for data, smaller in (QUICK if setup.quick else FULL).items():
        for tool in setup.tools:
            for action, variant, orders in ((NAME, "", 5), ("one_climb", "one climb", 1)):
                if can(tool, action):
                    for shuffle in setup.shuffles(orders):
                        yield Job(
                            *(NAME, data, tool, action, data, shuffle),
                            limit=limit,
                            variant=variant,
                            after=smaller,
                        )


def section(records: list[Record]) -> str:
    """Write the section of the page."""
    plot = "![CPU seconds and scores of hill climbing](compare/hill_climbing.svg)"
    return "\n\n".join([ABOUT.strip(), plot, comparison(records), ahead(records, REASONS)])


def plots(records: list[Record], folder: Path) -> None:
    """Draw seconds and scores."""
    figure_of_rows(records, folder / "hill_climbing.svg")


TASK = Task(NAME, "Hill climbing", jobs, judge_learned, section, plots)
