"""The score and prior that are taken where the user names none: one rule for all that learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dagscape.data import FACTS, as_data, check_data
from dagscape.data.ordered_states import by_order
from dagscape.scores import (
    BasisBIC,
    FittedDirichlet,
    GaussianBIC,
    RankBGe,
    Score,
    ScoreLike,
    as_score,
)
from dagscape.scores.priors import EdgePrior, PriorLike
from dagscape.speech import choice

if TYPE_CHECKING:
    from dagscape.data import Data, TableLike

PAIRS_EACH = 5
"""The default prior takes one pair of so many to be joined, at most."""


def default_score(data: TableLike, prior: PriorLike | None = None) -> Score:
    """Return the score and prior that learning uses where none is named.

    The edge prior with 1 neighbor, or a fifth of the other columns where there are fewer than five:
    of few columns, too, most pairs are taken to be unrelated. For columns of states, with gaps or
    without, :class:`FittedDirichlet`: of all scores tried it came nearest to the truth of those
    that score equivalent networks alike, and seldom takes rare events, many states or few rows for
    relations. For tables with numbers, or with states that are said to be ordered,
    :class:`RankBGe`, which scores sets of other states in the same way, and these by their ranks.
    For tables of series with numbers the fair prior, and :class:`GaussianBIC`, or :class:`BasisBIC`
    of degree 1 where there are states too: what a number will be is a line in what it was, and of
    ranks it is none. The pages "Which score and prior", "Networks of numbers" and "Series" in the
    documentation have the measurements.

    Parameters
    ----------
    prior
        Another prior, to go with the same score.

    Examples
    --------
    >>> import dagscape as ds
    >>> data = ds.load_network("asia").sample(1000, seed=0)
    >>> str(ds.default_score(data))
    'fitted_dirichlet, prior edges(neighbors=1)'
    """
    data = as_data(data, missing="keep")
    check_data(data, gaps=True, rows=FACTS)
    if data.rows.series is not None and data.numbers:
        whole = len(data.numbers) == data.n_variables
        return as_score(GaussianBIC() if whole else BasisBIC(degree=1), prior or "fair")
    if prior is None:
        prior = EdgePrior(min(1.0, max(1, data.n_variables - 1) / PAIRS_EACH))
    ranked = bool(by_order(data).numbers)
    return as_score(RankBGe() if ranked else FittedDirichlet(), prior)


def score_for(data: Data, score: ScoreLike | None, prior: PriorLike | None) -> Score:
    """Return what the user's words mean for a table.

    A score without a prior has the uniform one, as published. A prior alone goes with the default
    score. With neither, both are chosen.
    """
    return default_score(data, prior) if score is None else as_score(score, prior)


def left_open(score: ScoreLike | None, prior: PriorLike | None) -> list[str]:
    """Return which of the two the user left to the rule."""
    return [] if score is not None else ["score"] if prior is not None else ["score", "prior"]


def why_chosen(asked: Mapping[str, Any]) -> str:
    """Return why a result has its score and prior; "" where the user named them."""
    chosen = asked.get("chosen")
    if not chosen:
        return ""
    what = f"{' and '.join(chosen)} chosen by default"
    score = str(asked.get("score", ""))
    if score == str(RankBGe()):
        return f"{what}; numbers and ordered states count by ranks, so outliers make no edges"
    if score in (str(GaussianBIC()), str(BasisBIC(degree=1))):
        return f"{what}; what a number will be is taken for a line in what it was"
    return f"{what}; {choice('score', 'bic')} gives the score of the papers"
