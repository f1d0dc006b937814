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


def near_copies(columns: Mapping[str, NDArray[np.int64]]) -> Iterator[Note]:
    """Yield a note on each column whose values are those of an earlier one, but for a few cells."""
    kept: list[str] = []
    for name, own in list(columns.items())[:MOST_COLUMNS]:
        values = own[:MOST_ROWS]
        if not 1 <= values.max(initial=-1) < MOST_VALUES:
            continue
        for other in kept:
            alike, rows = _alike(columns[other][:MOST_ROWS], values)
            if alike is not None:
                yield Note("near_copy", name, other, {"agree": alike, "rows": rows})
                break
        else:
            kept.append(name)


def _alike(a: NDArray[np.int64], b: NDArray[np.int64]) -> tuple[int | None, int]:
    """Return in how many rows each value of one column goes with one of the other, if in most."""
    both = (a >= 0) & (b >= 0)
    rows = int(both.sum())
    if a.max() != b.max() or rows < LEAST_ROWS * len(a):
        return None, rows
    width = int(b.max()) + 1
    joint = np.bincount(a[both] * width + b[both], minlength=width * width).reshape(width, width)
    agree = int(min(joint.max(axis=0).sum(), joint.max(axis=1).sum()))
    rare = rows - int(joint.sum(axis=0).max())
    return (agree if rows - agree <= (1 - LEAST_ALIKE) * rare else None), rows
