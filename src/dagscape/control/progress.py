"""How far long work is, shown on a line: in a terminal, in a notebook."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from dagscape.control.limits import Progress, ShowProgress, check_progress, use_seconds
from dagscape.words import duration, printable

P = ParamSpec("P")
T = TypeVar("T")


def shows_progress(search: Callable[P, T]) -> Callable[P, T]:
    """Let a search take ``progress=True``: a bar while it runs, on stderr or in the notebook."""

    @wraps(search)
    def call(*args: P.args, **options: P.kwargs) -> T:
        with shown(options.get("progress"), options.get("time_limit")) as tell:
            options["progress"] = tell
            return search(*args, **options)

    return call


def shown(progress: Any, limit: Any) -> Any:
    """Return a context that yields what is to be told of progress: a bar, if one is asked for."""
    if progress is not True:
        return nullcontext(progress)
    number = isinstance(limit, int | float) and not isinstance(limit, bool)
    return bar(limit if number else None)


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


def followed(progress: ShowProgress) -> AbstractContextManager[Progress | None]:
    """Return a context that yields what to tell how far work is: the user's function, or a bar."""
    tell = check_progress(progress)
    return bar(None) if progress is True else nullcontext(tell)


@contextmanager
def bar(limit: float | None, after: float = 0.0) -> Iterator[Progress]:
    """Show a bar while the block runs, once it has run so long; yield what to tell how far it is.

    What is done sooner needs none.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.table import Column

    left = TimeLeft(use_seconds(limit) if limit is not None and limit > 0 else None)
    columns = (
        BarColumn(),
        TextColumn("{task.fields[share]}"),
        TimeElapsedColumn(table_column=Column(no_wrap=True, min_width=7)),  # the bar shrinks
        TextColumn("{task.fields[state]}", markup=False),
    )
    display = Progress(*columns, console=Console(stderr=True), transient=True)
    task = display.add_task("", total=None, share="", state="")
    begun = time.monotonic()
    with ExitStack() as when_done:
        if not after:
            when_done.enter_context(display)

        def tell(share: float | None, text: str = "") -> None:
            if not display.live.is_started:
                if time.monotonic() - begun < after:
                    return
                when_done.enter_context(display)
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
