"""The effect of a cause by adjusting for its parents: regression, and what its error leaves open.

Whoever knows the direct causes of a cause can tell its effect without the rest of the network: the
outcome is regressed on the cause and on these, and the fit is averaged over all rows. The prior has
a part only in which sets of parents there may be, and nothing is set to zero where a network has no
path. The outcome's own parents are adjusted for, too: an arc from one of them to the cause, too
weak to be found, would leave the effect off by more than its error (Belloni, Chernozhukov and
Hansen 2014).

A cause with states has a regression for each of its states, where there are rows enough, so that
other columns may change what it does; otherwise a common one. States enter as indicators, of their
combinations where there are rows enough, else of each column; numbers as lines and squares. Errors
are those of White (1980), as HC3, so residuals may scatter as they like; and an outcome's
probabilities near 0 and 1 are kept from looking certain by one more row with each outcome, in each
state of the cause (Agresti and Caffo 2000).

Sources: Belloni, Chernozhukov and Hansen, Inference on treatment effects after selection among
high-dimensional controls, Review of Economic Studies 2014; Lin, Agnostic notes on regression
adjustments to experimental data, Annals of Applied Statistics 2013; Long and Ervin, Using
heteroscedasticity consistent standard errors in the linear regression model, American Statistician
2000; Agresti and Caffo, Simple and effective confidence intervals, American Statistician 2000.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagscape.effects.line_draws import standard
from dagscape.errors import GraphError
from dagscape.graphs.named_graph import reached

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dagscape.data import Data
    from dagscape.graphs import Dag, Mpdag

Values = NDArray[np.float64]
Codes = NDArray[np.int64]

ROWS_EACH = 10
"""Rows for each combination of states, and for each number that is fitted in a state of the cause;
with fewer, there are fewer numbers to fit."""
OWN_SHARE = 1e-9
"""Less than this share of a column's variance of its own is none: others make it up."""
MOST_LEVERAGE = 0.9
"""Where a single row decides so much of its own fit, fewer numbers are fitted."""


class _Fit(NamedTuple):
    """Means, or slopes, and how far they may be off: a row for each, a column for each outcome."""

    means: Values
    roots: Values
    """By outcome, a square root of the covariance of the rows."""
    free: int


def adjusted_for(dag: Dag, cause: str, outcome: str) -> tuple[str, ...] | None:
    """Return what is adjusted for; None where the outcome comes before the cause.

    The parents of the cause are enough. The outcome's own that are not below the cause do no harm,
    make the error smaller, and help where the arc of one of them to the cause was missed.
    """
    if outcome in dag.ancestors(cause):
        return None
    below = {cause, *dag.descendants(cause)}
    own = [x for x in dag.parents(outcome) if x not in below]
    return tuple(sorted({*dag.parents(cause), *own}))


def adjustment_sets(
    networks: Iterable[Dag], cause: str, outcome: str
) -> tuple[tuple[tuple[str, ...], float], ...]:
    """Return what is adjusted for in networks, and in what share of them."""
    ways = Counter(adjusted_for(dag, cause, outcome) for dag in networks)
    total = sum(ways.values())
    ranked = sorted((-many, names) for names, many in ways.items() if names is not None)
    return tuple((names, -many / total) for many, names in ranked)


