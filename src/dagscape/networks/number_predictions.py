"""Predictions of networks with numbers: a variable given its Markov blanket, row by row.

Given all others, a variable depends on its own node and those of its children. States are weighed
one by one. For a number, its own node and children that are linear in it make a normal
distribution; other children, states among them, weigh points along it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from dagscape.data.columns import Column, Levels
from dagscape.data.kinds import as_numbers
from dagscape.data.labels import kind_of
from dagscape.errors import DataError
from dagscape.networks.nodes import GaussianNode
from dagscape.networks.nodes.gaussian import LINE
from dagscape.networks.nodes.node import Floats, row_of, split

if TYPE_CHECKING:
    from dagscape.networks.network import Network

Columns: TypeAlias = dict[str, np.ndarray]

POINTS = np.linspace(-8.0, 8.0, 321)
"""Sds from the mean at which children that are not linear are asked."""
ROWS = 2000
"""Rows that are done at a time."""
LEAST_NOISE = 1e-9
"""A child's noise counts as at least this share of what the target adds to it."""


def numbers_of(column: Column) -> Floats:
    """Return the numbers of a column, NaN where one is missing."""
    if isinstance(column, Levels) and not column.labels:
        return np.full(column.n_rows, np.nan)
    if isinstance(column, Levels):
        if kind_of(column.labels) not in ("integer", "number"):
            raise DataError(f'column "{column.name}" must hold numbers, as in the network')
        column = as_numbers(column)
    if np.isinf(column.values).any():
        row = int(np.isinf(column.values).argmax())
        raise DataError(f'column "{column.name}" has an infinite value in row {row + 1}')
    return column.values


def state_probabilities(network: Network, target: str, known: Columns, rows: int) -> Floats:
    """Return P(state | the rest of the row), NaN in rows that are impossible."""
    logs = np.zeros((rows, len(network.states[target])))
    for code in range(logs.shape[1]):
        filled = {**known, target: np.full(rows, code)}
        for x in (target, *network.dag.children(target)):
            above = [filled[p] for p in network.dag.parents(x)]
            logs[:, code] += network.node(x).log_density(filled[x], above)
    most = logs.max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        weights = np.exp(logs - most)  # NaN where all are impossible
    found: Floats = weights / weights.sum(axis=1, keepdims=True)
    return found


def means(network: Network, target: str, known: Columns, rows: int) -> Floats:
    """Return the mean of a number given the rest of the row."""
    found = np.empty(rows)
    for start in range(0, rows, ROWS):
        part = {x: column[start : start + ROWS] for x, column in known.items()}
        count = min(ROWS, rows - start)
        found[start : start + ROWS] = _means(network, target, part, count)
    return found


def _means(network: Network, target: str, known: Columns, rows: int) -> Floats:
    node = network.node(target)
    assert isinstance(node, GaussianNode)  # noqa: S101
    mean, sd = node.means([known[p] for p in network.dag.parents(target)])
    mean, sd = np.broadcast_to(mean, rows), np.broadcast_to(sd, rows)
    # The target is mean + sd · u: all that children say of it is about u, which has no unit.
    information, toward = np.ones(rows), np.zeros(rows)
    others = []
    for child in network.dag.children(target):
        if not _linear_in(network, child, target):
            others.append(child)
            continue
        there, noise, slope = _seen_from(network, child, target, {**known, target: mean})
        with np.errstate(over="ignore"):
            reach = slope * sd
        noise = np.maximum(noise, LEAST_NOISE * np.abs(reach))
        with np.errstate(divide="ignore", invalid="ignore"):
            strength = np.where(noise > 0, reach / noise, 0.0)
            off = np.where(noise > 0, (known[child] - there) / noise, 0.0)
        information = information + np.square(strength)
        toward = toward + strength * off
    center, spread = toward / information, 1 / np.sqrt(information)
    if others:
        center = _weighed(network, target, others, known, mean, sd, center, spread)
    found: Floats = mean + sd * center
    return found


def _linear_in(network: Network, child: str, target: str) -> bool:
    node = network.node(child)
    if not isinstance(node, GaussianNode):
        return False
    return node.curves[_place(network, child, target)] == LINE


def _place(network: Network, child: str, target: str) -> int:
    """Return which of a child's parents with numbers the target is."""
    return [p for p in network.dag.parents(child) if not network.states[p]].index(target)


def _seen_from(
    network: Network, child: str, target: str, columns: Columns
) -> tuple[Floats, Floats, Floats]:
    """Return a child's mean where the target is as given, its noise, and its slope on it."""
    node = network.node(child)
    assert isinstance(node, GaussianNode)  # noqa: S101
    above = [columns[p] for p in network.dag.parents(child)]
    there, noise = node.means(above)
    row = row_of(split(above)[0], node.mean.shape)
    slopes = node.slopes.reshape(-1, node.slopes.shape[-1])
    return there, noise, slopes[row, _place(network, child, target)]


def _weighed(
    network: Network,
    target: str,
    others: list[str],
    known: Columns,
    mean: Floats,
    sd: Floats,
    center: Floats,
    spread: Floats,
) -> Floats:
    """Return the mean of u when children that are not linear in the target weigh its points."""
    rows, count = len(center), len(POINTS)
    u = center[:, None] + spread[:, None] * POINTS
    logs = np.broadcast_to(-0.5 * np.square(POINTS), u.shape).copy()
    filled = {x: np.repeat(column, count) for x, column in known.items()}
    filled[target] = (mean[:, None] + sd[:, None] * u).ravel()
    for child in others:
        above = [filled[p] for p in network.dag.parents(child)]
        logs += network.node(child).log_density(filled[child], above).reshape(rows, count)
    most = logs.max(axis=1, keepdims=True)
    weights = np.exp(logs - np.where(np.isfinite(most), most, 0.0))
    total = weights.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.where(total > 0, (weights * u).sum(axis=1) / total, np.nan)
    return found
