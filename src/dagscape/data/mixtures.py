"""Columns of numbers that hold other values too, so that they cannot be cut."""

from __future__ import annotations

import numpy as np

from dagscape.data.columns import ColumnError, Levels
from dagscape.data.labels import kind_of, spells_number
from dagscape.data.oddities import MANY_STATES
from dagscape.errors import DataError
from dagscape.notes import MOST_EXAMPLES, Note, has_number
from dagscape.speech import setting


def mixture(column: Levels, rule: str) -> Note | None:
    """Return a note on a column whose values are mostly numbers and yet its states.

    ``rule`` is how columns of decimal numbers are to be cut, "" where nobody said. Few whole
    numbers are states whatever else is there: no note.
    """
    if column.declared:
        return None
    counts = np.bincount(column.codes, minlength=len(column.labels) + 1)
    cells = {label: int(n) for label, n in zip(column.labels, counts, strict=False) if n}
    numbers = [label for label in cells if spells_number(label)]
    others = sorted(cells.keys() - set(numbers), key=lambda label: (-cells[label], label))
    decimal = kind_of(numbers) == "number"
    if not decimal and len(numbers) <= MANY_STATES:
        return None
    how = rule if decimal else ""
    if not others and (column.kind != "label" or not how):
        return None  # cut, or refused, or named as whole numbers
    in_numbers = sum(cells[label] for label in numbers)
    in_others = sum(cells[label] for label in others)
    if in_others > in_numbers:
        return None
    return Note(
        "not_cut",
        column.name,
        how,
        {"numbers": in_numbers, "others": in_others, "states": len(cells)},
        tuple(others[:MOST_EXAMPLES]),
    )


def mixture_error(note: Note) -> DataError:
    """Return the error for a column of numbers that cannot be cut, nor its values be states."""
    column, others = f'column "{note.column}"', note.counts["others"]
    if not others:
        return ColumnError(f"{column} holds numbers written as text; turn it into numbers", note)
    shown = ", ".join(f'"{value}"' for value in note.examples)
    written = next((value for value in note.examples if has_number(value)), None)
    if written is not None:
        return ColumnError(
            f"{column} has numbers in {note.counts['numbers']:,} cells and other values in "
            f'{others:,}: {shown}; so it cannot be cut; "{written}" is not missing: write a plain '
            "number in its place",
            note,
        )
    return ColumnError(
        f"{column} has numbers in {note.counts['numbers']:,} cells and other values in {others:,}: "
        f"{shown}; so it cannot be cut; if these values mean that the number is missing, leave the "
        f"cells empty or add them to {setting('missing_values')}",
        note,
    )
