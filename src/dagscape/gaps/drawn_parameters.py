"""Parameters of a network with numbers, drawn by their probability given a completed table.

What the scores of numbers assume: a number is a line in the numbers above it and in indicators of
the states above it, with noise of one variance. A variable with states and numbers above it follows
these as it would if they were normal in each of its states, with the same covariance. All of it
comes from one matrix of squares and products, and has conjugate priors: half a row for the square
of each number, (r − 1) / 2 for the indicators of r states, as in the score :class:`RankBGe`.
Sources: Geiger and Heckerman, Parameter priors for directed acyclic graphical models and the
characterization of several probability distributions, Annals of Statistics 2002.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dagscape.graphs import Dag
from dagscape.networks import Network
from dagscape.networks.nodes import GaussianNode, Node, SoftmaxNode, TableNode
from dagscape.networks.nodes.node import Column, Floats
from dagscape.networks.nodes.table import refuse_huge
from dagscape.scores import Score

LEAST_SHARE = 1e-9
"""The least share of a column's squares that others leave, as in the scores."""
PRIOR_SQUARE = 0.5
"""What the prior adds to the squares of a standardized number."""
ONE_THREAD = 2**18
"""Multiplications that matrix libraries do without other threads."""
LEAST = 1e-300
"""No state is less probable."""


def dirichlet(cases: npt.NDArray[Any], states: int, rng: np.random.Generator) -> Floats:
    """Draw distributions over states, one for each row of cases, the last axis fastest."""
    size = cases.size
    # A gamma of a small shape underflows; its logarithm does not (Stuart 1962).
    logs = np.log(rng.standard_gamma(cases + 1)) - rng.standard_exponential(size) / cases
    rows: Floats = logs.reshape(-1, states)
    weights = np.exp(rows - rows.max(axis=1, keepdims=True))
    found: Floats = weights / weights.sum(axis=1, keepdims=True)
    return found


