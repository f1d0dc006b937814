"""Networks from one step of series to the next: forecasts, and the same network over several steps.

A column of the past is called "x[-1]": x, one step before. So a network tells by its names that it
is one of series, whatever file it was read from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from dagscape.arguments import as_mapping
from dagscape.control.limits import use_seed
from dagscape.data import TableLike
from dagscape.data.columns import Levels, Numbers
from dagscape.data.kinds import as_numbers
from dagscape.data.series_shape import past, past_of
from dagscape.errors import DataError, ParameterError
from dagscape.graphs import Dag
from dagscape.networks.evidence import UNKNOWN
from dagscape.networks.nodes.node import Column
from dagscape.networks.predictions import codes_of_states, columns_of_rows
from dagscape.speech import setting
from dagscape.variables import suggest
from dagscape.words import counted

if TYPE_CHECKING:
    from dagscape.networks.network import Network

MOST_STEPS = 100_000
"""Steps that may be asked for."""


class Steps:
    """What the variables of a network are over time."""

    def __init__(self, network: Network) -> None:
        self.network = network
        names = network.names
        self.past = {x: found for x in names if (found := past_of(x, names)) is not None}
        if not self.past:
            raise ParameterError(
                'the network has no column of the past, such as "x[-1]" beside "x"; make the table '
                "by ds.series"
            )
        followed = {name for name, _ in self.past.values()}
        roots = {x for x in names if not network.dag.parents(x)}
        self.known = tuple(
            x for x in names if x not in self.past and x not in followed and x in roots
        )
        """Columns without a past and without parents: known ahead."""
        order = network.dag.topological_order()
        self.variables = tuple(x for x in order if x not in self.past and x not in self.known)
        self.longest = max(lag for _, lag in self.past.values())

    def parents(self, x: str) -> list[tuple[str, int]]:
        """Return the parents of a variable: which, and how many steps before."""
        return [self.past.get(p, (p, 0)) for p in self.network.dag.parents(x)]


def forecast(
    network: Network,
    history: TableLike,
    steps: int,
    ahead: TableLike | None,
    do: Mapping[str, Any] | None,
    draws: int,
    level: float,
    seed: int,
) -> pl.DataFrame:
    """Return what the next steps will be; see ``Network.forecast``."""
    over = Steps(network)
    _whole("steps", steps, MOST_STEPS)
    _whole("draws", draws, 10_000_000)
    if not isinstance(level, int | float) or not 0 < level < 1:
        raise ParameterError(f"level must be between 0 and 1, got {level!r}")
    before = _values(network, over.variables, history, "history")
    rows = len(next(iter(before.values())))
    if rows < over.longest:
        raise DataError(
            f"the history has {counted(rows, 'row')}, and the network looks "
            f"{counted(over.longest, 'step')} back; give the last {over.longest} rows at least"
        )
    given: dict[str, Column] = {}
    if over.known:
        if ahead is None:
            raise ParameterError(
                f'"{over.known[0]}" is known ahead; {setting("ahead")} must say what it will be: '
                f"a table with a row for each step"
            )
        given = _values(network, over.known, ahead, "ahead")
        if (there := len(next(iter(given.values())))) < steps:
            raise DataError(f"ahead has {counted(there, 'row')} for {counted(steps, 'step')}")
    fixed = _fixed(network, over, do, steps)
    rng = np.random.default_rng(use_seed(seed))
    series = {
        x: [np.full(draws, value) for value in before[x][-over.longest :]] for x in over.variables
    }
    found = []
    for step in range(1, steps + 1):
        now: dict[str, Column] = {x: np.full(draws, given[x][step - 1]) for x in over.known}
        for x in over.variables:
            if (x, step) in fixed:
                now[x] = np.full(draws, fixed[x, step])
                continue
            above = [series[p][-lag] if lag else now[p] for p, lag in over.parents(x)]
            now[x] = network.node(x).draw(above, draws, rng)
        for x in over.variables:
            series[x] = [*series[x][1:], now[x]]
        found += [row for x in _in_order(over) for row in _told(network, x, step, now[x], level)]
    return pl.DataFrame(found, schema=COLUMNS, orient="row")


COLUMNS = {
    "step": pl.Int64,
    "variable": pl.String,
    "state": pl.String,
    "probability": pl.Float64,
    "mean": pl.Float64,
    "lower": pl.Float64,
    "upper": pl.Float64,
}


def _in_order(over: Steps) -> list[str]:
    return [x for x in over.network.names if x in over.variables]


def _told(
    network: Network, x: str, step: int, drawn: Column, level: float
) -> list[tuple[Any, ...]]:
    """Return rows of what was drawn: a share for each state, or a mean with an interval."""
    if not network.states[x]:
        low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
        return [(step, x, None, None, float(drawn.mean()), float(low), float(high))]
    labels = network.states[x]
    shares = np.bincount(drawn.astype(np.intp), minlength=len(labels)) / len(drawn)
    return [
        (step, x, label, float(share), None, None, None)
        for label, share in zip(labels, shares, strict=True)
    ]


def _values(
    network: Network, names: Sequence[str], table: TableLike, what: str
) -> dict[str, Column]:
    """Return columns of a table as the network has them: codes of its states, or floats."""
    columns = columns_of_rows(table)
    found: dict[str, Column] = {}
    for x in names:
        if x not in columns:
            raise DataError(f'{what} has no column "{x}"{suggest(x, columns)}')
        column = columns[x]
        if column.n_rows and column.missing().any():
            row = int(column.missing().argmax()) + 1
            raise DataError(f'{what} has no value in column "{x}", row {row}')
        if not network.states[x]:
            numbers = as_numbers(column) if isinstance(column, Levels) else column
            if not isinstance(numbers, Numbers):
                raise DataError(f'column "{x}" of {what} must hold numbers')
            found[x] = numbers.values
            continue
        codes = codes_of_states(column, network.states[x])
        if (codes == UNKNOWN).any():
            row = int((codes == UNKNOWN).argmax()) + 1
            raise DataError(
                f'column "{x}" of {what}, row {row}, has a state that the network does not know; '
                f"it has {', '.join(network.states[x])}"
            )
        found[x] = codes
    return found


def _fixed(
    network: Network, over: Steps, do: Mapping[str, Any] | None, steps: int
) -> dict[tuple[str, int], Any]:
    """Return the values that somebody sets, by variable and step."""
    fixed: dict[tuple[str, int], Any] = {}
    for x, value in as_mapping("do", do, "values").items():
        if x not in over.variables:
            raise ParameterError(
                f'do names "{x}", which is no variable{suggest(x, over.variables)}'
            )
        each = list(value) if isinstance(value, list | tuple | np.ndarray) else [value] * steps
        if len(each) > steps:
            raise ParameterError(
                f'do has {counted(len(each), "value")} of "{x}" for {counted(steps, "step")}'
            )
        for step, one in enumerate(each, start=1):
            if one is not None:
                fixed[x, step] = _values(network, [x], {x: [one]}, "do")[x][0]
    return fixed


def unrolled(network: Network, steps: int) -> Network:
    """Return the network of several steps; see ``Network.unrolled``."""
    from dagscape.networks.network import Network

    over = Steps(network)
    _whole("steps", steps, MOST_STEPS)
    column = {(name, lag): x for x, (name, lag) in over.past.items()}
    nearest = {name: min(lag for other, lag in column if other == name) for name, _ in column}
    needed: dict[str, str] = {}
    """Of each new variable, the old one whose node it has."""
    arcs = []
    for step in range(1, steps + 1):
        for x in over.known:
            needed[_at(x, step)] = x
        for x in over.variables:
            needed[_at(x, step)] = x
            for parent, lag in over.parents(x):
                start = _at(parent, step - lag)
                arcs.append((start, _at(x, step)))
                if step - lag < 1:
                    needed.setdefault(start, column[parent, nearest[parent]])
    dag = Dag(sorted(needed, key=lambda name: past_first(name)), arcs)
    nodes = {}
    for new in dag.names:
        old = needed[new]
        node = network.node(old)
        if old in over.variables:
            step = int(new[len(old) + 1 : -1])
            before = [_at(parent, step - lag) for parent, lag in over.parents(old)]
            order = [before.index(parent) for parent in dag.parents(new)]
            node = node.reordered(order, [bool(network.states[needed[each]]) for each in before])
        nodes[new] = node
    states = {new: network.states[old] for new, old in needed.items()}
    return Network(dag, states, nodes)


def _at(x: str, step: int) -> str:
    return past(x, -step) if step < 0 else f"{x}[{step}]"


def past_first(name: str) -> int:
    """Return the step of a variable of an unrolled network."""
    return int(name[name.rindex("[") + 1 : -1])


def _whole(name: str, value: object, most: int) -> None:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or not 1 <= value <= most:
        raise ParameterError(f"{name} must be a whole number from 1 to {most:,}, got {value!r}")
