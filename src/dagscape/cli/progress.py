"""What is said of long work: what it will cost, how far it is, how it ended."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Column

import dagscape as ds
from dagscape.cli.output import printable
from dagscape.quantities import duration, size

INTERRUPTED = 130

Told = Callable[[float | None, str], None]
"""What long work tells: the share done, None where that is unknown, and its state in words."""

STOPPED = {
    "time": "stopped by the time limit",
    "memory": "stopped by the memory limit",
    "interrupt": "stopped by Ctrl-C",
}


def cost_of_parents(
    table: ds.Data,
    score: ds.Score | str,
    max_parents: int | None,
    max_memory: int | None,
    threads: int | None,
    knowledge: ds.Knowledge | None = None,
) -> str:
    """Return what it will take to score all parent sets."""
    cost = ds.estimate_parents(
        table,
        score=score,
        max_parents=max_parents,
        knowledge=knowledge,
        max_memory=max_memory,
        threads=threads,
    )
    beyond = "" if cost.complete else "; larger sets do not fit and follow one by one"
    return (
        f"{cost.sets:,.0f} sets of variables to count at most, "
        f"{size(cost.bytes)} of memory and up to {size(cost.list_bytes)} for what is found, "
        f"{duration(cost.seconds)}{beyond}"
    )


class TimeLeft:
    """What is left of the time, judged by the speed in the later half of the time so far.

    The early speed says little: small sets go first, and they are counted fastest. Pruning can
    spare work that is still in the count, hence "at most".
    """

    def __init__(self, limit: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._clock = clock
        self._start = clock()
        self._seen = [(0.0, 0.0)]

    def at(self, share: float | None) -> str:
        """Return what to show when this share of the work is done, or an unknown one."""
        now = self._clock() - self._start
        if share is None:
            self._seen = [(now, 0.0)]  # what comes next is other work, at another speed
            if self._limit is None or now < 1:
                return ""
            return f"{duration(max(0.0, self._limit - now))} to the time limit"
        while len(self._seen) > 1 and self._seen[1][0] <= now / 2:
            del self._seen[0]
        since, before = self._seen[0]
        if now - self._seen[-1][0] > now / 50:
            self._seen.append((now, share))
        if now < 1 or share <= before:
            return ""
        left = (1 - share) * (now - since) / (share - before)
        if self._limit is not None and left > self._limit - now:
            return f"{duration(max(0.0, self._limit - now))} to the time limit"
        return f"about {duration(left)} left at most" if left >= 1 else "nearly done"


@contextmanager
def bar(shown: bool, limit: float | None) -> Iterator[Told | None]:
    """Show a bar on stderr while the block runs; yield what to tell how far it is."""
    if not shown:
        yield None
        return
    left = TimeLeft(limit)
    columns = (
        BarColumn(),
        TextColumn("{task.fields[share]}"),
        TimeElapsedColumn(table_column=Column(no_wrap=True, min_width=7)),  # the bar shrinks
        TextColumn("{task.fields[state]}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as display:
        task = display.add_task("", total=None, share="", state="")

        def tell(share: float | None, text: str = "") -> None:
            # Without a total the bar only moves to and fro; update() would not take it back.
            display.tasks[0].total = None if share is None else 1.0
            done = 0.0 if share is None else min(share, 1.0)
            display.update(
                task,
                completed=done,
                share="" if share is None else f"{done:4.0%}",
                state=", ".join(filter(None, (printable(text), left.at(share)))),
            )

        yield tell
