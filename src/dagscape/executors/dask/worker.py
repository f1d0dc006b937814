"""What a worker does with a batch."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from distributed import get_worker

from dagscape.control.budget import Budget
from dagscape.control.limits import Progress, use_memory
from dagscape.executors.dask.parcels import Parcel
from dagscape.executors.executor import Work


@dataclass(frozen=True)
class BatchOutcome:
    """The result of a batch, and how long it took."""

    results: list[Any]
    stopped: str
    seconds: float


@dataclass(frozen=True)
class WrongVersion:
    """A worker that came late has another version."""

    worker: str
    found: str


def do_batch(
    parcels: Sequence[Parcel],
    work: Work,
    settings: Any,
    seed: int,
    max_memory: float | None,
    batch: Sequence[int],
    seconds: float | None,
    wanted: str,
) -> BatchOutcome | WrongVersion:
    """Do a batch on a worker, on one thread."""
    worker = get_worker()
    if version("dagscape") != wanted:
        return WrongVersion(worker.address, version("dagscape"))
    shared = [parcel.content() for parcel in parcels]
    deadline = None if seconds is None else time.monotonic() + seconds
    if max_memory is None:  # other batches are done beside it
        max_memory = use_memory(None) // worker.state.nthreads
    budget = Budget(deadline, use_memory(max_memory), 1, _unless_cancelled(worker), seed)
    results, stopped = work(*shared, settings, batch, budget)
    return BatchOutcome(results, stopped, budget.seconds)


def _unless_cancelled(worker: Any) -> Progress:
    """Return what ends a batch, as Ctrl-C does here, once nobody waits for it any more."""
    key = worker.get_current_task()

    def look(_share: float | None, _text: str) -> None:
        task = worker.state.tasks.get(key)
        if task is None or task.state != "executing":
            raise KeyboardInterrupt

    return look
