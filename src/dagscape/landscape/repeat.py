"""Many runs of a search, batch by batch, each batch kept as soon as it is done."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from dagscape.errors import ParameterError
from dagscape.executor import Executor, Job, Told
from dagscape.limits import Progress, ShowProgress, check_progress, use_seconds
from dagscape.speech import setting
from dagscape.store import Store

if TYPE_CHECKING:
    from dagscape.data import Data


@dataclass(frozen=True)
class Limits:
    """What many runs may use, and how many there are to be."""

    runs: int
    deadline: float | None
    progress: Progress | None

    @classmethod
    def check(cls, runs: int, time_limit: float | None, progress: ShowProgress) -> Limits:
        """Take the user's words, from this moment on."""
        if isinstance(runs, bool) or not isinstance(runs, int) or not 1 <= runs < 1 << 62:
            raise ParameterError(f"{setting('runs')} must be a whole number from 1, got {runs!r}")
        seconds = use_seconds(time_limit)
        deadline = None if seconds is None else time.monotonic() + seconds
        return cls(runs, deadline, check_progress(progress))

    def left(self) -> float | None:
        """Return the seconds left, None if there is no limit."""
        return None if self.deadline is None else self.deadline - time.monotonic()


def settings_of(kind: str, data: Data, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what runs must have in common to be kept together."""
    major, minor = version("dagscape").split(".")[:2]
    # Before 1.0 a second number says what the first will say then: runs may come out differently.
    ours = f"0.{minor}" if major == "0" else major
    return {"kind": kind, "version": ours, "data": data.fingerprint, **settings}


def repeat(store: Store, limits: Limits, executor: Executor, job: Job) -> str | None:
    """Do the runs that the store lacks; return what stopped it, if something did."""
    missing, told = store.missing(limits.runs), _teller(store, limits)
    stopped = executor.do(job, missing, store.add, told, limits.deadline)
    return None if store.count(limits.runs) == limits.runs else stopped


def _teller(store: Store, limits: Limits) -> Told:
    """Return what tells the user's function how far all runs are."""
    if limits.progress is None:
        return lambda _done, _where: None
    tell, before = limits.progress, store.count(limits.runs)

    def told(done: float, where: str) -> None:
        share = min(1.0, (before + done) / limits.runs)
        runs = min(limits.runs, before + int(done + 1e-6))
        text = f"{runs:,} of {limits.runs:,} runs, {store.distinct():,} different ends"
        tell(share, f"{text}{where and ', '}{where}")

    return told
