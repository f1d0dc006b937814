"""Tables of numbers, and of numbers and states: climbing, GES and search over orders."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.compare.job import Job, Record, Setup
from benchmarks.compare.judge import judge_learned
from benchmarks.compare.peers import can
from benchmarks.compare.report.ahead import Reasons, ahead
from benchmarks.compare.report.tables import comparison
from benchmarks.compare.tasks import Task

NAME = "numbers"
# Each with the smaller case that a tool must have finished to be asked.
FULL = {
    "gaussian-20-1000": None,
    "gaussian-50-1000": "gaussian-20-1000",
    "gaussian-100-5000": "gaussian-50-1000",
    "gaussian-500-1000": "gaussian-100-5000",
    "mixed-20-1000": None,
    "mixed-20-25000": "mixed-20-1000",
    "mixed-50-1000": "mixed-20-1000",
}
QUICK = {"gaussian-20-1000": None, "gaussian-100-5000": "gaussian-20-1000", "mixed-20-1000": None}
# What is searched, with each tool's function for it, and words for a further row.
GAUSSIAN = {
    "climb": [("gaussian_climb", "")],
    "GES": [("gaussian_ges", "")],
    "orders": [("gaussian_orders", ""), ("gaussian_boss", "")],
}
MIXED = {"climb": [("mixed_climb", ""), ("mixed_default", "learn")]}
ABOUT = """
Tables are drawn from random networks, linear for numbers alone, with a line for each combination of
states for mixed ones; a variable has 3 neighbors in the mean. Climbs have no restarts and begin
with the empty graph. On numbers all search by the BIC of Gaussian networks; causal-learn has no
climb. Orders are searched by `ds.order_search`, with parents grown on demand, and by causal-learn's
BOSS. On numbers and states dagscape and pgmpy climb by the conditional Gaussian BIC, PyBNesian by
the BIC of its networks, in which no arc goes from numbers to states; "learn" is dagscape's default,
which takes another score. These differ, so mixed rows have no BIC. pyAgrum has no networks of
numbers. causal-learn's DirectLiNGAM is left out: it reads directions off noise that is not normal,
and the noise of these tables is, so that it could only guess.
"""
REASONS: Reasons = {
    "score": """
A climb ends where its first steps lead, and each tool breaks ties in its own way. `ds.learn`
searches further.
""",
    "shd": """
The distance to the true network and the score are different aims; a heavier penalty leaves out arcs
that chance made.
""",
    "grown_mb": """
dagscape keeps what every family that it met would gain by each change.
""",
}


def jobs(setup: Setup) -> Iterator[Job]:
    """Yield what is to be measured."""
    limit = 5.0 if setup.quick else 30.0
    for data, smaller in (QUICK if setup.quick else FULL).items():
        for words, actions in (MIXED if data.startswith("mixed") else GAUSSIAN).items():
            after = f"{smaller}, {words}" if smaller else None
            for tool in setup.tools:
                for action, variant in actions:
                    if can(tool, action):
                        for shuffle in setup.shuffles(3):
                            yield Job(
                                *(NAME, f"{data}, {words}", tool, action, data, shuffle),
                                limit=limit,
                                variant=variant,
                                after=after,
                            )


def section(records: list[Record]) -> str:
    """Write the section of the page."""
    return "\n\n".join([ABOUT.strip(), comparison(records), ahead(records, REASONS)])


TASK = Task(NAME, "Tables of numbers", jobs, judge_learned, section)
