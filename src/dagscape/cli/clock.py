"""A time limit is for the whole command: for reading the table and writing the files, too."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import dagscape as ds
from dagscape.control.limits import TimeLimit

_begun: ContextVar[float] = ContextVar("begun")


@contextmanager
def counting(begun: float) -> Iterator[None]:
    """Count the seconds of a command from this moment of :func:`time.monotonic` on."""
    before = _begun.set(begun)
    try:
        yield
    finally:
        _begun.reset(before)


def begun() -> float:
    """Return the moment at which the command began."""
    return _begun.get(time.monotonic())


def within(limit: float | None, after: float = 0.0) -> TimeLimit | None:
    """Return a time limit that counts from the beginning of the command.

    Parameters
    ----------
    after
        Seconds that are needed for what follows.
    """
    return None if limit is None else TimeLimit(limit, begun(), after)


def seconds_to_write(data: ds.Data, *, page: bool = False, pictures: bool = False) -> float:
    """Return roughly how long it takes to fit a network and write it, and a page that shows it.

    Pictures are drawn beside the page, one as SVG and one as PDF.

    Measured: what each row, variable and state costs; a drawing takes a second or so at most.
    """
    states = sum(data.arities.values())
    seconds = 0.05 + 5e-9 * data.n_rows * data.n_variables + 5e-5 * data.n_variables + 3e-6 * states
    if page:
        drawing = min(2.0, 2e-3 * data.n_variables)
        seconds = 2 * seconds + 1e-4 * data.n_variables + drawing * (3 if pictures else 1)
    return seconds
