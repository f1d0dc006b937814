"""Tests that are not marked slow do little work: a count, so that every machine agrees.

With ``--count-work`` (`make long`) a test without the mark fails if it starts a process or calls
more functions than `MOST_CALLS`, in Python or in C. What the engine does within a call is not
counted: searches that take it long belong into tests with the mark, and a reviewer sees to that.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FrameType

import pytest

MOST_CALLS = 400_000
"""About a third of a second of Python on a machine of 2025."""

PROCESSES = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec"}


class CountedWork:
    """Counts calls of functions and starts of processes while a test runs."""

    def __init__(self) -> None:
        self.calls = 0
        self.processes = 0
        self.counting = False
        sys.addaudithook(self._heard)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Fail a test that does more than its marks allow."""
        if item.get_closest_marker("slow") or item.get_closest_marker("long"):
            return (yield)
        self.calls = self.processes = 0
        self.counting = True
        sys.setprofile(self._called)
        try:
            ended = yield
        finally:
            sys.setprofile(None)
            self.counting = False
        if self.processes:
            pytest.fail(f"starts {self.processes} processes and is not marked slow", pytrace=False)
        if self.calls > MOST_CALLS:
            said = f"calls {self.calls:,} functions (more than {MOST_CALLS:,})"
            pytest.fail(f"{said} and is not marked slow", pytrace=False)
        return ended

    def _called(self, _frame: FrameType, event: str, _argument: object) -> None:
        self.calls += event in ("call", "c_call")

    def _heard(self, event: str, _arguments: tuple[object, ...]) -> None:
        self.processes += self.counting and event in PROCESSES
