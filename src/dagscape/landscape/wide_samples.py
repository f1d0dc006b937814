"""Searches of very many variables on samples, which all look among the same candidates."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dagscape.control.budget import Budget
from dagscape.files.plain_values import parse
from dagscape.files.text import read_text, write_text
from dagscape.search.greedy import first_network
from dagscape.search.wide import FIRSTS, Candidates, search_widely
from dagscape.words import counted

if TYPE_CHECKING:
    from dagscape.graphs import Dag
    from dagscape.problem import Problem
    from dagscape.results import Result

ROUNDS = 5
"""Rounds of shaking on a sample: most of what twenty find, in a third of the time."""

ROUNDS_TIMES_VARIABLES = 5_000
"""Above 1,000 variables there are fewer of them, so that there is time for more samples."""


def rounds_among(variables: int) -> int:
    """Return how many rounds of shaking a sample gets."""
    return max(1, min(ROUNDS, ROUNDS_TIMES_VARIABLES // max(1, variables)))


def method_among(variables: int) -> str:
    """Return what runs on samples, in words."""
    rounds = counted(rounds_among(variables), "round")
    return f"wide search among the candidates of all rows, {rounds}"


def whole_table(problem: Problem, start: Dag | None, budget: Budget) -> tuple[Result, Candidates]:
    """Return the network of all rows and its candidates: searched for, unless it is known."""
    first = first_network(problem, start, problem.constraints())
    if start is None:
        found, candidates = search_widely(problem, budget, first)
    else:
        found, candidates = search_widely(problem, budget, first, rounds=0, looks=0)
    return replace(found, method=method_among(len(problem.variables))), candidates


def search_sample(sample: Problem, candidates: Candidates, limits: Mapping[str, Any]) -> Result:
    """Return what the search finds on a sample."""
    budget = Budget.of(**limits)
    first = first_network(sample, None, sample.constraints())
    rounds = rounds_among(len(sample.variables))
    # Among candidates alone pairs are few, however many variables there are.
    return search_widely(
        sample, budget, first, rounds=rounds, looks=1, firsts=FIRSTS, among=candidates
    )[0]


# What a search kept, in a file: resampled tables that are done after a Ctrl-C look among the same.


def keep_candidates(path: Path, problem: Problem, candidates: Candidates) -> None:
    """Write the candidates of all rows."""
    write_text(path, json.dumps({"of": problem.mark, "candidates": candidates}))


def kept_candidates(path: Path, problem: Problem) -> Candidates | None:
    """Return what was written for this problem; None if nothing was, or something else."""
    if not path.exists():
        return None
    content = parse(read_text(path), path)
    if not isinstance(content, dict) or content.get("of") != problem.mark:
        return None
    found, n = content.get("candidates"), len(problem.variables)
    if not isinstance(found, list) or len(found) != n:
        return None
    fit = all(
        isinstance(own, list) and all(type(v) is int and 0 <= v < n for v in own) for own in found
    )
    return found if fit else None
