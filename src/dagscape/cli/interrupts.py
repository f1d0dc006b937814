"""Ctrl-C on the command line: the command ends with what it has, and the second time at once."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Any

from dagscape.starting import leave


class Presses:
    """How often Ctrl-C was pressed while a command ran."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, _signal: int, _frame: FrameType | None) -> None:
        """Let the command end by itself; leave at once if that takes too long for somebody."""
        self.count += 1
        if self.count > 1:
            leave()
        raise KeyboardInterrupt


_presses: ContextVar[Presses] = ContextVar("presses")


@contextmanager
def heard() -> Iterator[None]:
    """Count what is pressed while a command runs, unless Ctrl-C is ignored."""
    before = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or before in (signal.SIG_IGN, None):
        yield
        return
    presses = Presses()
    token = _presses.set(presses)
    unraisable = sys.unraisablehook

    def quiet(raised: Any) -> None:
        # Where nobody can catch it (in a destructor, say), Python would print it and go on.
        if issubclass(raised.exc_type, KeyboardInterrupt):
            leave()
        unraisable(raised)

    sys.unraisablehook = quiet
    signal.signal(signal.SIGINT, presses)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        sys.unraisablehook = unraisable
        _presses.reset(token)


def pressed() -> bool:
    """Tell whether somebody pressed Ctrl-C, though a search may have been done by then."""
    presses = _presses.get(None)
    return presses is not None and presses.count > 0
