"""A score on the expected counts of a table with gaps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dagscape import _core
from dagscape.errors import ParameterError
from dagscape.scores import Score
from dagscape.scores.priors import Prior, UniformPrior


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
class ExpectedScore(Score):
    """What searches look at while rows with gaps count by their completions."""

    of: Score
    completions: _core.Completions
    rows: int

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

    def function(
        self,
        _table: _core.Table | None = None,
        _counter: _core.Counter | None = None,
        _unit: float = 1.0,
    ) -> _core.SetFunction:
        """Return what searches see."""
        function = _core.CompletedFunction(self.completions, self.base._engine(self.rows))
        if self.prior == UniformPrior():
            return function
        return _core.PriorFunction(function, self.prior.log_weights(function.variables))

    def to_dict(self) -> dict[str, Any]:
        """Return score and prior as plain values."""
        return self.of.to_dict()

    def __str__(self) -> str:
        return str(self.of)
