"""Predictions of networks with numbers for rows in which something is missing.

Where no states depend on numbers, they are exact: all states that a row lacks are listed, and given
these its numbers are jointly normal. Elsewhere, or where a row has too many such cases, missing
cells are drawn again and again given what is there, and the predictions from whole rows averaged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dagscape.errors import DataError
from dagscape.networks.drawn_cells import CellDraws
from dagscape.networks.nodes import GaussianNode
from dagscape.networks.nodes.node import Column, Floats
from dagscape.networks.normal_mixtures import MOST_CASES, in_the_way, noises_of, observed
from dagscape.networks.number_predictions import means, state_probabilities

if TYPE_CHECKING:
    from dagscape.networks.network import Network

Gaps = Mapping[str, npt.NDArray[np.bool_]]

MOST_CELLS = 4e6
"""Cases of rows, times the square of the numbers, that are weighed at a time."""
BEFORE, DRAWS = 50, 100
"""Rounds of drawn cells that come first, and those that count."""
COPIES, LEAST, MOST = 4000, 4, 40
"""Copies of rows that are drawn for side by side in all, and the least and most of each row."""


def follows_curves(network: Network) -> str | None:
    """Return the first number that follows a parent by a curve, if there is one."""
    nodes = ((x, network.node(x)) for x in network.names)
    return next((x for x, n in nodes if isinstance(n, GaussianNode) and not n.linear), None)


def with_gaps(
    network: Network,
    target: str,
    columns: Mapping[str, Column],
    gaps: Gaps,
    rows: npt.NDArray[np.intp],
) -> Floats:
    """Return P(state | what the row has), or the mean of a number, NaN in rows that are impossible.

    Parameters
    ----------
    network
        Its numbers are lines in their parents.
    target
        What is predicted; its own column says nothing.
    columns, gaps
        Of every other variable codes or numbers, and where there are none.
    rows
        Where the rows stand in their table, for sentences.
    """
    count = len(rows)
    gaps = {**gaps, target: np.ones(count, dtype=bool)}
    idle = _idle(network, target, gaps)
    cases = np.ones(count)
    for x in _discrete(network):
        cases *= np.where(gaps[x] & ~idle[x], len(network.states[x]), 1)
    numbers = len(network.names) - len(_discrete(network))
    shape = (count, len(network.states[target])) if network.states[target] else (count,)
    found = np.empty(shape)
    listed = cases <= MOST_CASES if in_the_way(network) is None else np.zeros(count, dtype=bool)
    places = np.flatnonzero(listed)
    blocks = np.cumsum(cases[places] * max(1, numbers) ** 2) // MOST_CELLS
    for part in np.split(places, np.flatnonzero(np.diff(blocks)) + 1) if len(places) else ():
        found[part] = _exact(network, target, _at(columns, part), _at(gaps, part), _at(idle, part))
    part = np.flatnonzero(~listed)
    if len(part):
        found[part] = _by_draws(network, target, _at(columns, part), _at(gaps, part), rows[part])
    return found


def _discrete(network: Network) -> list[str]:
    return [x for x in network.dag.topological_order() if network.states[x]]


def _at(columns: Mapping[str, np.ndarray], rows: npt.NDArray[np.intp]) -> dict[str, np.ndarray]:
    return {x: column[rows] for x, column in columns.items()}


def _idle(network: Network, target: str, gaps: Gaps) -> Gaps:
    """Return in which rows a variable tells nothing: it and all below it are missing."""
    found: dict[str, npt.NDArray[np.bool_]] = {}
    for x in reversed(network.dag.topological_order()):
        found[x] = gaps[x] if x != target else np.zeros_like(gaps[x])
        for child in network.dag.children(x):
            found[x] = found[x] & found[child]
    return found


def _exact(
    network: Network, target: str, columns: Mapping[str, Column], gaps: Gaps, idle: Gaps
) -> Floats:
    """Return the answer by listing all states that are missing."""
    rows = len(gaps[target])
    row = np.arange(rows)
    codes: dict[str, npt.NDArray[np.intp]] = {}
    for x in _discrete(network):
        own = np.where(gaps[x], 0, columns[x]).astype(np.intp) if x in columns else np.zeros(rows)
        times = np.where(gaps[x] & ~idle[x], len(network.states[x]), 1)[row]
        case = np.repeat(np.arange(len(row)), times)
        one_of = np.arange(len(case)) - np.repeat(np.cumsum(times) - times, times)
        row = row[case]
        codes = {y: column[case] for y, column in codes.items()}
        codes[x] = (own[row] + one_of).astype(np.intp)
    logs = np.zeros(len(row))
    for x, column in codes.items():
        above = [codes[p] for p in network.dag.parents(x)]
        logs += np.where(idle[x][row], 0.0, network.node(x).log_density(column, above))
    codes = codes or {"": np.zeros(rows, dtype=np.intp)}  # one case for each row
    numbers = {
        x: np.where(gaps[x], np.nan, column)[row]
        for x, column in columns.items()
        if not network.states[x] and x != target
    }
    noises, log_density = observed(noises_of(network, codes), numbers)
    logs += log_density
    first = np.searchsorted(row, np.arange(rows))
    most = np.maximum.reduceat(logs, first)[row]
    with np.errstate(invalid="ignore"):
        weights = np.exp(logs - most)  # NaN where all are impossible
    whole = np.bincount(row, weights, minlength=rows)
    if not network.states[target]:
        mean = noises.means[:, noises.names.index(target)]
        return np.asarray(np.bincount(row, weights * mean, minlength=rows) / whole)
    states = len(network.states[target])
    sums = np.bincount(row * states + codes[target], weights, minlength=rows * states)
    return np.asarray(sums.reshape(rows, states) / whole[:, None])


def _by_draws(
    network: Network,
    target: str,
    columns: Mapping[str, Column],
    gaps: Gaps,
    places: npt.NDArray[np.intp],
) -> Floats:
    """Return the mean answer of whole rows, in which missing cells are drawn."""
    copies = min(MOST, max(LEAST, COPIES // len(places)))
    row = np.repeat(np.arange(len(places)), copies)
    columns, gaps, rows = _at(columns, row), _at(gaps, row), len(row)
    begun = network.sample(rows, seed=0)
    filled = {}
    for x in network.names:
        drawn = begun.column(x) if network.states[x] else begun.numbers[x]
        own = np.array(drawn, dtype=np.intp if network.states[x] else np.float64)
        if x in columns:
            own[~gaps[x]] = columns[x][~gaps[x]]
        filled[x] = own
    draws = CellDraws(network, {x: np.flatnonzero(gap) for x, gap in gaps.items() if gap.any()})
    rng = np.random.default_rng(0)
    normal = all(not network.states[child] for child in network.dag.children(target))
    shape = (rows, len(network.states[target]) or 1)
    total, count = np.zeros(shape), np.zeros(rows)
    for number in range(BEFORE + DRAWS):
        draws.sweep(filled, rng)
        if number < BEFORE:
            continue
        if network.states[target]:
            one = state_probabilities(network, target, filled, rows)
        elif normal:
            one = means(network, target, filled, rows)
        else:  # the drawn numbers themselves: to weigh all points along each would take long
            one = np.asarray(filled[target])
        answers = one.reshape(shape)
        known = np.isfinite(answers[:, 0])
        total[known] += answers[known]
        count += known
    total = total.reshape(len(places), copies, -1).sum(axis=1)
    count = count.reshape(len(places), copies).sum(axis=1)
    if not count.all():
        raise DataError(
            f"row {places[int(count.argmin())] + 1} has missing cells of which none was drawn that "
            "the network holds possible; fit the network with ess above 0, or fill them in"
        )
    found: Floats = total / count[:, None]
    return found if network.states[target] else found[:, 0]
