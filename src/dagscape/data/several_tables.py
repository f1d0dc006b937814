"""Tables of several experiments, put together."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from dagscape.data.cells import Spelling
from dagscape.data.column_files import read_columns
from dagscape.data.columns import Levels, code_type
from dagscape.data.data import Data
from dagscape.data.frames import columns_of
from dagscape.data.interventions import Interventions
from dagscape.data.join_columns import joined
from dagscape.errors import DataError, ParameterError
from dagscape.variables import suggest
from dagscape.words import first_of


def join_experiments(
    tables: Mapping[str, Any],
    targets: Mapping[str, Any],
    *,
    column: str = "experiment",
    how: str | Mapping[str, str] = "randomized",
    values: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Data:
    """Join several tables, one for each experiment, into one.

    Parameters
    ----------
    tables
        By the name of the experiment frames, dicts of columns or paths of files, with the same
        columns.
    targets
        By experiment, which variables it set, and to what: ``{"U0126": {"Mek": "LOW"}, "LY":
        ["Akt"]}``; several in a word are joined by "+". Those without targets were observed.
    column
        What the column that names the experiment is called.
    how, values
        As for :class:`Interventions`.
    **settings
        Of :class:`Data`.

    Examples
    --------
    >>> import dagscape as ds
    >>> seen = {"rain": ["no", "yes", "yes"] * 4, "wet": ["no", "yes", "yes"] * 4}
    >>> sprinkled = {"rain": ["no", "yes"] * 6, "wet": ["yes", "yes"] * 6}
    >>> data = ds.join_experiments({"seen": seen, "hose": sprinkled}, {"hose": ["wet"]})
    >>> data.n_rows, data.names
    (24, ('rain', 'wet'))
    """
    if not isinstance(tables, Mapping) or not tables:
        raise ParameterError("tables must be a dict from the name of each experiment to its table")
    if not isinstance(targets, Mapping):
        raise ParameterError(
            f"targets must be a dict from experiments to what they set, got {targets!r}"
        )
    if not isinstance(column, str):
        raise ParameterError(f"column must be the name of a column, got {column!r}")
    names = list(tables)
    for name in targets:
        if name not in tables:
            near = suggest(name, names) or f"; there are those of {first_of(names, 8)}"
            raise ParameterError(f'targets names "{name}", of which there is no table{near}')
    plain = Spelling.check((), False, ".")
    read = {
        name: read_columns(table)
        if isinstance(table, str | os.PathLike)
        else [plain.read(one) for one in columns_of(table, None)[0]]
        for name, table in tables.items()
    }
    first = {one.name for one in read[names[0]]}
    for name, columns in read.items():
        if odd := first ^ {one.name for one in columns}:
            raise DataError(
                f'the tables of "{names[0]}" and "{name}" have different columns: '
                f'"{min(odd)}" is in one of them only'
            )
        if column in first:
            raise ParameterError(
                f'the tables have a column "{column}"; choose another with column='
            )
    columns_of_all = [
        joined([next(one for one in own if one.name == each.name) for own in read.values()])
        for each in read[names[0]]
    ]
    rows = [columns[0].n_rows for columns in read.values()]
    which = np.repeat(np.arange(len(names)), rows).astype(code_type(len(names) + 1))
    columns_of_all.append(Levels(column, which, tuple(map(str, names)), "label", declared=True))
    done = Interventions(
        column=column, experiments=targets, how=how, values={} if values is None else values
    )
    return Data._of_columns(columns_of_all, {**settings, "interventions": done})
