"""Confidence in edges, as a ranking of pairs of variables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.compare.datasets import DataSets
from benchmarks.compare.job import Job, Record, Setup
from benchmarks.compare.peers import can, load_peer
from benchmarks.compare.ranking import rank
from benchmarks.compare.report.ahead import OURS, Reasons, ahead
from benchmarks.compare.report.summary import cells
from benchmarks.compare.report.tables import not_done, table, with_spread
from benchmarks.compare.report.words import seconds
from benchmarks.compare.tasks import Task

NAME = "confidence"
FULL = {"alarm-1000": None, "alarm-20000": "alarm-1000"}
OWN = {
    "": "bootstrap of KES (k = 0.5), qNML, 200 samples",
    "same_score": "bootstrap of KES (k = 0.5), BIC, 200 samples",
    "bootstrap": "bootstrap of GES, BIC, 200 samples",
    "landscape": "landscape as by default: 1,000 runs, BIC",
}
PEERS_WAY = "bootstrap of hill climbing, BIC, {} samples"
PUBLISHED = {"alarm-1000": 0.859, "alarm-20000": 0.978}
"""Average precision of boot.strength in R's bnlearn on its alarm data, as published."""
SAMPLES = {"pgmpy": 10}  # what it does within the limit
USUAL_SAMPLES = 100
LIMIT, QUICK_LIMIT = 30.0, 5.0
ABOUT = """
Every pair of variables of alarm gets the share of networks in which it is joined, and the pairs are
ranked by it. "Average precision" is that of the ranking against the edges of the true network, 1 at
best; "Brier" is the mean squared difference between share and truth over all 666 pairs, 0 at best.
For tools without a bootstrap it is ten lines around their hill climbing
(`benchmarks/compare/resample.py`). pyAgrum has one, `BNMBootstrapLearner`, which gives nearly all
weight to a few rows, so it gets the ten lines too. causal-learn has none for discrete data, and its
searches are too slow for a hundred samples. R's bnlearn cannot be installed here: its row is
published, on other rows of the same network. dagscape's first row is what we recommend: the setting
was chosen on samples of child, insurance and hailfinder, not on alarm
(`python -m benchmarks.compare.choose`).
"""
REASONS: Reasons = {
    "cpu_seconds": """
dagscape is given twice as many samples as its peers.
""",
    "grown_mb": """
Each sample is a table with its own bitmaps and its own cache of what was counted, which is where
the speed comes from.
""",
}


def jobs(setup: Setup) -> Iterator[Job]:
    """Yield what is to be measured."""
    limit = QUICK_LIMIT if setup.quick else LIMIT
    for data, smaller in FULL.items():
        if setup.quick and smaller:
            continue
        for tool in setup.tools:
            if can(tool, NAME):
                asked = {} if tool == OURS else {"samples": SAMPLES.get(tool, USUAL_SAMPLES)}
                yield Job(NAME, data, tool, NAME, data, setup.seed, asked, limit, after=smaller)
        for way in [way for way in OWN if way] if OURS in setup.tools else ():
            action = f"{NAME}_{way}"
            yield Job(NAME, f"{data} {way}", OURS, action, data, setup.seed, limit=limit)


def judge(job: Job, answer: Any, data: DataSets) -> Record:
    """Rank pairs against the truth."""
    known = data[job.data or ""]
    return dict(rank(known.table.names, answer, known.truth or ()))


def section(records: list[Record]) -> str:
    """Write the section of the page."""
    rows: list[list[str]] = []
    found = cells(records)
    for data in dict.fromkeys(case.split()[0] for case, _ in found):
        some = [
            [load_peer(tool).NAME, _way(case, tool), *_figures(cell)]
            for (case, tool), cell in found.items()
            if case.split()[0] == data
        ]
        if data in PUBLISHED:
            some.append(
                ["bnlearn (R)", "boot.strength", "", f"{PUBLISHED[data]:.3f} (published)", ""]
            )
        rows += [["" if i else data, *row] for i, row in enumerate(some)]
    titles = ("data", "tool", "way", "CPU s", "average precision", "Brier")
    return "\n\n".join([ABOUT.strip(), table(titles, rows, words=3), ahead(records, REASONS)])


def _way(case: str, tool: str) -> str:
    """Return what was done, in words."""
    if tool == OURS:
        return OWN[case.partition(" ")[2]]
    return PEERS_WAY.format(SAMPLES.get(tool, USUAL_SAMPLES))


def _figures(cell: list[Record]) -> list[str]:
    if cell[0]["status"] != "done":
        return [not_done(cell[0]), "", ""]
    digits = {"precision": "{:.3f}".format, "brier": "{:.4f}".format}
    figures = [with_spread(cell, name, form) for name, form in digits.items()]
    return [with_spread(cell, "cpu_seconds", seconds), *figures]


TASK = Task(NAME, "Confidence in edges", jobs, judge, section)
