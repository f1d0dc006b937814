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

LEAST_RIDGE = 1e-3
"""Where numbers separate the states, maximum likelihood has no answer: this ridge stays."""
MOST_PARAMETERS = 4000
"""Of one softmax: Newton's method squares them."""
STEPS = 200
CLOSE = 1e-12


def fit_softmax(
    x: str,
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
    if states * (1 + len(parents)) > MOST_PARAMETERS:
        raise ParameterError(
            f'"{x}" has {states:,} states and {len(parents):,} parents with numbers; a softmax has '
            f"{MOST_PARAMETERS:,} parameters at most: join states"
        )
    columns = np.column_stack([parent.values for parent in parents])
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
    design = np.column_stack([np.ones(len(columns)), columns])
    design = np.vstack([design, np.eye(1, design.shape[1])])
    target = np.zeros((len(design), states))
    target[np.arange(len(codes)), codes] = 1.0
    target[-1] = weight
    weights = target.sum(axis=1)
    found = np.zeros((states, design.shape[1]))
    value, shares = _objective(design, target, found, ridge)
    for _ in range(STEPS):
        slope = (target - weights[:, None] * shares).T @ design
        slope[:, 1:] -= ridge * found[:, 1:]
        step = np.linalg.solve(_curvature(design, weights, shares, ridge), slope.ravel())
        gain = float(step @ slope.ravel())
        if gain <= CLOSE * max(1.0, abs(value)):
            break
        length = 1.0
        while True:
            tried = found + length * step.reshape(found.shape)
            better, shares = _objective(design, target, tried, ridge)
            if better >= value + 1e-4 * length * gain or length < 1e-10:
                break
            length /= 2
        if better <= value:
            break
        found, value = tried, better
    found[:, 0] -= found[:, 0].mean()
    return found


def _objective(design: Floats, target: Floats, found: Floats, ridge: float) -> tuple[float, Floats]:
    """Return what is maximized, and P(state) in each row."""
    logits = design @ found.T
    logits -= logits.max(axis=1, keepdims=True)
    logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    penalty = 0.5 * ridge * float(np.square(found[:, 1:]).sum())
    return float((target * logs).sum()) - penalty, np.exp(logs)


def _curvature(design: Floats, weights: Floats, shares: Floats, ridge: float) -> Floats:
    """Return the negative second derivatives; of the sum of intercepts, which is free, 1."""
    states, size = shares.shape[1], design.shape[1]
    found = np.empty((states, size, states, size))
    for a in range(states):
        for b in range(a, states):
            each = weights * shares[:, a] * ((a == b) - shares[:, b])
            block = (design * each[:, None]).T @ design
            block[0, 0] += 1.0
            if a == b:
                block[np.arange(1, size), np.arange(1, size)] += ridge
            found[a, :, b, :] = block
            found[b, :, a, :] = block.T
    return found.reshape(states * size, states * size)
