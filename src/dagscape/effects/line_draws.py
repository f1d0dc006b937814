"""Lines of a network of numbers, drawn from what the data say of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagscape.scores import BGe, Score

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.graphs import Dag

Values = NDArray[np.float64]

OWN_SHARE = 1e-9
"""Correlations are lowered by this share, as in scores: so copies of a column have lines too."""


class _Line(NamedTuple):
    mean: Values
    """Of the slopes."""
    root: Values
    """A square root of their covariance, but for the variance of the noise."""
    scatter: float
    free: float
    """The variance of the noise is the scatter, divided by a chi-square of so many degrees."""


class LineDraws:
    """Draws the slopes of a column on its parents from their posterior.

    That of the BGe score: for all of a network's columns together a normal-Wishart prior, of which
    each family has its part (Geiger and Heckerman 2002). Its parameters are those of the networks'
    score, if that is BGe; otherwise those of ``BGe(standardized=True)``. Where rows come from
    experiments, a child is learned from those in which it was free.
    """

    def __init__(self, data: Data, score: Score, rng: np.random.Generator) -> None:
        self._rng = rng
        self._known: dict[tuple[str, tuple[str, ...]], _Line] = {}
        prior = score.base if isinstance(score.base, BGe) else BGe(standardized=True)
        columns = {x: standard(np.asarray(values)) for x, values in data.numbers.items()}
        self.units = {x: unit for x, (_, unit) in columns.items() if unit > 0}
        """The standard deviations of the columns that change."""
        self._place = {x: at for at, x in enumerate(self.units)}
        n = len(self.units)
        self._table = np.array([columns[x][0] for x in self.units]).reshape(n, data.n_rows)
        self._done = data.rows.interventions
        self._scatters: dict[tuple[str, ...], tuple[Values, float]] = {}
        self._iss_w = prior.iss_w or n + 2
        t = prior.iss_mu * (self._iss_w - n - 1) / (prior.iss_mu + 1)
        with np.errstate(over="ignore", under="ignore", divide="ignore"):
            units = np.array([*self.units.values()])
            own = np.ones(n) if prior.standardized else units**-2.0
        # A unit beyond what squares can hold: the prior has all the say, or none.
        self._prior = t * np.minimum(own, 1e300)

    def _scatter(self, child: str) -> tuple[Values, float]:
        """Return prior and scatter of the rows that a child is learned from, and its freedom."""
        key = () if self._done is None else self._done.states(child)
        if key not in self._scatters:
            table = self._table
            if self._done is not None:
                table = table[:, self._done.free_rows(child)]
                table = table - table.mean(axis=1, keepdims=True)
            matrix = table @ table.T
            own = matrix.diagonal() + self._prior
            matrix /= 1 + OWN_SHARE
            np.fill_diagonal(matrix, own)
            n, rows = table.shape
            self._scatters[key] = matrix, self._iss_w + rows - n
        return self._scatters[key]

    def draw(self, child: str, parents: tuple[str, ...]) -> dict[str, float]:
        """Return a slope for each parent, in standard deviations of both."""
        changing = tuple(p for p in parents if p in self._place)
        if child not in self._place or not changing:
            return dict.fromkeys(parents, 0.0)
        line = self._line(child, changing)
        noise = np.sqrt(line.scatter / self._rng.chisquare(line.free))
        slopes = line.mean + noise * (line.root @ self._rng.standard_normal(len(changing)))
        return {**dict.fromkeys(parents, 0.0), **dict(zip(changing, slopes.tolist(), strict=True))}

    def _line(self, child: str, parents: tuple[str, ...]) -> _Line:
        key = (child, parents)
        if key not in self._known:
            at = [self._place[p] for p in parents]
            own = self._place[child]
            matrix, free = self._scatter(child)
            # Scaled to a diagonal of 1, or a prior that has all the say would drown the rest.
            size = np.sqrt(matrix[at, at])
            among = matrix[np.ix_(at, at)] / size[:, None] / size
            with_child = matrix[at, own] / size
            factor = np.linalg.cholesky(among)
            half = np.linalg.solve(factor, with_child)
            back = np.linalg.inv(factor).T
            self._known[key] = _Line(
                back @ half / size,
                back / size[:, None],
                max(float(matrix[own, own] - half @ half), 0.0),
                free + len(parents) + 1,
            )
        return self._known[key]


def drawn_slope(dag: Dag, cause: str, outcome: str, lines: LineDraws) -> float:
    """Draw the network's lines; return how much the outcome rises with each unit of the cause.

    That is the sum over directed paths of the products of their slopes: what the cause adds to each
    column between it and the outcome, in order.
    """
    below = set(dag.descendants(cause))
    if outcome not in below:
        return 0.0
    between = below & {outcome, *dag.ancestors(outcome)}
    rise = {cause: 1.0}
    for x in dag.topological_order():
        if x in between:
            slopes = lines.draw(x, dag.parents(x))
            rise[x] = sum(slope * rise.get(p, 0.0) for p, slope in slopes.items())
    if outcome not in lines.units:
        return 0.0
    return float(rise[outcome] * (lines.units[outcome] / lines.units[cause]))


def standard(values: Values) -> tuple[Values, float]:
    """Return a column with mean 0 and variance 1, and its standard deviation; 0 if constant.

    Of values so large or small that their squares are no numbers, too.
    """
    largest = float(np.abs(values).max(initial=0.0))
    if not largest or (values == values[0]).all():
        return np.zeros_like(values), 0.0
    scaled = values / largest
    scaled = scaled - scaled.mean()
    deviation = float(np.sqrt(np.mean(scaled**2)))
    if not deviation * largest > 0:  # differences too small for a number
        return np.zeros_like(values), 0.0
    return scaled / deviation, deviation * largest
