"""States that have an order, as the user says, taken by their places in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dagscape.data.refusals import ALWAYS

if TYPE_CHECKING:
    from dagscape.data.data import Data

KIND = "ordered"
"""Of notes that say so of a column."""


def ordered_states(data: Data) -> tuple[str, ...]:
    """Return the columns of ordered states."""
    said = {note.column for note in data._done if note.kind == KIND}
    return tuple(name for name in data.names if name in said)


def by_order(data: Data) -> Data:
    """Return the table in which ordered states are numbers: their places in the order.

    The same table where there are none, where cells are missing, and where rows are counted or
    something else is said of them: there, an order is passed over.
    """
    said = {*data.rows.facts} - {*ALWAYS}
    places = ordered_states(data)
    if not places or said or data.missing or data.rows.times is not None:
        return data
    columns = {x: data.column(x) * 1.0 if x in places else data.column(x) for x in data.names}
    states = {x: () if x in places else data.states[x] for x in data.names}
    return type(data).from_columns(columns, states)
