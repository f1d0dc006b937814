"""The child process: load, call one tool once, say what it took.

Reads a job as JSON from stdin, writes what came of it as JSON to the file named in the job. Nothing
is measured of imports, of reading the table and of bringing it into the tool's own form.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
import warnings
from pathlib import Path
from typing import Any

from benchmarks.compare.peers import load_peer
from benchmarks.compare.table import Table


def main() -> None:
    """Do one job."""
    job = json.load(sys.stdin)
    warnings.simplefilter("ignore")  # other tools' deprecations are not the matter here
    peer = load_peer(job["tool"])
    action = getattr(peer, job["action"])
    table = Table.read(Path(job["table"])) if job["table"] else None
    try:
        ready = peer.prepare(table) if table else None
        measured, answer = _measure(action, ready, job)
        outcome = {"status": "done", "measured": measured, "answer": answer}
    except BaseException as error:  # a failure is a cell of the table
        words = " ".join(str(error).split()) or "without a word"
        outcome = {"status": "failed", "why": f"{type(error).__name__}: {words}"}
    Path(job["out"]).write_text(json.dumps(outcome), encoding="utf-8")
    # Some libraries hang or crash when they are taken down; all is written.
    os._exit(0)


def _measure(action: Any, ready: Any, job: dict[str, Any]) -> tuple[dict[str, float], Any]:
    before = _reset_peak()
    # The default action ends the process, also inside compiled code that never looks at Python.
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, job["limit"])
    wall, cpu = time.perf_counter(), time.process_time()
    answer = action(ready, **job["options"])
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    signal.setitimer(signal.ITIMER_PROF, 0)
    peak = _status("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    measured = {"cpu_seconds": cpu, "wall_seconds": wall, "peak_bytes": peak}
    return measured | {"grown_bytes": max(0, peak - before)}, answer


def _reset_peak() -> int:
    """Forget the peak of memory that loading had; return what is in use now."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return _status("VmRSS")


def _status(name: str) -> int:
    try:
        lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(name)), 0)


if __name__ == "__main__":
    main()
