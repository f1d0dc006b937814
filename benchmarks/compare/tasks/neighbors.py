"""Neighbors and Markov blankets of all variables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.compare.datasets import DataSets
from benchmarks.compare.graphs import around
from benchmarks.compare.job import Job, Record, Setup
from benchmarks.compare.peers import can, load_peer
from benchmarks.compare.report.ahead import OURS, Reasons, ahead
from benchmarks.compare.report.summary import cells
from benchmarks.compare.report.tables import not_done, table, with_spread
from benchmarks.compare.report.words import seconds
from benchmarks.compare.tasks import Task

NAME = "neighbors"
SMALLEST = "child-500"  # a tool that does not finish this is not asked for more
FULL = (SMALLEST, "insurance-500", "alarm-500", "child-5000", "insurance-5000", "alarm-5000")
# What dagscape has beside its default: in words, and in options.
METHODS = {
    "sll": ("SLL by BIC", {"method": "sll", "score": "bic"}),
    "qnml": ("SLL by qNML", {"method": "sll", "score": "qnml"}),
    "hiton": ("HITON", {"method": "hiton", "degrees": "declared"}),
    "mmpc": ("MMPC", {"method": "mmpc", "degrees": "declared"}),
    "adjusted": ("HITON, degrees adjusted", {"method": "hiton"}),
}
WAYS = {
    "neighbors": {
        "dagscape": "hill climbing, default score",
        "pgmpy": "MMPC",
        "pyagrum": "MIIC",
        "pybnesian": "MMPC",
        "causal_learn": "PC",
    },
    "blankets": {
        "dagscape": "hill climbing, default score",
        "pgmpy": "hill climbing",
        "pyagrum": "hill climbing",
        "pybnesian": "hill climbing",
    },
}
LIMIT, QUICK_LIMIT = 12.0, 5.0
ABOUT = """
Each tool finds the neighbors, and the Markov blanket, of every variable by the method that it has
for it: dagscape off a network that hill climbing finds (its other ways are shown too), pgmpy and
PyBNesian by MMPC, pyAgrum by the skeleton of MIIC, causal-learn by that of PC with G² tests. For
blankets the peers learn a network by hill climbing (BIC) and read them off. "Wrong" counts, over
all variables, those in one of the two sets alone, the one found and the true one; so a wrong edge
counts twice.
"""
REASONS: Reasons = {
    "cpu_seconds": """
dagscape climbs 50 times, and so more often finds what one greedy network misses.
""",
    "wrong": """
No score is the nearest to the truth on every table; see "How near to the truth".
""",
}


def jobs(setup: Setup) -> Iterator[Job]:
    """Yield what is to be measured."""
    limit = QUICK_LIMIT if setup.quick else LIMIT
    for data in FULL[: 1 if setup.quick else None]:
        for what in WAYS:
            case, after = f"{data} {what}", None if data == SMALLEST else f"{SMALLEST} {what}"
            for tool in setup.tools:
                if can(tool, what):
                    for shuffle in setup.shuffles(2):
                        yield Job(NAME, case, tool, what, data, shuffle, limit=limit, after=after)
            for method, (_, asked) in METHODS.items() if OURS in setup.tools else ():
                yield Job(NAME, f"{case} {method}", OURS, what, data, setup.seed, asked, limit)


def judge(job: Job, answer: Any, data: DataSets) -> Record:
    """Count what is in one set alone, over all variables."""
    known = data[job.data or ""]
    true = around(known.table.names, known.truth or (), blankets=job.action == "blankets")
    return {"wrong": sum(len(true[name] ^ set(answer.get(name, ()))) for name in true)}


def section(records: list[Record]) -> str:
    """Write the section of the page."""
    rows, before = [], None
    for (case, tool), some in cells(records).items():
        data, what, *method = case.split()
        way = METHODS[method[0]][0] if method else WAYS[what][tool]
        done = [record for record in some if record["status"] == "done"]
        figures = ["", not_done(some[0]), ""]
        if done:
            figures = [
                str(len(done)),
                with_spread(done, "cpu_seconds", seconds),
                with_spread(done, "wrong", "{:,.0f}".format),
            ]
        here = f"{data}, {what}"
        rows.append(["" if here == before else here, load_peer(tool).NAME, way, *figures])
        before = here
    titles = ("data", "tool", "method", "orders", "CPU s", "wrong")
    return "\n\n".join([ABOUT.strip(), table(titles, rows, words=3), ahead(records, REASONS)])


TASK = Task(NAME, "Neighbors and Markov blankets", jobs, judge, section)