class Lines:
    """Draws parameters given a completed table.

    Parameters
    ----------
    columns
        Codes by variable, or standardized numbers, without gaps.
    states
        Of each variable; none for numbers.
    score
        Its prior is that of tables of states.
    squares
        What the prior adds to the squares of each number.
    """

    def __init__(
        self,
        columns: Mapping[str, Column],
        states: Mapping[str, tuple[str, ...]],
        score: Score,
        squares: Mapping[str, float],
    ) -> None:
        self._columns = columns
        self._states = states
        self._score = score
        self._rows = len(next(iter(columns.values())))
        self._contrasts: dict[str, Floats] = {}
        self._places: dict[str, list[int]] = {}
        blocks: list[Floats] = []
        prior: list[float] = []
        for x in sorted(columns):  # the order of columns plays no part
            if states[x]:
                block = self._indicators(x)
                prior += [max(block.shape[1], 1) / 2] * block.shape[1]
            else:
                block = columns[x][:, None]
                prior.append(squares[x])
            start = sum(each.shape[1] for each in blocks)
            self._places[x] = [*range(start, start + block.shape[1])]
            blocks.append(block)
        table = np.concatenate(blocks, axis=1)
        self._means = table.mean(axis=0)
        table -= self._means
        self._matrix = _products(table) + np.diag(prior)

    def _indicators(self, x: str) -> Floats:
        """Return columns of mean 0 and variance 1, uncorrelated, that tell the states apart."""
        codes, count = self._columns[x], len(self._states[x])
        shares = np.bincount(codes, minlength=count) / len(codes)
        seen = np.flatnonzero(shares)
        root = np.sqrt(shares[seen])
        basis = np.linalg.qr(np.column_stack([root, np.eye(len(seen))[:, 1:]]))[0][:, 1:]
        table = np.zeros((count, len(seen) - 1))
        table[seen] = basis / root[:, None]
        self._contrasts[x] = table
        chosen: Floats = table[codes]
        return chosen

    def network(self, dag: Dag, rng: np.random.Generator) -> Network:
        """Draw the parameters of a network."""
        nodes = {x: self._node(x, dag.parents(x), rng) for x in sorted(dag.names)}
        return Network(dag, {x: self._states[x] for x in dag.names}, nodes)

    def _node(self, x: str, parents: Sequence[str], rng: np.random.Generator) -> Node:
        discrete = [p for p in parents if self._states[p]]
        floats = [p for p in parents if not self._states[p]]
        shape = [len(self._states[p]) for p in discrete]
        refuse_huge(x, [*shape, max(len(self._states[x]), 1) * (1 + len(floats))])
        if not self._states[x]:
            return self._line(x, discrete, floats, rng)
        table = self._table(discrete, x, rng)
        return self._softmax(x, discrete, floats, table, rng) if floats else TableNode(table)

    def _table(self, discrete: Sequence[str], x: str, rng: np.random.Generator) -> Floats:
        family = [*discrete, x]
        shape = tuple(len(self._states[v]) for v in family)
        size = math.prod(shape)
        cells = np.ravel_multi_index(tuple(self._columns[v] for v in family), shape)
        counts = np.bincount(cells, minlength=size)
        cases = counts + self._score.imagined(counts, size, len(family))
        return dirichlet(cases, shape[-1], rng).reshape(shape)

    def _regressed(
        self, targets: Sequence[str], by: Sequence[str]
    ) -> tuple[Floats, Floats, Floats]:
        """Return slopes of numbers, what is left of their squares, and the slopes' factor."""
        to = [place for x in targets for place in self._places[x]]
        on = [place for p in by for place in self._places[p]]
        own = self._matrix[np.ix_(to, to)]
        if not on:
            return np.zeros((0, len(to))), own, np.zeros((0, 0))
        factor = np.linalg.cholesky(self._matrix[np.ix_(on, on)])
        half = np.linalg.solve(factor, self._matrix[np.ix_(on, to)])
        left = own - half.T @ half
        slopes: Floats = np.linalg.solve(factor.T, half)
        return slopes, left, np.asarray(factor, dtype=np.float64)

    def _line(
        self, x: str, discrete: Sequence[str], floats: Sequence[str], rng: np.random.Generator
    ) -> GaussianNode:
        slopes, left, factor = self._regressed([x], [*discrete, *floats])
        own = self._matrix[self._places[x][0], self._places[x][0]]
        freedom = self._rows + 2 + len(floats) + 1
        variance = max(float(left[0, 0]), LEAST_SHARE * float(own)) / rng.chisquare(freedom)
        sd = math.sqrt(variance)
        drawn = slopes[:, 0]
        if len(drawn):
            drawn = drawn + sd * np.linalg.solve(factor.T, rng.standard_normal(len(drawn)))
        middle = self._means[self._places[x][0]] + sd / math.sqrt(self._rows + 1) * float(
            rng.standard_normal()
        )
        mean, rest = self._by_states(discrete, drawn[:, None])
        shape = mean.shape[:-1]
        return GaussianNode(
            mean[..., 0] + middle,
            np.full(shape, sd),
            np.broadcast_to(rest[:, 0], (*shape, len(floats))),
            [self._means[self._places[p][0]] for p in floats],
        )

    def _by_states(self, discrete: Sequence[str], slopes: Floats) -> tuple[Floats, Floats]:
        """Return what states add, an axis for each variable, and the slopes that are left."""
        added = np.zeros((1,) * len(discrete) + (slopes.shape[1],))
        for place, p in enumerate(discrete):
            width = len(self._places[p])
            by_state = self._contrasts[p] @ slopes[:width]
            slopes = slopes[width:]
            shape = [1] * len(discrete) + [by_state.shape[1]]
            shape[place] = len(by_state)
            added = added + by_state.reshape(shape)
        return added, slopes

    def _softmax(
        self,
        x: str,
        discrete: Sequence[str],
        floats: Sequence[str],
        table: Floats,
        rng: np.random.Generator,
    ) -> SoftmaxNode:
        """Return P(state | numbers) where these are normal in each state."""
        given = [*discrete, x]
        slopes, left, factor = self._regressed(floats, given)
        count = len(floats)
        left = left + np.diag(LEAST_SHARE * np.diag(left))
        inverse = _wishart(np.linalg.inv(left), self._rows + 2 + count, rng)
        if len(slopes):
            noise = rng.standard_normal(slopes.shape)
            root = np.linalg.cholesky(np.linalg.inv(inverse))
            slopes = slopes + np.linalg.solve(factor.T, noise) @ root.T
        means, _ = self._by_states(given, slopes)
        means = np.broadcast_to(means, (*table.shape, count))
        found = means @ inverse
        logs = np.log(np.maximum(table, LEAST))
        intercepts = logs - 0.5 * np.einsum("...i,...i->...", found, means)
        centers = [self._means[self._places[p][0]] for p in floats]
        return SoftmaxNode(intercepts, found, centers)


def _products(table: Floats) -> Floats:
    """Return squares and products of columns.

    A small product is not worth several threads, which wait for each other: where other programs
    run, longer than it takes. Matrix libraries do not use them for a few rows at a time.
    """
    rows = ONE_THREAD // table.shape[1] ** 2 // 8 * 8
    if rows == 0:
        return np.asarray(table.T @ table)
    parts = (table[start : start + rows] for start in range(0, len(table), rows))
    return np.asarray(sum(part.T @ part for part in parts))


def _wishart(scale: npt.NDArray[Any], freedom: float, rng: np.random.Generator) -> Floats:
    """Draw a matrix by Bartlett's decomposition."""
    count = len(scale)
    lower = np.tril(rng.standard_normal((count, count)), -1)
    lower += np.diag(np.sqrt(rng.chisquare(freedom - np.arange(count))))
    half = np.linalg.cholesky(scale) @ lower
    found: Floats = half @ half.T
    return found
