"""A limit of CPU seconds: on a busy machine it leaves a search as much as on an idle one."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Limit:
    """Whether the time was over."""

    over = False


@contextmanager
def cpu_limit(seconds: float) -> Iterator[Limit]:
    """Press Ctrl-C after so many CPU seconds of this process: a search then returns what it has."""
    limit = Limit()

    def press(_number: int, _frame: FrameType | None) -> None:
        limit.over = True
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGPROF, press)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield limit
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
