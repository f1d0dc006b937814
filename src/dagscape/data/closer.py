"""A closer look at a table that could be read: what costs too much to look for in every one.

Whoever learns from a table of the user's looks once; resampled tables are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dagscape.data.copies import near_copies
from dagscape.data.inspection import CODES, codes_among, few_for_each, twin_words_among, twins_among
from dagscape.data.labels import kind_of, spells_dates
from dagscape.notes import Note

if TYPE_CHECKING:
    from dagscape.data.data import Data

CODE_NUMBERS = np.array(sorted(map(float, CODES)))


def looked_over(data: Data) -> Data:
    """Return the table with notes on what a closer look finds; as it is where that is nothing."""
    if data._looked_over:
        return data
    known = {(note.kind, note.column) for note in data.notes}
    left_out = {note.column for note in data.notes if note.kind == "constant"}
    found = [note for note in _found(data, left_out) if (note.kind, note.column) not in known]
    looked = data._noting(found) if found else data
    looked._looked_over = True
    return looked


def _found(data: Data, left_out: set[str | None]) -> Iterator[Note]:
    whole: dict[str, NDArray[np.int64]] = {}
    for number, (name, labels) in enumerate(data.states.items()):
        if name in data.numbers:
            yield from codes_among(name, _outer(data.numbers[name]))
            continue
        codes = data._codes[:, number]
        counts = np.bincount(codes, minlength=len(labels) + 1)
        cells = {label: int(n) for label, n in zip(labels, counts, strict=False) if n}
        yield from codes_among(name, cells)
        yield from twins_among(name, cells)
        yield from twin_words_among(name, cells)
        if kind_of(labels) == "label" and not spells_dates(labels):
            yield from few_for_each(name, cells)
        if name not in left_out:
            whole[name] = np.where(codes == len(labels), -1, codes.astype(np.int64))
    yield from near_copies(whole)


def _outer(values: NDArray[np.float64]) -> dict[str, int]:
    """Return how often each number occurs that may be a code, and the least and most of others."""
    may_be = np.isin(values, CODE_NUMBERS)
    codes, counts = np.unique(values[may_be], return_counts=True)
    others = values[~may_be]
    ends = [others.min(), others.max()] if len(others) else []
    texts = {f"{end:g}": 1 for end in ends}
    return texts | {f"{code:g}": int(n) for code, n in zip(codes, counts, strict=True)}
