"""Multinomial logistic regression by Newton's method, with a ridge.

The objective is concave, and the ridge makes it have one maximum even where numbers separate the
states; all states are treated alike, so that their order plays no part.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from dagscape.errors import ParameterError
from dagscape.networks.fit_gaussian import least_rows
from dagscape.networks.nodes import SoftmaxNode
from dagscape.networks.standard import Floats, Standard
from dagscape.words import counted

LEAST_RIDGE = 1e-3
"""Where numbers separate the states, maximum likelihood has no answer: this ridge stays."""
MOST_PARAMETERS = 4000
"""Of one softmax."""
MOST_SQUARED = 200
"""Parameters up to which the second derivatives are written out; more are multiplied with instead,
in time that grows with the states and not with their square."""
MOST_CELLS = 20_000_000
"""Rows times states that are looked at: each step goes through all of them."""
CELLS = 1 << 17
"""Rows times states that are looked at together: what a core's cache holds."""
SOLVED = 1e-4
"""Of a step, by conjugate gradients: what is left of the slope, as a share of it."""
STEPS = 200
CLOSE = 1e-12


def refuse_large_softmax(x: str, states: int, parents: int) -> None:
    """Refuse to fit a softmax of too many states, with so many parents with numbers."""
    if parents and states * (1 + parents) > MOST_PARAMETERS:
        raise ParameterError(
            f'"{x}" has {states:,} states and {counted(parents, "parent")} with numbers; a '
            f"softmax has {MOST_PARAMETERS:,} parameters at most: join states"
        )


