"""Missing cells of tables with numbers, drawn by their probability given a network.

Parameters are drawn given the network and a completed table, then all missing cells given these and
what the rows have, so that completed tables differ as much as what is not known lets them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dagscape.data import Data
from dagscape.data.refusals import refuse_with_gaps
from dagscape.gaps.drawn_parameters import PRIOR_SQUARE, Lines
from dagscape.gaps.scales import ByRanks, ByValues, Scale
from dagscape.graphs import Dag
from dagscape.networks import Network, fit
from dagscape.networks.drawn_cells import CellDraws
from dagscape.networks.nodes.node import Column
from dagscape.scores import BGe, ConditionalGaussian, RankBGe, Score

Columns = dict[str, Column]
"""A table without gaps: codes by variable, or numbers."""

SWEEPS = 3
"""How often cells are drawn for parameters once drawn."""


class DrawnTables:
    """Draws the missing cells of one table."""

    def __init__(self, data: Data, score: Score) -> None:
        refuse_with_gaps(data)
        rows = np.flatnonzero(~data.missing.mask.all(axis=1))
        self.data = data if len(rows) == data.n_rows else data.take(rows)
        """Without the rows that have no value at all."""
        self._score = score.base
        mask = self.data.missing.mask
        self._gaps = {
            x: np.flatnonzero(mask[:, place])
            for place, x in enumerate(self.data.names)
            if mask[:, place].any()
        }
        self._known = {x: np.flatnonzero(~mask[:, i]) for i, x in enumerate(self.data.names)}
        self._observed: Columns = {
            x: self.data.column(x).astype(np.float64 if x in self.data.numbers else np.intp)
            for x in self.data.names
        }
        self._scales = {x: self._scale(x) for x in self.data.numbers}
        self._whole = {
            x: self._scales[x].scores(self._observed[x])
            for x in self.data.numbers
            if x not in self._gaps
        }

    def _scale(self, x: str) -> Scale:
        if isinstance(self._score, RankBGe):
            return ByRanks()
        return ByValues(self._observed[x][self._known[x]])

    def start(self, rng: np.random.Generator, *, anything: bool = False) -> Columns:
        """Fill each column from its own values; or, if anything goes, from any state or number."""
        columns = {x: column.copy() for x, column in self._observed.items()}
        for x in sorted(self._gaps):
            rows, there = self._gaps[x], self._observed[x][self._known[x]]
            if not anything:
                columns[x][rows] = rng.choice(there, size=len(rows))
            elif x in self.data.numbers:
                columns[x][rows] = rng.uniform(there.min(), there.max(), size=len(rows))
            else:
                columns[x][rows] = rng.integers(self.data.arities[x], size=len(rows))
        return columns

    def drawn(self, dag: Dag, columns: Columns, rng: np.random.Generator) -> Columns:
        """Draw the parameters of a network, then all missing cells."""
        scores = {
            x: self._whole[x] if x in self._whole else self._scales[x].scores(columns[x])
            for x in self._scales
        }
        counted = {x: scores.get(x, column) for x, column in columns.items()}
        network = self._network(dag, counted, rng)
        here = {x: column.copy() if x in self._gaps else column for x, column in counted.items()}
        draws = CellDraws(network, self._gaps)
        for _ in range(SWEEPS):
            draws.sweep(here, rng)
        found = dict(columns)
        for x, rows in self._gaps.items():
            found[x] = columns[x].copy()
            if x in self._scales:
                made = self._scales[x].numbers(here[x][rows], columns[x], scores[x])
                found[x][rows] = made
            else:
                found[x][rows] = here[x][rows]
        return found

    def table(self, columns: Mapping[str, Column]) -> Data:
        """Return a completed table; rows that had no value at all are not in it."""
        return Data.from_columns({x: columns[x] for x in self.data.names}, self.data.states)

    def _network(self, shown: Dag, counted: Columns, rng: np.random.Generator) -> Network:
        names = self.data.variables.in_engine_order()
        dag = Dag(names, shown.arcs)  # the order of columns plays no part in what is drawn
        if isinstance(self._score, ConditionalGaussian):
            # Lines of their own in each combination of states: those of rows drawn anew stand for
            # parameters that are drawn (Rubin and Schenker 1986).
            rows = rng.integers(self.data.n_rows, size=self.data.n_rows)
            drawn = {x: counted[x][rows] for x in names}
            states = {x: self.data.states[x] for x in names}
            return fit(dag, Data.from_columns(drawn, states))
        squares = {x: self._square(x) for x in self._scales}
        return Lines(counted, self.data.states, self._score, squares).network(dag, rng)

    def _square(self, x: str) -> float:
        """Return what the prior adds to the squares of a number, in units of its scale."""
        score, scale = self._score, self._scales[x]
        if not isinstance(score, BGe) or not isinstance(scale, ByValues):
            return PRIOR_SQUARE
        count = len(self.data.names)
        freedom = score.iss_w or count + 2
        square = score.iss_mu * (freedom - count - 1) / (score.iss_mu + 1)
        # Of a column that hardly varies, the prior is nearly all that is known.
        return square if score.standardized else min(square / scale.sd**2, 1e12)