class AdjustedDraws:
    """Draws the effect of one column on another, given the parents of the cause.

    By draw, state of the cause if it has states, and state of the outcome if that has. Not a number
    where the rows do not tell: a state of the cause that never occurs, or parents that determine
    the cause.
    """

    def __init__(
        self,
        data: Data,
        cause: str,
        outcome: str,
        rng: np.random.Generator,
        *,
        ruled_out: bool = False,
    ) -> None:
        self._data, self._cause, self._outcome, self._rng = data, cause, outcome, rng
        self._ruled_out = ruled_out
        self._states = outcome not in data.numbers
        if self._states:
            self._outcomes, self._middle, self._unit = self._indicators(outcome), 0.0, 1.0
        else:
            column, self._unit = standard(data.numbers[outcome])
            self._outcomes, self._middle = column[:, None], _mean(data.numbers[outcome])
        self._known: dict[tuple[str, ...], _Fit] = {}
        self._anyway: _Fit | None = None

    def of(self, networks: Iterable[Dag], each: int = 1) -> Values:
        """Return so many draws for each network; no effect where the outcome is above the cause.

        Nor where it was ruled out.
        """
        if self._ruled_out:
            return self.without_effect(each * sum(1 for _ in networks))
        ways = Counter(adjusted_for(dag, self._cause, self._outcome) for dag in networks)
        return np.concatenate(
            [
                self.without_effect(each * many)
                if others is None
                else self.given(others, each * many)
                for others, many in sorted(ways.items(), key=lambda way: (way[0] is None, way[0]))
            ]
        )

    def given(self, others: tuple[str, ...], count: int) -> Values:
        """Return draws by adjusting for these."""
        if others not in self._known:
            self._known[others] = self._fitted(others)
        return self._shaped(self._drawn(self._known[others], count))

    def without_effect(self, count: int) -> Values:
        """Return draws where setting the cause does nothing: what the outcome is anyway."""
        if self._cause in self._data.numbers:
            return self._shaped(np.zeros((count, 1, self._outcomes.shape[1])))
        if self._anyway is None:
            ones = np.ones((self._data.n_rows, 1))
            found, errors = _least_squares(ones, self._outcomes, ones[:, 0])
            self._anyway = _Fit(found, _roots(errors), self._data.n_rows - 1)
        alike = self._drawn(self._anyway, count)
        return self._shaped(np.repeat(alike, self._data.arities[self._cause], axis=1))

    def _drawn(self, fit: _Fit, count: int) -> Values:
        normal = self._rng.standard_normal((count, *fit.means.shape))
        chi = self._rng.chisquare(max(1, fit.free), count)
        spread = np.sqrt(max(1, fit.free) / chi)[:, None, None]
        draws = np.asarray(fit.means + spread * np.einsum("yts,nsy->nty", fit.roots, normal))
        if self._states and draws.shape[-1] == 2:  # what one of two gains, the other loses
            draws[..., 0] = fit.means.sum(axis=1) - draws[..., 1]
        return draws

    def _shaped(self, draws: Values) -> Values:
        """Return draws in the units of the table, without an axis for what is one number."""
        if not self._states:
            draws = draws[..., 0]
        with np.errstate(over="ignore"):
            if self._cause in self._data.numbers:
                unit = standard(self._data.numbers[self._cause])[1]
                return draws[:, 0] * (self._unit / unit if unit else 1.0)
            return self._middle + self._unit * draws

    def _fitted(self, names: tuple[str, ...]) -> _Fit:
        if self._cause in self._data.numbers:
            return self._slope(self._confounders(names, joint=True))
        return self._by_state(names)

    # --- what is adjusted for -------------------------------------------------------------------

    def _confounders(self, names: tuple[str, ...], *, joint: bool) -> Values:
        """Return the columns that stand for what is adjusted for, each less its mean.

        Joint: the combinations of all states, where there are rows enough for each.
        """
        states = [x for x in names if x not in self._data.numbers]
        joined = self._joined(states)
        columns = [np.zeros((self._data.n_rows, 0))]
        if joint and ROWS_EACH * (joined.max(initial=0) + 1) <= self._data.n_rows:
            columns.append(_dummies(joined))
        else:
            columns += [_dummies(self._joined([x])) for x in states]
        for x in names:
            if x in self._data.numbers:
                line = standard(self._data.numbers[x])[0]
                columns += [each[:, None] for each in (line, standard(line**2)[0])]
        return _spanning(np.column_stack(columns))

    def _joined(self, names: list[str]) -> Codes:
        joined = np.zeros(self._data.n_rows, dtype=np.int64)
        for x in names:
            joined = joined * self._data.arities[x] + self._data.select([x]).codes[:, 0]
            joined = np.unique(joined, return_inverse=True)[1].reshape(-1)
        return joined

    def _indicators(self, name: str) -> Values:
        return np.eye(self._data.arities[name])[self._data.select([name]).codes[:, 0]]

    # --- regressions ----------------------------------------------------------------------------

    def _by_state(self, names: tuple[str, ...]) -> _Fit:
        """Return the mean outcome in each state of the cause, averaged over all rows.

        By the first of these that rows are enough for: a regression in each state of the cause, on
        combinations of states or on each column; one for all states, likewise.
        """
        arms = self._indicators(self._cause)
        there = np.flatnonzero(arms.sum(axis=0))
        used = arms[:, there]
        ways = [self._confounders(names, joint=joint) for joint in (True, False)]
        for own in (True, False):
            for others in ways:
                if own and used.sum(axis=0).min() < ROWS_EACH * (1 + others.shape[1]):
                    continue
                leverage = _leverage(_design(used, others, own))
                last = not own and others is ways[-1] and leverage < np.inf
                if leverage <= MOST_LEVERAGE or last:
                    return self._averaged(used, there, others, own)
        states, many = arms.shape[1], self._outcomes.shape[1]
        return _Fit(np.full((states, many), np.nan), np.full((many, states, states), np.nan), 1)

    def _averaged(self, used: Values, there: Codes, others: Values, own: bool) -> _Fit:
        t, k, many = used.shape[1], others.shape[1], self._outcomes.shape[1]
        design, y, weights = _design(used, others, own), self._outcomes, np.ones(len(others))
        if self._states:  # one more row with each outcome, in each state of the cause
            more = _design(np.repeat(np.eye(t), many, axis=0), np.zeros((t * many, k)), own)
            design, y = np.vstack([design, more]), np.vstack([y, np.tile(np.eye(many), (t, 1))])
            weights = np.append(weights, np.full(t * many, 2 / many))
        found, errors = _least_squares(design, y, weights)
        slopes = found[t:].reshape(t, k, many) if own else np.repeat(found[None, t:], t, axis=0)
        # The rows themselves are drawn: their mean of the others has an error, too.
        spread = others.T @ others / len(others) ** 2
        covariance = errors[:, :t, :t] + np.einsum("tky,kl,sly->yts", slopes, spread, slopes)
        states = self._data.arities[self._cause]
        means = np.full((states, many), np.nan)
        roots = np.zeros((many, states, states))
        means[there] = found[:t]
        if not self._states:  # one row has no error that could be told
            means[there[used.sum(axis=0) < 2]] = np.nan
        roots[np.ix_(np.arange(many), there, there)] = _roots(covariance)
        return _Fit(means, roots, len(others) - design.shape[1])

    def _slope(self, others: Values) -> _Fit:
        """Return by how much the mean outcome rises for each deviation of the cause."""
        line = standard(self._data.numbers[self._cause])[0][:, None]
        design = np.hstack([line, np.ones((len(line), 1)), others])
        if _leverage(design) == np.inf:
            many = self._outcomes.shape[1]
            return _Fit(np.full((1, many), np.nan), np.full((many, 1, 1), np.nan), 1)
        found, errors = _least_squares(design, self._outcomes, np.ones(len(line)))
        return _Fit(found[:1], _roots(errors[:, :1, :1]), len(line) - design.shape[1])


