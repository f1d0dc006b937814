"""How many parent sets can be weighed, and so which networks a posterior is about."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dagscape import _core
from dagscape.errors import ParameterError
from dagscape.speech import setting

if TYPE_CHECKING:
    from dagscape.problem import Problem

MOST_SETS = 12_000_000
"""Parent sets to weigh at most where nobody asked for a limit: all those of 20 variables."""

MOST_SETS_WITH_GAPS = 300_000
"""The same where cells are missing, and all sets are weighed for every completed table."""


def affordable(problem: Problem, reach: float = math.inf) -> Problem:
    """Return a problem all of whose parent sets can be weighed; refuse one without weights.

    Its limit of parents is None where that leaves out nothing.

    Parameters
    ----------
    reach
        How many sets can be weighed, by the limits of the call.
    """
    score = problem.score.base
    if not score.weighs:
        raise ParameterError(
            f"{score} is not, nor stands in for, the logarithm of a probability of the rows, "
            f"so it gives networks no probability; choose another {setting('score')}, such as "
            "bdeu, qnml or bic"
        )
    variables, limit = len(problem.variables), problem.max_parents
    if limit is None:
        most = min(reach, MOST_SETS_WITH_GAPS if problem.data.missing else MOST_SETS)
        limit = max(1, affordable_parents(variables, most, problem.constraints()))
    return problem.limited(limit if limit < variables - 1 else None)


def parent_sets(problem: Problem) -> int:
    """Return how many parent sets there are."""
    return round(problem.constraints().sets(problem.most_parents))


def affordable_parents(
    variables: int, most_sets: float = MOST_SETS, constraints: _core.Constraints | None = None
) -> int:
    """Return the most parents for which there are not too many sets to weigh.

    Of those that constraints allow, if there are any.
    """
    allowed = _core.Constraints(variables, variables - 1) if constraints is None else constraints
    most = 0
    while most < variables - 1 and allowed.sets(most + 1) <= most_sets:
        most += 1
    return most
