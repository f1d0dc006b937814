"""What is said of long work: what it will cost, how far it is, how it ended."""

from collections.abc import Iterator
from contextlib import contextmanager

import dagscape as ds
from dagscape.control import progress
from dagscape.control.limits import Progress
from dagscape.selection import estimate_parents
from dagscape.words import duration, size

LOST = 3

STOPPED = {
    "time": "stopped by the time limit",
    "memory": "stopped by the memory limit",
    "interrupt": "stopped by Ctrl-C",
    "cluster": "stopped by the loss of the cluster",
}


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
