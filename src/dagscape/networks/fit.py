"""Estimate the tables of a network of given structure from data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dagscape.data import as_data, check_data
from dagscape.errors import DataError, ParameterError
from dagscape.networks.network import Network, check_dag
from dagscape.networks.tables import Table, refuse_huge
from dagscape.variables import suggest

if TYPE_CHECKING:
    from dagscape.data import TableLike
    from dagscape.graphs import Dag


def fit(dag: Dag, data: TableLike, ess: float = 1.0) -> Network:
    """Fit the tables of a DAG to data.

    Each table is the posterior mean under the Dirichlet prior of BDeu, which adds
    ``ess / (configurations of the parents * states)`` to every count.

    Parameters
    ----------
    data
        Must have a column for each variable of the graph; other columns are left out of account.
    ess
        Equivalent sample size. With 0 the estimate is of maximum likelihood, and the rows of
        parent configurations that never occur are uniform.
    """
    data = as_data(data)
    check_dag(dag)
    check_data(data)
    if not isinstance(ess, int | float) or not 0 <= ess < math.inf:
        raise ParameterError(f"ess must be a number from 0 up, got {ess!r}")
    for x in dag.names:
        if x not in data.states:
            hint = suggest(x, data.names)
            raise DataError(f'the data has no column "{x}", a variable of the graph{hint}')
    column = {x: i for i, x in enumerate(data.names)}
    tables: dict[str, Table] = {}
    for x in dag.names:
        family = (*dag.parents(x), x)
        shape = tuple(data.arities[v] for v in family)
        refuse_huge(x, shape)
        cell = np.ravel_multi_index(tuple(data.codes[:, column[v]] for v in family), shape)
        counts = np.bincount(cell, minlength=math.prod(shape)).astype(np.float64).reshape(shape)
        counts += ess / counts.size
        seen = counts.sum(axis=-1, keepdims=True)
        uniform = np.full(shape, 1.0 / shape[-1])
        tables[x] = np.divide(counts, seen, out=uniform, where=seen > 0)
    return Network(dag, {x: data.states[x] for x in dag.names}, tables)
