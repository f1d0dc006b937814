"""What a table holds: its fingerprint, two lines about it, narrow codes, counts, gaps filled."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from dagscape.data.build import Built, build
from dagscape.data.columns import Codes, Column, Levels, Numbers, code_type
from dagscape.data.formats import MISSING_VALUES
from dagscape.data.odd_numbers import numbers_lost_as_text
from dagscape.data.oddities import lost_as_text
from dagscape.data.options import Options
from dagscape.errors import ParameterError
from dagscape.words import counted

if TYPE_CHECKING:
    import pandas as pd

    from dagscape.data.data import Data


def completed(data: Data, options: Options) -> Built:
    """Return what a table is made of, with its missing cells as these options have them."""
    labels = tuple(data.states.values())
    codes, numbers = data._codes, data.numbers
    if not data.missing:
        return Built(data.names, labels, codes, data._lasting, numbers)
    if any(note.kind == "indicator" for note in data._lasting) and options.missing == "indicator":
        options = replace(options, missing="keep")  # which cells are missing is told
    columns: list[Column] = [
        Numbers(name, numbers[name])
        if name in numbers
        else Levels(name, codes[:, number], labels[number], "label", declared=True)
        for number, name in enumerate(data.names)
    ]
    built = build(columns, replace(options, kinds=dict.fromkeys(numbers, "continuous")))
    before = (note for note in data._lasting if note.kind not in ("missing_cells", "numbers"))
    return replace(built, notes=(*built.notes, *before))


def fingerprint_of(data: Data) -> str:
    """Return the SHA-256 of names, states and values, in the order of the names.

    And of what columns say of the rows; rows that are written out as often as they occur are rows
    like any.
    """
    ordered = data.variables.in_engine_order()
    head = [[name, data.states[name]] for name in ordered]
    digest = hashlib.sha256(json.dumps([data.n_rows, head]).encode())
    little = data._codes.dtype.newbyteorder("<")
    for column in data._engine_columns():
        digest.update(column.astype(little, copy=False).data)
    for name in ordered:
        if name in data.numbers:
            digest.update((data.numbers[name] + 0.0).astype("<f8", copy=False).data)
    digest.update(data.rows.digest())
    return digest.hexdigest()


def shown(data: Data) -> str:
    """Return a table in two lines: its size, and its first variables."""
    arities = [arity for name, arity in data.arities.items() if name not in data.numbers]
    least, most = min(arities, default=0), max(arities, default=0)
    arity = f"of {least} states" if least == most else f"of {least} to {most} states"
    if data.numbers:
        arity = f"({len(data.numbers):,} continuous{f', others {arity}' if arities else ''})"
    shown = ", ".join(data.names[:8]) + (", ..." if data.n_variables > 8 else "")
    dropped = sum(n.counts["dropped"] for n in data._done if n.kind == "rows_dropped")
    lost = f" ({dropped:,} dropped)" if dropped else ""
    gaps = f"\n  {data.missing!r}" if data.missing else ""
    rows, variables = counted(data.n_rows, "row"), counted(data.n_variables, "variable")
    return f"Data: {rows}{lost}, {variables} {arity}\n  {shown}{gaps}"


def narrow(codes: Codes, states: Sequence[tuple[str, ...]]) -> Codes:
    """Return a copy in the narrowest type that holds the states, and gaps if there are any."""
    arities = [len(own) for own in states]
    gaps = any((codes[:, v] == arity).any() for v, arity in enumerate(arities))
    made = np.array(codes, dtype=code_type(max(arities) + gaps), order="F")
    made.flags.writeable = False
    return made


def rows_to_take(rows: Sequence[int] | NDArray[Any], n_rows: int) -> NDArray[Any]:
    """Return row numbers, checked."""
    try:
        chosen = np.asarray(rows)
    except ValueError:  # lists of several lengths
        chosen = np.empty((0, 0))
    if chosen.ndim != 1 or not len(chosen) or chosen.dtype.kind not in "iu":
        raise ParameterError("rows must be a list of one whole number or more, counted from 0")
    if chosen.min() < 0 or chosen.max() >= n_rows:
        wrong = chosen.min() if chosen.min() < 0 else chosen.max()
        raise ParameterError(
            f"rows must be between 0 and {n_rows - 1} (rows - 1), got {int(wrong)}"
        )
    return chosen


def lost_in_text(data: Data) -> tuple[str, ...]:
    """Return what a text file of a table would not give back: a sentence each."""
    states = data._with_states()
    seen = {name: [label for label, n in data.counts(name).items() if n] for name in states}
    return (
        *lost_as_text(states, seen, MISSING_VALUES),
        *numbers_lost_as_text(data.numbers),
    )


# The table as a frame of another library, with its states and their order.

States = Mapping[str, tuple[str, ...]]
Values = Mapping[str, NDArray[np.float64]]


def polars_frame(states: States, codes: Codes, numbers: Values) -> pl.DataFrame:
    """Return a polars frame of floats, and of Enums."""
    columns = {}
    for number, (name, own) in enumerate(states.items()):
        if name in numbers:
            columns[name] = pl.Series(name, numbers[name]).fill_nan(None)
            continue
        levels = pl.Series(name, own, dtype=pl.Enum(own))
        column = pl.Series(codes[:, number])
        columns[name] = levels.gather(column.set(column == len(own), None))
    return pl.DataFrame(columns)


def pandas_frame(states: States, codes: Codes, numbers: Values) -> pd.DataFrame:
    """Return a pandas frame of floats, and of ordered categories."""
    try:
        import pandas as pd
    except ImportError:
        raise ParameterError("to_pandas needs pandas: pip install pandas") from None
    columns: dict[str, Any] = {}
    for number, (name, own) in enumerate(states.items()):
        if name in numbers:
            columns[name] = numbers[name]
            continue
        column = codes[:, number].astype(np.int64)
        column[column == len(own)] = -1  # what pandas has for a missing value
        columns[name] = pd.Categorical.from_codes(column, list(own), ordered=True)
    return pd.DataFrame(columns)


Counts = NDArray[np.float64]


def counts_of(data: Data, names: Sequence[str]) -> Counts:
    """Return counts with an axis for each of these variables, which must have no gaps."""
    shape = tuple(data.arities[name] for name in names)
    columns = tuple(stored_codes(data, name) for name in names)
    counts = np.bincount(
        np.ravel_multi_index(columns, shape), data.rows.each, minlength=math.prod(shape)
    )
    return counts.astype(np.float64).reshape(shape)


def stored_codes(data: Data, name: str) -> NDArray[np.intp]:
    """Return the codes of a variable in the rows that are stored, however often each occurs."""
    codes = data._codes[:, data.variables.display_rank(data.variables.number(name))]
    return np.asarray(codes, dtype=np.intp)
