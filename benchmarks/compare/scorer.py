"""BIC, written from its definition with NumPy alone: every tool's graph is scored by this.

BIC = sum over variables of  sum over cells N_xp ln(N_xp / N_p)  -  (ln N / 2) (r - 1) q,
with r the states of the variable and q the product of its parents' states. Natural logarithms,
higher is better. Of numbers it is the BIC of a linear Gaussian network: a variable with k parents
has k + 2 parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from benchmarks.compare.table import Arc, Table


def bic(table: Table, arcs: Iterable[Arc]) -> float:
    """Return the BIC of a network on a table."""
    number = {name: i for i, name in enumerate(table.names)}
    parents: list[list[int]] = [[] for _ in table.names]
    for parent, child in arcs:
        parents[number[child]].append(number[parent])
    return sum(local_bic(table, child, some) for child, some in enumerate(parents))


def local_bic(table: Table, child: int, parents: Sequence[int]) -> float:
    """Return the part of the BIC that a variable with these parents has."""
    cell = np.zeros(table.n_rows, dtype=np.int64)
    combinations = 1.0
    for parent in parents:
        r = len(table.states[parent])
        combinations *= r
        # Numbered anew after each parent, so that no product can overflow.
        cell = np.unique(cell * r + table.codes[:, parent], return_inverse=True)[1].reshape(-1)
    r = len(table.states[child])
    together = np.bincount(cell * r + table.codes[:, child])
    log_likelihood = _n_log_n(together) - _n_log_n(np.bincount(cell))
    return log_likelihood - 0.5 * float(np.log(table.n_rows)) * (r - 1) * combinations


def gaussian_bic(table: Table, arcs: Iterable[Arc]) -> float:
    """Return the BIC of a linear Gaussian network on a table of numbers."""
    if table.numbers is None:
        raise ValueError("the table has no numbers")
    near = table.numbers - table.numbers.mean(axis=0)
    number = {name: i for i, name in enumerate(table.names)}
    parents: list[list[int]] = [[] for _ in table.names]
    for parent, child in arcs:
        parents[number[child]].append(number[parent])
    rows, total = len(near), 0.0
    for child, some in enumerate(parents):
        left = near[:, child]
        if some:
            left = left - near[:, some] @ np.linalg.lstsq(near[:, some], left, rcond=None)[0]
        variance = float(left @ left) / rows
        total -= rows / 2 * (1 + np.log(2 * np.pi * variance)) + np.log(rows) / 2 * (len(some) + 2)
    return float(total)


def _n_log_n(counts: npt.NDArray[np.int64]) -> float:
    some = counts[counts > 0].astype(np.float64)
    return float(np.sum(some * np.log(some)))
