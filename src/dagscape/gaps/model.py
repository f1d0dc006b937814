"""A network with its tables as the engine has it, and what a table with gaps says of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dagscape import _core
from dagscape.control.budget import Budget
from dagscape.data import Data
from dagscape.graphs import Dag
from dagscape.networks import Network
from dagscape.networks.fit import fit_table
from dagscape.networks.nodes.table import refuse_huge
from dagscape.scores import gap_table

Counts = Callable[[Sequence[int]], NDArray[np.float64]]
"""Counts of all value combinations of some variables, the last fastest."""

MOST_LISTED = 1000
"""Completions of missing cells that depend on each other; where there are more, some are drawn."""
DRAWS = 100
"""How many are drawn then."""


@dataclass(frozen=True)
class Tables:
    """A network: variables are numbers, tables lie flat with the child's states last."""

    parents: list[list[int]]
    tables: list[NDArray[np.float64]]


@dataclass(frozen=True)
class Model(Tables):
    """The same, and the network in names."""

    dag: Dag


class FamilyCounts:
    """Expected counts of families, each counted once: fitting and scoring ask for the same."""

    def __init__(self, completions: _core.Completions) -> None:
        self.completions = completions
        self._found: dict[tuple[int, ...], NDArray[np.float64]] = {}

    def __call__(self, variables: Sequence[int]) -> NDArray[np.float64]:
        """Return the counts of all value combinations, the last variable fastest."""
        key = tuple(variables)
        if key not in self._found:
            self._found[key] = np.asarray(self.completions.counts(list(key)))
        return self._found[key]


class Incomplete:
    """A table with gaps, and what can be asked of it."""

    def __init__(self, data: Data) -> None:
        rows = np.flatnonzero(~data.missing.mask.all(axis=1))
        self.data = data if len(rows) == data.n_rows else data.take(rows)
        """Without the rows that have no value at all."""
        self.names = data.variables.in_engine_order()
        self.arities = [data.arities[x] for x in self.names]

    @property
    def rows(self) -> int:
        """Rows that have a value."""
        return self.data.n_rows

    @cached_property
    def table(self) -> _core.GapTable:
        """The engine's own copy."""
        return gap_table(self.data)

    @cached_property
    def filled(self) -> Data:
        """A complete table of the same variables and states, whose rows mean nothing.

        Searches know variables by a table; what they score comes from the completions.
        """
        codes = np.where(self.data.missing.mask, 0, self.data.codes)
        return Data.from_codes(codes, self.data.states)

    def fitted(self, dag: Dag, counts: Counts, ess: float | None = 0.0) -> Model:
        """Fit tables by counts; `ess` as in :func:`dagscape.fit`."""
        number = self.data.variables.number
        parents = [[number(p) for p in dag.parents(x)] for x in self.names]
        tables = []
        for child, name in enumerate(self.names):
            family = [*parents[child], child]
            shape = [self.arities[v] for v in family]
            refuse_huge(name, shape)
            tables.append(fit_table(counts(family).reshape(shape), ess).reshape(-1))
        return Model(parents, tables, dag)

    def available(self, variables: Sequence[int]) -> NDArray[np.float64]:
        """Count the rows that have all of some variables; each cell begins with a little.

        So no row is impossible in a network that is fitted by these counts.
        """
        ranks = [self.data.variables.display_rank(v) for v in variables]
        known = ~self.data.missing.mask[:, ranks].any(axis=1)
        shape = tuple(self.arities[v] for v in variables)
        columns = tuple(self.data.codes[known, rank].astype(np.intp) for rank in ranks)
        size = int(np.prod(shape))
        counts = np.bincount(np.ravel_multi_index(columns, shape), minlength=size)
        return counts.astype(np.float64) + 1.0 / size

    def completions(
        self, model: Tables, seed: int, budget: Budget, draws: int = DRAWS
    ) -> _core.Completions | None:
        """Return how probable completions are in a network; None where a limit came before."""
        network = _core.TableNetwork(self.arities, model.parents, model.tables)
        seconds = budget.left()
        made, stopped = _core.complete(
            self.table, network, MOST_LISTED, draws, seed, budget.memory, budget.threads, seconds
        )
        budget.end(stopped or None)
        return None if stopped else made

    def network(self, model: Model) -> Network:
        """Return the network in names."""
        states = {x: self.data.states[x] for x in self.data.names}
        tables = {}
        for child, name in enumerate(self.names):
            shape = [self.arities[v] for v in (*model.parents[child], child)]
            tables[name] = model.tables[child].reshape(shape)
        return Network(model.dag, states, tables)
