"""What a computation may use of the machine, and how it says how far it is."""

from __future__ import annotations

import math
import numbers
import os
import time
from collections.abc import Callable
from pathlib import Path

from dagscape.errors import ParameterError
from dagscape.speech import setting

Progress = Callable[[float | None, str], object]
"""Called a few times a second with the share of the work that is done, from 0 to 1 or None where it
is not known, and a text that says how things stand."""

TellShare = Callable[[float], object]
"""Called with the share of the work that is done, from 0 to 1."""

FINAL = ("interrupt", "cluster")
"""What ends not only a search, but all that would have followed."""

MOST_THREADS = 4_096
"""More than any machine has cores."""

MOST_MEMORY = 1 << 62
"""More bytes than any machine has."""

MOST_MULTIPLE = 1_000_000
"""More than anybody waits for."""

ENDLESS = 1 << 40
"""More than there will ever be time for."""


ShowProgress = Progress | bool | None
"""What searches take: such a function, True for a bar while they run, or nothing."""


def check_progress(progress: ShowProgress) -> Progress | None:
    """Return the progress function, if there is one; refuse what cannot be called."""
    if progress is None or isinstance(progress, bool):
        return None
    if not callable(progress):
        raise ParameterError(
            f"progress must be a function of two arguments, True or False, got {progress!r}"
        )
    return progress


def use_threads(threads: int | None) -> int:
    """Return how many threads to use: as many as asked for, or one for each core at hand."""
    if threads is None:
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise ParameterError(
            f"{setting('threads')} must be a positive whole number, got {threads!r}"
        )
    if threads > MOST_THREADS:
        raise ParameterError(
            f"{setting('threads')} must be at most {MOST_THREADS:,}, got {threads}"
        )
    return threads


def use_memory(max_memory: float | None) -> int:
    """Return how many bytes may be used: as many as asked for, or 70 % of what is free."""
    if max_memory is None:
        return int(0.7 * free_memory())
    if not _number(max_memory) or not 0 < max_memory < math.inf:
        raise ParameterError(
            f"{setting('max_memory')} must be a positive number of bytes, got {max_memory!r}"
        )
    return min(int(max_memory), MOST_MEMORY)


class TimeLimit(float):
    """Seconds that count from a moment before the call, and leave some for what follows it.

    Told as what was asked, it is a number like any other.
    """

    LEAST = 0.1
    """Seconds that are left in any case: with less, nothing could be found."""

    begun: float
    after: float

    def __new__(cls, seconds: float, begun: float, after: float = 0.0) -> TimeLimit:
        """Take a moment of :func:`time.monotonic`, and the seconds that are needed afterwards."""
        limit = super().__new__(cls, seconds)
        limit.begun, limit.after = begun, after
        return limit

    def left(self) -> float:
        """Return the seconds from now on."""
        return max(min(self.LEAST, self), self - (time.monotonic() - self.begun) - self.after)


def use_seconds(seconds: float | None, name: str = "time_limit") -> float | None:
    """Return a time limit in seconds, from now on, or None."""
    if seconds is not None and (not _number(seconds) or not seconds > 0):
        raise ParameterError(
            f"{setting(name)} must be a positive number of seconds, got {seconds!r}"
        )
    return seconds.left() if isinstance(seconds, TimeLimit) else seconds


def use_count(name: str, value: int, least: int = 0) -> int:
    """Return a count as the engine takes it."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= ENDLESS:
        raise ParameterError(
            f"{setting(name)} must be a whole number from {least} up, got {value!r}"
        )
    return value


def use_multiple(name: str, value: float) -> float:
    """Return how many times as much of something as there is."""
    if not _number(value) or not 0 < value <= MOST_MULTIPLE:
        raise ParameterError(
            f"{setting(name)} must be a number above 0 and at most {MOST_MULTIPLE:,}, got {value!r}"
        )
    return float(value)


def use_distance(name: str, value: float) -> float:
    """Return a difference of scores, in nats."""
    if not _number(value) or not 0 <= value < math.inf:
        raise ParameterError(f"{setting(name)} must be a number of nats from 0 up, got {value!r}")
    return float(value)


def use_share(name: str, value: float) -> float:
    """Return a share or probability."""
    if not _number(value) or not 0 <= value <= 1:
        raise ParameterError(f"{setting(name)} must be a number from 0 to 1, got {value!r}")
    return float(value)


def use_seed(seed: int) -> int:
    """Return a seed as the engine takes it."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << 63:
        raise ParameterError(f"{setting('seed')} must be a whole number from 0, got {seed!r}")
    return seed


def _number(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def free_memory() -> int:
    """Return the bytes of memory that are free, as far as the system says."""
    try:
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):
        return 4 << 30
