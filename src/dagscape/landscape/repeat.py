"""Many runs of a search, batch by batch, each batch kept before the next begins."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from dagscape.errors import ParameterError
from dagscape.limits import Progress, ShowProgress, check_progress, use_seconds, use_threads
from dagscape.store import Run, Store

if TYPE_CHECKING:
    from dagscape.data import Data

BATCH_SECONDS = 0.5
"""What a batch should take: little to lose, and little time spent on keeping it."""

Search = Callable[[range, int, float | None, Callable[[float], object]], tuple[list[Run], str]]
"""Does runs with these numbers on so many threads within so many seconds, and tells which share of
them is done. Returns those that it finished, and what stopped it or nothing."""


@dataclass(frozen=True)
class Limits:
    """What many runs may use, and how many there are to be."""

    runs: int
    threads: int
    deadline: float | None
    progress: Progress | None

    @classmethod
    def check(
        cls, runs: int, threads: int | None, time_limit: float | None, progress: ShowProgress
    ) -> Limits:
        """Take the user's words, from this moment on."""
        if isinstance(runs, bool) or not isinstance(runs, int) or not 1 <= runs < 1 << 62:
            raise ParameterError(f"runs must be a whole number from 1, got {runs!r}")
        seconds = use_seconds(time_limit)
        deadline = None if seconds is None else time.monotonic() + seconds
        return cls(runs, use_threads(threads), deadline, check_progress(progress))

    def left(self) -> float | None:
        """Return the seconds left, None if there is no limit."""
        return None if self.deadline is None else self.deadline - time.monotonic()


def settings_of(kind: str, data: Data, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what runs must have in common to be kept together."""
    major, minor = version("dagscape").split(".")[:2]
    # Before 1.0 a second number says what the first will say then: runs may come out differently.
    ours = f"0.{minor}" if major == "0" else major
    return {"kind": kind, "version": ours, "data": data.fingerprint, **settings}


def repeat(store: Store, limits: Limits, search: Search) -> str | None:
    """Do the runs that the store lacks; return what stopped it, if something did."""
    try:
        stopped = _repeat(store, limits, search)
    except KeyboardInterrupt:  # between two searches; a batch not kept whole is not kept
        stopped = "interrupt"
    return None if store.count(limits.runs) == limits.runs else stopped


def _repeat(store: Store, limits: Limits, search: Search) -> str | None:
    done = store.count(limits.runs)
    size = 4 * limits.threads
    for gap in store.missing(limits.runs):
        first = gap.start
        while first < gap.stop:
            left = limits.left()
            if left is not None and left <= 0:
                return "time"
            batch = range(first, min(first + size, gap.stop))
            start = time.perf_counter()
            told = _teller(store, limits, done, len(batch))
            finished, stopped = search(batch, limits.threads, left, told)
            store.add(finished)
            if stopped:
                return stopped
            done += len(batch)
            first = batch.stop
            # Never much larger than the last, which may have been lucky.
            speed = len(batch) / max(time.perf_counter() - start, 1e-9)
            size = max(limits.threads, min(int(BATCH_SECONDS * speed), 4 * size))
    return None


def _teller(store: Store, limits: Limits, done: int, batch: int) -> Callable[[float], object]:
    """Return what tells the user's function how far all runs are, from the share of a batch."""
    if limits.progress is None:
        return lambda _: None
    tell, distinct = limits.progress, store.distinct()

    def told(share: float) -> None:
        runs = min(limits.runs, done + int(share * batch + 1e-6))
        text = f"{runs:,} of {limits.runs:,} runs, {distinct:,} different ends"
        tell(min(1.0, (done + share * batch) / limits.runs), text)

    return told
