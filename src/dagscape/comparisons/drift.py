"""Whether the rows of two tables are of one distribution, variable by variable.

Two tables of one distribution, put together, have nothing to do with which table a row is from. So
a variable given its parents in a network must be independent of that, which shuffled rows test
(:class:`~dagscape.chance.Shuffles`), corrected for the number of tests by Holm's rule. Both
networks are asked: where an arc is in one of the truths alone, only the network that has it tells.
Where the second table begins with the rows of the first, the rest of it is compared.

The log-loss says how large that is: of a row of the second table, by the network fitted to the
first; beside that of the first table's own rows, and of fresh rows drawn from the network, many
times as many as the table has. A network knows its own rows better than others of the same
distribution; the difference to fresh rows alone is therefore no sign of another distribution.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from dagscape.chance import Shuffles
from dagscape.data import Data
from dagscape.errors import DagscapeError
from dagscape.examinations.implications import holm
from dagscape.networks import Network, fit
from dagscape.repeats import rows_seem_independent

if TYPE_CHECKING:
    from dagscape.graphs import Dag
    from dagscape.results import Result

COLUMNS = {
    "variable": pl.String,
    "parents": pl.List(pl.String),
    "p": pl.Float64,
    "p_adjusted": pl.Float64,
    "drifted": pl.Boolean,
}
FRESH = 20
"""Tables of fresh rows."""


class VariableDrift(NamedTuple):
    """A variable given its parents in one of the networks, in both tables."""

    variable: str
    parents: tuple[str, ...]
    p: float
    """The probability that rows shuffled between the tables differ as much."""
    p_adjusted: float
    drifted: bool


class Drift(NamedTuple):
    """What differs between two tables; or why that was not asked."""

    rows: tuple[VariableDrift, ...] = ()
    new_rows: int = 0
    """Rows of the second table that were compared."""
    grew: bool = False
    """Whether the second table begins with the rows of the first."""
    why_not: str = ""

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that follow from their parents differently in the second table."""
        return tuple(dict.fromkeys(row.variable for row in self.rows if row.drifted))


class Loss(NamedTuple):
    """Nats for a row, by the network that was fitted to the first table."""

    own: float
    """Of the rows of the first table."""
    new: float
    """Of the rows of the second."""
    fresh: float
    """Of rows drawn from the network: the mean of tables as large as the second."""
    spread: float
    """Their standard deviation."""


def drift_of(
    dags: Sequence[Dag], first: Data | None, second: Data | None, *, level: float
) -> Drift:
    """Test, for every variable given its parents in some networks, whether two tables differ."""
    if first is None or second is None:
        return Drift(why_not="a table is not at hand")
    if first.fingerprint == second.fingerprint:
        return Drift(why_not="both have the same table")
    for table in (first, second):
        if table.missing:
            return Drift(why_not="a table has missing cells")
        if table.rows.facts:
            return Drift(why_not=f"a table has {next(iter(table.rows.facts))}")
    if odd := [name for name in first.names if first.kinds[name] != second.kinds[name]]:
        return Drift(why_not=f'"{odd[0]}" has numbers in one table and states in the other')
    for name, states in first.states.items():
        if name not in first.numbers and not {*states} & {*second.states[name]}:
            return Drift(why_not=f'"{name}" has no state that is in both tables')
    if not (rows_seem_independent(first) and rows_seem_independent(second)):
        return Drift(why_not="the rows of a table seem to depend on each other")
    new, grew = _new_rows(first, second)
    if not new:
        return Drift(grew=True, why_not="the second table has no other rows")
    families = dict.fromkeys((name, dag.parents(name)) for dag in dags for name in dags[0].names)
    which = _free_name(first.names)
    frame = _together(first, second, first.n_rows if grew else 0, which)
    kinds = {**first.kinds, which: "discrete"}
    plain = Shuffles(Data(frame, kinds=kinds))
    logs = [_log_p(frame, kinds, plain, *family, which) for family in families]
    rows = [
        VariableDrift(*family, math.exp(log), math.exp(of_all), of_all <= math.log(level))
        for family, log, of_all in zip(families, logs, holm(logs), strict=True)
    ]
    return Drift(tuple(sorted(rows, key=lambda row: (row.p, row[:2]))), new, grew)