def fit_softmax(
    codes: npt.NDArray[np.intp],
    states: int,
    parents: Sequence[Standard],
    rows: Mapping[int, npt.NDArray[np.intp]],
    shape: Sequence[int],
    ess: float,
) -> SoftmaxNode:
    """Fit a softmax to all rows, and to each configuration that has rows enough.

    Parameters
    ----------
    codes, states
        The variable's column, and how many states it has.
    rows, shape
        The rows of each configuration of the parents with states, and how many states these have.
    """
    columns = np.column_stack([parent.values for parent in parents])
    if (every := math.ceil(len(codes) * states / MOST_CELLS)) > 1:
        columns, codes = columns[::every], codes[::every]
        rows = {cell: own[own % every == 0] // every for cell, own in rows.items()}
    size = math.prod(shape)
    ridge = max(ess, LEAST_RIDGE)
    pooled = newton(columns, codes, states, ridge, ridge / states)
    found = np.tile(pooled, (size, 1, 1))
    for cell, chosen in rows.items():
        if shape and len(chosen) >= least_rows(len(parents)):
            weight = ridge / (size * states)
            found[cell] = newton(columns[chosen], codes[chosen], states, ridge, weight)
    slopes = found[:, :, 1:].copy()
    for j, parent in enumerate(parents):
        for cell, state in np.ndindex(size, states):
            slopes[cell, state, j] = parent.per_unit(float(found[cell, state, 1 + j]))
    return SoftmaxNode(
        found[:, :, 0].reshape(*shape, states),
        slopes.reshape(*shape, states, len(parents)),
        [parent.mean for parent in parents],
    )


def newton(
    columns: Floats, codes: npt.NDArray[np.intp], states: int, ridge: float, weight: float
) -> Floats:
    """Return a row for each state: its intercept and slopes.

    What is maximized is Σ ln P(state | numbers), of a row in which all numbers are 0 added in each
    state with this weight, less ridge / 2 times the sum of squared slopes.
    """
    rows = _Rows(columns, codes, states, weight)
    found = np.zeros((states, rows.design.shape[1]))
    value, shares = _objective(rows, found, ridge)
    for _ in range(STEPS):
        slope = rows.seen - shares.T @ (rows.weights[:, None] * rows.design)
        slope[:, 1:] -= ridge * found[:, 1:]
        step = _newton_step(rows.design, rows.weights, shares, ridge, slope)
        gain = float(step @ slope.ravel())
        if gain <= CLOSE * max(1.0, abs(value)):
            break
        length = 1.0
        while True:
            tried = found + length * step.reshape(found.shape)
            better, shares = _objective(rows, tried, ridge)
            if better >= value + 1e-4 * length * gain or length < 1e-10:
                break
            length /= 2
        if better <= value:
            break
        found, value = tried, better
    found[:, 0] -= found[:, 0].mean()
    return found


class _Rows:
    """The numbers of each row with a 1 before them, what rows count for, and sums by state.

    The last row has 0 for all numbers, and is in each state with the weight that was added.
    """

    def __init__(
        self, columns: Floats, codes: npt.NDArray[np.intp], states: int, weight: float
    ) -> None:
        design = np.column_stack([np.ones(len(columns)), columns])
        self.design = np.vstack([design, np.eye(1, design.shape[1])])
        self.weights = np.append(np.ones(len(columns)), states * weight)
        sums = [np.bincount(codes, x, states) for x in design.T]
        self.seen: Floats = np.column_stack(sums).astype(np.float64)
        self.seen[:, 0] += weight


def _objective(rows: _Rows, found: Floats, ridge: float) -> tuple[float, Floats]:
    """Return what is maximized, and P(state) in each row."""
    shares = np.empty((len(rows.design), len(found)))
    value = float((found * rows.seen).sum()) - 0.5 * ridge * float(np.square(found[:, 1:]).sum())
    each = max(1, CELLS // len(found))
    for start in range(0, len(shares), each):
        own = slice(start, start + each)
        part = np.matmul(rows.design[own], found.T, out=shares[own])
        largest = part.max(axis=1, keepdims=True)
        part -= largest
        np.exp(part, out=part)
        sums = part.sum(axis=1, keepdims=True)
        part /= sums
        value -= float(rows.weights[own] @ (largest + np.log(sums))[:, 0])
    return value, shares


def _newton_step(
    design: Floats, weights: Floats, shares: Floats, ridge: float, slope: Floats
) -> Floats:
    """Return the step that Newton's method takes, to a share of it where there are many states."""
    if slope.size <= MOST_SQUARED:
        solved = np.linalg.solve(_curvature(design, weights, shares, ridge), slope.ravel())
        return np.asarray(solved)
    # Conjugate gradients; each state's own derivatives are most of what there is.
    own = np.linalg.inv(_own_curvature(design, weights, shares, ridge))
    step = np.zeros_like(slope)
    rest = slope.copy()
    along = toward = np.einsum("kij,kj->ki", own, rest)
    size = first = float((rest * toward).sum())
    for _ in range(slope.size):
        if size <= SOLVED**2 * first:
            break
        curved = _curved(design, weights, shares, ridge, along)
        length = size / float((along * curved).sum())
        step += length * along
        rest -= length * curved
        toward = np.einsum("kij,kj->ki", own, rest)
        before, size = size, float((rest * toward).sum())
        along = toward + size / before * along
    return step.ravel()


def _curved(design: Floats, weights: Floats, shares: Floats, ridge: float, along: Floats) -> Floats:
    """Return the negative second derivatives times a matrix, without the former."""
    made = np.zeros_like(along)
    each = max(1, CELLS // shares.shape[1])
    for start in range(0, len(design), each):
        rows = slice(start, start + each)
        changed = shares[rows] * (design[rows] @ along.T)
        changed -= shares[rows] * changed.sum(axis=1, keepdims=True)
        made += (changed * weights[rows, None]).T @ design[rows]
    made[:, 0] += along[:, 0].sum()
    made[:, 1:] += ridge * along[:, 1:]
    return made


def _own_curvature(design: Floats, weights: Floats, shares: Floats, ridge: float) -> Floats:
    """Return the blocks of :func:`_curvature` that are of one state each."""
    size = design.shape[1]
    each = weights[:, None] * shares * (1.0 - shares)
    found = np.empty((shares.shape[1], size, size))
    for i in range(size):
        for j in range(i, size):
            found[:, i, j] = found[:, j, i] = each.T @ (design[:, i] * design[:, j])
    found[:, 0, 0] += 1.0
    found[:, range(1, size), range(1, size)] += ridge
    return found


def _curvature(design: Floats, weights: Floats, shares: Floats, ridge: float) -> Floats:
    """Return the negative second derivatives; of the sum of intercepts, which is free, 1."""
    states, size = shares.shape[1], design.shape[1]
    found = np.empty((states, size, states, size))
    diagonal = np.arange(states)
    for i in range(size):
        for j in range(i, size):
            each = shares * (weights * design[:, i] * design[:, j])[:, None]
            block = -(each.T @ shares)
            block[diagonal, diagonal] += each.sum(axis=0)
            if i == j:
                block += 1.0 if i == 0 else ridge * np.eye(states)
            found[:, i, :, j] = found[:, j, :, i] = block
    return found.reshape(states * size, states * size)
