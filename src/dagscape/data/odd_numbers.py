"""What is odd about columns of numbers, though they can be used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import exp

import numpy as np
from numpy.typing import NDArray

from dagscape.data.columns import ColumnError, Levels, Numbers
from dagscape.data.copies import CHANCE, log_arrangements
from dagscape.data.kinds import are_states
from dagscape.data.labels import kind_of, spells_bound, spells_number
from dagscape.data.oddities import MANY_STATES
from dagscape.errors import DataError
from dagscape.notes import MOST_EXAMPLES, Note, has_number
from dagscape.speech import choice, setting

FAR = 50.0
"""A value is far off if it lies this many times the middle half's width beyond the median."""
EXPLAINED = 1e-9
"""The share of its variance that a column which others add up to may have of its own."""
ROWS_FOR_SUMS = 10
"""Rows beyond two for each column that must agree before a column is called a sum: rounded numbers
add up by chance in fewer."""
MOST_COLUMNS = 1_000
"""Among more columns than these, sums are not looked for: it would take long."""


def odd_numbers(numbers: Mapping[str, NDArray[np.float64]]) -> Iterator[Note]:
    """Yield what a person should know: columns that never change, copies, sums, values far off."""
    varying = {}
    for name, cells in numbers.items():
        values = cells[~np.isnan(cells)]
        low, high = float(values.min()), float(values.max())
        if low == high:
            yield Note("constant", name, examples=(f"{low:g}",))
            continue
        if len(values) == len(cells):  # sums and copies are looked for among whole columns
            varying[name] = _standardized(values)
        far = _far(values)
        if len(far):
            examples = tuple(f"{value:g}" for value in far[:MOST_EXAMPLES])
            yield Note("far_values", name, counts={"cells": len(far)}, examples=examples)
    if 1 < len(varying) <= MOST_COLUMNS:
        yield from _repeated(varying)


def numbers_lost_as_text(numbers: Mapping[str, NDArray[np.float64]]) -> Iterator[str]:
    """Yield a sentence for each column that a text file would give back as states."""
    for name, values in numbers.items():
        if are_states(Numbers(name, values)):
            yield (
                f'column "{name}" holds whole numbers with few values, which a text file gives '
                "back as states; write .parquet and read it with "
                f"{choice('kinds', {name: 'continuous'})}"
            )


def _standardized(values: NDArray[np.float64]) -> NDArray[np.float64]:
    scaled = values / abs(values).max()  # squares of the largest doubles would overflow
    scaled = scaled - scaled.mean()
    deviation = float(np.sqrt(np.mean(scaled * scaled)))
    return np.asarray(scaled / deviation if deviation > 0 else scaled)


def _far(values: NDArray[np.float64]) -> NDArray[np.float64]:
    halved = values / 2  # differences of the largest doubles would overflow
    low, median, high = np.quantile(halved, [0.25, 0.5, 0.75])
    if high <= low:
        return values[:0]
    with np.errstate(over="ignore"):
        return np.asarray(values[abs(halved - median) / FAR > high - low])


def _repeated(varying: Mapping[str, NDArray[np.float64]]) -> Iterator[Note]:
    """Yield the columns that those before them, in the order of the table, make up."""
    names = list(varying)
    table = np.stack([varying[name] for name in names])
    correlation = table @ table.T / table.shape[1]
    rows = np.zeros_like(correlation)
    kept: list[int] = []
    for i, name in enumerate(names):
        size = len(kept)
        row = np.zeros(size)
        for j, other in enumerate(kept):
            row[j] = (correlation[i, other] - row[:j] @ rows[other, :j]) / rows[other, j]
        left = 1.0 - float(row @ row)
        if left > EXPLAINED:
            rows[i, :size], rows[i, size] = row, np.sqrt(left)
            kept.append(i)
            continue
        twin = next((k for k in kept if abs(correlation[i, k]) > 1 - EXPLAINED), None)
        if twin is not None:
            if _by_chance(table[i]) * len(names) ** 2 / 2 <= CHANCE:
                yield Note("copy", name, examples=(names[twin],))
        elif 2 * size + ROWS_FOR_SUMS <= table.shape[1]:
            yield Note("sum_of_others", name)


def _by_chance(values: NDArray[np.float64]) -> float:
    """Return how probable it is that shuffled values are another column's up to scale, at most."""
    _, counts = np.unique(values, return_counts=True)
    return min(1.0, 2 * exp(-log_arrangements(counts)))  # rising or falling


# Columns of numbers that hold other values too, so that they cannot be cut.


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
        bound = all(map(spells_bound, note.examples))
        way = f", or choose {choice('bounds', 'half', 'limit')}" if bound else ""
        return ColumnError(
            f"{column} has numbers in {note.counts['numbers']:,} cells and other values in "
            f'{others:,}: {shown}; so it cannot be cut; "{written}" is not missing: write a plain '
            f"number in its place{way}",
            note,
        )
    return ColumnError(
        f"{column} has numbers in {note.counts['numbers']:,} cells and other values in {others:,}: "
        f"{shown}; so it cannot be cut; if these values mean that the number is missing, leave the "
        f"cells empty or add them to {setting('missing_values')}",
        note,
    )
