"""From what came of a try to a word for the table. Nothing here knows which tool it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from benchmarks.compare.behavior.frames import ODD
from benchmarks.compare.graphs import essential, extension

PROMPT = 2.0
"""Seconds in which a search should end after Ctrl-C."""

APART = {"noise", "north", "south"}
"""In tables with gaps: what belongs with none of the other columns, whatever is made of gaps."""

Outcome = dict[str, Any]
Verdict = Callable[[Outcome], str]


def of_try(question: str, outcome: Outcome) -> str:
    """Return the word for one table."""
    status = outcome["status"]
    if status == "refused":
        return "refused, names it" if outcome["named"] and question in NAMEABLE else "refused"
    if status == "crash":
        return f"crash ({outcome['why']})"
    if status == "over":
        return "no end"
    return VERDICTS[question](outcome)


def of_changes(outcomes: Iterable[Outcome]) -> str:
    """Tell whether any of the tables was changed."""
    done = [outcome for outcome in outcomes if outcome["status"] == "done"]
    if not done:
        return "-"
    return "changed" if any(outcome["changed"] for outcome in done) else "left as it is"


def of_same(outcomes: Iterable[Outcome]) -> str:
    """Tell whether graphs are the same, or at least of one class."""
    some = list(outcomes)
    if len(some) < 2:
        return "not tried" if some else "no choice"
    if any(outcome["status"] != "done" for outcome in some):
        return "failed"
    graphs = {_key(outcome["arcs"], outcome["undirected"]) for outcome in some}
    if len(graphs) == 1:
        return "same graph"
    classes = {_class(outcome) for outcome in some}
    return "same class" if len(classes) == 1 else f"{len(classes)} classes of {len(some)}"


def of_interrupt(record: dict[str, Any]) -> str:
    """Tell how a search took Ctrl-C."""
    if record["status"] == "over":
        return f"goes on for over {record['limit']:.0f} s"
    if record["status"] != "done":
        return "ends the process"
    how, seconds = record["outcomes"]["how"], record["outcomes"]["seconds"]
    if how == "early":
        return "done before"
    after = "" if seconds <= PROMPT else f" after {seconds:.0f} s"
    if how == "result":
        return f"best so far{after}"
    return f"stops{after}, nothing kept"


def joined(outcome: Outcome, a: str, b: str) -> bool:
    """Tell whether two columns are joined in what was found."""
    return {a, b} in [set(pair) for pair in (*outcome["arcs"], *outcome["undirected"])]


def _pair(found: str, lost: str) -> Verdict:
    return lambda outcome: found if joined(outcome, "ward", ODD) else lost


def _gaps(outcome: Outcome) -> str:
    pairs = [set(pair) for pair in (*outcome["arcs"], *outcome["undirected"])]
    if any(pair & APART and pair != {"north", "south"} for pair in pairs):
        return "wrong edges"
    if not joined(outcome, "north", "south"):
        return "other edges lost"
    if joined(outcome, "ward", ODD):
        return "a state"
    return "cells left out" if joined(outcome, "left", "right") else "rows left out"


def _constant(outcome: Outcome) -> str:
    arcs = [pair for pair in (*outcome["arcs"], *outcome["undirected"]) if ODD in pair]
    return "gets an arc" if arcs else "no arcs"


def _few(outcome: Outcome) -> str:
    return "arcs" if outcome["arcs"] or outcome["undirected"] else "no arcs"


VERDICTS: dict[str, Verdict] = {
    "text": _pair("yes", "edge not found"),
    "categories": _pair("yes", "edge not found"),
    "integers": _pair("as states", "as quantities"),
    "floats": _pair("as quantities", "each value a state"),
    "missing_text": _gaps,
    "missing_numbers": _gaps,
    "empty_cells": _gaps,
    "one_state": _constant,
    "one_row": _few,
    "no_rows": _few,
    "same_name": lambda _: "taken",
}
NAMEABLE = ("floats", "missing_text", "missing_numbers", "empty_cells", "one_state", "same_name")
"""Where an error can name the column."""


def _class(outcome: Outcome) -> Any:
    names = sorted({name for pair in outcome["arcs"] + outcome["undirected"] for name in pair})
    try:
        arcs = extension(names, map(tuple, outcome["arcs"]), map(tuple, outcome["undirected"]))
    except ValueError:
        return _key(outcome["arcs"], outcome["undirected"])
    directed, undirected = essential(names, arcs)
    return _key(directed, map(sorted, undirected))


def _key(directed: Iterable[Any], undirected: Iterable[Any]) -> Any:
    return (
        frozenset((a, b) for a, b in directed),
        frozenset(frozenset((a, b)) for a, b in undirected),
    )
