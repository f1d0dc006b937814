"""The best network by BIC that a tool finds in a given time, with its best documented option."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.compare.job import Job, Record, Setup
from benchmarks.compare.judge import judge_learned
from benchmarks.compare.peers import can
from benchmarks.compare.report.ahead import Reasons, ahead
from benchmarks.compare.report.tables import comparison
from benchmarks.compare.tasks import Task

NAME = "best_effort"
FULL = {
    "alarm-1000": None,
    "alarm-20000": "alarm-1000",
    "insurance-20000": "alarm-1000",
    "hailfinder-20000": "alarm-1000",
    "binary-500-1593": "hailfinder-20000",
    "binary-1058-2225": "binary-500-1593",
}
QUICK = {"alarm-1000": None, "insurance-20000": "alarm-1000"}
ABOUT = """
Each tool gets {seconds:.0f} seconds and its best documented option: dagscape `ds.learn(data,
score="bic", time_limit=...)`, which also maps the landscape around the best network in that time;
pyAgrum a tabu list of 100 with 15 steps downhill and its own limit of time; causal-learn BOSS,
which knows no limit, by BDeu, since it has no discrete BIC. pgmpy and PyBNesian have no restarts
and no other option that searches longer than the hill climbing above. A tool that takes twice the
limit is ended.
"""
REASONS: Reasons = {
    "shd": """
The distance to the true network and the score are different aims: the network of highest score is
not the true one, but the one that the rows support best.
""",
    "cpu_seconds": """
`ds.learn` uses the time that it is given: after the best network it maps the others that are nearly
as good.
""",
    "cpu_seconds pyagrum": """
pyAgrum's search ends by itself before the limit. Hill climbing, above, compares such searches.
""",
    "grown_mb": """
`ds.learn` keeps the candidate parents of every variable, which the proof of an optimum needs, and
the landscape.
""",
}


def jobs(setup: Setup) -> Iterator[Job]:
    """Yield what is to be measured."""
    seconds = 3.0 if setup.quick else 20.0
    for data, smaller in (QUICK if setup.quick else FULL).items():
        for tool in setup.tools:
            if can(tool, NAME):
                options = {"seconds": seconds}
                # dagscape's answer does not depend on the order; its time here is a given.
                for shuffle in setup.shuffles(1 if tool == "dagscape" else 3):
                    yield Job(
                        NAME, data, tool, NAME, data, shuffle, options, 2 * seconds, after=smaller
                    )


def section(records: list[Record]) -> str:
    """Write the section of the page."""
    seconds = next((record["options"]["seconds"] for record in records), 0.0)
    about = ABOUT.strip().format(seconds=seconds)
    return "\n\n".join([about, comparison(records), ahead(records, REASONS)])


TASK = Task(NAME, "The best network in a given time", jobs, judge_learned, section)
