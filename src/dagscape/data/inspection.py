"""What is wrong with one column, all of it at once, and what would mend it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagscape.data.blocks import occurrences, recoded
from dagscape.data.columns import MAX_STATES, Column, Levels, Numbers, tells_rows_apart
from dagscape.data.kinds import (
    FEW_VALUES,
    are_states,
    as_states,
    numbers_rows,
    too_many_to_be_states,
)
from dagscape.data.labels import (
    EXACT,
    exact_value,
    names_identifier,
    spells_bound,
    spells_codes,
    spells_dates,
    spells_decimal_commas,
    spells_infinity,
    spells_long_integers,
    spells_number,
    spells_thousands,
    spells_units,
    without_zeros,
)
from dagscape.data.oddities import may_mean_itself, means_missing
from dagscape.notes import MOST_EXAMPLES, Note, has_number, repeats

CODES = {sign + digit * times for digit in "789" for times in (1, 2, 3, 4) for sign in ("-", "")}
"""Numbers by which surveys mark what is missing: -9, 99, 999 and their like."""
CODE_NUMBERS = np.array(sorted(map(float, CODES)))
MOSTLY = 0.8
"""Share of cells that must be numbers for the others to be stray."""
FEW_STRAY = 0.1
"""Share of cells that may be stray and still be read as missing."""
MOST_STATES = 200
"""A column with more states than these is left out: beside it other columns cannot be learned from
in any reasonable time."""
WORDS_FOR_NUMBERS = {
    *("none", "never", "zero", "nil", "neg", "negative", "pos", "positive", "trace", "traces"),
    *("low", "high", "normal", "lod", "bdl", "blq", "lloq"),
}
"""Words that stand for a value where others are numbers, in lower case."""


@dataclass
class ColumnNotes:
    """Notes on a column, and the settings that it asks for."""

    notes: list[Note] = field(default_factory=list)
    missing_values: list[str] = field(default_factory=list)
    """Words that plainly mean a missing value."""
    doubtful_values: list[str] = field(default_factory=list)
    """Codes and stray values, which may."""
    trim: bool = False
    decimal: str = "."
    leave_out: bool = False
    gaps: int = 0
    """How many rows have no value, once the settings are obeyed."""
    states: tuple[Levels, NDArray[np.signedinteger[Any]]] | None = None
    """The column, if its values are few, and the code of each of its labels; see `codes`."""
    number: bool = False
    continuous: bool = False
    as_text: bool = False
    """Whether its numbers are strings, in a table that need not have them as such."""

    @property
    def codes(self) -> NDArray[np.signedinteger[Any]] | None:
        """Of the values that are left, row by row, if they are few; -1 for a gap."""
        return None if self.states is None else recoded(self.states[0].codes, self.states[1])


def spelled_with_comma(column: Column) -> bool:
    """Tell whether a column has decimal commas for certain."""
    labels = column.labels if isinstance(column, Levels) else ()
    labels = tuple(label for label in labels if not means_missing(label, labels))
    return spells_decimal_commas(labels) and not spells_thousands(labels)


def inspect(column: Column, *, commas: bool) -> ColumnNotes:
    """Look through one column; ``commas`` says that the table has decimal commas for certain."""
    if isinstance(column, Numbers) and are_states(column):
        column = as_states(column)
    if isinstance(column, Numbers):
        return _of_numbers(column)
    found = ColumnNotes()
    counts = occurrences(column.codes, len(column.labels) + 1)
    cells = {label: int(n) for label, n in zip(column.labels, counts, strict=False) if n}
    texts = _trimmed(column.name, cells, found)
    texts = _without_words(column.name, texts, found)
    texts = _with_points(column.name, texts, found, certain=commas)
    if not column.declared:
        for note in codes_among(column.name, texts):
            found.notes.append(note)
            found.doubtful_values += note.examples if repeats(note) else ()
        _find_stray(column.name, texts, found)
        found.notes += twins_among(column.name, texts)
        found.notes += twin_words_among(column.name, texts)
    gone = {*found.missing_values, *found.doubtful_values}
    left = {text: n for text, n in texts.items() if text not in gone}
    found.number = (
        len(left) > 0 and all(map(spells_number, left)) and not spells_long_integers(left)
    )
    _judge_values(column, left, found)
    count_gaps(column, found)
    return found


def holds(column: Column, word: str) -> bool:
    """Tell whether a column has a value that is written so."""
    if isinstance(column, Numbers):
        return spells_number(word) and bool((column.values == float(word)).any())
    return any(label.strip() == word for label in column.labels)


def _of_numbers(column: Numbers) -> ColumnNotes:
    found = ColumnNotes(number=True, continuous=True)
    there = column.values[~column.missing()]
    values = np.unique(there)
    size = {"states": len(values), "rows": len(there)}
    shown = tuple(f"{value:.15g}" for value in there[:3])
    if np.isinf(values).any():
        found.leave_out = True
        cells = {"cells": int(np.isinf(there).sum())}
        found.notes.append(Note("infinite", column.name, counts=cells))
    elif column.whole and (abs(there) > EXACT).any():  # how many there are cannot be told any more
        found.leave_out = True
        found.notes.append(Note("unreadable", column.name, "states", examples=(f"{MAX_STATES:,}",)))
    elif is_identifier(column) or counts_rows(there):
        found.leave_out = True
        found.notes.append(Note("identifier", column.name, "", size, shown))
    else:
        for note in codes_among(column.name, outer_numbers(there)):
            found.notes.append(note)
            found.doubtful_values += note.examples if repeats(note) else ()
    if len(values) <= 1:
        found.leave_out = True
        if len(values):
            found.notes.append(Note("constant", column.name, examples=(f"{values[0]:g}",)))
        else:
            found.notes.append(Note("no_values", column.name))
    count_gaps(column, found)
    return found


def is_identifier(column: Numbers) -> bool:
    """Tell whether whole numbers name the rows: each once, or by the name of the column."""
    values = column.values[~column.missing()]
    if not (np.isfinite(values) & (values == np.floor(values))).all():
        return False
    if not too_many_to_be_states(len(np.unique(values)), len(values)):
        return False
    return names_identifier(column.name) or (column.whole and numbers_rows(column))


def counts_rows(values: NDArray[np.float64]) -> bool:
    """Tell whether numbers count the rows in their order, from 0 or 1."""
    many = too_many_to_be_states(len(values), len(values))
    return many and values[0] in (0, 1) and bool((np.diff(values) == 1).all())


def outer_numbers(values: NDArray[np.float64]) -> dict[str, int]:
    """Return how often each number occurs that may be a code, and the least and most of others."""
    may_be = np.isin(values, CODE_NUMBERS)
    codes, counts = np.unique(values[may_be], return_counts=True)
    others = values[~may_be]
    ends = [others.min(), others.max()] if len(others) else []
    texts = {f"{end:g}": 1 for end in ends}
    return texts | {f"{code:g}": int(n) for code, n in zip(codes, counts, strict=True)}


def _trimmed(name: str, cells: dict[str, int], found: ColumnNotes) -> dict[str, int]:
    """Return cells without blanks at their ends, and note those that have some."""
    blanks = [label for label in cells if label != label.strip()]
    texts: dict[str, int] = defaultdict(int)
    for label, n in cells.items():
        texts[label.strip()] += n
    if blanks:
        found.trim = True
        bare = {label.strip() for label in blanks}
        twins = len(bare & cells.keys()) + len(blanks) - len(bare)
        count = sum(cells[label] for label in blanks)
        of = {"states": len(blanks), "cells": count, "twins": twins}
        found.notes.append(Note("blanks", name, "", of, tuple(blanks[:MOST_EXAMPLES])))
    return texts


def _without_words(name: str, texts: dict[str, int], found: ColumnNotes) -> dict[str, int]:
    """Return cells without those that say a value is missing."""
    labels = tuple(texts)
    words = [text for text in labels if means_missing(text, labels)]
    if words:
        found.missing_values += [word for word in words if not may_mean_itself(word)]
        found.doubtful_values += [word for word in words if may_mean_itself(word)]
        count = {"cells": sum(texts[word] for word in words)}
        found.notes.append(Note("missing_words", name, "", count, tuple(words[:MOST_EXAMPLES])))
    gone = set(words)
    return {text: n for text, n in texts.items() if text not in gone}


def _with_points(
    name: str, texts: dict[str, int], found: ColumnNotes, *, certain: bool
) -> dict[str, int]:
    """Return numbers with a decimal comma as others write them."""
    if not spells_decimal_commas(texts):
        return texts
    shown = next(text for text in texts if "," in text)
    if not certain and spells_thousands(texts):
        found.notes.append(Note("decimal_commas", name, "thousands", examples=(shown,)))
        found.leave_out = True  # as a decimal comma it would change every number
        return texts
    found.decimal = ","
    found.notes.append(Note("decimal_commas", name, examples=(shown,)))
    return {text.replace(",", "."): n for text, n in texts.items()}


def codes_among(name: str, texts: Mapping[str, int]) -> Iterator[Note]:
    """Yield a note on numbers that stand apart from all others, as codes for a missing value do."""
    numbers = {text: float(text) for text in texts if spells_number(text)}
    others = [value for text, value in numbers.items() if without_zeros(text) not in CODES]
    if len(others) < 2 or len(numbers) < MOSTLY * len(texts):
        return
    low, high = min(others), max(others)
    codes = [
        text
        for text, value in numbers.items()
        if (code := without_zeros(text)) in CODES
        and ((value < 0 <= low) or (value > 2 * max(high, 1) and len(code) > 1))
    ]
    if codes:
        count = {"cells": sum(texts[code] for code in codes)}
        yield Note("number_codes", name, "", count, tuple(codes[:MOST_EXAMPLES]))


def _find_stray(name: str, texts: dict[str, int], found: ColumnNotes) -> None:
    """Note text among numbers."""
    bounds = set(filter(spells_bound, texts))
    commas = spells_decimal_commas(texts.keys() - bounds)  # "1,5" beside "<0,3"
    spelled = {text for text in texts if spells_number(text) or (commas and text not in bounds)}
    numbers = {text: n for text, n in texts.items() if text in spelled}
    others = sorted(texts.keys() - numbers.keys(), key=lambda text: (-texts[text], text))
    in_numbers, in_others = sum(numbers.values()), sum(texts[text] for text in others)
    if not others or len(numbers) < 3:
        return
    if in_numbers < MOSTLY * (in_numbers + in_others) and not all(map(spells_bound, others)):
        return
    counts = {"numbers": in_numbers, "others": in_others, "states": len(texts)}
    if all(map(spells_infinity, others)):
        found.leave_out = True
        found.notes.append(Note("infinite", name, counts={"cells": in_others}))
        return
    found.notes.append(Note("not_cut", name, "", counts, tuple(others[:MOST_EXAMPLES])))
    if any(map(_is_value, others)):
        found.leave_out = True  # neither missing nor numbers, as they are written
    elif in_others <= FEW_STRAY * (in_numbers + in_others):
        found.doubtful_values += others


def _is_value(text: str) -> bool:
    """Tell whether text among numbers has a value to tell, or one that no option could name."""
    return has_number(text) or text.casefold() in WORDS_FOR_NUMBERS or "," in text


def twins_among(name: str, texts: Mapping[str, int]) -> Iterator[Note]:
    """Yield a note on numbers that are spelled in more than one way: "1" and "1.0"."""
    spelled: dict[object, list[str]] = defaultdict(list)
    for text in texts:
        if spells_number(text):
            spelled[exact_value(text)].append(text)
    yield from _spelled_apart("twin_numbers", name, texts, spelled)


def twin_words_among(name: str, texts: Mapping[str, int]) -> Iterator[Note]:
    """Yield a note on words that differ only in upper and lower case: "Female" and "female"."""
    spelled: dict[str, list[str]] = defaultdict(list)
    for text in texts:
        if not spells_number(text):
            spelled[text.casefold()].append(text)
    if not tells_rows_apart(len(texts), sum(texts.values())):
        yield from _spelled_apart("twin_words", name, texts, spelled)


def _spelled_apart(
    kind: str, name: str, texts: Mapping[str, int], spelled: Mapping[Any, list[str]]
) -> Iterator[Note]:
    """Yield a note on values that have several spellings."""
    several = [spellings for spellings in spelled.values() if len(spellings) > 1]
    if several:
        count = {"values": len(several), "cells": sum(texts[t] for each in several for t in each)}
        shown = tuple(sorted(several[0], key=lambda text: (len(text), text)))
        yield Note(kind, name, "", count, shown)


def few_for_each(name: str, texts: Mapping[str, int]) -> Iterator[Note]:
    """Yield a note on a column with so many states that each is seen too seldom."""
    rows, states = sum(texts.values()), len(texts)
    if states > min(MOST_STATES, max(FEW_VALUES, rows / 20)):
        size = {"states": states, "rows": rows}
        yield Note("many_states", name, "", size, tuple(texts)[:3])


def _judge_values(column: Levels, left: dict[str, int], found: ColumnNotes) -> None:
    """Note what the values of a column are, all together."""
    rows = sum(left.values())
    found.notes += list(_whole_column(column, left, rows, found))


def _whole_column(
    column: Levels, left: dict[str, int], rows: int, found: ColumnNotes
) -> Iterator[Note]:
    name, shown = column.name, tuple(left)[:MOST_EXAMPLES]
    numbers = set(map(exact_value, left)) if found.number else set()
    distinct = len(numbers) if found.number else len(left)
    whole = all(isinstance(n, int) or _is_whole(n) for n in numbers)
    found.continuous = (
        found.number
        and not column.declared
        and (not whole or too_many_to_be_states(distinct, rows))
    )
    found.as_text = found.continuous and column.kind == "label" and found.decimal == "."
    size = {"states": distinct, "rows": rows}
    if not left:
        found.leave_out = True
        yield Note("no_values", name)
    elif distinct == 1 and not column.declared:
        found.leave_out = True
        yield Note("constant", name, examples=shown[:1])
    elif spells_dates(left):
        found.leave_out = distinct > FEW_VALUES
        yield Note("dates", name, examples=shown[:1])
    elif found.number and not column.declared:
        values = _row_by_row(column, left, found)
        if found.continuous and whole and spells_codes(left):
            found.leave_out, found.continuous, found.as_text = True, False, False
            kind = "identifier" if tells_rows_apart(distinct, rows) else "many_states"
            yield Note(kind, name, "", size, shown[:3])
        elif is_identifier(Numbers(name, values, whole=whole)):
            found.leave_out = True
            yield Note("identifier", name, "", size, shown[:3])
        elif found.as_text:
            yield Note("not_cut", name, "", {"numbers": rows, "others": 0, "states": distinct})
    elif found.leave_out or any(note.kind == "not_cut" for note in found.notes):
        found.leave_out = found.leave_out or tells_rows_apart(distinct, rows)  # told of already
    elif not column.declared and distinct > FEW_VALUES and spells_units(left):
        found.leave_out = tells_rows_apart(distinct, rows) or distinct > MOST_STATES
        counts = {"numbers": 0, "others": rows, "states": distinct}
        yield Note("not_cut", name, "", counts, shown)
    elif not column.declared and tells_rows_apart(distinct, rows) and _mostly_numbers(left):
        found.leave_out = True
        others = [text for text in left if not spells_number(text)]
        cells = sum(left[text] for text in others)
        counts = {"numbers": rows - cells, "others": cells, "states": distinct}
        yield Note("not_cut", name, "", counts, tuple(others[:MOST_EXAMPLES]))
    elif (not column.declared and tells_rows_apart(distinct, rows)) or is_name_of_rows(name, left):
        found.leave_out = True
        yield Note("identifier", name, "", size, shown[:3])
    else:
        found.leave_out = distinct > MOST_STATES
        yield from few_for_each(name, left)


def _is_whole(number: object) -> bool:
    """Tell whether a decimal number is a whole one; larger ones than this all look so."""
    return isinstance(number, float) and abs(number) <= EXACT and number % 1 == 0


def _row_by_row(column: Levels, left: Mapping[str, int], found: ColumnNotes) -> NDArray[np.float64]:
    """Return the numbers that are left in each row, NaN where there is none."""
    mark = found.decimal
    texts = [label.strip().replace(mark, ".") for label in column.labels]
    values = np.array([*(float(t) if t in left else np.nan for t in texts), np.nan])
    return recoded(column.codes, values)


def _mostly_numbers(texts: Mapping[str, int]) -> bool:
    """Tell whether at least half of the cells are numbers, and others are not."""
    numbers = sum(n for text, n in texts.items() if spells_number(text))
    rows = sum(texts.values())
    return 2 * numbers >= rows > numbers


def is_name_of_rows(name: str, texts: Mapping[str, int]) -> bool:
    """Tell whether states name whom or what rows are about, who may be in many rows: "P07"."""
    numbered = sum(any(map(str.isdigit, text)) for text in texts)
    return len(texts) > FEW_VALUES and names_identifier(name) and numbered >= MOSTLY * len(texts)


def count_gaps(column: Column, found: ColumnNotes) -> None:
    """Count rows that have no value once the settings are obeyed, and number the values."""
    found.notes = [note for note in found.notes if note.kind != "gaps"]
    gone = {*found.missing_values, *found.doubtful_values}
    if isinstance(column, Numbers) and are_states(column):
        column = as_states(column)
    if isinstance(column, Numbers):
        codes = [float(word) for word in gone if spells_number(word)]
        found.gaps = int((column.missing() | np.isin(column.values, codes)).sum())
    else:
        seen: dict[object, int] = {}
        table = np.full(len(column.labels) + 1, -1, np.min_scalar_type(-1 - len(column.labels)))
        for place, label in enumerate(column.labels):
            text = label.strip().replace(",", ".") if found.decimal == "," else label.strip()
            if text not in gone:
                number = found.number and spells_number(text)
                value: object = exact_value(text) if number else text
                table[place] = seen.setdefault(value, len(seen))
        found.states = column, table
        found.gaps = int(occurrences(column.codes, len(table))[table < 0].sum())
    if found.gaps:
        counts = {"cells": found.gaps, "rows": column.n_rows}
        found.notes.append(Note("gaps", column.name, counts=counts))
