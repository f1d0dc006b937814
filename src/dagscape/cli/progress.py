"""What is said of long work: what it will cost, how far it is, how it ended."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

import dagscape as ds
from dagscape.cli.sizes import size

INTERRUPTED = 130

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
) -> str:
    """Return what it will take to score all parent sets."""
    cost = ds.estimate_parents(
        table, score=score, max_parents=max_parents, max_memory=max_memory, threads=threads
    )
    beyond = "" if cost.complete else "; larger sets do not fit and follow one by one"
    return (
        f"{cost.sets:,.0f} sets of variables to count at most, "
        f"{size(cost.bytes)} of memory and up to {size(cost.list_bytes)} for what is found, "
        f"{duration(cost.seconds)}{beyond}"
    )


def duration(seconds: float) -> str:
    """Return a duration in words, as exact as an estimate deserves."""
    if seconds < 1:
        return "less than a second"
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    hours = seconds / 3600
    if hours < 72:
        return f"{hours:.0f} h"
    days = hours / 24
    return f"{days:,.0f} days" if days < 1000 else "years"


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

    def at(self, share: float) -> str:
        """Return what to show when this share of the work is done."""
        now = self._clock() - self._start
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
def bar(shown: bool, limit: float | None) -> Iterator[Callable[[float], None] | None]:
    """Show a bar on stderr while the block runs; yield what to tell the share done."""
    if not shown:
        yield None
        return
    left = TimeLeft(limit)
    columns = (
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as display:
        task = display.add_task("", total=1.0, left="")
        yield lambda share: display.update(task, completed=min(share, 1.0), left=left.at(share))
