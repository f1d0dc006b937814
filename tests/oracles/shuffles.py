"""How strong shuffled rows relate two columns, by shuffling them."""

from __future__ import annotations

import numpy as np


def curves(column: np.ndarray, degree: int) -> np.ndarray:
    """Return what a column can say of its rows, less its mean: states, or powers of its ranks."""
    if column.dtype.kind == "f":
        ranks = np.array([(column < v).sum() + (column == v).sum() / 2 + 0.5 for v in column])
        u = ranks / (len(column) + 1)
        said = np.stack([np.log(u / (1 - u)), u**2, u**3][:degree], axis=1)
    else:
        said = (column[:, None] == np.unique(column)).astype(float)
    return said - said.mean(axis=0)


def basis(columns: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis."""
    u, size, _ = np.linalg.svd(columns, full_matrices=False)
    return u[:, size > 1e-6]


def strength(x: np.ndarray, y: np.ndarray, strata: np.ndarray, degree: int = 1) -> float:
    """Return the sum of squared canonical correlations, each stratum's times its rows less one."""
    total = 0.0
    for stratum in np.unique(strata):
        rows = strata == stratum
        u, v = (basis(curves(each[rows], degree)) for each in (x, y))
        total += (rows.sum() - 1) * float(((u.T @ v) ** 2).sum())
    return total


def shuffled(y: np.ndarray, strata: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a column whose values changed places, within strata only."""
    turned = y.copy()
    for stratum in np.unique(strata):
        rows = np.flatnonzero(strata == stratum)
        turned[rows] = rng.permutation(y[rows])
    return turned


def share_as_strong(
    x: np.ndarray, y: np.ndarray, strata: np.ndarray, times: int, rng: np.random.Generator
) -> float:
    """Return the share of shuffled columns that relate as much."""
    least = strength(x, y, strata) * (1 - 1e-9)
    many = sum(strength(x, shuffled(y, strata, rng), strata) >= least for _ in range(times))
    return (1 + many) / (1 + times)
