"""Scores where it is not known what experiments do.

An experiment is a context: a free ancestor, into which no arc leads and which has no score. An arc
from it to a variable says that the variable has parameters of its own in the rows of the
experiment, with the same parents. Contexts have a limit of their own, apart from that of parents,
and each number of them up to it is as probable as any other. A family scores the mean over all sets
of contexts, so that searches and sums see a function of a variable and its parents as ever.

Source: Mooij, Magliacane and Claassen, Joint causal inference from multiple contexts, JMLR 2020.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dagscape import _core
from dagscape.scores.base import Score
from dagscape.scores.counts import FNML, FittedDirichlet
from dagscape.scores.numbers import RankBGe

if TYPE_CHECKING:
    from dagscape.data import Data

CACHE = 1 << 26
"""Bytes that the score of some of the rows may keep."""

Contexts = tuple[int, ...]
"""Experiments by their numbers, those that act on a variable."""


def sets_of_contexts(experiments: int, most: int) -> list[Contexts]:
    """Return all sets of so many contexts at most."""
    numbers = range(1, experiments)
    return [each for size in range(most + 1) for each in combinations(numbers, size)]


def comparable(score: Score, data: Data) -> Score:
    """Return a score whose values for all rows and for parts of them can be compared.

    One that is fitted to what it scores fits each part by itself, and so makes parts of rows that
    are alike look different. FNML has nothing to fit; it takes whole rows of states alone.
    """
    fitted = isinstance(score, FittedDirichlet | RankBGe)
    return FNML() if fitted and not data.numbers and data.rows.each is None else score


@dataclass(frozen=True)
class ScoreWithContexts(Score):
    """Another score, where each experiment may act on each variable.

    Parameters
    ----------
    of
        The score of a variable in rows that have the same parameters.
    codes
        Of each row, its experiment, 64 bits each; 0 is what the others are compared with.
    most
        The most experiments that act on one variable.
    """

    of: Score
    codes: bytes
    most: int

    odds = True

    @classmethod
    def takes(cls, data: Data) -> bool:  # noqa: ARG003
        """Tell that it takes what the score inside takes, which is asked for that."""
        return True

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        """What it is called."""
        return (f"{self.of.names[0]}_with_contexts",)

    @property
    def equivalent(self) -> bool:
        """Whether equivalent networks score the same: contexts tell them apart."""
        return False

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, without the rows."""
        return {"name": self.names[0], "of": self.of.to_dict(), "most": self.most}

    def __str__(self) -> str:
        return f"{self.of} with at most {self.most} contexts"

    def for_table_to_keep(self) -> Score:
        """Return the same, made so that a table may keep what it gives."""
        return replace(self, of=self.of.for_table_to_keep())

    def on(self, data: Data) -> _core.SetFunction:
        """Return what searches see of the data."""
        families = ContextFamilies(self, data)
        return _core.PythonFunction(
            data.n_variables,
            float(data.n_rows),
            lambda _: 0.0,
            families.parameters,
            # A walk over sets asks of each member too, and does not look at what it is told.
            lambda child, set_: 0.0 if child in set_ else -families.score(child, set_),
        )


class ContextFamilies:
    """What each set of contexts makes of a variable with its parents."""

    def __init__(self, score: ScoreWithContexts, data: Data) -> None:
        codes = np.frombuffer(score.codes, dtype=np.int64)
        many = int(codes.max()) + 1
        self.sets = sets_of_contexts(many, score.most)
        self._base = [_scorer(score.of, data, ~np.isin(codes, each)) for each in self.sets]
        self._own = [_scorer(score.of, data, codes == code) for code in range(1, many)]
        self._prior = [
            -math.log((score.most + 1) * math.comb(many - 1, len(each))) for each in self.sets
        ]
        self._arities = [data.arities.get(x, 0) for x in data.variables.in_engine_order()]

    def score(self, child: int, parents: Sequence[int]) -> float:
        """Return the mean over all sets of contexts, as a logarithm."""
        return float(np.logaddexp.reduce(self._logs(child, parents)))

    def shares(self, child: int, parents: Sequence[int]) -> Iterator[tuple[Contexts, float]]:
        """Yield how probable each set of contexts is, given the parents."""
        logs = self._logs(child, parents)
        yield from zip(self.sets, np.exp(logs - np.logaddexp.reduce(logs)).tolist(), strict=True)

    def _logs(self, child: int, parents: Sequence[int]) -> NDArray[np.float64]:
        given = list(parents)
        own = [scorer.local(child, given) for scorer in self._own]
        return np.array(
            [
                base.local(child, given) + prior + sum(own[code - 1] for code in each)
                for each, base, prior in zip(self.sets, self._base, self._prior, strict=True)
            ]
        )

    def parameters(self, members: Sequence[int]) -> float:
        """Return the free parameters of a set in one context, which guide searches."""
        return float(math.prod(self._arities[v] or 1 for v in members))


def _scorer(score: Score, data: Data, rows: NDArray[np.bool_]) -> _core.Scorer:
    return _core.Scorer(score.on(data.take(np.flatnonzero(rows))), CACHE)
