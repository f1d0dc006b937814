"""What searches on candidate parent sets share: the question, and the network in the end."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dagscape.defaults import score_for
from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.parents import CandidateParents, restrict
from dagscape.scores import as_score
from dagscape.selection import candidate_parents

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.data import Data
    from dagscape.knowledge import Knowledge
    from dagscape.scores import ScoreLike
    from dagscape.scores.priors import PriorLike
    from dagscape.variables import Variables

FEW_SETS = 1000
"""Sets of each variable from which a network is built where there is no time for more."""

AT_ONCE = 0.2
"""Seconds in which sets are put in order, whatever time is left."""

GREATEST_SCORE = 1e300
"""Sums and differences of scores up to this one are finite, whatever the number of variables."""


@dataclass(frozen=True)
class Question:
    """What a network is searched for: the table or its parent sets, its score, what is allowed."""

    data: Data | CandidateParents
    score: ScoreLike | None
    max_parents: int | None
    knowledge: Knowledge | None

    @classmethod
    def of(
        cls,
        data: Data | CandidateParents,
        score: ScoreLike | None,
        prior: PriorLike | None,
        max_parents: int | None,
        knowledge: Knowledge | None,
    ) -> Question:
        """Take the user's words; sets that are scored already take no prior."""
        if prior is not None:
            if isinstance(data, CandidateParents):
                raise ParameterError(
                    "prior belongs to the selection of candidate parents, not here"
                )
            score = as_score("bic" if score is None else score, prior)
        return cls(data, score, max_parents, knowledge)

    @classmethod
    def by_rule(
        cls,
        data: Data | CandidateParents,
        score: ScoreLike | None,
        prior: PriorLike | None,
        max_parents: int | None,
        knowledge: Knowledge | None,
    ) -> Question:
        """Take the user's words; of a table, what they leave open is chosen by the default rule."""
        if not isinstance(data, CandidateParents):
            score, prior = score_for(data, score, prior), None
        return cls.of(data, score, prior, max_parents, knowledge)

    @property
    def given(self) -> bool:
        """Whether the user brings the candidate parents."""
        return isinstance(self.data, CandidateParents)

    def parents(self, budget: Budget, **selection: Any) -> CandidateParents:
        """Return candidate parents: selected, or those the user brings, under what he knows.

        With the latter, what belongs to their selection is refused.
        """
        if isinstance(self.data, CandidateParents):
            if self.score is not None or self.max_parents is not None:
                given = "score" if self.score is not None else "max_parents"
                raise ParameterError(
                    f"{given} belongs to the selection of candidate parents, not here"
                )
            return restrict(self.data, self.knowledge)
        tell = budget.progress
        limits = budget.for_search()
        limits["progress"] = tell and (lambda share, _: tell(share, "scoring parent sets"))
        return candidate_parents(
            self.data,
            score="bic" if self.score is None else self.score,
            max_parents=self.max_parents,
            knowledge=self.knowledge,
            **limits,
            **selection,
        )


def asked_of(parents: CandidateParents) -> dict[str, str]:
    """Return the score and prior of candidate parents, in words."""
    return {"score": parents.score} if parents.score_kind is None else parents.score_kind.asked


def check_lists(parents: CandidateParents) -> None:
    """Refuse a variable without any candidate set."""
    for child, name in enumerate(parents.variables.in_engine_order()):
        if not parents.lists.size(child):
            raise ParameterError(f'"{name}" has no candidate parent set, not even the empty one')


def in_order(parents: CandidateParents, budget: Budget) -> CandidateParents:
    """Return the sets in order; a few of them, the best ones too, where that was stopped."""
    stopped = parents.lists.sort(budget.threads, budget.left(least=AT_ONCE))
    if not stopped:
        return parents
    budget.end(stopped)
    return parents.with_lists(parents.lists.best_few(FEW_SETS, budget.threads))


def check_scores(parents: CandidateParents) -> None:
    """Refuse scores whose sums are no numbers; the lists must be in order."""
    lists = parents.lists
    for child, name in enumerate(parents.variables.in_engine_order()):
        for score in (lists.score(child, 0), lists.score(child, lists.size(child) - 1)):
            if GREATEST_SCORE < abs(score) < math.inf:
                raise ParameterError(
                    f'"{name}" has a parent set with the score {score:g}: sums of scores beyond '
                    f"{GREATEST_SCORE:g} are not finite; divide all scores by the same number"
                )


def network_of(parents: CandidateParents, places: Sequence[int]) -> Dag:
    """Return the network in which every variable has the set at its place in the list."""
    sets = [parents.lists.parents(child, place) for child, place in enumerate(places)]
    return joined(parents.variables, sets)


def joined(variables: Variables, sets: Iterable[Sequence[int]]) -> Dag:
    """Return the network of a parent set for each variable, by number."""
    name = variables.name
    arcs = [(name(parent), name(child)) for child, given in enumerate(sets) for parent in given]
    return Dag(variables.names, arcs)
