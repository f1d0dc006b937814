"""The clock that time limits go by, which a test can set forward."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from limits import AMPLE


class Clock:
    """Shows the time, and later ones once all seconds of ample limits are said to be over.

    So a limit is reached at a moment of the work, and not of the machine. Engines go by their own
    clocks: it counts between their calls.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._ahead = 0.0
        shown = SimpleNamespace(monotonic=self._now, sleep=time.sleep)
        for module in ("control.budget", "executors.dask.tasks"):
            monkeypatch.setattr(f"dagscape.{module}.time", shown)

    def _now(self) -> float:
        return time.monotonic() + self._ahead

    def end(self, *_: object) -> None:
        """Let all seconds be over."""
        self._ahead += 2 * AMPLE
