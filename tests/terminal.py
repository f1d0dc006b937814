"""A command in a terminal: what it shows there, until Ctrl-C is pressed."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from limits import WAIT
from listening import LISTENING

CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Shown(NamedTuple):
    """What a terminal showed, without colors, and what went elsewhere."""

    code: int
    text: str
    out: bytes


def shown_in_terminal(
    words: Sequence[object],
    folder: Path,
    until: Sequence[str],
    *,
    columns: int = 160,
    stdout: bool = False,
) -> Shown:
    """Run a command until it has shown all patterns, and press Ctrl-C then.

    So a test need not guess how long a machine takes to show them. Its standard output goes to the
    terminal too, if wanted.
    """
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*LISTENING, *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=follower if stdout else subprocess.PIPE,
        stderr=follower,
        cwd=folder,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": str(columns)},
    )
    os.close(follower)
    shown, waiting, give_up = b"", True, time.monotonic() + WAIT
    try:
        while part := _read(leader, give_up):
            shown += part
            if waiting and all(re.search(pattern, _plain(shown)) for pattern in until):
                process.send_signal(signal.SIGINT)
                waiting = False
    finally:
        os.close(leader)
        if process.poll() is None and time.monotonic() >= give_up:
            process.kill()
    out, _ = process.communicate(timeout=WAIT)
    assert not waiting, f"it ended before it showed {until}: {_plain(shown)}"
    return Shown(process.returncode, _plain(shown), out or b"")


def _read(leader: int, give_up: float) -> bytes:
    """Return what there is to read next; nothing at the end, or when nothing comes in time."""
    if not select.select([leader], [], [], max(0.0, give_up - time.monotonic()))[0]:
        return b""
    try:
        return os.read(leader, 65536)
    except OSError:  # how Linux says that the other end is closed
        return b""


def _plain(shown: bytes) -> str:
    return CONTROLS.sub("", shown.decode(errors="replace"))
