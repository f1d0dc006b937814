"""A whole problem: its components are solved one by one and put together."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dagscape import _core
from dagscape.control.budget import Budget
from dagscape.errors import GraphError, ParameterError
from dagscape.search.exact.first_network import AT_ONCE, look
from dagscape.search.exact.part import Options, Part, Run
from dagscape.search.exact.portfolio import MOST_VARIABLES, looks_later, needs_no_network, plan
from dagscape.search.from_lists import FEW_SETS, check_lists, check_scores

if TYPE_CHECKING:
    from dagscape.parents import CandidateParents


@dataclass(frozen=True)
class Solved:
    """What is known of the whole problem in the end."""

    parents: CandidateParents
    """The sets that were looked at: those given, or a few where there was no time for more."""
    places: list[int]
    """The parent set of each variable, as its place in the list."""
    score: float
    bound: float
    closed: bool
    ran: str
    stopped: str | None
    work: dict[str, Any]
    seconds: dict[str, float]


def solve(
    parents: CandidateParents,
    options: Options,
    budget: Budget,
    split: bool,
) -> Solved:
    """Solve every component, small ones first.

    Where somebody has interrupted before, nothing is proven: only a network is wanted. If there is
    not even time to put the lists in order, it is built from a few sets of each variable; the best
    set is among them, so that the bound holds.
    """
    begun = time.perf_counter()
    check_lists(parents)
    parts, stopped = _core.components_in_time(
        parents._lists,
        split,
        budget.threads,
        seconds=budget.left(least=AT_ONCE),
        progress=budget.telling("putting parent sets in order", known=False),
    )
    if stopped:
        budget.end(stopped)
        parents = parents.with_lists(parents._lists.best_few(FEW_SETS, budget.threads))
        parts = _core.components(parents._lists, split)
    check_scores(parents)
    problems = [Part(part) for part in parts]
    problems.sort(key=lambda p: (p.variables, p.component.parents.sets, p.component.variables))
    largest = max(p.variables for p in problems)
    if largest > (most := MOST_VARIABLES.get(options.algorithm, largest)):
        raise ParameterError(
            f'algorithm "{options.algorithm}" is for at most {most} variables that must be solved '
            f'together, and here are {largest}; choose "ilp", "systematic" or "auto"'
        )
    seconds = {"splitting": time.perf_counter() - begun}

    def tell(_: float = 0.0) -> None:
        if budget.progress is not None:
            budget.progress(None, _state(problems))

    begun = time.perf_counter()
    run = Run(options, budget, tell)
    for problem in problems:
        later = needs_no_network(problem, run) or looks_later(problem, run)
        if (options.incumbent and not later) or problem.variables == 1 or run.ended:
            look(problem, run)
    seconds["first network"] = time.perf_counter() - begun
    begun = time.perf_counter()
    for problem in problems:
        if not (problem.gap.closed or run.ended):
            _prove(problem, run)
        if not problem.gap.chosen and not problem.gap.closed:
            look(problem, run)
    seconds["search"] = time.perf_counter() - begun
    return _together(parents, problems, budget.stopped, seconds)


def _prove(part: Part, run: Run) -> None:
    """Run solvers until the gap is closed or none can go on."""
    begun = time.perf_counter()
    with run.budget.minding_interrupts():
        for solver in plan(part, run):
            solver(part, run)
            run.end(part.stopped)
            if part.gap.closed or run.ended:
                break
    part.seconds = time.perf_counter() - begun


def _state(problems: list[Part]) -> str:
    """Return what is known so far, in words."""
    known = [p for p in problems if p.gap.chosen]
    if len(known) < len(problems):
        return "looking for a first network"
    score = sum(p.component.relaxed_score - p.gap.regret for p in problems)
    left = sum(p.gap.regret - p.gap.bound for p in problems)
    open_ = sum(not p.gap.closed for p in problems)
    return f"best {score:.4f}, at most {left:.4g} better; {open_} of {len(problems)} parts open"


def _together(
    parents: CandidateParents,
    problems: list[Part],
    ended: str | None,
    seconds: dict[str, float],
) -> Solved:
    places = [0] * len(parents.names)
    score = bound = 0.0
    work: Counter[str] = Counter()
    for problem in problems:
        chosen = problem.gap.chosen
        if not chosen:
            _refuse(parents, problem)
        component = problem.component
        for variable, place in zip(
            component.variables, component.whole_places(chosen), strict=True
        ):
            places[variable] = place
        bound += component.relaxed_score - problem.gap.bound
        work.update(problem.work)
    score = sum(parents._lists.score(child, place) for child, place in enumerate(places))
    closed = all(p.gap.closed for p in problems)
    large = [p for p in problems if p.variables > 1]
    return Solved(
        parents=parents,
        places=places,
        score=score,
        bound=max(bound, score),
        closed=closed,
        ran=" + ".join(sorted({name for p in large for name in p.ran})) or "first network",
        stopped=ended or next((p.stopped for p in large if p.stopped), None),
        work={
            **work,
            "components": [
                {
                    "variables": p.variables,
                    "parent_sets": p.component.parents.sets,
                    "algorithms": "+".join(p.ran),
                    "proven": p.gap.closed,
                    "gap": p.gap.regret - p.gap.bound,
                    "seconds": p.seconds,
                }
                for p in reversed(large)
            ],
        },
        seconds=seconds,
    )


def _refuse(parents: CandidateParents, problem: Part) -> None:
    names = [parents.variables.name(v) for v in problem.component.variables]
    shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
    if problem.gap.closed:
        raise GraphError(
            f"no network can be built from the parent sets of {shown}: all have cycles"
        )
    raise GraphError(
        f"no network without cycles was found in time from the parent sets of {shown}; "
        "allow more time, or add sets with fewer parents"
    )
