"""Pieces cut into batches, by what those done so far have cost."""

from __future__ import annotations

from collections.abc import Sequence


class Batches:
    """Cuts pieces into batches for many hands, by what those done so far have cost."""

    GROWTH = 8
    """The most by which a batch is larger than any before, which may have been lucky."""

    def __init__(self, stretches: Sequence[Sequence[int]]) -> None:
        self._stretches = [stretch for stretch in stretches if len(stretch)]
        self._stretches.reverse()
        self._first = 0
        self._largest = 0
        self._each: float | None = None
        self.left = sum(map(len, stretches))

    def next(self, seconds: float, hands: int) -> Sequence[int]:
        """Return pieces that follow each other and take about so long; few when few are left."""
        size = 1
        if self._each is not None:
            fair = -(-self.left // (2 * max(1, hands)))  # so that all end at about the same time
            most = min(self.GROWTH * self._largest, fair)
            size = max(1, min(most, int(seconds / max(self._each, 1e-9))))
        stretch = self._stretches[-1]
        batch = stretch[self._first : self._first + size]
        self._first += len(batch)
        self.left -= len(batch)
        if self._first == len(stretch):
            self._stretches.pop()
            self._first = 0
        return batch

    def cost(self, pieces: int, seconds: float) -> None:
        """Learn from a batch: later ones count more, since pieces may grow dearer."""
        each = seconds / pieces
        self._each = each if self._each is None else 0.7 * self._each + 0.3 * each
        self._largest = max(self._largest, pieces)
