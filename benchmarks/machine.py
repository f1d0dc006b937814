"""What a figure was measured on: the machine, the versions, the state of the source."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dagscape import _core
from dagscape.control.limits import use_threads

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("dagscape", "numpy", "polars", "narwhals")


def describe() -> dict[str, Any]:
    """Return facts about this machine and this build."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {
            "cpu": _cpu(),
            "cores": use_threads(None),
            "memory_bytes": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
            "instructions": _core.available_instructions(),
            "system": f"{platform.system()} {platform.release()}",
            "load_at_start": os.getloadavg()[0],
        },
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in PACKAGES},
        },
        "commit": _commit(),
    }


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _commit() -> str | None:
    """Return the commit, with a + when the source is not what it says."""
    commit = _git("rev-parse", "HEAD")
    changed = _git("status", "--porcelain", "core", "bindings", "src")
    return f"{commit}+" if commit and changed else commit


def _git(*words: str) -> str | None:
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603, S607
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
