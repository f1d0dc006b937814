"""Estimate the nodes of a network of given structure from data."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dagscape.data import Data, as_data, check_data
from dagscape.data.contents import counts_of
from dagscape.errors import DataError, ParameterError
from dagscape.networks.fit_gaussian import fit_gaussian
from dagscape.networks.fit_softmax import fit_softmax, refuse_large_softmax
from dagscape.networks.network import Network, check_dag
from dagscape.networks.nodes import Node, TableNode
from dagscape.networks.nodes.table import refuse_huge
from dagscape.networks.own_rows import ExperimentRows
from dagscape.networks.standard import Standard
from dagscape.scores.counts import FittedDirichlet
from dagscape.variables import suggest

if TYPE_CHECKING:
    from dagscape.data import TableLike
    from dagscape.graphs import Dag


def fit(dag: Dag, data: TableLike, ess: float | None = None) -> Network:
    """Fit the distributions of a DAG to data.

    A variable with states gets a table: the posterior mean under the Dirichlet prior of BDeu, which
    adds ``ess / (configurations of the parents * states)`` to every count, with the `ess` that fits
    the counts best, as in the score :class:`FittedDirichlet`. A variable with numbers
    gets a line in its parents with numbers, by least squares, for each configuration of those with
    states (:class:`.GaussianNode`). A variable with states below numbers gets a softmax
    (:class:`.SoftmaxNode`), by Newton's method.

    Parameters
    ----------
    data
        Must have a column for each variable of the graph; other columns are left out of account.
    ess
        Equivalent sample size, the same for all tables; without it each table has its own. With 0
        the estimate is of maximum likelihood, and the rows of parent configurations that never
        occur are uniform. Above 0, variances of lines divide by the degrees of freedom, so that
        they are unbiased, and slopes of a softmax, by one sd of the parent, have a normal prior of
        variance ``1 / ess``; without it that is 1.

    Notes
    -----
    Where rows come from experiments (:class:`Interventions`), a variable is fitted to those in
    which it was free; one that was shifted in all of them, or set in all, to all. Answers to what
    follows from :meth:`.Network.do` then show beside what was seen where an experiment did the
    same.

    Equivalent networks have other families. So their tables may be fitted with other sizes, and say
    slightly different things; with one `ess` for all they say the same.

    A softmax in very many rows is fitted to some of them, at even distances: as many as make 20
    million with the number of states.

    Configurations of states with fewer than 2 (k + 2) rows, for the k variables with
    numbers in the family, take the line or the softmax of all rows, as in the score
    :class:`ConditionalGaussian`. No line explains more than all but one part in 10⁹ of a variance.
    Where there are no more rows than slopes and a mean, every line fits: the slopes are 0. If
    parents carry the same information, slopes are the smallest that fit. A column that never
    changes is certain: rows with another number are impossible. Where numbers separate the states,
    maximum likelihood of a softmax has no answer; its prior has an ess of 0.001 at least. Lines are
    all that is fitted: a relation that is not linear, which ``BasisBIC(degree=3)`` can see, is
    fitted by its best line, and the noise takes the rest.
    """
    data = as_data(data)
    check_dag(dag)
    # Lines and softmaxes go through the rows of subjects as through any: their means are the same.
    obeyed = ("series", "interventions", "clusters")
    check_data(data, rows=obeyed if data.numbers else (*obeyed, "survey_weights"))
    if ess is not None and (not isinstance(ess, int | float) or not 0 <= ess < math.inf):
        raise ParameterError(f"ess must be a number from 0 up, got {ess!r}")
    for x in dag.names:
        if x not in data.states:
            hint = suggest(x, data.names)
            raise DataError(f'the data has no column "{x}", a variable of the graph{hint}')
    nodes = fit_nodes(dag, data, dag.names, ess)
    made = Network(dag, {x: data.states[x] for x in dag.names}, nodes)
    return made if data.rows.interventions is None else made._beside(ExperimentRows(data))


def fit_nodes(
    dag: Dag, data: Data, names: Iterable[str], ess: float | None = None
) -> dict[str, Node]:
    """Fit some of the nodes of a DAG, as :func:`fit` does with all."""
    fittings = _Fittings(data, None if ess is None else float(ess))
    nodes: dict[str, Node] = {}
    names = tuple(names)
    for x in names:
        if data.states[x]:  # before anything that takes long
            numbers = [p for p in dag.parents(x) if not data.states[p]]
            refuse_large_softmax(x, data.arities[x], len(numbers))
    for x in names:
        parents = dag.parents(x)
        ordered = sorted(parents, key=dag.variables.number)  # column order changes no digit
        order = [ordered.index(p) for p in parents]
        discrete = [bool(data.states[p]) for p in ordered]
        nodes[x] = fittings.of(x).node(x, ordered).reordered(order, discrete)
    return nodes


def fit_table(counts: npt.NDArray[np.float64], ess: float | None = None) -> npt.NDArray[np.float64]:
    """Return P(last axis | the others); `ess` as in :func:`fit`. Rows without cases are uniform."""
    if ess is None:
        cells = counts + FittedDirichlet().imagined(counts, counts.size, counts.ndim)
    else:
        cells = counts + ess / counts.size
    seen = cells.sum(axis=-1, keepdims=True)
    uniform = np.full(cells.shape, 1.0 / cells.shape[-1])
    table: npt.NDArray[np.float64] = np.divide(cells, seen, out=uniform, where=seen > 0)
    return table


class _Fittings:
    """What fits families to the whole table, or to the rows in which the child was free."""

    def __init__(self, data: Data, ess: float | None) -> None:
        self._data = data
        self._ess = ess
        self._made: dict[tuple[str, ...], _Fitting] = {}

    def of(self, x: str) -> _Fitting:
        """Return what fits the node of a variable."""
        done = self._data.rows.interventions
        states = () if done is None else done.states(x)
        if states not in self._made:
            rows = None if done is None else done.free_rows(x)
            own = self._data if rows is None else self._data.part(rows, "interventions")
            self._made[states] = _Fitting(own, self._ess)
        return self._made[states]


class _Fitting:
    """Fits one family after another to a table."""

    def __init__(self, data: Data, ess: float | None) -> None:
        self._data = data
        self._ess = ess
        self._slopes_ess = 1.0 if ess is None else ess
        self._standard: dict[str, Standard] = {}

    def node(self, x: str, parents: Sequence[str]) -> Node:
        """Fit the node of a variable to its family."""
        data = self._data
        discrete = [p for p in parents if data.states[p]]
        floats = [self._standardized(p) for p in parents if not data.states[p]]
        shape = [data.arities[p] for p in discrete]
        refuse_huge(x, [*shape, max(data.arities[x], 1) * (1 + len(floats))])
        if data.states[x] and not floats:
            return self._table(discrete, x)
        rows = self._rows(discrete, shape)
        if not data.states[x]:
            return fit_gaussian(self._standardized(x), floats, rows, shape, self._slopes_ess > 0)
        codes = data.column(x).astype(np.intp)
        return fit_softmax(codes, data.arities[x], floats, rows, shape, self._slopes_ess)

    def _table(self, parents: Sequence[str], x: str) -> TableNode:
        return TableNode(fit_table(counts_of(self._data, (*parents, x)), self._ess))

    def _rows(
        self, discrete: Sequence[str], shape: Sequence[int]
    ) -> dict[int, npt.NDArray[np.intp]]:
        """Return the rows of each configuration that occurs."""
        if not discrete:
            return {}
        columns = tuple(self._data.column(p) for p in discrete)
        cells = np.ravel_multi_index(columns, tuple(shape))
        order = np.argsort(cells, kind="stable")
        found, starts = np.unique(cells[order], return_index=True)
        return dict(zip(found.tolist(), np.split(order, starts[1:]), strict=True))

    def _standardized(self, x: str) -> Standard:
        if x not in self._standard:
            self._standard[x] = Standard.of(x, self._data.numbers[x])
        return self._standard[x]
