"""Ctrl-C in the middle of a search: what is said, and when."""

from __future__ import annotations

import os
import subprocess
import time
from typing import Any

from benchmarks.compare.behavior import frames
from benchmarks.compare.behavior.tools import load_tool

AFTER = 2.0
"""Seconds into the search."""


def interrupt(tool: str) -> dict[str, Any]:
    """Return how a search ended after SIGINT, and how many seconds later.

    The signal comes from another process, since a thread of this one may never get to run.
    """
    known = load_tool(tool)
    ready = known.take(known.states(frames.large()))
    search = known.long or known.climb
    words = ["/bin/sh", "-c", f"sleep {AFTER}; kill -INT {os.getpid()}"]
    with subprocess.Popen(words) as sender:  # noqa: S603
        begin = time.perf_counter()
        try:
            found = search(ready)
            how = "result" if sender.poll() is not None else "early"
            arcs = len(found["arcs"])
        except KeyboardInterrupt:
            how, arcs = "KeyboardInterrupt", 0
        except Exception as error:
            how, arcs = type(error).__name__, 0
        seconds = time.perf_counter() - begin - AFTER
        sender.kill()
    return {"how": how, "arcs": arcs, "seconds": seconds}
