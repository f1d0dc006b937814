"""Searches of very many variables on samples, which all look among the same candidates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dagscape.control.budget import Budget
from dagscape.search.greedy import first_network
from dagscape.search.wide import Candidates, search_widely

if TYPE_CHECKING:
    from dagscape.graphs import Dag
    from dagscape.problem import Problem
    from dagscape.results import Result

ROUNDS = 5
"""Rounds of shaking on a sample: most of what twenty find, in a third of the time."""

METHOD = f"wide search among the candidates of all rows, {ROUNDS} rounds"
"""What runs on samples, in words."""


def whole_table(problem: Problem, start: Dag | None, budget: Budget) -> tuple[Result, Candidates]:
    """Return the network of all rows and its candidates: searched for, unless it is known."""
    first = first_network(problem, start, problem.constraints())
    if start is None:
        found, candidates = search_widely(problem, budget, first)
    else:
        found, candidates = search_widely(problem, budget, first, rounds=0, looks=0)
    return replace(found, method=METHOD), candidates


def search_sample(sample: Problem, candidates: Candidates, limits: Mapping[str, Any]) -> Result:
    """Return what the search finds on a sample."""
    budget = Budget.of(**limits)
    first = first_network(sample, None, sample.constraints())
    return search_widely(sample, budget, first, rounds=ROUNDS, looks=1, among=candidates)[0]
