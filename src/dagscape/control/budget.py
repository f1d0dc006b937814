"""What a computation may use, whom it tells how far it is, and what ended it."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from dagscape.control.limits import (
    FINAL,
    Progress,
    ShowProgress,
    TellShare,
    check_progress,
    use_memory,
    use_seconds,
    use_seed,
    use_threads,
)

MOMENT = 0.001
"""Seconds that another search gets in any case."""

AT_ONCE = 0.2
"""Seconds for all that is to be done after a Ctrl-C, so that what is found is a network."""


class _Interrupts(threading.local):
    """How often a Ctrl-C was noticed, which Python raises in one thread.

    A search that was all but done when the key was pressed has nothing to say of it; the one that
    it was a step of has.
    """

    count = 0


_interrupts = _Interrupts()


@dataclass
class Budget:
    """Time, memory and threads of one computation and all its steps.

    A step takes of the time that is left (:meth:`left`). What ends a step is noted
    (:meth:`end`), and tells whether another may begin (:attr:`ended`).
    """

    deadline: float | None
    """By :func:`time.monotonic`; None without a limit."""
    memory: int
    """Bytes."""
    threads: int
    progress: Progress | None = None
    """Called with the share of the work that is done, and a text."""
    seed: int = 0
    """Of all that is drawn."""
    cluster: Any = None
    """Where pieces are done, in the user's words: see :func:`dagscape.executors.use_executor`."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What was asked, as results tell it."""
    stopped: str | None = None
    """What ended it before its work was done: "time", "memory", "interrupt" or "cluster"."""
    begun: float = field(default_factory=lambda: time.monotonic())
    lost: float = 0.0
    """Of the seconds since then, those spent on steps that have to be done again."""
    _interrupts_before: int = field(default_factory=lambda: _interrupts.count, repr=False)

    @classmethod
    def of(
        cls,
        time_limit: float | None = None,
        max_memory: float | None = None,
        threads: int | None = None,
        progress: ShowProgress = None,
        seed: int = 0,
        cluster: Any = None,
    ) -> Budget:
        """Take the user's words, from this moment on; refuse what is wrong with them."""
        tell = check_progress(progress)
        seconds = use_seconds(time_limit)
        deadline = None
        if seconds is not None and seconds < math.inf:
            deadline = time.monotonic() + seconds
        return cls(
            deadline,
            use_memory(max_memory),
            use_threads(threads),
            tell,
            use_seed(seed),
            cluster,
            {"time_limit": time_limit, "max_memory": max_memory, "threads": threads},
        )

    @property
    def seconds(self) -> float:
        """The seconds since it began."""
        return time.monotonic() - self.begun

    @property
    def total(self) -> float:
        """The seconds from beginning to end; infinite without a limit."""
        return math.inf if self.deadline is None else self.deadline - self.begun

    @property
    def limited(self) -> bool:
        """Whether there is a time limit."""
        return self.deadline is not None

    def left(self, share: float = 1.0, least: float = 0.0) -> float | None:
        """Return a share of the seconds left, at least this many; None without a limit.

        Seconds that were lost count for the share, as far as there is time left: a step that is
        done again gets what it would have had. After a Ctrl-C there is no more than a moment.
        """
        least = min(least, MOMENT) if self.interrupted else least
        if self.deadline is None:
            return None
        left = self.deadline - time.monotonic()
        return max(least, min(left, share * (left + self.lost)))

    def until(self, share: float) -> float | None:
        """Return the moment by which a share of what is left is over; None without a limit."""
        left = self.left(share)
        return None if left is None else time.monotonic() + left

    @property
    def over(self) -> bool:
        """Whether no time is left."""
        return self.deadline is not None and time.monotonic() >= self.deadline

    def spend(self, seconds: float, lost: float = 0.0) -> None:
        """Count seconds that were spent before it began, some of them on what was lost."""
        self.begun -= seconds
        self.lost += lost
        if self.deadline is not None:
            self.deadline -= seconds

    def end(self, why: str | None) -> None:
        """Note what ended a step; the first counts, but what ends all counts more."""
        if why == "interrupt":
            _interrupts.count += 1
        if why and (not self.stopped or (why in FINAL and self.stopped not in FINAL)):
            self.stopped = why
        if why in FINAL:
            soon = time.monotonic() + AT_ONCE
            self.deadline = soon if self.deadline is None else min(self.deadline, soon)

    @property
    def interrupted(self) -> bool:
        """Whether nothing more is wanted: somebody pressed Ctrl-C, or the cluster was lost.

        A Ctrl-C that came when a step was done already counts too.
        """
        if _interrupts.count > self._interrupts_before and self.stopped not in FINAL:
            self.end("interrupt")
        return self.stopped in FINAL

    @property
    def ended(self) -> bool:
        """Whether no further step may begin."""
        return self.interrupted or self.over

    @contextmanager
    def minding_interrupts(self) -> Iterator[None]:
        """Note a Ctrl-C between two calls of the engine, which note those within them."""
        try:
            yield
        except KeyboardInterrupt:
            self.end("interrupt")

    def part(self, share: float, telling: Progress | None = None) -> Budget:
        """Return a budget of its own for a step: a share of the time that is left."""
        return self._for_step(self.until(share), telling or self.progress)

    def for_seconds(self, seconds: float) -> Budget:
        """Return a budget of its own for a step: so many seconds, if so many are left."""
        end = time.monotonic() + seconds
        if self.deadline is not None:
            end = min(end, self.deadline)
        return self._for_step(end, self.progress)

    def _for_step(self, deadline: float | None, tell: Progress | None) -> Budget:
        return Budget(
            deadline, self.memory, self.threads, tell, self.seed, self.cluster, self.settings
        )

    def telling(self, text: str, *, known: bool = True) -> TellShare | None:
        """Return what the engine tells its share to; whether that says how much is left."""
        tell = self.progress
        return None if tell is None else lambda share: tell(share if known else None, text)

    def words(self, share: float = 1.0, least: float = MOMENT) -> dict[str, Any]:
        """Return what a step may use, as users would say it to a search of its own."""
        return {
            "time_limit": self.left(share, least),
            "max_memory": self.memory,
            "threads": self.threads,
            "progress": self.progress,
        }
