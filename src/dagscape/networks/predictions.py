"""Predictions for many rows, gaps included."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from dagscape.data import Data
from dagscape.data.column_files import read_columns
from dagscape.data.columns import Column, Levels, Numbers
from dagscape.data.discretize import codes_in, intervals_of
from dagscape.data.frames import columns_of
from dagscape.data.kinds import as_numbers
from dagscape.data.labels import spell_numbers
from dagscape.errors import DataError
from dagscape.networks.evidence import UNKNOWN, check_variable
from dagscape.networks.number_answers import above
from dagscape.networks.number_gaps import follows_curves, with_gaps
from dagscape.networks.number_predictions import means, numbers_of, state_probabilities
from dagscape.speech import for_python
from dagscape.variables import suggest

if TYPE_CHECKING:
    from dagscape.networks.exact_answers import ExactAnswers
    from dagscape.networks.network import Network
    from dagscape.networks.nodes.table import Table


def predict_rows(
    network: Network, answers: ExactAnswers, data: Any, target: str, memory: int, threads: int
) -> Table:
    """Return P(target | the other values of a row); see ``Network.predict_proba``."""
    check_variable(target, network.states)
    rows = codes_with_gaps(network, data, answers.columns, target)
    found, stopped = answers.predictions(rows, target, memory, threads)
    if stopped:
        raise KeyboardInterrupt
    _refuse_impossible(np.isnan(found[:, 0]), target)
    return found


def predict_from_numbers(network: Network, data: Any, target: str) -> Table:
    """Return P(state | row) of a variable with states, of a number its mean."""
    check_variable(target, network.states)
    columns = columns_of_rows(data)
    _refuse_misspelled(columns, network, target)
    rows = next(iter(columns.values())).n_rows
    needed = network.dag.markov_blanket(target)
    columns = {x: column for x, column in columns.items() if x in network.states and x != target}
    gaps = np.zeros(rows, dtype=bool)
    for x in needed:
        gaps |= columns[x].missing() if x in columns else True
    whole = np.flatnonzero(~gaps)
    asked = means if not network.states[target] else state_probabilities
    states = network.states[target]
    found = np.empty((rows, len(states)) if states else rows)
    if len(whole):
        known = {x: _values(network, columns[x])[whole] for x in needed}
        found[whole] = asked(network, target, known, len(whole))
    if gaps.any():
        found[gaps] = _from_the_rest(network, target, columns, np.flatnonzero(gaps))
    _refuse_impossible(np.isnan(found if found.ndim == 1 else found[:, 0]), target)
    return found


def _values(network: Network, column: Column) -> np.ndarray:
    """Return a column as codes of the network's states, or as numbers."""
    states = network.states[column.name]
    return codes_of_states(column, states) if states else numbers_of(column)


def _from_the_rest(
    network: Network, target: str, columns: Mapping[str, Column], rows: np.ndarray
) -> np.ndarray:
    """Return predictions for rows without all that the target depends on."""
    part = above(network, [target, *columns])
    if (curved := follows_curves(part)) is not None:
        row = int(rows[0])
        lacks = next(
            x
            for x in network.dag.markov_blanket(target)
            if x not in columns or columns[x].missing()[row]
        )
        raise DataError(
            f'row {row + 1} has no value of "{lacks}", which "{target}" depends on, and '
            f'"{curved}" follows a parent by a curve; such networks predict from whole rows; '
            f"{for_python('query', 'dagscape query')} answers from fewer values"
        )
    others = [x for x in part.names if x != target]
    none = np.ones(len(rows), dtype=bool)
    gaps = {x: columns[x].missing()[rows] if x in columns else none for x in others}
    known = {x: _values(network, columns[x])[rows] for x in others if x in columns}
    return with_gaps(part, target, known, gaps, rows)


