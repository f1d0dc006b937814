"""Scores by name or by plain values, alone or with a prior; and those of a table, made once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from dagscape import _core
from dagscape.data import FACTS, check_data
from dagscape.data.refusals import refuse_rows
from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.scores.base import SCORES, Score, of_groups
from dagscape.scores.counts import LogLikelihood
from dagscape.scores.own import ScoreFunction, not_kept
from dagscape.scores.priors import (
    PRIORS,
    Prior,
    PriorLike,
    UniformPrior,
    as_prior,
    prior_from_dict,
)

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.scores.base import Score

AND_PRIOR = ", prior "
"""Between a score and its prior, in words."""


@dataclass(frozen=True)
class ScoreWithPrior(Score):
    """A score plus the logarithm of a prior on structures: what searches look at if given both."""

    of: Score
    added: Prior

    @property
    def base(self) -> Score:
        """The score without a prior."""
        return self.of

    @property
    def prior(self) -> Prior:
        """The prior on structures whose logarithm is added."""
        return self.added

    @property
    def equivalent(self) -> bool:
        """Whether equivalent networks score the same; a prior does not tell them apart."""
        return self.of.equivalent

    @property
    def takes_gaps(self) -> bool:
        """Whether it scores tables with missing cells as they are."""
        return self.of.takes_gaps

    def function(
        self, table: _core.Table, counter: _core.Counter | None = None, unit: float = 1.0
    ) -> _core.SetFunction:
        """Return what searches see."""
        return self._with_prior(self.of.function(table, counter, unit))

    def on(self, data: Data) -> _core.SetFunction:
        """Return what searches see of the data."""
        return self._with_prior(self.of.on(data))

    def for_table_to_keep(self) -> Score:
        """Return the same, made so that a table may keep what it gives."""
        return ScoreWithPrior(self.of.for_table_to_keep(), self.added)

    def _with_prior(self, function: _core.SetFunction) -> _core.SetFunction:
        return _core.PriorFunction(function, self.added.log_weights(function.variables))

    def to_dict(self) -> dict[str, Any]:
        """Return score and prior as plain values."""
        return {**self.of.to_dict(), "prior": self.added.to_dict()}

    def __str__(self) -> str:
        return f"{self.of}{AND_PRIOR}{self.added}"


ScoreLike: TypeAlias = "Score | str"


def as_score(score: ScoreLike, prior: PriorLike | None = None) -> Score:
    """Return the score that an object, a name or words such as "bdeu(ess=10)" stand for.

    With a prior, its logarithm is added. The uniform one, of which all networks have the same,
    leaves a score as it is.
    """
    chosen = _alone(score)
    if prior is None:
        return chosen
    added = as_prior(prior)
    if chosen.prior not in (UniformPrior(), added):
        raise ParameterError(f'the score "{chosen}" has a prior already; leave out "{added}"')
    return chosen if added == chosen.prior else ScoreWithPrior(chosen, added)


def _alone(score: ScoreLike) -> Score:
    if isinstance(score, str):
        words, _, prior = score.partition(AND_PRIOR)
        return as_score(SCORES.from_words(words), prior or None)
    if isinstance(score, Score):
        return score
    raise ParameterError(f"a score is a name or an object such as BIC(), got {score!r}")


def score_from_dict(values: Mapping[str, Any]) -> Score:
    """Return the score that :meth:`Score.to_dict` told.

    Examples
    --------
    >>> from dagscape.scores import score_from_dict
    >>> score_from_dict({"name": "bdeu", "ess": 10})
    BDeu(ess=10.0)
    """
    if not isinstance(values, Mapping) or "prior" not in values:
        return SCORES.from_dict(values)
    base = {key: value for key, value in values.items() if key != "prior"}
    return as_score(SCORES.from_dict(base), prior_from_dict(values["prior"]))


def known_score(words: str) -> Score | None:
    """Return the score that words of ours stand for; None for any others."""
    base, _, prior = words.partition(AND_PRIOR)
    score, added = SCORES.known(base), PRIORS.known(prior) if prior else UniformPrior()
    return None if score is None or added is None else as_score(score, added)


def score_of_work(words: Mapping[str, Any]) -> Score:
    """Return the score that the settings of stored work tell; of one's own only what it is called.

    Raises
    ------
    KeyError
        If they tell none.
    """
    score = words["score"]
    if "function" in words:
        score = ScoreFunction(score, not_kept, equivalent=True)
    return as_score(score, words["prior"])


def log_prior(score: Score, dag: Dag) -> float:
    """Return the part of a network's score that comes from the prior; the rest is of the data."""
    weights = score.prior.log_weights(len(dag.names))
    return math.fsum(weights[len(dag.parents(name))] for name in dag.names)


CACHE_BYTES = 1 << 30
"""What one score on one table may keep of its set functions."""


def free_numbers(data: Data) -> list[int]:
    """Return the variables that are taken as given: without parents, and without a score."""
    return [data.variables.number(name) for name in data.rows.given]


def check_scored(data: Data, score: ScoreLike | None) -> None:
    """Refuse what is not a Data, and missing cells unless the score takes them."""
    check_data(data, gaps=score is not None and as_score(score).takes_gaps, rows=FACTS)


def scorer(data: Data, score: ScoreLike) -> _core.Scorer:
    """Return the engine's score on the data; made once, so that all calls share its cache."""
    check_scored(data, score)
    kind = as_score(score)

    def made() -> _core.Scorer:
        return _core.Scorer(kind.for_table_to_keep().on(data), CACHE_BYTES, free_numbers(data))

    return data._scorer_of(kind, made)


def likelihood(data: Data) -> _core.Scorer:
    """Return the log-likelihood that tests of independence look at: ratios of it are statistics.

    On states these are G², on numbers tests of partial correlation; on both, tests of the columns
    that :class:`BasisBIC` of degree 1 makes of them.
    """
    refuse_rows(data, [fact for fact in FACTS if fact != "interventions"])
    if not data.numbers:
        return scorer(data, LogLikelihood())

    def made() -> _core.Scorer:
        function = of_groups(
            data, lambda part: _core.basis_bic(part._engine_mixed, 1, penalized=False)
        )
        return _core.Scorer(function, CACHE_BYTES)

    return data._scorer_of("likelihood of numbers", made)


def scorer_within(data: Data, score: ScoreLike, max_bytes: int) -> _core.Scorer:
    """Return the data's own scorer, or one with a smaller cache where memory is short."""
    if max_bytes >= 4 * CACHE_BYTES:
        return scorer(data, score)
    return _core.Scorer(as_score(score).on(data), max_bytes // 4, free_numbers(data))


def check_kinds(data: Data, score: Score) -> None:
    """Refuse columns of kinds that the score does not take."""
    if not score.base.takes(data):
        score.base.on(data)  # which says what to do
