"""Columns that are another column under other names, or nearly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from dagscape.notes import Note

MOST_COLUMNS, MOST_ROWS, MOST_VALUES = 300, 20_000, 100
"""Beyond these nobody looks: all pairs would take too long."""
LEAST_ALIKE = 0.9
"""Of the cells that do not hold the commonest value, so many must tell the same."""
LEAST_ROWS = 0.8
"""Of all rows, so many must have a value in both."""


SCREENED = 500
"""Rows, spread over the table, by which most pairs are told apart."""


def near_copies(columns: Mapping[str, NDArray[np.int64]]) -> Iterator[Note]:
    """Yield a note on each column whose values are those of an earlier one, but for a few cells."""
    kept: dict[int, _Screen] = {}
    for name, own in list(columns.items())[:MOST_COLUMNS]:
        values = own[:MOST_ROWS]
        states = int(values.max(initial=-1)) + 1
        if not 2 <= states <= MOST_VALUES:
            continue
        screen = kept.setdefault(states, _Screen(states))
        for other in screen.like(values):
            agree, rows, rare = _alike(columns[other][:MOST_ROWS], values)
            if rows >= LEAST_ROWS * len(values) and rows - agree <= (1 - LEAST_ALIKE) * rare:
                yield Note("near_copy", name, other, {"agree": agree, "rows": rows})
                break
        else:
            screen.keep(name, values)


class _Screen:
    """Columns of so many states, of which a few rows tell which may be alike: all at once."""

    def __init__(self, states: int) -> None:
        self._states = states
        self._names: list[str] = []
        self._seen: list[NDArray[np.float32]] = []

    def keep(self, name: str, values: NDArray[np.int64]) -> None:
        self._names.append(name)
        self._seen.append(self._marks(values))

    def like(self, values: NDArray[np.int64]) -> list[str]:
        """Return the columns that may tell the same: few rows may say so by chance, not deny it."""
        if not self._names:
            return []
        own = self._marks(values)
        joint = np.tensordot(np.stack(self._seen), own, axes=(2, 1))
        rows = joint.sum(axis=(1, 2))
        agree = np.minimum(joint.max(axis=1).sum(axis=1), joint.max(axis=2).sum(axis=1))
        expected = (1 - LEAST_ALIKE) * (rows - joint.sum(axis=1).max(axis=1))
        near = rows - agree <= expected + 4 * np.sqrt(expected) + 3
        return [name for name, may_be in zip(self._names, near, strict=True) if may_be]

    def _marks(self, values: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return a row for each state that marks where it is, among rows spread over the table."""
        some = values[:: max(1, len(values) // SCREENED)][:SCREENED]
        return np.asarray(some == np.arange(self._states)[:, None], dtype=np.float32)


def _alike(a: NDArray[np.int64], b: NDArray[np.int64]) -> tuple[int, int, int]:
    """Return in how many rows each value of one column goes with one of the other.

    Also how many rows have a value in both, and in how many of these it is not the commonest.
    """
    both = (a >= 0) & (b >= 0)
    rows = int(both.sum())
    width = int(max(a.max(), b.max())) + 1
    joint = np.bincount(a[both] * width + b[both], minlength=width * width).reshape(width, width)
    agree = int(min(joint.max(axis=0).sum(), joint.max(axis=1).sum()))
    return agree, rows, rows - int(joint.sum(axis=0).max())
