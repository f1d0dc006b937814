"""What is odd about a table, though it can be used: a sentence each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from dagscape.data.labels import kind_of, spells_dates, spells_decimal_commas

FEW_ROWS = 10
FEW_COLUMNS = 5  # to be named one by one
MANY_STATES = 20  # of whole numbers: more are seldom names of states

States = Mapping[str, tuple[str, ...]]


def oddities(states: States, n_rows: int) -> tuple[str, ...]:
    """Return what a person should know before trusting what is learned from a table."""
    return (*_odd_tables(states, n_rows), *_constants(states), *_odd_columns(states))


def _constants(states: States) -> Iterator[str]:
    """Tell of columns with one state: each, or where they are many, all in one sentence."""
    found = {name: labels[0] for name, labels in states.items() if len(labels) == 1}
    if len(found) > FEW_COLUMNS:
        shown = ", ".join(f'"{name}"' for name in list(found)[:FEW_COLUMNS])
        many = f"{len(found)} columns have only one state"
        yield f"{many}: {shown}, ...; they cannot depend on anything"
        return
    for name, label in found.items():
        yield f'column "{name}" has only one state, "{label}"; it cannot depend on anything'


def _odd_columns(states: States) -> Iterator[str]:
    for name, labels in states.items():
        column = f'column "{name}"'
        if len(labels) == 1:
            pass  # told of by itself
        elif spells_dates(labels):
            yield f'{column} holds dates or times, such as "{labels[0]}"; each is a state'
        elif spells_decimal_commas(labels):
            yield (
                f'{column} holds numbers with a decimal comma, such as "{labels[0]}"; each is a '
                "state of its own; write them with a point to have them cut"
            )
        elif len(labels) > MANY_STATES and kind_of(labels) == "integer":
            yield (
                f"{column} has {len(labels)} states, all whole numbers; if it was measured, cut "
                f'it: discretize={{"{name}": ("quantile", 3)}}'
            )
        if "?" in labels:
            yield (
                f'{column} has a state "?"; if it means that the value is missing, leave the cell '
                "empty or name it in missing_values"
            )


def _odd_tables(states: States, n_rows: int) -> Iterator[str]:
    if all(name in labels for name, labels in states.items()):
        first = next(iter(states))
        yield (
            f'every name is also a value of its column ("{first}", ...); if the file has no line '
            "of names, add one"
        )
    if len(states) == 1:
        yield f'the table has one column, "{next(iter(states))}"; a network needs several'
    if n_rows < FEW_ROWS:
        rows = "1 row" if n_rows == 1 else f"{n_rows} rows"
        yield f"the table has {rows}; what is learned from so few cannot be trusted"


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
            "value; write .parquet instead, or read it with missing_values=()"
        )
    if kind_of(labels) == "number":
        return (
            f'column "{name}" has states such as "{labels[0]}", which a text file gives back as '
            "numbers to be cut; write .parquet instead"
        )
    return ""
