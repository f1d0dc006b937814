"""What is odd about a table, though it can be used: notes on its states and rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from dagscape.data.formats import MISSING_VALUES
from dagscape.data.labels import kind_of, spells_dates, spells_decimal_commas, spells_thousands
from dagscape.notes import MOST_EXAMPLES, Note
from dagscape.speech import for_python

FEW_ROWS = 10
MANY_STATES = 20  # of whole numbers: more are seldom names of states

MISSING_WORDS = frozenset(word.casefold() for word in MISSING_VALUES) | {
    *("?", ".", "-", "--", "#n/a", "n.a.", "<na>", "nat", "n/k", "nk"),
    *("unknown", "unk", "missing", "not available", "not known", "no data"),
    *("k.a.", "k. a.", "keine angabe", "unbekannt", "n.d.", "n/d", "s/d", "inconnu", "desconocido"),
}
"""Words by which people mark a missing value, in lower case. "None" is not among them: as the name
of a state it is too common."""

DOUBTFUL_WORDS = {
    *("-", "--", "unknown", "unk", "unbekannt", "inconnu", "desconocido", "not known", "n/k", "nk"),
}
"""Those of them that are an answer, too: only people can tell."""

States = Mapping[str, tuple[str, ...]]
Counted = Callable[[str], Mapping[str, int]]
"""How often each state of a variable occurs."""


def oddities(
    states: States, n_columns: int, n_rows: int, counted: Counted, done: Sequence[Note]
) -> Iterator[Note]:
    """Yield what a person should know before trusting what is learned from a table.

    ``done`` is what is known of how the table was made, and need not be said again.
    """
    mixed = {note.column for note in done if note.kind == "not_cut"}
    filled = {note.column for note in done if note.kind == "missing_cells" and note.how == "state"}
    yield from _odd_tables(states, n_columns, n_rows)
    for name, labels in states.items():
        if len(labels) == 1:
            yield Note("constant", name, examples=labels)
    for name, labels in states.items():
        yield from _odd_states(name, labels)
        if name not in mixed:
            # The last state of a column that was filled is our own word for what is missing.
            yield from _odd_labels(name, labels[:-1] if name in filled else labels, counted)


def _odd_states(name: str, labels: tuple[str, ...]) -> Iterator[Note]:
    """Tell what the states of a column are, if all together are something that is no state."""
    if len(labels) == 1:
        return  # told of already
    if spells_dates(labels):
        yield Note("dates", name, examples=labels[:1])
    elif spells_decimal_commas(labels):
        how = "thousands" if spells_thousands(labels) else ""
        yield Note("decimal_commas", name, how, examples=labels[:1])
    elif len(labels) > MANY_STATES and kind_of(labels) == "integer":
        yield Note("many_integers", name, counts={"states": len(labels)})


def _odd_labels(name: str, labels: tuple[str, ...], counted: Counted) -> Iterator[Note]:
    """Tell of single states that may be no states of their own."""
    missing = [label for label in labels if means_missing(label, labels)]
    blanks = [label for label in labels if label != label.strip() and label not in missing]
    if not missing and not blanks:
        return
    cells = counted(name)
    if missing:
        count = sum(cells[label] for label in missing)
        yield Note("missing_words", name, counts={"cells": count}, examples=tuple(missing))
    if blanks:
        bare = {label.strip() for label in blanks}
        counts = {
            "states": len(blanks),
            "cells": sum(cells[label] for label in blanks),
            "twins": len(bare & set(labels)) + len(blanks) - len(bare),
        }
        yield Note("blanks", name, counts=counts, examples=tuple(blanks[:MOST_EXAMPLES]))


def means_missing(label: str, labels: tuple[str, ...]) -> bool:
    """Tell whether a state reads as if the value were missing, beside the other states."""
    word = label.strip().casefold()
    # Beside "+" the minus is a finding, not a gap.
    return word in MISSING_WORDS and not (word == "-" and "+" in labels)


def may_mean_itself(label: str) -> bool:
    """Tell whether a word for a missing value may be a state nevertheless."""
    return label.strip().casefold() in DOUBTFUL_WORDS


def _odd_tables(states: States, n_columns: int, n_rows: int) -> Iterator[Note]:
    first = next(iter(states), "")
    if len(states) == n_columns and all(name in labels for name, labels in states.items()):
        yield Note("names_are_values", examples=(first,))
    if n_columns == len(states) == 1:
        yield Note("one_column", first)
    if n_rows < FEW_ROWS:
        yield Note("few_rows", counts={"rows": n_rows})


def lost_as_text(
    states: States, occurring: Mapping[str, Sequence[str]], missing_values: Collection[str]
) -> tuple[str, ...]:
    """Return what a text file of a table would not give back: a sentence for each column."""
    return tuple(
        sentence for name in states if (sentence := _lost(name, occurring[name], missing_values))
    )


def _lost(name: str, labels: Sequence[str], missing_values: Collection[str]) -> str:
    if gone := [label for label in labels if label in missing_values]:
        return (
            f'column "{name}" has a state "{gone[0]}", which a text file gives back as a missing '
            "value; write .parquet instead" + for_python(", or read it with missing_values=()")
        )
    if kind_of(labels) == "number":
        return (
            f'column "{name}" has states such as "{labels[0]}", which a text file gives back as '
            "numbers; write .parquet instead"
        )
    if kind_of(labels) == "integer" and len(labels) > MANY_STATES:
        return (
            f'column "{name}" has {len(labels):,} states, all whole numbers, which a text file '
            "gives back as numbers; write .parquet instead"
        )
    return ""
