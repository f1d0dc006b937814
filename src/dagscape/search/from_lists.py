"""Networks that searches found, from numbers to names; parent sets that none can be built of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dagscape.errors import ParameterError
from dagscape.graphs import Dag

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.parents import CandidateParents
    from dagscape.variables import Variables

FEW_SETS = 1000
"""Sets of each variable from which a network is built where there is no time for more."""

AT_ONCE = 0.2
"""Seconds in which sets are put in order, whatever time is left."""

GREATEST_SCORE = 1e300
"""Sums and differences of scores up to this one are finite, whatever the number of variables."""


def check_lists(parents: CandidateParents) -> None:
    """Refuse a variable without any candidate set."""
    for child, name in enumerate(parents.variables.in_engine_order()):
        if not parents._lists.size(child):
            raise ParameterError(f'"{name}" has no candidate parent set, not even the empty one')


def in_order(parents: CandidateParents, budget: Budget) -> CandidateParents:
    """Return the sets in order; a few of them, the best ones too, where that was stopped."""
    stopped = parents._lists.sort(budget.threads, budget.left(least=AT_ONCE))
    if not stopped:
        return parents
    budget.end(stopped)
    return parents.with_lists(parents._lists.best_few(FEW_SETS, budget.threads))


def check_scores(parents: CandidateParents) -> None:
    """Refuse scores whose sums are no numbers; the lists must be in order."""
    lists = parents._lists
    for child, name in enumerate(parents.variables.in_engine_order()):
        for score in (lists.score(child, 0), lists.score(child, lists.size(child) - 1)):
            if GREATEST_SCORE < abs(score) < math.inf:
                raise ParameterError(
                    f'"{name}" has a parent set with the score {score:g}: sums of scores beyond '
                    f"{GREATEST_SCORE:g} are not finite; divide all scores by the same number"
                )


def network_of(parents: CandidateParents, places: Sequence[int]) -> Dag:
    """Return the network in which every variable has the set at its place in the list."""
    sets = [parents._lists.parents(child, place) for child, place in enumerate(places)]
    return joined(parents.variables, sets)


def joined(variables: Variables, sets: Iterable[Sequence[int]]) -> Dag:
    """Return the network of a parent set for each variable, by number."""
    return dag_of(variables, ((p, child) for child, given in enumerate(sets) for p in given))


def dag_of(variables: Variables, arcs: Iterable[tuple[int, int]]) -> Dag:
    """Return the network of arcs between numbers."""
    name = variables.name
    return Dag(variables.names, [(name(a), name(b)) for a, b in arcs])
