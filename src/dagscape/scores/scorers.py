"""The engine's scores on a table, each made once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dagscape import _core
from dagscape.data import FACTS, check_data
from dagscape.data.refusals import refuse_rows
from dagscape.scores.base import of_groups
from dagscape.scores.by_name import ScoreLike, as_score
from dagscape.scores.counts import LogLikelihood

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.scores.base import Score

CACHE_BYTES = 1 << 30
"""What one score on one table may keep of its set functions."""


def free_numbers(data: Data) -> list[int]:
    """Return the variables that are taken as given: without parents, and without a score."""
    series, done = data.rows.series, data.rows.interventions
    names = [*(() if series is None else series.free), *(() if done is None else done.always_set)]
    return [data.variables.number(name) for name in names]


def check_scored(data: Data, score: ScoreLike | None) -> None:
    """Refuse what is not a Data, and missing cells unless the score takes them."""
    check_data(data, gaps=score is not None and as_score(score).takes_gaps, rows=FACTS)


def scorer(data: Data, score: ScoreLike) -> _core.Scorer:
    """Return the engine's score on the data; made once, so that all calls share its cache."""
    check_scored(data, score)
    kind = as_score(score)
    return data._scorer_of(
        kind, lambda: _core.Scorer(kind.on(data), CACHE_BYTES, free_numbers(data))
    )


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