def _design(arms: Values, others: Values, own: bool) -> Values:
    """Return the columns of a regression: one for each arm, and others, for each arm or for all."""
    each = [arms[:, [t]] * others for t in range(arms.shape[1])] if own else [others]
    return np.hstack([arms, *each])


def _leverage(design: Values) -> float:
    """Return the highest leverage of a row; infinite where columns make each other up."""
    scaled = design / np.maximum(np.sqrt((design**2).sum(axis=0)), 1e-300)
    values, vectors = np.linalg.eigh(scaled.T @ scaled)
    if len(values) and values[0] < OWN_SHARE:
        return np.inf
    return float((((scaled @ vectors) ** 2) @ (1 / values)).max(initial=0.0))


def _mean(values: Values) -> float:
    """Return the mean, of values the sum of which is no number, too."""
    largest = float(np.abs(values).max(initial=0.0)) or 1.0
    return float((values / largest).mean()) * largest


def _dummies(codes: Codes) -> Values:
    """Return indicators of all codes that occur but the first."""
    found, codes = np.unique(codes, return_inverse=True)
    return np.asarray(np.eye(len(found))[codes.reshape(-1)][:, 1:])


def _spanning(columns: Values) -> Values:
    """Return as few columns with means of zero as say the same."""
    columns = columns - columns.mean(axis=0)
    size = np.sqrt((columns**2).sum(axis=0))
    columns = columns[:, size > 0] / size[size > 0]
    values, vectors = np.linalg.eigh(columns.T @ columns)
    found = columns @ vectors[:, values > OWN_SHARE]
    return np.asarray(found * math.sqrt(len(found)))


def _least_squares(design: Values, y: Values, weights: Values) -> tuple[Values, Values]:
    """Return coefficients, and by outcome their covariance (HC3)."""
    weighted = design * weights[:, None]
    half = np.linalg.solve(design.T @ weighted, weighted.T)
    found = half @ y
    leverage = np.einsum("np,pn->n", design, half)
    left = (y - design @ found) / np.maximum(1 - leverage, 1 - MOST_LEVERAGE)[:, None]
    return found, np.einsum("pn,ny,qn->ypq", half, left**2, half)


def _roots(covariances: Values) -> Values:
    """Return symmetric square roots."""
    values, vectors = np.linalg.eigh(covariances)
    return np.asarray(
        np.einsum("...ij,...j,...kj->...ik", vectors, np.sqrt(np.maximum(values, 0)), vectors)
    )


def members_by_parents(graph: Mpdag, cause: str) -> Iterator[tuple[tuple[str, ...], Dag]]:
    """Yield the sets of parents that a variable has in members of a class, each with a member.

    Adjusting for the parents of a cause gives its effect, so that members with the same ones agree
    on it. Source: Maathuis, Kalisch and Bühlmann, Estimating high-dimensional intervention effects
    from observational data, 2009 (IDA).

    Cost: 2^k orientations, for k undirected neighbors of the cause.
    """
    maybe = graph.undirected_neighbors(cause)
    for size in range(len(maybe) + 1):
        for some in combinations(maybe, size):
            try:
                member = graph.orient((x, cause) if x in some else (cause, x) for x in maybe)
            except GraphError:  # no member has these directions
                continue
            yield member.parents(cause), member.to_dag()


def leaves_open(graph: Mpdag, cause: str, outcome: str) -> bool:
    """Tell whether members of a class may differ in what setting the cause does to the outcome.

    They do not if no path from cause to outcome that could be directed begins with an undirected
    edge. Source: Perković, Textor, Kalisch and Maathuis, 2018 (amenable graphs).
    """

    def steps(x: str) -> Iterator[str]:
        return (y for y in (*graph.children(x), *graph.undirected_neighbors(x)) if y != cause)

    return any(outcome in reached(first, steps) for first in graph.undirected_neighbors(cause))
