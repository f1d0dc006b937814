"""From columns as they came to states and codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dagscape.data.columns import (
    MAX_STATES,
    Codes,
    Column,
    Levels,
    Numbers,
    code_type,
    identifier_error,
    too_many_states,
)
from dagscape.data.discretize import cut
from dagscape.data.labels import kind_of, natural_order
from dagscape.data.missing import drop_rows, fill, missing_cells, refuse_missing
from dagscape.data.mixtures import mixture, mixture_error
from dagscape.data.options import Options
from dagscape.errors import DataError
from dagscape.notes import MOST_EXAMPLES, Note
from dagscape.speech import choice, for_python, setting


@dataclass(frozen=True, slots=True)
class Built:
    """Names, states, codes (rows by variables, column-major, read-only), and what was done.

    The code of a missing cell is the number of the column's states.
    """

    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    codes: Codes
    notes: tuple[Note, ...] = ()


def check_names(names: Sequence[object], *, from_file: bool = False) -> None:
    """Raise a DataError if a column has no name, a strange one, or one used before."""
    if not names:
        raise DataError("the table has no columns")
    seen: dict[object, int] = {}
    for number, name in enumerate(names, start=1):
        if not isinstance(name, str):
            raise DataError(f"column {number} is named {name!r}; rename it: names must be strings")
        if not name.strip():
            hint = " (R writes such a column of row names unless row.names=FALSE)"
            raise DataError(
                f"column {number} has no name; name it or leave it out{hint if from_file else ''}"
            )
        if name in seen:
            hint = "; the first line must hold the names" if from_file else ""
            raise DataError(
                f'columns {seen[name]} and {number} are both named "{name}"; rename one{hint}'
            )
        seen[name] = number


def build(columns: list[Column], options: Options) -> Built:
    """Return the finished table; the list is emptied on the way, to keep memory low."""
    names = tuple(column.name for column in columns)
    check_names(names)
    options.check_names(names)
    if columns[0].n_rows == 0:
        raise DataError("the table has no rows")
    for i, column in enumerate(columns):
        columns[i] = _settle_type(column, options)
    mixtures = _mixtures(columns, options)
    notes: list[Note] = []
    if options.missing == "error":
        refuse_missing(columns)
    elif options.missing == "drop":
        columns[:], notes = drop_rows(columns)
    else:
        notes = missing_cells(columns, options.missing)
    for i, column in enumerate(columns):
        columns[i], cut_note = _settle_states(column, options, mixtures.get(column.name))
        notes += cut_note
    return _assemble(columns, tuple(notes))


def _mixtures(columns: Sequence[Column], options: Options) -> dict[str, Note]:
    """Return notes on columns of numbers that cannot be cut, before any row is dropped."""
    rule = "" if options.rule is None else options.rule[0]
    found = (mixture(column, rule) for column in columns if isinstance(column, Levels))
    return {note.column: note for note in found if note is not None and note.column is not None}


def _settle_type(column: Column, options: Options) -> Column:
    """Return levels that are states, or numbers that have a rule to cut them by."""
    name = column.name
    if name in options.states:
        return _declare(column, options.states[name])
    numbers = _as_numbers(column, asked=name in options.rules)
    if numbers is None:
        return column
    infinite = np.isinf(numbers.values)
    if infinite.any():
        row = int(infinite.argmax())
        raise DataError(
            f'column "{name}" has the infinite value {numbers.values[row]} in row {row + 1}; '
            "replace it or leave the row out"
        )
    if name in options.rules or (options.rule and not numbers.whole):
        return numbers
    if numbers.whole:
        raise too_many_states(name, MAX_STATES + 1)
    raise _float_error(numbers)


def _declare(column: Column, labels: tuple[str, ...]) -> Levels:
    if isinstance(column, Numbers):
        raise too_many_states(column.name, MAX_STATES + 1) if column.whole else _float_error(column)
    known = set(labels)
    # Levels need not occur: a category of the frame may be unused.
    strange = np.array([label not in known for label in column.labels] + [False])
    rows = strange[column.codes]
    if rows.any():
        row = int(rows.argmax())
        raise DataError(
            f'column "{column.name}" has the value "{column.labels[column.codes[row]]}" in row '
            f"{row + 1}, which is not among its declared states {_listed(labels)}; "
            "declare it too or mend the data"
        )
    return column.relabel(labels, declared=True)


def _as_numbers(column: Column, *, asked: bool) -> Numbers | None:
    """Return the numbers to be cut, or None for a column of states."""
    if isinstance(column, Numbers):
        return column
    kind = kind_of(column.labels) if column.kind == "cell" else column.kind
    if kind == "number" or (asked and kind == "integer"):
        values = np.array([*map(float, column.labels), np.nan])
        return Numbers(column.name, values[column.codes])
    if asked and column.labels:
        if note := mixture(column, "asked"):
            raise mixture_error(note)
        raise DataError(
            f'{setting("discretize")} names column "{column.name}", which does not hold numbers '
            f'(it has "{column.labels[0]}"); take it out there'
        )
    return None


def _float_error(column: Numbers) -> DataError:
    values = column.values[~column.missing()]
    hint = ""
    if (values == np.floor(values)).all():
        hint = "; or, since they are all whole, " + for_python(
            'make them integers (pandas: astype("Int64"), which keeps missing values)',
            "write them without a point",
        )
    example = f", such as {values[0]}," if len(values) else ""
    return DataError(
        f'column "{column.name}" holds floating-point numbers{example} not states; choose '
        f"{choice('discretize', 'mean', 'median', ('quantile', 'k'), ('width', 'k'))}{hint}"
    )


def _settle_states(
    column: Column, options: Options, mixed: Note | None
) -> tuple[Levels, list[Note]]:
    """Return the states of a column, and what is to be said of how they came about."""
    notes: list[Note] = []
    if isinstance(column, Numbers):
        rule = options.rules.get(column.name) or options.rule
        assert rule is not None, "numbers without a rule were refused"  # noqa: S101
        column = cut(column, rule)
        how, asked = rule
        made = {"asked": asked, "states": len(column.labels)}
        notes.append(Note("cut", column.name, how, made, column.labels[:MOST_EXAMPLES]))
    elif not column.declared:
        counts = np.bincount(column.codes, minlength=len(column.labels) + 1)
        seen = [label for label, count in zip(column.labels, counts, strict=False) if count]
        if len(seen) > max(2, column.n_rows / 2):
            if mixed:
                raise mixture_error(mixed)
            raise identifier_error(column.name, seen, column.n_rows)
        column = column.relabel(tuple(natural_order(seen)), declared=False)
    column = fill(column, options.missing, options.seed)
    if len(column.labels) > MAX_STATES:
        raise too_many_states(column.name, len(column.labels))
    if mixed:
        notes.append(replace(mixed, counts={**mixed.counts, "states": len(column.labels)}))
    return column, notes


def _assemble(columns: list[Column], notes: tuple[Note, ...]) -> Built:
    settled = [column for column in columns if isinstance(column, Levels)]
    columns.clear()
    names = tuple(column.name for column in settled)
    states = tuple(column.labels for column in settled)
    shape = (settled[0].n_rows, len(settled))
    gaps = any(column.missing().any() for column in settled)
    codes = np.empty(shape, dtype=code_type(max(map(len, states)) + gaps), order="F")
    for number in reversed(range(len(settled))):
        codes[:, number] = settled.pop().codes  # freed as soon as it is copied
    codes.flags.writeable = False
    return Built(names, states, codes, notes)


def _listed(labels: Sequence[str], most: int = 8) -> str:
    shown = ", ".join(f'"{label}"' for label in labels[:most])
    return shown if len(labels) <= most else f"{shown}, ..."
