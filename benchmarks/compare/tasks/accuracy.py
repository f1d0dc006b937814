"""How near to the truth a tool comes by default: SHD, and F1 of the skeleton."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import mean, stdev
from typing import Any

from benchmarks.compare.datasets import DataSets
from benchmarks.compare.job import Job, Record, Setup
from benchmarks.compare.judge import judge_learned
from benchmarks.compare.peers import load_peer
from benchmarks.compare.report.ahead import Reasons, ahead
from benchmarks.compare.report.summary import cells
from benchmarks.compare.report.tables import not_done, table
from benchmarks.compare.tasks import Task

NAME = "accuracy"
SMALLEST = "child-500"
FULL = (SMALLEST, "alarm-500", "insurance-500", "hailfinder-500", "alarm-5000", "insurance-5000")
TABLES = 5
# What a tool does by default, or the search that its documentation begins with: action, options
# and words.
WAYS: dict[str, tuple[str, dict[str, Any], str]] = {
    "dagscape": ("default", {"seconds": 10.0}, "`ds.learn`, all by default"),
    "pgmpy": ("hill_climbing", {}, "hill climbing, BIC"),
    "pyagrum": ("hill_climbing", {}, "hill climbing, BIC"),
    "pybnesian": ("hill_climbing", {}, "hill climbing, BIC"),
    "causal_learn": ("best_effort", {"seconds": 10.0}, "BOSS, BDeu"),
}
LIMIT = 30.0
ABOUT = """
Each tool learns from samples of known networks, another sample and another order of the columns
each time: dagscape with nothing but defaults, the others by the search for discrete data that their
documentation begins with. SHD is between essential graphs; F1 is of the skeleton, the harmonic mean
of the shares of found edges that are true and of true edges that are found. Means over the samples,
± their standard error.
"""
REASONS: Reasons = {
    "shd": """
No score is the nearest to the truth on every network; the page on accuracy has the means over many.
""",
    "f1": """
The same holds for edges alone.
""",
}


def jobs(setup: Setup) -> Iterator[Job]:
    """Yield what is to be measured."""
    for data in FULL[: 1 if setup.quick else None]:
        for tool in setup.tools:
            action, options, _ = WAYS[tool]
            for seed in range(2 if setup.quick else TABLES):
                yield Job(
                    *(NAME, data, tool, action, f"{data}-seed{seed}", setup.seed + seed, options),
                    limit=LIMIT,
                    after=None if data == SMALLEST else SMALLEST,
                )


def judge(job: Job, answer: Any, data: DataSets) -> Record:
    """Return the distance and F1 of a graph; its BIC is not what this is about."""
    facts = judge_learned(job, answer, data)
    true = {frozenset(arc) for arc in data[job.data or ""].truth or ()}
    mine = {frozenset(edge) for edge in (*answer["arcs"], *answer["undirected"])}
    facts["f1"] = 2 * len(true & mine) / max(1, len(true) + len(mine))
    return {name: facts[name] for name in ("shd", "f1", "remark") if name in facts}


def section(records: list[Record]) -> str:
    """Write the section of the page."""
    rows, before = [], None
    for (case, tool), some in cells(records).items():
        done = [record for record in some if record["status"] == "done"]
        figures = ["", not_done(some[0]), ""]
        if done:
            figures = [str(len(done)), _with_error(done, "shd", 1), _with_error(done, "f1", 3)]
        name = load_peer(tool).NAME
        rows.append(["" if case == before else case, name, WAYS[tool][2], *figures])
        before = case
    titles = ("data", "tool", "method", "tables", "SHD", "F1")
    near = [{k: v for k, v in r.items() if k not in UNTIMED} for r in records]
    return "\n\n".join([ABOUT.strip(), table(titles, rows, words=3), ahead(near, REASONS)])


UNTIMED = ("cpu_seconds", "wall_seconds", "grown_mb", "score")
"""Figures of other tasks: how long defaults take is no matter here."""


def _with_error(records: list[Record], name: str, digits: int) -> str:
    """Return the mean of a figure, and its standard error where there are several."""
    values = [record[name] for record in records if name in record]
    if not values:
        return ""
    middle = f"{mean(values):.{digits}f}"
    if len(values) < 2:
        return middle
    return f"{middle} ± {stdev(values) / len(values) ** 0.5:.{digits}f}"


TASK = Task(NAME, "How near to the truth", jobs, judge, section)
