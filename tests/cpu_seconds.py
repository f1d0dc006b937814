"""Where the time of the tests goes: CPU seconds by test, of its processes and browsers too.

``pytest -n 0 --cpu-seconds tests/unit`` tells at the end what took most. Other work on the machine
changes these seconds little, and those on the clock a lot. Linux alone tells them.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

SHOWN = 40


class CpuSeconds:
    """Adds up CPU seconds by function, whatever its arguments."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.tests: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Measure a test, with what its fixtures make."""
        begun = used()
        ended = yield
        name = item.nodeid.partition("[")[0]
        self.seconds[name] += used() - begun
        self.tests[name] += 1
        return ended

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell what took most."""
        terminalreporter.section(f"CPU seconds: {sum(self.seconds.values()):.0f} in all")
        for name, seconds in self.seconds.most_common(SHOWN):
            terminalreporter.write_line(f"{seconds:8.2f} {self.tests[name]:5,} {name}")


def used() -> float:
    """Return the CPU seconds of this process, and of all that it started and that it waited for."""
    children: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text("utf-8").rpartition(") ")[2].split()
        except OSError:  # it has ended
            continue
        children.setdefault(int(fields[1]), []).append(int(folder.name))
        ticks[int(folder.name)] = sum(map(int, fields[11:15]))
    left, total = list(children.get(os.getpid(), ())), 0
    while left:
        process = left.pop()
        total += ticks[process]
        left += children.get(process, ())
    own = os.times()
    waited = own.children_user + own.children_system
    return time.process_time() + waited + total / os.sysconf("SC_CLK_TCK")
