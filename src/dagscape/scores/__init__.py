"""Decomposable scores of networks, and priors on structures: natural logs, higher is better."""

from dagscape.scores.base import SCORES, Score
from dagscape.scores.by_name import (
    AND_PRIOR,
    ScoreLike,
    ScoreWithPrior,
    as_score,
    known_score,
    log_prior,
    score_from_dict,
)
from dagscape.scores.counts import (
    AIC,
    BIC,
    FNML,
    K2,
    NAL,
    QNML,
    BDeu,
    FittedDirichlet,
    LogLikelihood,
    gap_table,
)
from dagscape.scores.numbers import BasisBIC, BGe, ConditionalGaussian, GaussianBIC, RankBGe
from dagscape.scores.scorers import (
    CACHE_BYTES,
    check_kinds,
    check_scored,
    free_numbers,
    likelihood,
    scorer,
    scorer_within,
)

__all__ = [
    "AIC",
    "AND_PRIOR",
    "BIC",
    "CACHE_BYTES",
    "FNML",
    "K2",
    "NAL",
    "QNML",
    "SCORES",
    "BDeu",
    "BGe",
    "BasisBIC",
    "ConditionalGaussian",
    "FittedDirichlet",
    "GaussianBIC",
    "LogLikelihood",
    "RankBGe",
    "Score",
    "ScoreLike",
    "ScoreWithPrior",
    "as_score",
    "check_kinds",
    "check_scored",
    "free_numbers",
    "gap_table",
    "known_score",
    "likelihood",
    "log_prior",
    "score_from_dict",
    "scorer",
    "scorer_within",
]
