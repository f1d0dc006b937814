"""A closer look at a table that could be read: what costs too much to look for in every one.

Whoever learns from a table of the user's looks once; resampled tables are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dagscape.data.columns import Numbers
from dagscape.data.copies import near_copies
from dagscape.data.inspection import (
    codes_among,
    counts_rows,
    few_for_each,
    is_identifier,
    is_name_of_rows,
    outer_numbers,
    twin_words_among,
    twins_among,
)
from dagscape.data.labels import kind_of, spells_dates
from dagscape.data.row_order import row_order
from dagscape.data.shared_rows import sharing
from dagscape.notes import MOST_EXAMPLES, Note

if TYPE_CHECKING:
    from dagscape.data.data import Data


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
            values = data.numbers[name][~np.isnan(data.numbers[name])]
            if is_identifier(Numbers(name, values)) or counts_rows(values):
                yield _identifier(name, len(np.unique(values)), data.n_rows, values[:3])
            else:
                yield from codes_among(name, outer_numbers(values))
            continue
        codes = data._codes[:, number]
        counts = np.bincount(codes, data.rows.times, minlength=len(labels) + 1)
        cells = {label: int(n) for label, n in zip(labels, counts, strict=False) if n}
        yield from codes_among(name, cells)
        yield from twins_among(name, cells)
        yield from twin_words_among(name, cells)
        if is_name_of_rows(name, cells):
            yield _identifier(name, len(cells), data.n_rows, list(cells)[:3])
            continue
        if kind_of(labels) == "label" and not spells_dates(labels):
            yield from few_for_each(name, cells)
        if name not in left_out:
            whole[name] = np.where(codes == len(labels), -1, codes.astype(np.int64))
    if data.rows.times is None:
        yield from near_copies(whole)
    if data.rows.clusters is not None:
        return  # which rows depend on each other is said
    if data.rows_independent is None and data.rows.weights is None:  # counted rows have no order
        yield from _order(data)
    elif data.rows_independent is False:
        yield Note("rows_dependent")


def _order(data: Data) -> Iterator[Note]:
    """Yield what the order of the rows tells, or else what columns have in common."""
    found = row_order(data)
    if found.sorted_by:
        yield Note("sorted_by", examples=found.sorted_by[:MOST_EXAMPLES])
    if found.alike is not None:
        yield Note("neighbors_alike", counts=asdict(found.alike))
    elif (shared := sharing(data)) is not None:
        name, others, values = shared
        counts = {"rows": data.n_rows, "values": values}
        yield Note("rows_share", counts=counts, examples=(name, *others))


def _identifier(name: str, states: int, rows: int, values: Iterable[object]) -> Note:
    shown = tuple(f"{each:.15g}" if isinstance(each, float) else str(each) for each in values)
    return Note("identifier", name, "", {"states": states, "rows": rows}, shown)
