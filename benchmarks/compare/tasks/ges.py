"""Greedy equivalence search on discrete data."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.compare.job import Job, Record, Setup
from benchmarks.compare.judge import judge_learned
from benchmarks.compare.peers import can
from benchmarks.compare.report.ahead import Reasons, ahead
from benchmarks.compare.report.tables import comparison
from benchmarks.compare.tasks import Task

NAME = "ges"
FULL = {
    "asia-1000": None,
    "sachs-1000": "asia-1000",
    "child-1000": "sachs-1000",
    "alarm-1000": "child-1000",
    "alarm-20000": "alarm-1000",
    "binary-500-1593": "alarm-1000",
}
QUICK = {"asia-1000": None, "sachs-1000": "asia-1000", "alarm-1000": "sachs-1000"}
ABOUT = """
dagscape and pgmpy search by BIC; causal-learn has no BIC for discrete data and is compared by BDeu
with a sample size of 1 (it adds a prior on the number of parents). Graphs learned by BDeu are
judged by BIC like the others. pgmpy adds a third phase, of turns. pyAgrum and PyBNesian have no
GES. A graph with undirected edges is extended to a DAG and scored as that.
"""
REASONS: Reasons = {
    "score pgmpy": """
pgmpy's third phase, which turns edges, is off in `ds.ges`, because the published algorithm has two
phases; `turning=True` switches it on.
""",
    "score causal_learn": """
These graphs were learned by BDeu, and are judged by BIC, which likes fewer arcs. causal-learn adds
a prior on the number of parents to BDeu, and that favors fewer arcs too.
""",
    "shd": """
The distance to the true network and the score are different aims.
""",
}


def jobs(setup: Setup) -> Iterator[Job]:
    """Yield what is to be measured."""
    limit = 5.0 if setup.quick else 30.0
    for data, smaller in (QUICK if setup.quick else FULL).items():
        for action, words in (("ges", ""), ("ges_bdeu", " by BDeu")):
            case, after = f"{data}{words}", f"{smaller}{words}" if smaller else None
            for tool in setup.tools:
                if can(tool, action):
                    for shuffle in setup.shuffles(3):
                        yield Job(NAME, case, tool, action, data, shuffle, limit=limit, after=after)


def section(records: list[Record]) -> str:
    """Write the section of the page."""
    return "\n\n".join([ABOUT.strip(), comparison(records), ahead(records, REASONS)])


TASK = Task(NAME, "Greedy equivalence search", jobs, judge_learned, section)
