"""Run a job in a fresh process with one thread on one core, and never fail."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.compare.job import Job

ROOT = Path(__file__).resolve().parents[2]
ONE_THREAD = dict.fromkeys(
    (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMBA_NUM_THREADS",
        "NUMEXPR_NUM_THREADS",
        "POLARS_MAX_THREADS",
        "LOKY_MAX_CPU_COUNT",
        "ARROW_NUM_THREADS",
    ),
    "1",
)
ALLOWANCE = 120.0  # wall seconds for imports and loading, and for a loaded machine
MOST_WORDS = 200


def run(job: Job, table: Path | None, folder: Path | None = None) -> dict[str, Any]:
    """Return the status of a job and, where it is done, what was measured and answered.

    The process runs in `folder`; files that its options name are there.
    """
    with tempfile.TemporaryDirectory() as private:
        out = Path(private) / "out.json"
        content = {**job.record(), "table": str(table) if table else None, "out": str(out)}
        words = [sys.executable, "-m", "benchmarks.compare.worker"]
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTHONHASHSEED": "0",
            **ONE_THREAD,
            **job.environment,
        }
        try:
            done = subprocess.run(  # noqa: S603
                words,
                input=json.dumps(content),
                capture_output=True,
                text=True,
                cwd=folder or private,
                env=environment,
                timeout=4 * job.limit + ALLOWANCE,
                preexec_fn=_one_core,
            )
        except subprocess.TimeoutExpired:
            return {"status": "over"}
        if done.returncode == -signal.SIGPROF:
            return {"status": "over"}
        if out.is_file():
            outcome: dict[str, Any] = json.loads(out.read_text("utf-8"))
            if "why" in outcome:
                outcome["why"] = shortened(outcome["why"])
            return outcome
        said = done.stderr.strip().splitlines()
        last = said[-1] if said else "nothing said"
        return {"status": "failed", "why": shortened(f"exit code {done.returncode}: {last}")}


def shortened(text: str) -> str:
    """Return one sentence of an error."""
    return text if len(text) <= MOST_WORDS else f"{text[: MOST_WORDS - 1]}…"


def _one_core() -> None:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
