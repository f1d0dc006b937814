"""What is wrong with one column, all of it at once, and what would mend it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagscape.data.columns import Column, Levels, Numbers
from dagscape.data.kinds import FEW_VALUES, numbers_rows
from dagscape.data.labels import spells_dates, spells_decimal_commas, spells_number
from dagscape.data.oddities import means_missing
from dagscape.notes import MOST_EXAMPLES, Note

CODES = {sign + digit * times for digit in "789" for times in (1, 2, 3, 4) for sign in ("-", "")}
"""Numbers by which surveys mark what is missing: -9, 99, 999 and their like."""
MOSTLY = 0.8
"""Share of cells that must be numbers for the others to be stray."""
FEW_STRAY = 0.1
"""Share of cells that may be stray and still be read as missing."""


@dataclass
class Inspected:
    """Notes on a column, and the settings that it asks for."""

    notes: list[Note] = field(default_factory=list)
    missing_values: list[str] = field(default_factory=list)
    """Words that plainly mean a missing value."""
    doubtful_values: list[str] = field(default_factory=list)
    """Codes and stray values, which may."""
    trim: bool = False
    decimal: str = "."
    leave_out: bool = False
    gaps: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    """Rows without a value, once the settings are obeyed."""
    codes: NDArray[np.int64] | None = None
    """Of the values that are left, if they are few; -1 for a gap."""
    number: bool = False
    continuous: bool = False


def inspect(column: Column) -> Inspected:
    """Look through one column."""
    if isinstance(column, Numbers):
        return _of_numbers(column)
    found = Inspected()
    counts = np.bincount(column.codes, minlength=len(column.labels) + 1)
    cells = {label: int(n) for label, n in zip(column.labels, counts, strict=False) if n}
    texts = _trimmed(column.name, cells, found)
    texts = _without_words(column.name, texts, found)
    texts = _with_points(column.name, texts, found)
    if not column.declared:
        for note in codes_among(column.name, texts):
            found.notes.append(note)
            found.doubtful_values += note.examples
        _find_stray(column.name, texts, found)
        found.notes += twins_among(column.name, texts)
        found.notes += twin_words_among(column.name, texts)
    gone = {*found.missing_values, *found.doubtful_values}
    left = {text: n for text, n in texts.items() if text not in gone}
    found.number = len(left) > 0 and all(map(spells_number, left))
    _judge_values(column, left, found)
    _count_gaps(column, found)
    return found


def _of_numbers(column: Numbers) -> Inspected:
    found = Inspected(number=True, continuous=True, gaps=column.missing())
    values = np.unique(column.values[~found.gaps])
    if len(values) <= 1:
        found.leave_out = True
        if len(values):
            found.notes.append(Note("constant", column.name, examples=(f"{values[0]:g}",)))
        else:
            found.notes.append(Note("no_values", column.name))
    if found.gaps.any():
        found.notes.append(_gap_note(column, found.gaps))
    return found


def _trimmed(name: str, cells: dict[str, int], found: Inspected) -> dict[str, int]:
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


def _without_words(name: str, texts: dict[str, int], found: Inspected) -> dict[str, int]:
    """Return cells without those that say a value is missing."""
    words = [text for text in texts if means_missing(text, tuple(texts))]
    if words:
        found.missing_values += words
        count = {"cells": sum(texts[word] for word in words)}
        found.notes.append(Note("missing_words", name, "", count, tuple(words[:MOST_EXAMPLES])))
    return {text: n for text, n in texts.items() if text not in words}


def _with_points(name: str, texts: dict[str, int], found: Inspected) -> dict[str, int]:
    """Return numbers with a decimal comma as others write them."""
    if not spells_decimal_commas(texts):
        return texts
    found.decimal = ","
    shown = next(text for text in texts if "," in text)
    found.notes.append(Note("decimal_commas", name, examples=(shown,)))
    return {text.replace(",", "."): n for text, n in texts.items()}


def codes_among(name: str, texts: Mapping[str, int]) -> Iterator[Note]:
    """Yield a note on numbers that stand apart from all others, as codes for a missing value do."""
    numbers = {text: float(text) for text in texts if spells_number(text)}
    others = [value for text, value in numbers.items() if text not in CODES]
    if len(others) < 2 or len(numbers) < MOSTLY * len(texts):
        return
    low, high = min(others), max(others)
    codes = [
        text
        for text, value in numbers.items()
        if text in CODES and ((value < 0 <= low) or (value > 2 * max(high, 1) and len(text) > 1))
    ]
    if codes:
        count = {"cells": sum(texts[code] for code in codes)}
        yield Note("number_codes", name, "", count, tuple(codes[:MOST_EXAMPLES]))


def _find_stray(name: str, texts: dict[str, int], found: Inspected) -> None:
    """Note text among numbers."""
    numbers = {text: n for text, n in texts.items() if spells_number(text)}
    others = sorted(texts.keys() - numbers.keys(), key=lambda text: (-texts[text], text))
    in_numbers, in_others = sum(numbers.values()), sum(texts[text] for text in others)
    if not others or len(numbers) < 3 or in_numbers < MOSTLY * (in_numbers + in_others):
        return
    counts = {"numbers": in_numbers, "others": in_others, "states": len(texts)}
    found.notes.append(Note("not_cut", name, "", counts, tuple(others[:MOST_EXAMPLES])))
    if in_others <= FEW_STRAY * (in_numbers + in_others):
        found.doubtful_values += others


def twins_among(name: str, texts: Mapping[str, int]) -> Iterator[Note]:
    """Yield a note on numbers that are spelled in more than one way: "1" and "1.0"."""
    spelled: dict[float, list[str]] = defaultdict(list)
    for text in texts:
        if spells_number(text):
            spelled[float(text)].append(text)
    yield from _spelled_apart("twin_numbers", name, texts, spelled)


def twin_words_among(name: str, texts: Mapping[str, int]) -> Iterator[Note]:
    """Yield a note on words that differ only in upper and lower case: "Female" and "female"."""
    spelled: dict[str, list[str]] = defaultdict(list)
    for text in texts:
        if not spells_number(text):
            spelled[text.casefold()].append(text)
    if len(texts) <= max(2, sum(texts.values()) / 2):  # else they are names of rows, not states
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
    if states > max(FEW_VALUES, rows / 20):
        size = {"states": states, "rows": rows}
        yield Note("many_states", name, "", size, tuple(texts)[:3])


def _judge_values(column: Levels, left: dict[str, int], found: Inspected) -> None:
    """Note what the values of a column are, all together."""
    rows = sum(left.values())
    found.notes += list(_whole_column(column, left, rows, found))


def _whole_column(
    column: Levels, left: dict[str, int], rows: int, found: Inspected
) -> Iterator[Note]:
    name, shown = column.name, tuple(left)[:MOST_EXAMPLES]
    numbers = {float(text) for text in left} if found.number else set()
    distinct = len(numbers) if found.number else len(left)
    whole = all(number.is_integer() for number in numbers)
    found.continuous = found.number and (distinct > FEW_VALUES or not whole)
    size = {"states": distinct, "rows": rows}
    if not left:
        found.leave_out = True
        yield Note("no_values", name)
    elif distinct == 1 and not column.declared:
        found.leave_out = True
        yield Note("constant", name, examples=shown[:1])
    elif spells_dates(left):
        found.leave_out = distinct > max(2, rows / 2)
        yield Note("dates", name, examples=shown[:1])
    elif found.number:
        values = np.array([float(text) for text in left])
        if distinct > FEW_VALUES and distinct == rows and numbers_rows(Numbers(name, values)):
            found.leave_out = True
            yield Note("identifier", name, "", size, shown[:3])
    elif not column.declared and distinct > max(2, rows / 2):
        found.leave_out = True
        yield Note("identifier", name, "", size, shown[:3])
    else:
        yield from few_for_each(name, left)


def _count_gaps(column: Levels, found: Inspected) -> None:
    """Mark rows that have no value once the settings are obeyed, and number the values."""
    gone = {*found.missing_values, *found.doubtful_values}
    seen: dict[object, int] = {}
    table = np.full(len(column.labels) + 1, -1, dtype=np.int64)
    for place, label in enumerate(column.labels):
        text = label.strip().replace(",", ".") if found.decimal == "," else label.strip()
        if text not in gone:
            value: object = float(text) if found.number and spells_number(text) else text
            table[place] = seen.setdefault(value, len(seen))
    found.codes = table[column.codes]
    found.gaps = found.codes < 0
    if found.gaps.any():
        found.notes.append(_gap_note(column, found.gaps))


def _gap_note(column: Column, gaps: NDArray[np.bool_]) -> Note:
    counts = {"cells": int(gaps.sum()), "rows": len(gaps)}
    return Note("gaps", column.name, counts=counts)