def _refuse_impossible(impossible: np.ndarray, target: str) -> None:
    if impossible.any():
        first, others = int(impossible.argmax()), int(impossible.sum()) - 1
        also = f", as {'is' if others == 1 else 'are'} {others:,} more" if others else ""
        raise DataError(
            f"row {first + 1} is impossible in this network{also}, so nothing can be said about "
            f'"{target}" there; fit the network with ess above 0, or leave such rows out'
        )


def codes_with_gaps(network: Network, data: Any, names: tuple[str, ...], target: str) -> np.ndarray:
    """Return codes of the network's states, a column for each name; unknown where there is none."""
    columns = columns_of_rows(data)
    _refuse_misspelled(columns, network, target)
    n_rows = next(iter(columns.values())).n_rows
    codes = np.full((n_rows, len(names)), UNKNOWN, dtype=np.int32)
    for place, x in enumerate(names):
        if x != target and x in columns:
            codes[:, place] = codes_of_states(columns[x], network.states[x])
    return codes


def columns_of_rows(data: Any) -> dict[str, Column]:
    """Return the columns of a table, with their gaps, by name."""
    if isinstance(data, Data):
        return {
            x: Levels(x, data.column(x), data.states[x], "label", declared=True)
            if data.states[x]
            else Numbers(x, data.numbers[x])
            for x in data.names
        }
    columns = (
        read_columns(data) if isinstance(data, str | os.PathLike) else columns_of(data, None)[0]
    )
    return {column.name: column for column in columns}


def codes_of_states(column: Column, states: tuple[str, ...]) -> np.ndarray:
    """Return a column in the codes of these states, matched by their labels.

    Numbers are cut, where states are named after intervals.
    """
    cut = intervals_of(states)
    numbers_ = None if cut is None else _measured(column, states)
    if cut is not None and numbers_ is not None:
        return _cut_codes(column.name, numbers_, cut, states)
    if isinstance(column, Levels):
        labels, places = column.labels, column.codes.astype(np.intp)
    else:  # integers with gaps come as floats
        numbers, places = np.unique(column.values, return_inverse=True)
        labels = tuple(_label(number) for number in numbers if not np.isnan(number))
        places = np.minimum(places, len(labels))
    known = {label: code for code, label in enumerate(states)}
    translate = np.array([*(known.get(label, len(states)) for label in labels), UNKNOWN])
    codes = translate[places]
    if (codes == len(states)).any():
        row = int((codes == len(states)).argmax())
        raise DataError(
            f'column "{column.name}", row {row + 1}: "{labels[places[row]]}" is not a state of '
            f"this variable in the network; it has {', '.join(states)}"
        )
    return codes


def _measured(column: Column, states: tuple[str, ...]) -> np.ndarray | None:
    """Return the numbers of a column; None if it holds states of these, or words."""
    if not isinstance(column, Levels):
        return column.values
    if spell_numbers(column.labels) and not set(column.labels) & set(states):
        return as_numbers(column).values
    return None


def _cut_codes(
    name: str, values: np.ndarray, cut: list[tuple[float, float]], states: tuple[str, ...]
) -> np.ndarray:
    codes = codes_in(values, cut).astype(np.int64)
    gone = np.isnan(values)
    outside = (codes == len(states)) & ~gone
    if outside.any():
        row = int(outside.argmax())
        raise DataError(
            f'column "{name}", row {row + 1}: {values[row]:g} lies in no interval that the network '
            f"knows; it has {', '.join(states)}"
        )
    return np.where(gone, UNKNOWN, codes)


def _label(number: float) -> str:
    return str(int(number)) if float(number).is_integer() else repr(float(number))


def _refuse_misspelled(columns: dict[str, Column], network: Network, target: str) -> None:
    """Refuse a column that looks like a variable that has none, and a table that tells nothing."""
    absent = [x for x in network.names if x not in columns and x != target]
    for name in columns:
        if name not in network.states and (hint := suggest(name, absent)):
            raise DataError(f'column "{name}" is not a variable of the network{hint}')
    if not any(x in columns for x in network.names if x != target):
        raise DataError(
            "the table has none of the network's other variables: "
            f"{', '.join(x for x in network.names if x != target)}"
        )
