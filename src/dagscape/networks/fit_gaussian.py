"""Lines for a variable with numbers: least squares in each configuration of states."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dagscape.networks.nodes import GaussianNode
from dagscape.networks.standard import Floats, Standard

LEAST_SHARE = 1e-9
"""The least share of a variable's variance that its parents leave, as in the scores."""
SAME = 1e-8
"""Parents that agree to so many sds count as one: the line of the least slopes is taken."""


class FittedLine(NamedTuple):
    """A fitted line, in standardized units."""

    mean: float
    slopes: Floats
    sd: float


def least_rows(continuous: int) -> int:
    """Return how many rows a configuration needs for parameters of its own, as in the scores."""
    return 2 * (continuous + 2)


def fit_gaussian(
    child: Standard,
    parents: Sequence[Standard],
    rows: Mapping[int, npt.NDArray[np.intp]],
    shape: Sequence[int],
    unbiased: bool,
) -> GaussianNode:
    """Fit a line to all rows, and to each configuration that has rows enough.

    Parameters
    ----------
    rows
        The rows of each configuration of the parents with states that occurs.
    shape
        The states of these parents.
    unbiased
        Whether variances divide by degrees of freedom, and not by rows.
    """
    x = np.column_stack([parent.values for parent in parents]) if parents else _nothing(child)
    pooled = fit_line(x, child.values, unbiased)
    size = math.prod(shape)
    mean = np.full(size, child.number(pooled.mean))
    sd = np.full(size, child.length(pooled.sd))
    slopes = np.tile(_slopes(child, parents, pooled), (size, 1))
    enough = least_rows(1 + len(parents))
    for cell, chosen in rows.items():
        if shape and len(chosen) >= enough:
            line = fit_line(x[chosen], child.values[chosen], unbiased)
            mean[cell] = child.number(line.mean)
            sd[cell] = child.length(line.sd)
            slopes[cell] = _slopes(child, parents, line)
    return GaussianNode(
        mean.reshape(shape),
        sd.reshape(shape),
        slopes.reshape(*shape, len(parents)),
        [parent.mean for parent in parents],
    )


def fit_line(x: Floats, y: Floats, unbiased: bool) -> FittedLine:
    """Fit a line by least squares to standardized columns, parents' means counted from 0.

    Where rows are so few that every line fits, slopes are 0.
    """
    rows = len(y)
    centers, mean = x.mean(axis=0), float(y.mean())
    slopes, _, rank, _ = np.linalg.lstsq(x - centers, y - mean, rcond=SAME)
    if rows <= rank + 1:
        rank, slopes = 0, np.zeros(x.shape[1])
    residual = y - mean - (x - centers) @ slopes
    freedom = rows - int(rank) - 1 if unbiased else rows
    variance = float(np.square(residual).sum()) / max(freedom, 1)
    return FittedLine(mean - float(centers @ slopes), slopes, math.sqrt(max(variance, LEAST_SHARE)))


def _slopes(child: Standard, parents: Sequence[Standard], line: FittedLine) -> list[float]:
    return [
        parent.slope(child, float(slope))
        for parent, slope in zip(parents, line.slopes, strict=True)
    ]


def _nothing(child: Standard) -> Floats:
    return np.zeros((len(child.values), 0))
