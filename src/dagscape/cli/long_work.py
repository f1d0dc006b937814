"""Long work, and searches that are repeated: what it will cost, how far it is, how it ended."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

import dagscape as ds
from dagscape.control import progress
from dagscape.control.limits import Progress
from dagscape.errors import LostClusterError
from dagscape.selection import estimate_parents
from dagscape.words import counted, duration, size

LOST = 3

STOPPED = {
    "time": "stopped by the time limit",
    "memory": "stopped by the memory limit",
    "interrupt": "stopped by Ctrl-C",
    "cluster": "stopped by the loss of the cluster",
}


Neighborhood = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="How neighbors are found: auto, exact or sampled.",
        show_default="auto",
    ),
]
StoreFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="File to keep runs in: the same command goes on with it, more --runs add to it.",
    ),
]


def cost_of_parents(problem: ds.Problem, max_memory: int | None, threads: int | None) -> str:
    """Return what it will take to score all parent sets."""
    cost = estimate_parents(problem, max_memory=max_memory, threads=threads)
    beyond = "" if cost.complete else "; larger sets do not fit and follow one by one"
    return (
        f"{cost.sets:,.0f} sets of variables to count at most, "
        f"{size(cost.bytes)} of memory and up to {size(cost.list_bytes)} for what is found, "
        f"{duration(cost.seconds)}{beyond}"
    )


@contextmanager
def bar(shown: bool, limit: float | None) -> Iterator[Progress | None]:
    """Show a bar on stderr while the block runs, if wanted; yield what to tell how far it is."""
    if not shown:
        yield None
        return
    with progress.bar(limit) as tell:
        yield tell


def with_rate(
    tell: Progress | None, runs: int, clock: Callable[[], float] = time.monotonic
) -> Progress | None:
    """Return what tells the speed as well; runs that a store had count for nothing."""
    if tell is None:
        return None
    first: list[tuple[float, float]] = []

    def with_speed(share: float | None, text: str) -> None:
        now, done = clock(), (share or 0.0) * runs
        if not first:
            first.append((now, done))
        since, before = first[0]
        if now - since > 0.5 and done > before:
            rate = (done - before) / (now - since)
            text += f", {rate:,.0f} a second" if rate >= 10 else f", {rate:.2g} a second"
        tell(share, text)

    return with_speed


def already_in(store: Path | None) -> str:
    """Return how many runs a store has, in words; nothing if there is none."""
    if store is None or not store.is_file() or not store.stat().st_size:
        return ""
    return f"{store} had {counted(ds.load_result(store, ds.Landscape).runs, 'run')} already"


def early_end(found: ds.Landscape | ds.Bootstrap, runs: int, store: Path | None) -> str:
    """Return what ended runs early, and how to go on; nothing if nothing did."""
    if not found.stopped:
        return ""
    go_on = "the same command goes on from there" if store else "--store FILE would keep them"
    return f"{STOPPED[found.stopped]} with {found.runs:,} of {counted(runs, 'run')} done; {go_on}"


def require_runs(found: ds.Landscape | ds.Bootstrap) -> None:
    """End here if no run was done: there is nothing to show."""
    if found.runs:
        return
    if found.stopped == "interrupt":
        raise KeyboardInterrupt
    if found.stopped == "cluster":
        raise LostClusterError("no run came back before the cluster was lost")
    raise ds.DagscapeError("no run was done within the time limit; allow more with --time-limit")
