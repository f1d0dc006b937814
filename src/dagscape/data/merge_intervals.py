"""Cut columns with fewer cuts, from the states they have: the numbers are no longer needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from dagscape.data.build import Built
from dagscape.data.contents import narrow

if TYPE_CHECKING:
    from dagscape.data.data import Data

LEAST = 3
"""Intervals, of which two can become one and still leave two."""


def intervals(data: Data) -> dict[str, int]:
    """Return how many intervals cut columns have, of those that have some to merge."""
    cut = {note.column for note in data.notes if note.kind == "cut"}
    # The last state of such a column is for missing values.
    more = {n.column for n in data.notes if n.kind == "missing_cells" and n.how == "state"}
    many = {name: len(data.states[name]) - (name in more) for name in data.names if name in cut}
    return {name: count for name, count in many.items() if count >= LEAST}


def coarser(data: Data, first: int) -> Data:
    """Return the table with neighboring intervals of cut columns merged two by two.

    Parameters
    ----------
    first
        0: the first with the second, the third with the fourth; 1: the second with the third.
    """
    groups = {}
    for name, count in intervals(data).items():
        own = [(at + first) // 2 for at in range(count)]
        groups[name] = own + [own[-1] + 1] * (len(data.states[name]) - count)
    return _merged(data, groups)


def _merged(data: Data, groups: Mapping[str, Sequence[int]]) -> Data:
    """Return the same rows, with states of a column as one where they have the same number.

    These numbers count from 0, and neither fall nor skip any from one state to the next.
    """
    codes, states = np.array(data._codes), dict(data.states)
    for name, numbers in groups.items():
        # Behind the last state stands what a missing cell has.
        new = np.array([*numbers, numbers[-1] + 1], dtype=codes.dtype)
        rank = data.names.index(name)
        codes[:, rank] = new[codes[:, rank]]
        own: dict[int, list[str]] = {}
        for number, state in zip(numbers, states[name], strict=True):
            own.setdefault(number, []).append(state)
        states[name] = tuple(" or ".join(each) for each in own.values())
    labels = tuple(states[name] for name in data.names)
    built = Built(data.names, labels, narrow(codes, labels), data._lasting, data._numbers)
    return type(data)._of(built)._of_rows(data._rows_of)
