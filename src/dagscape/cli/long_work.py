"""Long work: what it may use, what it will cost, how far it is, how it ended."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

import dagscape as ds
from dagscape.cli.option_groups import Call, OptionGroup
from dagscape.cli.shared_options import Quiet, as_bytes
from dagscape.control import progress
from dagscape.control.limits import Progress, TimeLimit
from dagscape.errors import LostClusterError
from dagscape.selection import estimate_parents
from dagscape.starting import INTERRUPTED
from dagscape.words import counted, duration, size

LOST = 3

MOST_SLOW, LEAST_TIMED = 10.0, 0.5
"""Times as slow as by itself, at most: a command may wait for other things, too. And the seconds
of work from which on that is told."""

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


@dataclass(frozen=True)
class LimitOptions(OptionGroup):
    """What a command may use, and whether it shows how far it is.

    The time limit is for the whole command: for reading the table and writing the files, too.
    """

    time_limit: Annotated[
        float | None, typer.Option(metavar="S", help="Seconds for everything.")
    ] = None
    max_memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Memory at which to stop, such as 4GB.",
            show_default="70 % of what is free",
        ),
    ] = None
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="Threads.", show_default="one for each core")
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Work on a Dask cluster: tcp://HOST:PORT, or local:N for N processes.",
            show_default="threads of this process",
        ),
    ] = None
    quiet: Quiet = False
    without: tuple[str, ...] = ()
    """Options that the command has not, or declares itself."""
    begun: float | None = None
    """The moment from which seconds count."""

    def offered(self) -> Mapping[str, tuple[Any, Any]]:
        """Return the options that the command has of these."""
        every = super().offered()
        return {name: option for name, option in every.items() if name not in self.without}

    def filled(self, said: Mapping[str, Any], call: Call) -> "LimitOptions":
        """Return it with what the user said."""
        found = replace(self, **said, begun=call.begun)
        found.settings()  # what is no size is refused before anything takes long
        return found

    @property
    def memory(self) -> int | None:
        """The most bytes."""
        return None if self.max_memory is None else as_bytes(self.max_memory)

    def within(self, after: float = 0.0) -> TimeLimit | None:
        """Return the time limit, of which so many seconds are needed for what follows."""
        if self.time_limit is None:
            return None
        return TimeLimit(self.time_limit, self.begun or time.monotonic(), after)

    def slowness(self) -> float:
        """Return how many times longer than by itself the command has taken so far.

        Other work on the machine makes what follows as slow as what was.
        """
        if self.begun is None:
            return 1.0
        since = time.monotonic() - self.begun
        return min(MOST_SLOW, max(1.0, since / max(time.process_time(), LEAST_TIMED)))

    def settings(self, after: float = 0.0) -> dict[str, Any]:
        """Return what functions of the package take of these options."""
        every = {
            "time_limit": self.within(after),
            "max_memory": self.memory,
            "threads": self.threads,
            "cluster": self.cluster,
        }
        return {name: value for name, value in every.items() if name not in self.without}

    @contextmanager
    def work(self, after: float = 0.0) -> Iterator[dict[str, Any]]:
        """Show a bar on stderr while the block runs; yield the settings of the work."""
        settings = self.settings(after)
        with self.bar(settings.get("time_limit")) as tell:
            yield {**settings, "progress": tell}

    @contextmanager
    def bar(self, limit: float | None) -> Iterator[Progress | None]:
        """Show a bar while the block runs, if it can be seen; yield what to tell how far it is."""
        if self.quiet or not sys.stderr.isatty():
            yield None
            return
        with progress.bar(limit) as tell:
            yield tell

    def cost_of_parents(self, problem: ds.Problem) -> str:
        """Return what it will take to score all parent sets."""
        cost = estimate_parents(problem, max_memory=self.memory, threads=self.threads)
        beyond = "" if cost.complete else "; larger sets do not fit and follow one by one"
        return (
            f"{cost.sets:,.0f} sets of variables to count at most, "
            f"{size(cost.bytes)} of memory and up to {size(cost.list_bytes)} for what is found, "
            f"{duration(cost.seconds)}{beyond}"
        )


ALL = LimitOptions()
ONE_MACHINE = LimitOptions(without=("cluster",))
NO_MEMORY = LimitOptions(without=("max_memory",))


def end_as(stopped: str | None) -> None:
    """Exit with the code of what ended the work early, if that is no limit."""
    if stopped == "interrupt":
        raise typer.Exit(INTERRUPTED)
    if stopped == "cluster":
        raise typer.Exit(LOST)


def with_rate(
    tell: Progress | None, runs: int, clock: Callable[[], float] = time.monotonic
) -> Progress | None:
    """Return a progress function that adds the speed; runs that a store had do not count."""
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
