"""Scores of tables with numbers, from their definitions, slow and plain."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from oracles.scores import fitted

OWN = 1e-9
"""What of a column's variance counts as its own, whatever others tell of it."""

Column = NDArray[np.float64] | tuple[NDArray[np.int64], int]
"""Numbers; or codes and how many states there are."""


def _standard(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Return the values of mean 0 and variance 1, and the log of their deviation."""
    if (values == values[0]).all():
        return np.zeros(len(values)), 0.0
    scaled = values / abs(values).max()
    scaled = scaled - scaled.mean()
    return scaled / scaled.std(), math.log(abs(values).max()) + math.log(scaled.std())


def _varies(column: NDArray[np.float64]) -> bool:
    return bool((column != column[0]).any())


def _log_determinant(columns: Sequence[NDArray[np.float64]]) -> float:
    """Return ln det of correlations, lowered as the score says."""
    if not columns:
        return 0.0
    table = np.stack(columns)
    matrix = table @ table.T / table.shape[1]
    off = ~np.eye(len(columns), dtype=bool)
    matrix[off] *= 1 - OWN
    return float(np.linalg.slogdet(matrix)[1])


def basis_columns(column: Column, degree: int) -> tuple[list[NDArray[np.float64]], float]:
    """Return a variable's columns, uncorrelated, and half their log determinant."""
    if isinstance(column, tuple):
        codes, _ = column
        seen = sorted(set(codes.tolist()))
        raw = [(codes == state).astype(float) for state in seen[1:]]
        if not raw:
            return [], 0.0
        centered = np.stack([one - one.mean() for one in raw])
        covariance = centered @ centered.T / len(codes)
        factor = np.linalg.cholesky(covariance)
        whitened = np.linalg.solve(factor, centered)
        return list(whitened), float(np.log(np.diag(factor)).sum())
    if not _varies(column):
        return [], 0.0
    first, log_deviation = _standard(column)
    columns = []
    for _ in range(degree):
        before = np.column_stack([np.ones(len(first)), *columns])
        new = first * (columns[-1] if columns else 1.0)
        left = new - before @ np.linalg.lstsq(before, new, rcond=None)[0]
        if left.std() <= 1e-6 * math.sqrt(np.mean(new**2)):
            break
        columns.append(left / left.std())
    return columns, log_deviation


def basis_bic(columns: Sequence[Column], members: Sequence[int], degree: int) -> float:
    """Return the BIC of a Gaussian on the basis columns of a set."""
    rows = _rows(columns)
    made = [basis_columns(columns[v], degree) for v in members]
    flat = [column for some, _ in made for column in some]
    d = len(flat)
    determinant = _log_determinant(flat) + 2 * sum(scale for _, scale in made)
    fit = -rows / 2 * (d * (1 + math.log(2 * math.pi)) + determinant)
    return fit - math.log(rows) / 2 * d * (d + 3) / 2


def bge(
    columns: Sequence[NDArray[np.float64]],
    members: Sequence[int],
    *,
    iss_mu: float = 1.0,
    iss_w: float | None = None,
    standardized: bool = False,
) -> float:
    """Return the log marginal likelihood of a set: Kuipers, Moffa and Heckerman (2014)."""
    members = [v for v in members if _varies(columns[v])]  # others tell nothing
    n, rows, size = sum(map(_varies, columns)), _rows(columns), len(members)
    w = n + 2 if iss_w is None else iss_w
    t = iss_mu * (w - n - 1) / (iss_mu + 1)
    table = [np.asarray(columns[v], dtype=float) for v in members]
    jacobian = 0.0
    if standardized:
        both = [_standard(one) for one in table]
        table, jacobian = [z for z, _ in both], -rows * sum(log for _, log in both)
    if not size:
        return 0.0
    centered = np.stack([one - one.mean() for one in table])
    scatter = centered @ centered.T + t * np.eye(size)
    free = w - n + size
    value = size / 2 * math.log(iss_mu / (rows + iss_mu)) - size * rows / 2 * math.log(math.pi)
    value += _log_gamma(size, (rows + free) / 2) - _log_gamma(size, free / 2)
    value += free / 2 * size * math.log(t)
    value -= (rows + free) / 2 * float(np.linalg.slogdet(scatter)[1])
    return value + jacobian


def _log_gamma(size: int, x: float) -> float:
    """Return the log of the multivariate gamma function, without its power of pi."""
    return sum(math.lgamma(x + (1 - j) / 2) for j in range(1, size + 1))


def conditional_gaussian(columns: Sequence[Column], members: Sequence[int]) -> float:
    """Return the BIC of a Gaussian in each combination of states of a set."""
    rows = _rows(columns)
    states = [columns[v] for v in members if isinstance(columns[v], tuple)]
    numbers = [columns[v] for v in members if not isinstance(columns[v], tuple)]
    both = [_standard(np.asarray(one, dtype=float)) for one in numbers]
    table = np.array([z for z, _ in both]).reshape(len(both), rows)
    ridge = np.diag([OWN if _varies(np.asarray(one)) else 1.0 for one in numbers])
    k = len(numbers)
    cells = math.prod(arity for _, arity in states)
    value = -rows * sum(log for _, log in both)
    overall = table @ table.T / rows + ridge
    for cell in itertools.product(*(range(arity) for _, arity in states)):
        inside = np.ones(rows, dtype=bool)
        for (codes, _), state in zip(states, cell, strict=True):
            inside &= codes == state
        n = int(inside.sum())
        if not n:
            continue
        value += n * math.log(n / rows)
        if not k:
            continue
        part = table[:, inside]
        if n < 2 * (k + 2):
            for row in part.T:
                square = float(row @ np.linalg.solve(overall, row))
                log = float(np.linalg.slogdet(overall)[1])
                value -= (k * math.log(2 * math.pi) + log + square) / 2
            continue
        centered = part - part.mean(axis=1, keepdims=True)
        covariance = centered @ centered.T / n + ridge
        value -= n / 2 * (k * (1 + math.log(2 * math.pi)) + float(np.linalg.slogdet(covariance)[1]))
    parameters = cells - 1 + cells * k * (k + 3) / 2
    return value - math.log(rows) / 2 * parameters


def _rows(columns: Sequence[Column]) -> int:
    first = columns[0]
    return len(first[0] if isinstance(first, tuple) else first)


def normal_scores(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return quantiles at (rank - 3/8) / (rows + 1/4), equal values at the mean of their ranks."""
    found = []
    for value in values:
        below, alike = int((values < value).sum()), int((values == value).sum())
        rank = below + (alike + 1) / 2
        found.append(NormalDist().inv_cdf((rank - 0.375) / (len(values) + 0.25)))
    return np.array(found)


def rank_bge(columns: Sequence[Column], members: Sequence[int], degree: int = 1) -> float:
    """Return the fitted Dirichlet score of states, and ln p(normal scores | states).

    Of Y with rows Y_i = mean + B x_i + noise of covariance S, x the uncorrelated indicators: S has
    an inverse Wishart prior, scatter 1/2 and d + 2 degrees of freedom, the mean of one imagined
    row, and B that of (r - 1)/2 rows for each indicator of r states.
    """
    rows = _rows(columns)
    told = math.sqrt(float(np.mean(normal_scores(np.arange(rows)) ** 2)))
    codes, arities, x, prior, y = [], [], [], [], []
    for v in members:
        column = columns[v]
        if isinstance(column, tuple):
            codes.append(column[0].tolist())
            arities.append(column[1])
            own = basis_columns(column, 1)[0]
            x += own
            prior += [len(own) / 2] * len(own)
        else:
            y += basis_columns(normal_scores(column), degree)[0]
    table = list(zip(*codes, strict=True)) if codes else [()] * rows
    value = fitted(table, arities, list(range(len(codes))))
    d = len(y)
    if not d:
        return value
    Y, X = np.array(y).T * told, np.array(x).reshape(len(x), rows).T
    precision = np.diag(prior) + X.T @ X
    scatter = Y.T @ Y + (1 - told**2) * rows * np.eye(d)  # each latent column has a variance of 1
    left = np.eye(d) / 2 + scatter - Y.T @ X @ np.linalg.solve(precision, X.T @ Y)
    free = d + 2
    value -= d * rows / 2 * math.log(math.pi) + d / 2 * math.log(rows + 1)
    value += _log_gamma(d, (free + rows) / 2) - _log_gamma(d, free / 2)
    value += d / 2 * (math.fsum(map(math.log, prior)) - float(np.linalg.slogdet(precision)[1]))
    value += free / 2 * d * math.log(1 / 2)
    return value - (free + rows) / 2 * float(np.linalg.slogdet(left)[1])
