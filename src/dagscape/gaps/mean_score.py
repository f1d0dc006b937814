"""The mean of a score over several completed tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dagscape import _core
from dagscape.data import Data
from dagscape.graphs import Dag
from dagscape.scores import Score
from dagscape.scores.priors import Prior

CACHE_BYTES = 1 << 28


@dataclass(frozen=True, eq=False)
class MeanScore(Score):
    """What searches look at while gaps are drawn: the mean of a score over completed tables."""

    of: Score
    tables: tuple[Data, ...]

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

    def on(self, _data: Data) -> _core.SetFunction:
        """Return what searches see."""
        functions = [self.of.on(table) for table in self.tables]
        return _core.SumFunction(functions, 1 / len(functions))

    def totals(self, dags: Sequence[Dag]) -> list[list[float]]:
        """Return what each network scores on each table."""
        found: list[list[float]] = [[] for _ in dags]
        for table in self.tables:
            scorer = _core.Scorer(self.of.on(table), CACHE_BYTES)
            number = table.variables.number
            for dag, totals in zip(dags, found, strict=True):
                totals.append(
                    math.fsum(
                        scorer.local(number(x), [number(p) for p in dag.parents(x)])
                        for x in table.names
                    )
                )
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return score and prior as plain values."""
        return self.of.to_dict()

    def __str__(self) -> str:
        return str(self.of)
