"""From columns as they came to states and codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from dagscape.data.before import Before
from dagscape.data.blocks import occurrences
from dagscape.data.columns import (
    MAX_STATES,
    Codes,
    Column,
    Levels,
    Numbers,
    code_type,
    dates_error,
    identifier_error,
    tells_rows_apart,
    too_many_states,
)
from dagscape.data.discretize import cut
from dagscape.data.indicators import indicators
from dagscape.data.kinds import (
    FEW_VALUES,
    are_states,
    as_numbers,
    as_states,
    check_finite,
    few_integers,
    fill_numbers,
    number_note,
    numbers_rows,
    refuse_unordered,
    whole_numbers,
)
from dagscape.data.labels import is_half, kind_of, natural_order
from dagscape.data.missing import drop_rows, fill, missing_cells, refuse_missing, stream
from dagscape.data.odd_numbers import mixture, mixture_error
from dagscape.data.options import Options
from dagscape.data.ordered_states import KIND
from dagscape.errors import DataError
from dagscape.notes import MOST_EXAMPLES, Note
from dagscape.speech import setting


@dataclass(frozen=True, slots=True)
class Built:
    """Names, states, codes (rows by variables, column-major, read-only), and what was done.

    The code of a missing cell is the number of the column's states.
    Columns of numbers are in ``numbers``, NaN where one is missing; they have no states, and 1 for
    a code, or 0 where the number is missing.
    """

    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    codes: Codes
    notes: tuple[Note, ...] = ()
    numbers: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    kept: NDArray[np.bool_] | None = None
    """Which rows of the source there still are; None if all."""
    before: Before | None = None
    """What cells were before they were cut or filled, where some were."""


def check_names(names: Sequence[object], *, from_file: bool = False) -> None:
    """Raise a DataError if a column has no name, a strange one, or one used before."""
    if not names:
        raise DataError("the table has no columns")
    seen: dict[object, int] = {}
    for number, name in enumerate(names, start=1):
        if not isinstance(name, str):
            raise DataError(f"column {number} is named {name!r}; rename it: names must be strings")
        if is_half(name):
            raise DataError(
                f"column {number} is named {name!r}, which holds half a character (a lone "
                "surrogate); rename it"
            )
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


def usable_names(names: Sequence[object]) -> list[str]:
    """Return names that :func:`check_names` accepts, as near to these as can be."""
    made: list[str] = []
    for number, name in enumerate(names, start=1):
        plain = "" if name is None else str(name)
        plain, copy = plain if plain.strip() else f"column_{number}", 1
        free = plain
        while free in made or (free != name and free in names):
            copy += 1
            free = f"{plain}_{copy}"
        made.append(free)
    return made


def build(columns: list[Column], options: Options) -> Built:
    """Return the finished table; the list is emptied on the way, to keep memory low."""
    names = tuple(column.name for column in columns)
    check_names(names)
    options.check_names(names)
    if columns[0].n_rows == 0:
        raise DataError("the table has no rows")
    settled: list[Note] = []
    for i, column in enumerate(columns):
        columns[i], why = _settle_type(column, options)
        settled += why
    if options.rule is None:
        settled += few_integers(columns, {*options.kinds, *options.states}, options.rules)
    mixtures = _mixtures(columns, options)
    notes: list[Note] = []
    kept: NDArray[np.bool_] | None = None
    if options.missing == "error":
        refuse_missing(columns, cut=options.rules if options.rule is None else names)
    elif options.missing == "drop":
        columns[:], notes, kept = drop_rows(columns)
    else:
        notes = missing_cells(columns, options.missing)
    added: list[Column] = []
    if options.missing == "indicator":
        added, told = indicators(columns)
        notes += told
    targets = _targets(columns, options)
    before = Before({}, {})
    for i, column in enumerate(columns):
        mixed = mixtures.get(column.name)
        columns[i], cut_note = _settle_states(column, options, mixed, targets)
        notes += cut_note
        before = before.also(_before(column, columns[i], options))
    columns += added
    made = _assemble(columns, (*notes, *settled))
    return replace(made, kept=kept, before=before.known)


def _before(was: Column, now: Column, options: Options) -> Before:
    """Return what a column was, if it was cut, or cells of it were filled by those of others."""
    cut = isinstance(was, Numbers) and isinstance(now, Levels)
    filled = options.missing in ("mode", "random") and was.missing().any()
    return Before(
        {was.name: was.values} if cut and isinstance(was, Numbers) else {},
        {was.name: was.missing()} if filled else {},
    )


def _mixtures(columns: Sequence[Column], options: Options) -> dict[str, Note]:
    """Return notes on columns of numbers that cannot be cut, before any row is dropped."""
    rule = "" if options.rule is None else options.rule[0]
    found = (mixture(column, rule) for column in columns if isinstance(column, Levels))
    return {note.column: note for note in found if note is not None and note.column is not None}


def _settle_type(column: Column, options: Options) -> tuple[Column, list[Note]]:
    """Return levels that are states, or numbers; and why it was taken for what it is."""
    name = column.name
    if isinstance(column, Levels) and column.kind == "date":
        raise dates_error(name, column.labels[0])
    if name in options.states:
        return _declare(column, options.states[name]), []
    kind = options.kinds.get(name)
    if kind == "ordered":
        if isinstance(column, Levels):
            refuse_unordered(column)
        kind = "discrete"  # in the order of its numbers, as every column of them is
    by = "kinds" if kind == "continuous" else "discretize" if name in options.rules else ""
    numbers = _as_numbers(column, by)
    if numbers is None and isinstance(column, Levels):
        if kind is not None or options.rule is not None:
            return column, []
        numbers = whole_numbers(column)
        if numbers is None:
            return column, []
        how = "many_integers" if len(column.labels) > FEW_VALUES else "spread_integers"
        return numbers, [number_note(numbers, how)]
    assert numbers is not None, "a column is levels or numbers"  # noqa: S101
    check_finite(numbers)
    if kind == "discrete":
        return as_states(numbers), []
    if name in options.rules or (options.rule and not numbers.whole):
        return numbers, []
    if kind is None:
        if options.rule or (numbers.whole and numbers_rows(numbers)):
            raise too_many_states(name, MAX_STATES + 1)
        if not numbers.whole and are_states(numbers):
            states = as_states(numbers)
            made = {"states": len(states.labels)}
            return states, [Note("whole_floats", name, counts=made, examples=states.labels)]
    how = "asked" if kind else "many_integers" if numbers.whole else "decimals"
    return numbers, [number_note(numbers, how)]


def _declare(column: Column, labels: tuple[str, ...]) -> Levels:
    if isinstance(column, Numbers):
        column = as_states(column)
    known = set(labels)
    # Levels need not occur: a category of the frame may be unused.
    strange = np.array([label not in known for label in column.labels] + [False])
    rows = strange[column.codes]
    if rows.any():
        row = int(rows.argmax())
        raise DataError(
            f'column "{column.name}" has the value "{column.labels[column.codes[row]]}" in row '
            f"{row + 1}, which is not among its declared states {_listed(labels)}; "
            "declare it too or fix the data"
        )
    return column.relabel(labels, declared=True)


def _as_numbers(column: Column, asked: str) -> Numbers | None:
    """Return the numbers of a column, or None for a column of states.

    ``asked`` is the setting that says it holds numbers, "" where none does.
    """
    if isinstance(column, Numbers):
        return column
    kind = kind_of(column.labels) if column.kind == "cell" or asked else column.kind
    if kind == "number" or (asked and kind == "integer"):
        return as_numbers(column)
    if asked and column.labels:
        if note := mixture(column, "asked"):
            raise mixture_error(note)
        raise DataError(
            f'{setting(asked)} names column "{column.name}", which does not hold numbers '
            f'(it has "{column.labels[0]}"); take it out there'
        )
    return None


def _targets(columns: Sequence[Column], options: Options) -> dict[str, Levels]:
    """Return the columns that others are cut by, before any of them is changed."""
    rules = [*options.rules.values(), *([options.rule] if options.rule else [])]
    wanted = {rule.target for rule in rules if rule.target}
    found = {}
    for column in columns:
        if column.name not in wanted:
            continue
        if not isinstance(column, Levels):
            raise DataError(
                f'{setting("discretize")} cuts by column "{column.name}", which holds numbers; '
                "name a column of states"
            )
        found[column.name] = column
    return found


def _settle_states(
    column: Column, options: Options, mixed: Note | None, targets: Mapping[str, Levels]
) -> tuple[Column, list[Note]]:
    """Return the states of a column, and what is to be said of how they came about."""
    notes: list[Note] = []
    if isinstance(column, Numbers):
        rule = options.rules.get(column.name) or options.rule
        if rule is None or column.name in options.kinds:
            return fill_numbers(column, options.missing, stream(options.seed, column.name)), notes
        column = cut(column, rule, targets.get(rule.target))
        made = {"asked": rule.parts or len(column.labels), "states": len(column.labels)}
        notes.append(Note("cut", column.name, rule.words, made, column.labels[:MOST_EXAMPLES]))
    elif not column.declared:
        counts = occurrences(column.codes, len(column.labels) + 1)
        seen = [label for label, count in zip(column.labels, counts, strict=False) if count]
        rows = int(counts[: len(column.labels)].sum())
        if tells_rows_apart(len(seen), rows):
            if mixed:
                raise mixture_error(mixed)
            raise identifier_error(column.name, seen, rows)
        column = column.relabel(tuple(natural_order(seen)), declared=False)
    states = column.labels
    column = fill(column, options.missing, options.seed)
    if options.kinds.get(column.name) == KIND and column.labels == states:  # none is for gaps
        notes.append(Note(KIND, column.name, "", {"states": len(states)}, states[:MOST_EXAMPLES]))
    if len(column.labels) > MAX_STATES:
        raise too_many_states(column.name, len(column.labels))
    if mixed:
        notes.append(replace(mixed, counts={**mixed.counts, "states": len(column.labels)}))
    return column, notes


def _assemble(columns: list[Column], notes: tuple[Note, ...]) -> Built:
    names = tuple(column.name for column in columns)
    states = tuple(c.labels if isinstance(c, Levels) else () for c in columns)
    shape = (columns[0].n_rows, len(columns))
    gaps = any(column.missing().any() for column in columns)
    codes = np.empty(shape, dtype=code_type(max(map(len, states)) + gaps), order="F")
    numbers: dict[str, NDArray[np.float64]] = {}
    for number in reversed(range(len(columns))):
        column = columns.pop()  # freed as soon as it is copied
        if isinstance(column, Levels):
            codes[:, number] = column.codes
        else:
            codes[:, number] = ~column.missing()
            numbers[column.name] = np.array(column.values)
            numbers[column.name].flags.writeable = False
    codes.flags.writeable = False
    return Built(names, states, codes, notes, numbers)


def _listed(labels: Sequence[str], most: int = 8) -> str:
    shown = ", ".join(f'"{label}"' for label in labels[:most])
    return shown if len(labels) <= most else f"{shown}, ..."
