"""Long arrays, made and read block by block.

Whatever NumPy does with codes that are places in another array, it does with eight bytes for each;
so columns of many rows are taken a block at a time.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Value = TypeVar("Value", bound=np.generic)

AT_ONCE = 1 << 16
"""Rows of a block: few enough to stay in the cache of a core."""
LEAST_BYTES, MOST_BYTES = 1 << 12, 1 << 24
"""Bytes that a growing array asks for at once, from its first rows to its last. What is not filled
yet takes no memory."""
FEW_STATES = 16
"""So many are counted faster one by one."""
MAPPED = 1 << 18
"""From so many bytes on, memory is asked of the system, and goes back to it at once."""


def spans(rows: int, at_once: int = AT_ONCE) -> Iterator[slice]:
    """Yield slices that cover so many rows."""
    for first in range(0, rows, at_once):
        yield slice(first, min(rows, first + at_once))


def recoded(codes: NDArray[Any], table: NDArray[Value]) -> NDArray[Value]:
    """Return ``table[codes]``."""
    made = np.empty(len(codes), dtype=table.dtype)
    for span in spans(len(codes)):
        made[span] = table[codes[span]]
    return made


def occurrences(
    codes: NDArray[Any], states: int, times: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Return how often each code below ``states`` occurs; those above are not counted."""
    found = np.zeros(states, dtype=np.int64)
    few = times is None and states <= FEW_STATES and codes.dtype.itemsize == 1
    for span in spans(len(codes)):
        if few:
            found += [np.count_nonzero(codes[span] == code) for code in range(states)]
        else:
            # exact as doubles: there are fewer than 2^53 rows
            own = np.bincount(codes[span], None if times is None else times[span], states)
            found += own[:states].astype(np.int64)
    return found


class GrowingArray:
    """An array to which values are added at the end; types may widen on the way."""

    def __init__(self) -> None:
        self.length = 0
        self._blocks: list[tuple[NDArray[Any], int]] = []

    def add(self, values: NDArray[Any]) -> None:
        """Add values."""
        at = 0
        while at < len(values):
            if not self._blocks or not self._fits(values.dtype):
                self._blocks.append((self._new(values.dtype), 0))
            block, filled = self._blocks[-1]
            some = min(len(block) - filled, len(values) - at)
            block[filled : filled + some] = values[at : at + some]
            self._blocks[-1] = block, filled + some
            at += some
        self.length += len(values)

    def recode(self, table: NDArray[Any]) -> None:
        """Put what stands in ``table`` in the place of each value."""
        for number, (block, filled) in enumerate(self._blocks):
            self._blocks[number] = recoded(block[:filled], table), filled

    def finish(self) -> NDArray[Any]:
        """Return all values in one array; this one is empty then."""
        dtype = np.result_type(*(block.dtype for block, _ in self._blocks))
        made, at = np.empty(self.length, dtype=dtype), self.length
        self.length = 0
        while self._blocks:
            block, filled = self._blocks.pop()
            made[at - filled : at] = block[:filled]
            at -= filled
        return made

    def _fits(self, dtype: np.dtype[Any]) -> bool:
        block, filled = self._blocks[-1]
        return filled < len(block) and np.can_cast(dtype, block.dtype)

    def _new(self, dtype: np.dtype[Any]) -> NDArray[Any]:
        size = min(MOST_BYTES, max(LEAST_BYTES, self.length * dtype.itemsize))
        if size < MAPPED:
            return np.empty(size // dtype.itemsize, dtype=dtype)
        # What is freed of smaller pieces of many columns, one column after the other, leaves holes
        # between those of others, and the system would not have them back.
        return np.frombuffer(mmap.mmap(-1, size - size % dtype.itemsize), dtype=dtype)
