"""Results that pages are made of: tables, what figures are drawn from, and who made them when."""

from __future__ import annotations

import datetime
import hashlib
import json
import platform
from pathlib import Path
from typing import Any

import dagscape as ds

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "reproduce" / "results"
"""A file for each command of ``pages.py``."""

SOURCES = ("core", "bindings")
"""What the engine is built from: where it has changed, results may be others now."""

Record = dict[str, Any]


def keep(path: Path, tables: list[Record], content: Any) -> None:
    """Write tables, and what figures are drawn from, with the stamp of who made them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    found = {"stamp": stamp(), "tables": tables} | ({} if content is None else {"drawn": content})
    lines = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    for key in ('"tables":', '{"title":', '["', '"drawn":'):  # a line for each row
        lines = lines.replace(key, f"\n{key}")
    path.write_text(f"{lines}\n", encoding="utf-8")


def kept(name: str) -> Record:
    """Return what a command kept."""
    found: Record = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def stamp() -> Record:
    """Say what makes results now."""
    return {
        "version": ds.__version__,
        "engine": engine(),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": _processor(),
    }


def engine() -> str:
    """Return a digest of what the engine is built from."""
    digest = hashlib.sha256()
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.?pp")):
            digest.update(path.relative_to(ROOT).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())
