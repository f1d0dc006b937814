"""Scores that stand in for another where cells are missing: on expected counts, or on draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagscape import _core
from dagscape.data import Data
from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.scores import Score
from dagscape.scores.priors import Prior, UniformPrior

CACHE_BYTES = 1 << 28


def check_real_counts(score: Score) -> None:
    """Refuse a score that is not defined where rows count in parts."""
    if score.takes_gaps:
        raise ParameterError(
            f"{score.base} scores available cases and needs no completions; give it to hill_climb, "
            "order_search or exact"
        )
    if not score.base.real_counts:
        raise ParameterError(
            f"{score.base} is defined for whole counts, and rows with gaps count in parts; choose "
            "bic, qnml or bdeu"
        )


@dataclass(frozen=True)
class StandIn(Score):
    """A score under the name of the one that it stands in for."""

    of: Score

    @property
    def base(self) -> Score:
        """The score without a prior."""
        return self.of.base

    @property
    def prior(self) -> Prior:
        """The prior on structures whose logarithm is added."""
        return self.of.prior

    @property
    def equivalent(self) -> bool:
        """Whether equivalent networks score the same."""
        return self.of.equivalent

    def to_dict(self) -> dict[str, Any]:
        """Return score and prior as plain values."""
        return self.of.to_dict()

    def __str__(self) -> str:
        return str(self.of)


@dataclass(frozen=True)
class ExpectedScore(StandIn):
    """What searches look at while rows with gaps count by their completions."""

    completions: _core.Completions
    rows: int

    def of_counts(self, counts: NDArray[np.float64], variables: int) -> float:
        """Return the value of a set of so many variables by the counts of all its combinations."""
        return self._counted.of_counts(counts, variables)

    @cached_property
    def _counted(self) -> _core.CompletedFunction:
        return _core.CompletedFunction(self.completions, self.base._engine(self.rows))

    def function(
        self,
        _table: _core.Table | None = None,
        _counter: _core.Counter | None = None,
        _unit: float = 1.0,
    ) -> _core.SetFunction:
        """Return what searches see."""
        function = self._counted
        if self.prior == UniformPrior():
            return function
        return _core.PriorFunction(function, self.prior.log_weights(function.variables))


@dataclass(frozen=True, eq=False)
class MeanScore(StandIn):
    """What searches look at while gaps are drawn: the mean of a score over completed tables."""

    tables: tuple[Data, ...]

    __eq__, __hash__ = object.__eq__, object.__hash__  # tables are many cells to compare

    def on(self, _data: Data) -> _core.SetFunction:
        """Return what searches see."""
        return _core.SumFunction(self._functions, 1 / len(self.tables))

    @cached_property
    def _functions(self) -> list[_core.SetFunction]:
        return [self.of.on(table) for table in self.tables]

    def totals(self, dags: Sequence[Dag]) -> list[list[float]]:
        """Return what each network scores on each table."""
        found: list[list[float]] = [[] for _ in dags]
        for table, function in zip(self.tables, self._functions, strict=True):
            scorer = _core.Scorer(function, CACHE_BYTES)
            number = table.variables.number
            for dag, totals in zip(dags, found, strict=True):
                totals.append(
                    math.fsum(
                        scorer.local(number(x), [number(p) for p in dag.parents(x)])
                        for x in table.names
                    )
                )
        return found
