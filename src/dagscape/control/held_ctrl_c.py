"""Ctrl-C, kept until somebody minds it.

Python raises it wherever the main thread happens to be. Within the locks of Python's own threads it
comes out as another error ("release unlocked lock"), or leaves a lock taken for ever, and other
threads wait for it.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

Handler = Callable[[int, FrameType | None], object]


class _Held:
    """The first Ctrl-C; who presses again does not want to wait."""

    def __init__(self, before: Handler) -> None:
        self._before = before
        self._count = 0
        self._waiting = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Keep it, or let it act at once."""
        self._count += 1
        if self._count > 1:
            self._before(number, frame)
        self._waiting = self._count == 1

    def mind(self) -> None:
        """Let a Ctrl-C act that was pressed since."""
        if self._waiting:
            self._waiting = False
            self._before(signal.SIGINT, None)


@contextmanager
def held_ctrl_c() -> Iterator[Callable[[], None]]:
    """Hold a Ctrl-C until what this yields is called, or until the end; not longer than a moment.

    Other threads than the first never hear of it, and a signal without a handler is left alone.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield lambda: None
        return
    held = _Held(before)
    signal.signal(signal.SIGINT, held)
    try:
        yield held.mind
    finally:
        signal.signal(signal.SIGINT, before)
        held.mind()


def comes_of_ctrl_c(error: BaseException) -> bool:
    """Tell whether an error was raised while a Ctrl-C was on its way to whoever minds it."""
    before: BaseException | None = error
    while before is not None:
        if isinstance(before, KeyboardInterrupt):
            return True
        before = before.__cause__ or before.__context__
    return False
