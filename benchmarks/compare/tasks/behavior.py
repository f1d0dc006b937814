"""Behavior: odd tables, Ctrl-C, and whether the same question has the same answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.compare.behavior import verdicts
from benchmarks.compare.behavior.interrupt import AFTER
from benchmarks.compare.datasets import DataSets
from benchmarks.compare.job import Job, Record, Setup
from benchmarks.compare.peers import can, load_peer
from benchmarks.compare.report.tables import table
from benchmarks.compare.tasks import Task

NAME = "behavior"
HASH_SEEDS = (0, 1, 2)
LONGEST = 8.0  # CPU seconds that a search may go on for before and after Ctrl-C

TRIED = {
    "text": ("text columns", "Columns of Python strings, given as they are."),
    "categories": ("pandas categories", "The same columns as pandas categories."),
    "integers": (
        "integer codes",
        "Integers that are names of states: two columns depend on each other and have no "
        "correlation. *As states*: the edge is found.",
    ),
    "floats": (
        "measurements",
        "Floating-point numbers, nearly all different, two columns correlated. *Each value a "
        "state*: they are taken, and the edge is not found.",
    ),
    "missing_text": (
        "missing, in text",
        "`None` in a text column, only in rows where another has one state. *A state*: the gap "
        "counts as one. *Rows left out*, *cells left out*: from everything, or from the counts of "
        "that column alone. *Wrong edges*: a column that belongs with none of these is joined to "
        "them. *Other edges lost*: one between two complete columns, of which all rows tell, is "
        "not found.",
    ),
    "missing_numbers": ("missing, in numbers", "The same with codes and `NaN`."),
    "empty_cells": ("empty text", "The same with `''` in the gaps."),
    "one_state": ("a constant column", "A column with one state beside others."),
    "one_row": ("one row", "A table with a single row."),
    "no_rows": ("no rows", "A table of three columns without a row."),
    "same_name": ("one name twice", "Two columns with the same name."),
}


def jobs(setup: Setup) -> Iterator[Job]:
    """Yield what is to be tried."""
    for tool in filter(lambda tool: can(tool, NAME), setup.tools):
        yield Job(NAME, "tables", tool, NAME, options={"what": "tables"}, limit=120)
        yield Job(NAME, "Ctrl-C", tool, NAME, options={"what": "interrupt"}, limit=LONGEST)
        for seed in HASH_SEEDS[: 1 if setup.quick else None]:
            again = {"what": "again" if seed == 0 else "once"}
            hashed = {"PYTHONHASHSEED": str(seed)}
            yield Job(
                NAME, f"hash seed {seed}", tool, NAME, options=again, limit=120, environment=hashed
            )


def judge(job: Job, answer: Any, data: DataSets) -> Record:
    """Keep what came; words are found when the page is written."""
    del job, data
    return {"outcomes": answer}


def section(records: list[Record]) -> str:
    """Write the section of the page."""
    tools = list(dict.fromkeys(record["tool"] for record in records))
    rows = words(records)
    head = ("", *(load_peer(tool).NAME for tool in tools))
    lines = [(title, *(cells[tool] for tool in tools)) for title, _, cells in rows]
    notes = "\n".join(f"- **{title}**: {note}" for title, note, _ in rows)
    return (
        f"{table(head, lines, words=len(head))}\n\n"
        "*Refused*: an exception; *names it*: its message names the column. *Crash*: the process "
        f"was ended by a signal. What was tried:\n\n{notes}\n"
    )


def words(records: list[Record]) -> list[tuple[str, str, dict[str, str]]]:
    """Return the rows: title, what was done, and a word for each tool."""
    of: dict[str, dict[str, Record]] = {}
    for record in records:
        of.setdefault(record["tool"], {})[record["case"]] = record
    tries = {tool: _outcomes(cases["tables"]) for tool, cases in of.items()}
    rows = [
        (title, note, {tool: _word(question, some) for tool, some in tries.items()})
        for question, (title, note) in TRIED.items()
    ]
    changes = {tool: verdicts.of_changes(some.values()) for tool, some in tries.items()}
    rows.append(("the caller's table", "Compared with a copy after each of these.", changes))
    interrupts = {tool: verdicts.of_interrupt(cases["Ctrl-C"]) for tool, cases in of.items()}
    rows.append(
        (
            "Ctrl-C",
            f"SIGINT {AFTER:.0f} s into a search on 200 binary columns and 20,000 rows (dagscape: "
            "with a million restarts, since it would be done), looked at for "
            f"{verdicts.PROMPT:.0f} s: *best so far* is a result, *nothing kept* an exception.",
            interrupts,
        )
    )
    for title, note, some in _REPEATED:
        cells = {tool: verdicts.of_same(some(cases)) for tool, cases in of.items()}
        rows.append((title, note, cells))
    return rows


def _word(question: str, outcomes: dict[str, Any]) -> str:
    return verdicts.of_try(question, outcomes[question]) if question in outcomes else "-"


def _outcomes(record: Record) -> dict[str, Any]:
    outcomes: dict[str, Any] = record.get("outcomes", {})
    return outcomes


def _again(*names: str) -> Any:
    def some(cases: dict[str, Record]) -> list[Any]:
        found = _outcomes(cases["hash seed 0"])
        return [found[name] for name in found if name.startswith(names) or name in names]

    return some


def _hashed(cases: dict[str, Record]) -> list[Any]:
    failed = {"status": "failed"}
    some = [record for case, record in cases.items() if case.startswith("hash seed")]
    return [_outcomes(record).get("once", failed) for record in some]


_REPEATED = (
    (
        "once more",
        "The same search twice, on 1,000 rows of the network insurance (causal-learn, which has no "
        "hill climbing and is slower: GES on the first 10 columns).",
        _again("once", "again"),
    ),
    (
        "order of columns",
        "The same with the columns in 6 orders: *same class* is the same but for directions that "
        "data cannot tell.",
        _again("once", "shuffle"),
    ),
    ("hash seed", "The same with `PYTHONHASHSEED` 0, 1 and 2.", _hashed),
    ("threads", "The same with 1, 2 and 4 threads.", _again("1 threads", "2 threads", "4 threads")),
)

TASK = Task(NAME, "Behavior", jobs, judge, section, timed=False)
