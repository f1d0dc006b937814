"""How near to the truth a tool comes by default: SHD, and F1 of the skeleton."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import mean, stdev
from typing import Any

from benchmarks.compare.datasets import DataSets
from benchmarks.compare.job import Job, Record, Setup
from benchmarks.compare.judge import judge_learned
from benchmarks.compare.peers import load_peer
from benchmarks.compare.report.ahead import OURS, Reasons, ahead
from benchmarks.compare.report.summary import cells, variants
from benchmarks.compare.report.tables import not_done, table
from benchmarks.compare.tasks import Task

NAME = "accuracy"
SMALLEST = "child-500"
FULL = (SMALLEST, "alarm-500", "insurance-500", "hailfinder-500", "alarm-5000", "insurance-5000")
TABLES = 5
# What a tool does by default, or the search that its documentation begins with, and another that
# it has and that may come nearer: action, options and words.
Way = tuple[str, dict[str, Any], str]
WAYS: dict[str, tuple[Way, ...]] = {
    "dagscape": (
        ("default", {"seconds": 25.0}, "`ds.learn`, all by default"),
        ("hill_climbing", {}, "hill climbing, BIC"),
    ),
    "pgmpy": (
        ("hill_climbing", {}, "hill climbing, BIC"),
        ("hill_climbing_bdeu", {}, "hill climbing, BDeu"),
    ),
    "pyagrum": (
        ("hill_climbing", {}, "hill climbing, BIC"),
        ("tabu_bdeu", {}, "tabu list, BDeu"),
    ),
    "pybnesian": (
        ("hill_climbing", {}, "hill climbing, BIC"),
        ("hill_climbing_bde", {}, "hill climbing, BDe"),
    ),
    "causal_learn": (
        ("best_effort", {"seconds": 25.0}, "BOSS, BDeu"),
        ("grasp_bdeu", {}, "GRaSP, BDeu"),
    ),
}
LIMIT = 30.0
ABOUT = """
Each tool learns from samples of known networks, another sample and another order of the columns
each time: dagscape with nothing but defaults, the others by the search for discrete data that their
documentation begins with, and by another that may come nearer. For dagscape that is the search that
most of the others begin with. SHD is between essential graphs; F1 is of the skeleton, the harmonic
mean of the shares of found edges that are true and of true edges that are found. Means over the
samples, ± their standard error.
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
            for number, (action, options, words) in enumerate(WAYS.get(tool, ())):
                for seed in range(2 if setup.quick else TABLES):
                    table = f"{data}-seed{seed}"
                    yield Job(
                        *(NAME, data, tool, action, table, setup.seed + seed, options),
                        limit=LIMIT,
                        variant=words if number else "",
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
    for (case, tool), main in cells(records).items():
        name = load_peer(tool).NAME
        rows.append(["" if case == before else case, name, WAYS[tool][0][2], *_figures(main)])
        for words, some in variants(records, case, tool).items():
            rows.append(["", name, words, *_figures(some)])
        before = case
    titles = ("data", "tool", "method", "tables", "SHD", "F1")
    near = [{k: v for k, v in r.items() if k not in UNTIMED} for r in records]
    parts = [ABOUT.strip(), table(titles, rows, words=3), ahead(near, REASONS)]
    others = [{**r, "variant": ""} for r in near if r["tool"] != OURS and r.get("variant")]
    if others:
        ours = [r for r in near if r["tool"] == OURS]
        parts.append(f"By their other searches: {ahead([*ours, *others], REASONS)}")
    return "\n\n".join(parts)


def _figures(records: list[Record]) -> list[str]:
    done = [record for record in records if record["status"] == "done"]
    if not done:
        return ["", not_done(records[0]), ""]
    return [str(len(done)), _with_error(done, "shd", 1), _with_error(done, "f1", 3)]


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


TASK = Task(NAME, "How near to the truth", jobs, judge, section, timed=False)
