"""Whether a column holds states or numbers: the user's word, else a rule."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from dagscape.data.blocks import recoded
from dagscape.data.columns import (
    FEW_STATES,
    MAX_STATES,
    ColumnError,
    Levels,
    Numbers,
    code_type,
    tells_rows_apart,
    too_many_states,
)
from dagscape.data.labels import EXACT, kind_of, spells_long_integers
from dagscape.data.missing import KEPT
from dagscape.errors import DataError, ParameterError
from dagscape.notes import Note
from dagscape.speech import choice, in_shell, leave_out, setting

Kind: TypeAlias = Literal["discrete", "ordered", "continuous"]
Kinds: TypeAlias = Mapping[str, str] | None

FEW_VALUES = 20
"""Whole numbers with so many different values, or fewer, are states; with more they are numbers, as
they are where these are more than ten and more than half as many as the rows."""

MOST_SHOWN = 3

RULE = (
    "Columns of decimal numbers are continuous, and so are whole numbers with more than "
    f"{FEW_VALUES} different values, or with more than 10 that are more than half as many as the "
    "rows with a value; all other columns are discrete."
)


def check_kinds(kinds: Kinds) -> dict[str, Kind]:
    """Return the kinds by column, or say what is wrong with them."""
    if kinds is None:
        return {}
    if not isinstance(kinds, Mapping):
        raise ParameterError(f"kinds must be a dict by column, got {kinds!r}")
    for name, kind in kinds.items():
        if kind not in get_args(Kind):
            *most, last = (f'"{known}"' for known in get_args(Kind))
            raise ParameterError(
                f'the kind of "{name}" must be {", ".join(most)} or {last}, got {kind!r}'
            )
    return dict(kinds)  # type: ignore[arg-type]


def whole_numbers(column: Levels) -> Numbers | None:
    """Return the numbers of a column of whole numbers, if these are too many to be states."""
    rows = column.n_rows - int(column.missing().sum())
    if column.declared or not too_many_to_be_states(len(column.labels), rows):
        return None
    if column.kind == "label" or kind_of(column.labels) != "integer":
        return None
    if spells_long_integers(column.labels):
        return None
    numbers = as_numbers(column)
    return None if numbers_rows(numbers) else numbers


def too_many_to_be_states(values: int, rows: int) -> bool:
    """Tell whether whole numbers have too many different values for states, by the rule."""
    return values > FEW_VALUES or tells_rows_apart(values, rows)


def few_integers(
    columns: Sequence[Levels | Numbers], settled: Container[str], cut: Container[str]
) -> list[Note]:
    """Return a note on each column of whole numbers that the rule made states beside numbers.

    Only where a column is continuous: there it decides what relations look like. Two values are
    states in anybody's eyes. ``settled`` has the columns whose kind the user named, ``cut`` those
    that will be cut.
    """
    if not any(isinstance(column, Numbers) and column.name not in cut for column in columns):
        return []
    return [
        Note("few_integers", column.name, "", {"states": len(column.labels)}, _ascending(column))
        for column in columns
        if isinstance(column, Levels) and column.name not in settled and not column.declared
        if len(column.labels) > 2 and column.kind != "label" and kind_of(column.labels) == "integer"
    ]


def _ascending(column: Levels) -> tuple[str, ...]:
    return tuple(sorted(column.labels, key=int))


def numbers_rows(column: Numbers) -> bool:
    """Tell whether whole numbers only number the rows: each once, without a gap.

    A few must be in order, too: else chance may have drawn them. Those too long to stay apart as
    numbers are names whatever they are.
    """
    values = column.values[~column.missing()]
    if len(values) and abs(values).max() > EXACT:
        return True
    if not len(values) or values.max() - values.min() != len(values) - 1:
        return False
    if len(values) <= FEW_STATES:
        return bool((np.diff(values) == 1).all())
    return len(np.unique(values)) == len(values)


def as_numbers(column: Levels) -> Numbers:
    """Return the numbers that the labels of a column spell."""
    values = np.array([*map(float, column.labels), np.nan])
    whole = kind_of(column.labels) == "integer"
    return Numbers(column.name, recoded(column.codes, values), whole)


def are_states(column: Numbers) -> bool:
    """Tell whether floats are names of states: whole numbers of few different values."""
    values = column.values[~column.missing()]
    if not len(values) or not (values == np.floor(values)).all() or abs(values).max() >= 2**53:
        return False
    return not too_many_to_be_states(len(np.unique(values)), len(values))


def as_states(column: Numbers) -> Levels:
    """Return a column whose states are its different numbers."""
    gone = column.missing()
    distinct, inverse = np.unique(column.values[~gone], return_inverse=True)
    if len(distinct) > MAX_STATES:
        raise too_many_states(column.name, len(distinct))
    codes = np.full(column.n_rows, len(distinct), dtype=code_type(len(distinct) + 1))
    codes[~gone] = inverse
    labels = tuple(map(_label, distinct.tolist()))
    return Levels(column.name, codes, labels, "integer")


def _label(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)


def number_note(column: Numbers, how: str) -> Note:
    """Return the fact that a column is continuous, and why."""
    values = column.values[~column.missing()]
    distinct = np.unique(values)
    shown = tuple(f"{value:g}" for value in values[:MOST_SHOWN])
    return Note("numbers", column.name, how, {"values": len(distinct)}, shown)


def check_finite(column: Numbers) -> None:
    """Refuse infinite values."""
    infinite = np.isinf(column.values)
    if infinite.any():
        row = int(infinite.argmax())
        raise ColumnError(
            f'column "{column.name}" has the infinite value {column.values[row]} in row {row + 1}; '
            "replace it or leave the row out",
            Note("infinite", column.name, counts={"cells": int(infinite.sum())}),
        )


def refuse_unordered(column: Levels) -> None:
    """Refuse words to be put in order, unless they were declared in one."""
    if not column.declared and kind_of(column.labels) == "label":
        give = in_shell("types", {column.name: "low<high"})
        give = give or f'states={{"{column.name}": ["low", "high"]}}'
        raise DataError(
            f'column "{column.name}" holds words whose order is not known; give it: {give}'
        )


def states_only(names: Sequence[str], kinds: Mapping[str, str]) -> DataError:
    """Return the error for a table with numbers where only states will do."""
    name = next(name for name in names if kinds[name] == "continuous")
    return DataError(
        f'column "{name}" holds numbers, and this works on states alone; cut the column: '
        f"{choice('discretize', {name: ('quantile', 3)})}, or leave it out"
    )


def fill_numbers(column: Numbers, policy: str, rng: np.random.Generator) -> Numbers:
    """Return the column with a number in every row, or in all that had one if gaps are kept."""
    holes = column.missing()
    if not holes.any():
        return column
    present: NDArray[np.float64] = column.values[~holes]
    if not len(present):
        raise DataError(f'column "{column.name}" has no values at all; {leave_out(column.name)}')
    if policy in KEPT:
        return column
    if policy == "state":
        raise DataError(
            f'column "{column.name}" holds numbers, and a gap cannot be a state of it; choose '
            f"{choice('missing', 'keep', 'drop', 'mode', 'random')}, or "
            f"cut the column with {setting('discretize')}"
        )
    values = column.values.copy()
    values[holes] = (
        np.median(present)
        if policy == "mode"
        else present[rng.integers(len(present), size=holes.sum())]
    )
    return Numbers(column.name, values, column.whole)
