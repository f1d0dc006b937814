"""What commands that repeat a search share: their options, how far they are, how they ended."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.long_work import STOPPED
from dagscape.control.limits import Progress
from dagscape.errors import LostClusterError
from dagscape.words import counted

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
