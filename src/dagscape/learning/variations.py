"""Which other choices would have been as sensible: sample sizes, priors, degrees and cuts.

A probability depends on a score and a prior, and on where numbers were cut. Nobody can say that
those taken here are the right ones, so the same is asked by the choices that others would make.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dagscape.data.coarser import coarser, intervals
from dagscape.defaults import default_score
from dagscape.scores import BasisBIC, BDeu, BGe, GaussianBIC, RankBGe, Score, as_score
from dagscape.scores.priors import EdgePrior

if TYPE_CHECKING:
    from dagscape.problem import Problem

SIZES = (1.0, 10.0)
"""Equivalent sample sizes that are in common use."""

NEIGHBORS = (0.5, 2.0)
"""Times the neighbors that the prior expects."""

MERGES = (0, 1)
"""Intervals are merged two by two, from the first or from the second on."""


@dataclass(frozen=True)
class Variation:
    """One other choice; ``str`` of it says which."""

    what: str
    """"score", "prior" or "cuts"."""
    words: str
    """The score or the prior, or which intervals are merged."""

    def __str__(self) -> str:
        return f"prior {self.words}" if self.what == "prior" else self.words


def variations(problem: Problem) -> Iterator[tuple[Variation, Problem]]:
    """Tell of the same question under every other choice."""
    base, prior = problem.score.base, problem.score.prior
    for score in _other_scores(problem):
        yield Variation("score", str(score)), replace(problem, score=as_score(score, prior))
    for other in _other_priors(problem):
        yield Variation("prior", str(other)), replace(problem, score=as_score(base, other))
    if intervals(problem.data):
        for first in MERGES:
            words = f"intervals merged two by two from the {'second' if first else 'first'} on"
            yield Variation("cuts", words), problem.on(coarser(problem.data, first))


def _other_scores(problem: Problem) -> list[Score]:
    """Return other sizes of the prior's sample for states, ranks or a bend more for numbers."""
    base = problem.score.base
    if not problem.data.numbers:
        # A size that somebody named stands among those that are in common use.
        return [score for score in map(BDeu, SIZES) if score != base]
    if isinstance(base, RankBGe):
        return [RankBGe(base.degree + 1)] if base.degree == 1 else [RankBGe(base.degree - 1)]
    if problem.data.rows.series is not None and isinstance(base, GaussianBIC):
        return [BGe()]  # ranks are no lines in what they were
    if isinstance(base, BGe | GaussianBIC):
        return [RankBGe()]
    return [RankBGe(base.degree)] if isinstance(base, BasisBIC) else []


def _other_priors(problem: Problem) -> list[EdgePrior]:
    """Return priors that expect half and twice as many edges; beside others, the usual one."""
    prior = problem.score.prior
    if isinstance(prior, EdgePrior):
        return [EdgePrior(prior.neighbors * times) for times in NEIGHBORS]
    usual = default_score(problem.data).prior
    if not isinstance(usual, EdgePrior):  # as for numbers over time
        usual = EdgePrior(1.0)
    return [usual, EdgePrior(usual.neighbors * NEIGHBORS[-1])]
