"""Results that outlive a run: a line of JSON for each piece of work, by what was asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dagscape as ds

Record = dict[str, Any]


class Kept:
    """What earlier runs of this version left in a file, and what this one adds to it.

    Parameters
    ----------
    path
        None to keep nothing. A line that was cut short when a run was ended is passed over.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[str, Record] = {}
        self._begin = ""
        if path is not None and path.is_file():
            text = path.read_text(encoding="utf-8")
            self._begin = "\n" if text and not text.endswith("\n") else ""
            for line in text.splitlines():
                try:
                    piece = json.loads(line)
                except json.JSONDecodeError:
                    continue
                self._known[_key(piece["asked"])] = piece["found"]

    def get(self, asked: Record, make: Callable[[], Record]) -> Record:
        """Return what was found for these settings before; else make it, and keep it."""
        asked = {**asked, "version": ds.__version__}
        key = _key(asked)
        if key not in self._known:
            # As JSON reads it back, so that a kept piece and a fresh one are the same.
            self._known[key] = json.loads(json.dumps(make()))
            if self._path is not None:
                with self._path.open("a", encoding="utf-8") as lines:
                    piece = {"asked": asked, "found": self._known[key]}
                    lines.write(f"{self._begin}{json.dumps(piece)}\n")
                self._begin = ""
        return self._known[key]


def _key(asked: Record) -> str:
    return json.dumps(asked, sort_keys=True)
