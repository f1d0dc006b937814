"""How many rows of a table are read, told while it is read."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from dagscape.control.limits import Progress

SECONDS = 0.2
"""Between two that are told, at least."""


class RowsRead:
    """Tells how far reading is, of one file or several that follow each other."""

    def __init__(
        self,
        tell: Progress | None = None,
        files: Sequence[Path] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tell = tell
        self._clock = clock
        self._told = clock()
        self._sizes = [_size(file) for file in files] if tell is not None else []
        self._before = self._rows = 0  # bytes of files that are read, and their rows
        self._latest = 0

    def next_file(self) -> None:
        """Go on with the next file."""
        if self._sizes:
            self._before += self._sizes.pop(0)
        self._rows += self._latest
        self._latest = 0

    def at(self, rows: int, share: float | None = None) -> None:
        """Take how many rows of the file are read, and which share of it that is, if known."""
        self._latest = rows
        if self._tell is None or self._clock() - self._told < SECONDS:
            return
        self._told = self._clock()
        if share is not None and self._sizes:
            share = (self._before + share * self._sizes[0]) / (self._before + sum(self._sizes))
        self._tell(share, f"{self._rows + rows:,} rows read")


def _size(file: Path) -> int:
    try:
        return max(1, os.stat(file).st_size)
    except OSError:
        return 1
