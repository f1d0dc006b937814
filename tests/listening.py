"""How the command line is started to be told Ctrl-C, and how it must end then."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from limits import WAIT, wait_for

# Started by a shell with Ctrl-C ignored, a child would inherit that.
LISTENING = [
    sys.executable,
    "-c",
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); "
    "os.execv(sys.executable, [sys.executable, '-m', 'dagscape', *sys.argv[1:]])",
]

COUNTING = """
import os, signal, sys

signal.signal(signal.SIGINT, signal.default_int_handler)
when, at, told, sent = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
sys.argv = ["dagscape", *sys.argv[5:]]
calls = 0

def count(frame, event, _):
    global calls
    if event == "call":
        calls += 1
        if calls == at:
            sys.setprofile(None)
            os.kill(os.getpid(), sent)

if when == "import":
    sys.setprofile(count)
from dagscape.cli import main
if when == "command":
    sys.setprofile(count)
try:
    main()
finally:
    sys.setprofile(None)
    if told:
        with open(told, "w") as file:
            print(calls, file=file)
"""
"""Presses Ctrl-C itself, or kills itself, once so many Python functions were called: on any machine
at the same moment, or nearly. Calls are counted from the imports on or from the command on."""

PRESSING = """
import contextlib, os, signal, sys

signal.signal(signal.SIGINT, signal.default_int_handler)
from dagscape.cli.long_work import LimitOptions
which = int(sys.argv[1])
sys.argv = ["dagscape", *sys.argv[2:]]
bars = 0

@contextlib.contextmanager
def bar(*_):
    global bars
    bars += 1
    left = [signal.SIGINT] if bars == which else []
    yield lambda *_: left and os.kill(os.getpid(), left.pop())

LimitOptions.bar = bar
from dagscape.cli import main
main()
"""
"""Presses Ctrl-C itself when a search first tells of itself: that of the bar with this number."""


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: bytes
    err: bytes


def ended(process: subprocess.Popen[bytes]) -> Ended:
    """Wait for the end of a command that was told Ctrl-C, which must be without a traceback."""
    out, err = process.communicate(timeout=WAIT)
    assert b"Traceback" not in err, err.decode()
    return Ended(process.returncode, out or b"", err)


def pressing(bar: int = 1) -> list[str]:
    """Return a program that presses Ctrl-C at the beginning of the work that this bar shows."""
    return [sys.executable, "-c", PRESSING, str(bar)]


def pressed(process: subprocess.Popen[bytes]) -> Ended:
    """Wait for a command that has Ctrl-C pressed while it works: it must end with 130."""
    end = ended(process)
    assert end.code == 130, end
    return end


def interrupted(process: subprocess.Popen[bytes]) -> Ended:
    """Press Ctrl-C while a command works: it must end with 130."""
    process.send_signal(signal.SIGINT)
    return pressed(process)


def wait_until(process: subprocess.Popen[bytes], reached: Callable[[], bool]) -> None:
    """Wait until a command that runs has come so far."""

    def going() -> bool:
        assert process.poll() is None, process.communicate()
        return True

    wait_for(reached, going)


def moments(
    start: Callable[..., subprocess.Popen[bytes]],
    told: Path,
    shares: Iterable[float],
    sent: int = signal.SIGINT,
) -> list[list[str]]:
    """Run a command and count its calls; return programs that send a signal at shares of these.

    Negative shares are of all calls, which begin with the imports; others are of those since then.
    """
    programs = []
    counted: dict[str, int] = {}
    for share in shares:
        when = "import" if share < 0 else "command"
        if when not in counted:
            end = ended(start(program=_counting(when, 0, str(told))))
            assert end.code == 0, end
            counted[when] = int(told.read_text())
        programs.append(_counting(when, max(1, round(abs(share) * counted[when])), "", sent))
    return programs


def _counting(when: str, at: int, told: str, sent: int = 0) -> list[str]:
    return [sys.executable, "-c", COUNTING, when, str(at), told, str(int(sent))]


def press_at_work() -> Callable[[float | None, str], None]:
    """Return a progress function that has Ctrl-C pressed while the search goes on.

    The key is pressed by another thread, once the search has told of itself for the first time.
    When it tells again, the key has been pressed, however busy the machine is.
    """
    at_work, pressed = threading.Event(), threading.Event()

    def press() -> None:
        at_work.wait(WAIT)
        os.kill(os.getpid(), signal.SIGINT)
        pressed.set()

    def told(_share: float | None, _text: str) -> None:
        if at_work.is_set():
            pressed.wait(WAIT)
        at_work.set()

    threading.Thread(target=press, daemon=True).start()
    return told
