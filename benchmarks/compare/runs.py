"""Runs that one page shows together: each with its tasks, its date and its machine."""

from __future__ import annotations

from typing import Any

from benchmarks.compare.tasks import TASKS

Content = dict[str, Any]
Run = dict[str, Any]
SHARED = ("records", "runs")
"""What belongs to the page and not to one run."""


def runs_of(content: Content) -> list[Run]:
    """Return the runs whose records the content has, each with the tasks that are from it."""
    if "runs" in content:
        known: list[Run] = content["runs"]
        return known
    run = {name: value for name, value in content.items() if name not in SHARED}
    return [{**run, "tasks": _tasks(content["records"])}]


def joined(before: Content, later: Content) -> Content:
    """Return what a later run found, and of the earlier ones the tasks that it did not do."""
    again = {*_tasks(later["records"])}
    runs = []
    for run in runs_of(before):
        left = [task for task in run["tasks"] if task not in again]
        if left:
            runs.append({**run, "tasks": left})
    kept = [record for record in before["records"] if record["task"] not in again]
    return {"runs": [*runs, *runs_of(later)], "records": [*kept, *later["records"]]}


def _tasks(records: list[dict[str, Any]]) -> list[str]:
    done = {record["task"] for record in records}
    return [task for task in TASKS if task in done]
