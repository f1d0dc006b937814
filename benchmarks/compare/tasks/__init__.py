"""The tasks. A file each, with a ``TASK``: its jobs, its judge and its section of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.compare.datasets import DataSets
from benchmarks.compare.job import Job, Record, Setup

# In the order of the page.
TASKS = (
    "accuracy",
    "hill_climbing",
    "best_effort",
    "ges",
    "numbers",
    "experiments",
    "exact",
    "neighbors",
    "confidence",
    "series",
    "bif",
    "behavior",
)


@dataclass(frozen=True)
class Task:
    """A question put to all tools."""

    name: str
    title: str
    jobs: Callable[[Setup], Iterable[Job]]
    judge: Callable[[Job, Any, DataSets], Record]  # of an answer: facts for the record
    section: Callable[[list[Record]], str]  # Markdown below the title
    plots: Callable[[list[Record], Path], None] | None = None  # SVG files into a folder
    timed: bool = True  # whether its seconds say something


def load_task(name: str) -> Task:
    """Return a task by its name."""
    task: Task = import_module(f"benchmarks.compare.tasks.{name}").TASK
    return task
