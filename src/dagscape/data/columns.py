"""One column on its way from a source to codes: a list of levels, or measured numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dagscape.data.blocks import recoded
from dagscape.data.labels import kind_of, spells_dates, spells_decimal_commas
from dagscape.errors import DataError
from dagscape.notes import Note
from dagscape.speech import choice, for_python, leave_out, setting

Codes: TypeAlias = NDArray[np.unsignedinteger[Any]]
LevelKind: TypeAlias = Literal["integer", "label", "cell", "date"]

MAX_STATES = 65_536  # what codes of 16 bits can tell apart
FEW_STATES, FEWEST_STATES = 10, 5
"""So many states are not too many for few rows, if some repeat; and if none does."""


@dataclass(frozen=True, slots=True)
class Levels:
    """A column of few distinct values.

    ``codes`` are positions in ``labels``, and ``len(labels)`` where the value is missing.
    ``declared`` says that the labels and their order were given rather than found.
    ``kind`` is what the values were: integers, words, dates of a frame, or cells of a text file
    that may spell either (or numbers).
    """

    name: str
    codes: Codes
    labels: tuple[str, ...]
    kind: LevelKind
    declared: bool = False

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.codes)

    def missing(self) -> NDArray[np.bool_]:
        """Return which rows have no value."""
        return np.equal(self.codes, len(self.labels))

    def keep(self, rows: NDArray[np.bool_]) -> Levels:
        """Return the column with only the marked rows."""
        return replace(self, codes=self.codes[rows])

    def relabel(self, labels: tuple[str, ...], *, declared: bool) -> Levels:
        """Return the column with other labels, which must include all that occur."""
        position = {label: i for i, label in enumerate(labels)}
        new = [position.get(label, len(labels)) for label in self.labels]
        table = np.array([*new, len(labels)], dtype=code_type(len(labels) + 1))
        return replace(self, codes=recoded(self.codes, table), labels=labels, declared=declared)


@dataclass(frozen=True, slots=True)
class Numbers:
    """A column of many numbers; NaN where the value is missing.

    ``whole`` says that they were integers, though too many to be states.
    """

    name: str
    values: NDArray[np.float64]
    whole: bool = False

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.values)

    def missing(self) -> NDArray[np.bool_]:
        """Return which rows have no value."""
        return np.isnan(self.values)

    def keep(self, rows: NDArray[np.bool_]) -> Numbers:
        """Return the column with only the marked rows."""
        return replace(self, values=self.values[rows])


Column: TypeAlias = Levels | Numbers


def code_type(n_codes: int) -> type[np.unsignedinteger[Any]]:
    """Return the smallest unsigned type that holds this many codes."""
    if n_codes <= 1 << 8:
        return np.uint8
    return np.uint16 if n_codes <= 1 << 16 else np.uint32


class ColumnError(DataError):
    """A column that cannot be read, whatever is done with the others; the note says why."""

    def __init__(self, words: str, note: Note) -> None:
        super().__init__(words)
        self.note = note


def tells_rows_apart(states: int, rows: int) -> bool:
    """Tell whether a column has so many states that it names rows and does not describe them."""
    few = FEWEST_STATES if states == rows else FEW_STATES
    return states > max(few, rows / 2)


def dates_error(name: str, shown: str, count: str = "") -> ColumnError:
    """Return the error for a column of dates, of which no two rows may have the same."""
    option = setting("dates")
    parts = for_python(
        f'{option}={{"{name}": ["days", "weekday"]}}', f"{option} {name}=days+weekday"
    )
    return ColumnError(
        f'column "{name}" holds dates or times, such as "{shown}"{count}; {leave_out(name)}, or '
        f"have its parts: {parts}",
        Note("dates", name, examples=(shown,)),
    )


def identifier_error(name: str, labels: Sequence[str], n_rows: int) -> DataError:
    """Return the error for a column with too many states to be a variable."""
    column = f'column "{name}"'
    count = f"{len(labels):,} states in {n_rows:,} rows"
    if spells_dates(labels):
        return dates_error(name, labels[0], f", {count}")
    if spells_decimal_commas(labels):
        return ColumnError(
            f'{column} holds numbers with a decimal comma, such as "{labels[0]}"; give '
            f"{choice('decimal', ',')} to have numbers",
            Note("decimal_commas", name, examples=tuple(labels[:1])),
        )
    cut = ""
    if kind_of(labels) == "integer":
        cut = f"; if it was measured, cut it: {choice('discretize', {name: ('quantile', 3)})}"
    return ColumnError(
        f"{column} has {count}, more than half as many: it looks like an identifier; "
        f"{leave_out(name)}{cut}"
        + for_python(f'; or declare its states with states={{"{name}": [...]}}'),
        Note("identifier", name, "", {"states": len(labels), "rows": n_rows}, tuple(labels[:3])),
    )


def too_many_states(name: str, n_states: int, among_numbers: str | None = None) -> DataError:
    """Return the error for a column whose states no code can hold.

    ``among_numbers`` is a value that kept a column of numbers from being cut.
    """
    among = () if among_numbers is None else (among_numbers,)
    note = Note("unreadable", name, "states", examples=(f"{n_states - 1:,}", *among))
    if among_numbers is not None:
        return ColumnError(
            f'column "{name}" has at least {n_states:,} states, mostly numbers, and is not cut '
            f'because of others such as "{among_numbers}"; if these mean that the number is '
            f"missing, leave the cells empty or add them to {setting('missing_values')}",
            note,
        )
    return ColumnError(
        f'column "{name}" has at least {n_states:,} states, and at most {MAX_STATES:,} are '
        f"possible; {leave_out(name)}, join states, or discretize it if it holds numbers",
        note,
    )
