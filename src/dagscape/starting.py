"""Ctrl-C while the command is still importing what it needs, and when it is done: no traceback.

This is imported before almost anything else. Whoever imports the package from Python is left alone.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from types import FrameType
from typing import NoReturn

from dagscape.import_path import is_command

BEGUN = time.monotonic()
"""When the command began: its time limit counts from here."""

INTERRUPTED = 130
"""The exit code of a command that was ended by Ctrl-C."""


def guard() -> None:
    """End at once on Ctrl-C, if this process is the command and nobody else minds the signal."""
    if (
        is_command()
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    ):
        signal.signal(signal.SIGINT, _leave)


def started() -> None:
    """Let Ctrl-C be an exception again: from here on the command minds it."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def ended() -> None:
    """Let Ctrl-C change nothing any more: all that the command was to do is done."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def leave(*, said: bool = False) -> NoReturn:
    """End the process at once.

    Not by an exception: some of what is imported turns them into others. And Python, ending by
    itself, may remember a Ctrl-C that was minded long ago, and end by the signal instead.
    """
    if not said:
        os.write(2, b"dagscape: interrupted\n")
    os._exit(INTERRUPTED)


def _leave(_signal: int, _frame: FrameType | None) -> None:
    leave()


guard()
