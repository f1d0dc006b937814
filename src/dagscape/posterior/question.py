"""What is asked of a posterior: how networks are weighted, and which of them there are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dagscape import _core
from dagscape.claims.scopes import Scope
from dagscape.defaults import score_for
from dagscape.errors import ParameterError
from dagscape.parents.constraints import constrain
from dagscape.scores import Score, ScoreLike
from dagscape.scores.priors import PriorLike
from dagscape.speech import setting

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.knowledge import Knowledge
    from dagscape.variables import Variables

MOST_SETS = 12_000_000
"""Parent sets to weigh at most where nobody asked for a limit: all those of 20 variables."""

MOST_SETS_WITH_GAPS = 300_000
"""The same where cells are missing, and all sets are weighed for every completed table."""


@dataclass(frozen=True)
class Question:
    """The same for a table and for all that are drawn from its rows."""

    score: Score
    """With its prior: ln w of a variable and its parents."""
    max_parents: int | None
    """The most parents of a variable, asked for or chosen; None without a limit."""
    knowledge: Knowledge | None

    @classmethod
    def check(
        cls,
        data: Data,
        score: ScoreLike | None,
        prior: PriorLike | None,
        max_parents: int | None,
        knowledge: Knowledge | None,
        reach: float = math.inf,
    ) -> Question:
        """Take the user's words; refuse what is wrong with them.

        `reach` is how many parent sets can be weighed, by the limits of the call.
        """
        chosen = weighing_score(data, score, prior)
        variables = data.variables
        constrain(variables, max_parents, knowledge)  # refuses what is wrong
        most = min(reach, MOST_SETS_WITH_GAPS if data.missing else MOST_SETS)
        limit = max_parents
        if limit is None:
            limit = max(1, affordable_parents(len(variables), most))
        return cls(chosen, limit if limit < len(variables) - 1 else None, knowledge)

    @property
    def scope(self) -> Scope:
        """The networks that share all of the probability."""
        return Scope(max_parents=self.max_parents, knowledge=self.knowledge)

    def sets(self, variables: int) -> int:
        """Return how many parent sets so many variables have, knowledge aside."""
        others = variables - 1
        most = others if self.max_parents is None else min(self.max_parents, others)
        return variables * sum(math.comb(others, k) for k in range(most + 1))

    def constraints(self, variables: Variables) -> _core.Constraints:
        """Return which parent sets there are."""
        return constrain(variables, self.max_parents, self.knowledge)


def weighing_score(data: Data, score: ScoreLike | None, prior: PriorLike | None) -> Score:
    """Return what networks are weighed by; refuse a score that is no log of a weight."""
    chosen = score_for(data, score, prior)
    if not chosen.base.weighs:
        raise ParameterError(
            f"{chosen.base} is not, nor stands in for, the logarithm of a probability of the rows, "
            f"so it gives networks no probability; choose another {setting('score')}, such as "
            "bdeu, qnml or bic"
        )
    return chosen


def affordable_parents(variables: int, most_sets: float = MOST_SETS) -> int:
    """Return the most parents for which there are not too many sets to weigh."""
    most = 0
    while most < variables - 1:
        sets = variables * sum(math.comb(variables - 1, k) for k in range(most + 2))
        if sets > most_sets:
            break
        most += 1
    return most