def loss_of_rows(first: Result, one: Data | None, other: Data | None) -> Loss | None:
    """Return the loss of rows by the first network; None where it cannot be fitted or asked."""
    if one is None or other is None or one.missing or other.missing:
        return None
    try:
        network = first.network or fit(first.dag, one)
        drawn = [_loss(network, network.sample(other.n_rows, seed)) for seed in range(FRESH)]
        found = _loss(network, one), _loss(network, other)
    except DagscapeError:  # a state that it does not know, or numbers that cannot be fitted
        return None
    return Loss(*found, float(np.mean(drawn)), float(np.std(drawn, ddof=1)))


def _loss(network: Network, data: Data) -> float:
    return -network.log_likelihood(data) / data.n_rows


def _new_rows(first: Data, second: Data) -> tuple[int, bool]:
    """Return how many rows the second table adds, and whether it begins with the first."""
    many = first.n_rows
    if second.n_rows < many:
        return second.n_rows, False
    begin = second.to_polars().head(many).select(first.names)
    own = first.to_polars()
    plain = [pl.col(name).cast(pl.String) for name in first.names if name not in first.numbers]
    if begin.with_columns(plain).equals(own.with_columns(plain)):
        return second.n_rows - many, True
    return second.n_rows, False


def _log_p(
    frame: pl.DataFrame,
    kinds: Mapping[str, str],
    plain: Shuffles,
    name: str,
    parents: tuple[str, ...],
    which: str,
) -> float:
    """Return ln of the probability that rows shuffled between the tables differ as much.

    Where there are numbers, what a line leaves of the variable is asked, too: its square, and its
    products with the parents, by which other spreads and other slopes are seen.
    """
    log = plain.given(name, [which], parents)
    if all(kinds[each] == "discrete" for each in (name, *parents)):
        return log
    x = [part for parent in parents for part in _parts(frame[parent])]
    y = _parts(frame[name])[0]
    columns = np.column_stack([np.ones(len(y)), *x])
    left = y - columns @ np.linalg.lstsq(columns, y, rcond=None)[0]
    own, extra = frame.select(*parents, which), _free_name((*parents, which))
    own_kinds = {**{each: kinds[each] for each in own.columns}, extra: "continuous"}
    logs = [log]
    for part in (left, *x):
        if np.ptp(product := left * part) > 0:
            data = Data(own.with_columns(pl.Series(extra, product)), kinds=own_kinds)
            logs.append(Shuffles(data).given(extra, [which], parents))
    return min(0.0, min(logs) + math.log(len(logs)))


def _parts(column: pl.Series) -> list[NDArray[np.float64]]:
    """Return numbers less their mean; of states, whether each but the rarest is there."""
    if column.dtype.is_numeric():
        values = column.to_numpy().astype(float)
        return [values - values.mean()]
    states = column.value_counts(sort=True)[column.name].to_list()
    return [
        (column == state).to_numpy().astype(float) for state in states[: max(1, len(states) - 1)]
    ]


def _together(first: Data, second: Data, skipped: int, which: str) -> pl.DataFrame:
    """Return the rows of both, less the first ones of the second, and which table each is from."""
    frames = [first.to_polars(), second.to_polars().select(first.names).slice(skipped)]
    states = [pl.col(name).cast(pl.String) for name in first.names if name not in first.numbers]
    whole = pl.concat([frame.with_columns(states) for frame in frames])
    from_which = ["first"] * len(frames[0]) + ["second"] * len(frames[1])
    return whole.with_columns(pl.Series(which, from_which))


def _free_name(names: Sequence[str]) -> str:
    name = "table"
    while name in names:
        name += "_"
    return name
