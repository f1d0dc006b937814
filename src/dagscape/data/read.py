"""Tables from files: text with a header line, Parquet, Arrow."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from dagscape.arguments import as_list, as_mapping, as_switch
from dagscape.control.limits import ShowProgress
from dagscape.control.progress import followed
from dagscape.data.cell_rules import CellRules
from dagscape.data.column_files import naming, read_all, read_one
from dagscape.data.columns import Column, Levels, Numbers
from dagscape.data.data import Data
from dagscape.data.date_parts import Dates
from dagscape.data.discretize import Cut, Discretize, check_rule, cut
from dagscape.data.first_contact import contact_with_file
from dagscape.data.formats import MISSING_VALUES
from dagscape.data.interventions import Interventions
from dagscape.data.kinds import as_numbers
from dagscape.data.labels import look_like_values, spell_numbers
from dagscape.data.many_files import files_of, find
from dagscape.data.options import Options
from dagscape.data.roles import Roles
from dagscape.data.seen_file import taken
from dagscape.data.text_tables import Choice, check_left_out, no_header
from dagscape.errors import DataError, ParameterError
from dagscape.notes import Note
from dagscape.speech import setting


def read_data(
    path: str | os.PathLike[str],
    *,
    states: Mapping[str, Sequence[object]] | None = None,
    discretize: Discretize = None,
    missing: str = "error",
    seed: int = 0,
    columns: Sequence[str] | None = None,
    leave_out: Collection[str] = (),
    separator: str | None = None,
    missing_values: Collection[str] = MISSING_VALUES,
    kinds: Mapping[str, str] | None = None,
    trim: bool = False,
    decimal: str = ".",
    bounds: str = "text",
    header: bool = True,
    repair_names: bool = False,
    dates: Dates = None,
    strict: bool = True,
    rows_independent: bool | None = None,
    weights: str | None = None,
    survey_weights: str | None = None,
    clusters: str | None = None,
    groups: str | None = None,
    interventions: Interventions | None = None,
    progress: ShowProgress = None,
) -> Data:
    """Read a table from a file, or several; the ending of a name says in which format.

    Text files (.csv, .tsv, .tab, each also followed by .gz or .zst) are UTF-8 with the names of
    the columns in the first line. A column whose cells all spell integers has those as states,
    in numeric order, unless these are more than 20; then, and where cells spell other numbers, the
    column is continuous; any other has its cells as states. Parquet (.parquet, .pq) and Arrow files
    (.arrow, .feather, .ipc) are read by the types of their columns. States that never occur survive
    in a file only where its type
    declares them (polars' Enum, which :meth:`Data.write` uses), not in text and not in categories
    that pandas wrote; declare them with `states`.

    Parameters
    ----------
    path
        The file; or a folder of files with the same columns, or a pattern such as
        ``parts/*.parquet``, whose rows follow each other in the natural order of the names.
    states, discretize, missing, seed, kinds, trim, decimal, bounds, dates, strict, \
    rows_independent, weights, survey_weights, clusters, groups, interventions
        As for :class:`Data`. Declared states are compared with cells as written. Without `strict`,
        what separates cells, and whether there is a line of names, is found by itself, too.
    columns
        The columns to read, in this order; all of them by default.
    leave_out
        Columns not to read, such as one that numbers the rows.
    separator
        One character between cells, where the ending does not say it: by default a comma in
        .csv, a tab in .tsv and .tab. With it, text files may have any ending.
    missing_values
        Cells of text files that mean a missing value: by default the empty cell and NA, N/A,
        NaN, nan, NULL and null. "None" and "?" are states unless listed here.
    header
        False for a text file without a line of names: its columns are X1, X2, ...
    repair_names
        Whether columns without a name, or with that of another, get one: "column_1", "age_2".
    progress
        Called while a large file is read with the share that is, or None where it is not known, and
        a text with the rows; True shows a bar.

    Raises
    ------
    DataError
        If the file cannot be used as it is; the message says which line or column, and what to do.
    """
    options = Options.check(
        states=states, discretize=discretize, missing=missing, seed=seed, kinds=kinds
    )
    roles = Roles.check(
        rows_independent=rows_independent,
        weights=weights,
        survey_weights=survey_weights,
        clusters=clusters,
        groups=groups,
        interventions=interventions,
    )
    wanted = roles.also(_check_wanted(columns))
    choice = Choice(wanted, check_left_out(leave_out))
    rules = CellRules.check(
        separator, missing_values, trim, decimal, bounds, header, repair_names, dates
    )
    told: tuple[Note, ...] = ()
    if not as_switch("strict", strict):
        given = rules.given | {"kinds": kinds, "states": states, "discretize": discretize}
        given |= {"leave_out": leave_out}
        with followed(progress) as tell:
            seen = contact_with_file(path, given, kept=roles.columns, wanted=wanted, progress=tell)
        told, rules, path = seen.notes, CellRules.of(seen.settings), seen.file or path
        choice = choice.without(seen.settings.get("leave_out", ()))
        kept = "keep" if missing == "error" else options.missing
        options = replace(options, missing=kept, kinds=seen.settings.get("kinds") or {})
    files = files_of(path)
    with followed(progress) as tell:
        read = taken(path, rules, choice) or read_all(files, rules, choice, tell)
    with naming(files[0] if len(files) == 1 else Path(path)):
        names = [column.name for column in read]
        try:
            data = Data._build(read, options, roles)
        except DataError:
            if header and look_like_values(names):
                raise no_header(names) from None
            raise
        hardly_repeats = any(2 * n > data.n_rows for n in data.arities.values() if n > 2)
        if header and hardly_repeats and look_like_values(names):  # a few lines without names
            raise no_header(names)
    data = data._noting(told) if told else data
    data._warn(stacklevel=3)
    return data


def read_rows(
    path: str | os.PathLike[str],
    *,
    discretize: Mapping[str, Discretize] | None = None,
    separator: str | None = None,
    missing_values: Collection[str] = MISSING_VALUES,
    trim: bool = False,
    decimal: str = ".",
    bounds: str = "text",
    header: bool = True,
    repair_names: bool = False,
    dates: Dates = None,
) -> pl.DataFrame:
    """Read rows as they are, gaps included, for :meth:`Network.predict` and its like.

    Nothing is said about states that are few or many, and nothing is left out: rows to predict need
    not look like a table to learn from. Cells are text, and null where missing.

    Parameters
    ----------
    path
        The file.
    discretize
        By column, cut points of your own with names for the intervals, as the table had them that a
        network was learned from. Intervals that are named by their ends need none: predictions know
        these by the network's states.
    separator, missing_values, trim, decimal, bounds, header, repair_names, dates
        As for :func:`read_data`.
    """
    cuts = {
        name: check_rule(rule)
        for name, rule in as_mapping("discretize", discretize, "cut points").items()
    }
    if loose := [name for name, cut_ in cuts.items() if not cut_.points]:
        raise ParameterError(
            f'rows are cut at points, and {setting("discretize")} has a rule for "{loose[0]}"; '
            "rows of another table would be cut differently by it"
        )
    rules = CellRules.check(
        separator, missing_values, trim, decimal, bounds, header, repair_names, dates
    )
    file = find(path)
    with naming(file):
        columns = rules.spread(read_one(file, rules, Choice(None, ())))
        return pl.DataFrame([_as_text(column, cuts.get(column.name)) for column in columns])


def _as_text(column: Column, rule: Cut | None) -> pl.Series:
    """Return the cells of a column as text; numbers are cut if there is a rule."""
    if rule is not None and isinstance(column, Levels) and spell_numbers(column.labels):
        column = as_numbers(column)
    if rule is not None and isinstance(column, Numbers):
        column = cut(column, rule)
    if isinstance(column, Levels):
        labels = [*column.labels, None]
        return pl.Series(column.name, [labels[code] for code in column.codes], dtype=pl.String)
    return pl.Series(column.name, column.values).fill_nan(None)


def _check_wanted(columns: Sequence[str] | None) -> Sequence[str] | None:
    if columns is None:
        return None
    wanted = as_list("columns", columns, "names")
    if not all(isinstance(name, str) for name in wanted):
        raise ParameterError(f"columns must be a list of names, got {columns!r}")
    if not wanted or len(set(wanted)) != len(wanted):
        raise ParameterError(f"columns must name at least one column, each once, got {columns!r}")
    return wanted
