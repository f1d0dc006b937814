"""Missing cells drawn by their probability: what data augmentation does beside drawing networks.

Given a network and a table whose gaps are filled somehow, the parameters are drawn given both, and
then all missing cells given the parameters and what the rows have. So the filled table and the
network, which others draw given the table, come to have the distribution that what is observed
gives to both (Tanner and Wong, The calculation of posterior distributions by data augmentation,
JASA 1987).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dagscape.control.budget import Budget
from dagscape.data import Data
from dagscape.gaps.drawn_em import check_lines
from dagscape.gaps.drawn_parameters import dirichlet
from dagscape.gaps.drawn_tables import Columns, DrawnTables
from dagscape.gaps.model import Incomplete, Tables
from dagscape.gaps.starts import by_available
from dagscape.graphs import Dag
from dagscape.networks.nodes.table import refuse_huge
from dagscape.problem import Problem
from dagscape.scores import Score
from dagscape.search import hill_climb

CLIMBS = 3
"""Climbs before a chain begins near an optimum, with cells drawn before each."""

Codes: TypeAlias = list[NDArray[np.uint16]]
"""The codes of a table without gaps, by variable as the engine numbers them."""


class Cells(Protocol):
    """What draws the missing cells of one table; a table without gaps is in a form of its own."""

    def start(
        self, kind: str, problem: Problem, rng: np.random.Generator, budget: Budget
    ) -> Any | None:
        """Fill the gaps for a chain to begin with; None where a limit came before."""

    def drawn(
        self, parents: list[list[int]], columns: Any, rng: np.random.Generator, budget: Budget
    ) -> Any | None:
        """Draw the parameters of a network, then all missing cells; None where a limit came."""

    def data(self, columns: Any) -> Data:
        """Return a filled table; rows that had no value at all are not in it."""


def cells_of(data: Data, score: Score) -> Cells:
    """Return what draws the missing cells of a table."""
    return NumberCells(data, score) if data.numbers else StateCells(data, score)


class NumberCells:
    """Draws the missing cells of a table with numbers, one after another."""

    def __init__(self, data: Data, score: Score) -> None:
        check_lines(score)
        self._draws = DrawnTables(data, score)

    def start(
        self, kind: str, problem: Problem, rng: np.random.Generator, budget: Budget
    ) -> Columns:
        """Fill the gaps for a chain to begin with.

        "optimum": as the network of a climb has it; "empty": each column by its own values;
        "random": any state or number alike.
        """
        columns = self._draws.start(rng, anything=kind == "random")
        if kind != "optimum":
            return columns
        known = problem.knowledge
        dag = Dag(problem.data.names, () if known is None else known.required)
        for _ in range(CLIMBS):
            if budget.ended:
                break
            columns = self._draws.drawn(dag, columns, rng)
            filled = problem.on(self._draws.table(columns))
            limits = {**budget.words(), "progress": None, "seed": budget.seed}
            dag = hill_climb(filled, start=dag, restarts=0, **limits).dag
        return columns

    def drawn(
        self,
        parents: list[list[int]],
        columns: Columns,
        rng: np.random.Generator,
        budget: Budget,
    ) -> Columns | None:
        """Draw the parameters of a network, then all missing cells; None where a limit came."""
        if budget.ended:
            return None
        names = self._draws.data.variables.in_engine_order()
        arcs = [(names[p], names[v]) for v, above in enumerate(parents) for p in above]
        return self._draws.drawn(Dag(self._draws.data.names, arcs), columns, rng)

    def data(self, columns: Columns) -> Data:
        """Return a filled table; rows that had no value at all are not in it."""
        return self._draws.table(columns)


class StateCells:
    """Draws the missing cells of a table of states, all of a row at once."""

    def __init__(self, data: Data, score: Score) -> None:
        self._table = Incomplete(data)
        self._score = score.base
        ranks = [data.variables.display_rank(v) for v in range(data.n_variables)]
        self._engine_places = np.argsort(ranks)

    def start(
        self, kind: str, problem: Problem, rng: np.random.Generator, budget: Budget
    ) -> Codes | None:
        """Fill the gaps for a chain to begin with; None where a limit came before.

        "optimum": as the network of a climb by available cases has it; "empty": each column by its
        own frequencies; "random": every state alike.
        """
        table = self._table
        model: Tables
        if kind == "optimum":
            model = by_available(table, table, problem, budget)
        elif kind == "empty":
            model = table.fitted(Dag(table.data.names), table.available)
        else:
            model = Tables([[] for _ in table.arities], [np.full(k, 1 / k) for k in table.arities])
        return self._cells(model, rng, budget)

    def drawn(
        self,
        parents: list[list[int]],
        columns: Codes,
        rng: np.random.Generator,
        budget: Budget,
    ) -> Codes | None:
        """Draw the parameters of a network, then all missing cells; None where a limit came."""
        tables = [
            self._parameters([*above, child], columns, rng) for child, above in enumerate(parents)
        ]
        return self._cells(Tables(parents, tables), rng, budget)

    def data(self, columns: Codes) -> Data:
        """Return a filled table; rows that had no value at all are not in it."""
        codes = np.stack([columns[v] for v in self._engine_places], axis=1)
        return Data.from_codes(codes, self._table.data.states)

    def _cells(self, model: Tables, rng: np.random.Generator, budget: Budget) -> Codes | None:
        # Of rows that have too many completions to list, one is drawn: here one is all it takes.
        listing, drawing = (int(seed) for seed in rng.integers(1 << 62, size=2))
        completions = self._table.completions(model, listing, budget, draws=1)
        return None if completions is None else completions.drawn(drawing)

    def _parameters(
        self, family: Sequence[int], columns: Codes, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Draw the table of a variable, the last of its family, from its Dirichlet posterior."""
        shape = tuple(self._table.arities[v] for v in family)
        refuse_huge(self._table.names[family[-1]], shape)
        size = int(np.prod(shape))
        cells = np.ravel_multi_index(tuple(columns[v].astype(np.intp) for v in family), shape)
        counts = np.bincount(cells, minlength=size)
        cases = counts + self._score.imagined(counts, size, len(family))
        return dirichlet(cases, shape[-1], rng).reshape(-1)
