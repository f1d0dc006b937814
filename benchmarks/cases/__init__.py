"""The cases by name, and what one may ask of its run.

A case is a function that reads or makes data, hands the work to ``run.timed`` and returns facts
about the result. Every module of this folder is imported; writing ``@case`` above a function is
all it takes to add one.
"""

from __future__ import annotations

import importlib
import pkgutil
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import dagscape as ds

Facts = dict[str, Any]
T = TypeVar("T")


class MissingFileError(Exception):
    """A data set that a case needs is not there."""


class Run:
    """One run of a case, in a process of its own."""

    def __init__(self, folder: Path | None, threads: int) -> None:
        self._folder = folder
        self.threads = threads
        """How many threads the case should use."""
        self.settings: Facts = {}
        """What the timed call was told."""
        self.measured: Facts = {}
        """Seconds and memory of the timed call."""

    def path(self, name: str) -> Path:
        """Return the path of a file of the data folder."""
        if self._folder is None:
            raise MissingFileError(f"no folder of data sets; --data names one with {name}")
        if not (self._folder / name).is_file():
            raise MissingFileError(f"{name} is not in {self._folder}")
        return self._folder / name

    def read(self, name: str) -> ds.Data:
        """Read a file of the data folder."""
        return ds.read_data(self.path(name))

    def timed(self, work: Callable[..., T], *args: object, **settings: Any) -> T:
        """Call what the case is about, once, and measure it."""
        self.settings = settings
        before = _memory("VmRSS")
        wall, cpu = time.perf_counter(), time.process_time()
        result = work(*args, **settings)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        self.measured = {
            "wall_seconds": wall,
            "cpu_seconds": cpu,
            "peak_bytes": _memory("VmHWM"),
            "bytes_before": before,
        }
        return result


Function = Callable[[Run], Facts]


class Case(NamedTuple):
    """A benchmark: what it is called, what it does, and at how many threads."""

    name: str
    what: str
    function: Function
    threads: tuple[int, ...]


CASES: dict[str, Case] = {}


def case(name: str, threads: Sequence[int] = (2,)) -> Callable[[Function], Function]:
    """Enter a function as a case; the first line of its docstring says what it is."""

    def enter(function: Function) -> Function:
        if name in CASES:
            raise ValueError(f'two cases are called "{name}"')
        what = (function.__doc__ or "").strip().splitlines()[0]
        CASES[name] = Case(name, what, function, tuple(threads))
        return function

    return enter


def load_cases() -> dict[str, Case]:
    """Import every file of cases and return all cases by name."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return CASES


def _memory(field: str) -> int:
    """Return resident memory in bytes, now (VmRSS) or at its highest (VmHWM)."""
    try:
        lines = Path("/proc/self/status").read_text("ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))
    except (OSError, StopIteration):
        # Elsewhere than on Linux only the highest is known: in kB, on macOS in bytes.
        highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return highest if sys.platform == "darwin" else highest * 1024
