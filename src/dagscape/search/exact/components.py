"""The components of a problem, and which algorithm solves each."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from dagscape import _core
from dagscape.control.budget import MOMENT, Budget
from dagscape.errors import GraphError, ParameterError
from dagscape.search.exact import ilp
from dagscape.search.exact.beside import Beside
from dagscape.search.exact.known_cuts import KnownCuts
from dagscape.search.exact.longer import look_longer
from dagscape.search.exact.part import Part
from dagscape.search.problem import FEW_SETS, check_lists, check_scores

if TYPE_CHECKING:
    from dagscape.parents import CandidateParents

HEURISTICS = tuple(_core.heuristics())
"""The heuristics of A*."""

WORD = 64
"""The most variables of a component whose orders can be searched: a set of them is one word."""

DP_AT_ONCE = 20
"""Up to so many variables dynamic programming takes a tenth of a second."""

DP_IN_SECONDS = 26
"""Up to so many variables dynamic programming takes seconds."""

DP_STEPS_A_SECOND = 2e8
"""What dynamic programming does on one core, about: a step is a set of variables and one of them
as its last."""

SHORT_RUN_BYTES = 32 << 20
"""A million nodes of A*: what it may use before something else has a try."""

AT_ONCE = 0.2
"""Seconds in which a first network is found, whatever time is left."""

MANY_SETS = 200_000
"""Beyond so many parent sets integer programming has no chance against A*."""

OFTEN_ENDS = 40
"""With so many parent sets and up to so many variables A* often comes to its end. Beyond, what
counts is the bound that is left, and the duals of the integer program have a better one."""


@dataclass(frozen=True)
class Options:
    """How to solve a component."""

    algorithm: str
    heuristic: str
    forced_moves: bool
    incumbent: bool
    seed: int
    order: list[int] | None = None
    """An order of all variables to begin with, if one is known."""
    known: KnownCuts | None = None
    """Cuts that proved much the same: then integer programming is the quickest."""


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
        parents.lists,
        split,
        budget.threads,
        seconds=budget.left(least=AT_ONCE),
        progress=budget.telling("putting parent sets in order", known=False),
    )
    if stopped:
        budget.end(stopped)
        parents = parents.with_lists(parents.lists.best_few(FEW_SETS, budget.threads))
        parts = _core.components(parents.lists, split)
    check_scores(parents)
    problems = [Part(part) for part in parts]
    problems.sort(key=lambda p: (p.variables, p.component.parents.sets, p.component.variables))
    largest = max(p.variables for p in problems)
    if options.algorithm in ("dp", "astar") and largest > WORD:
        raise ParameterError(
            f'algorithm "{options.algorithm}" is for at most {WORD} variables that must be solved '
            f'together, and here are {largest}; choose "ilp", "systematic" or "auto"'
        )
    seconds = {"splitting": time.perf_counter() - begun}

    def tell(_: float = 0.0) -> None:
        if budget.progress is not None:
            budget.progress(None, _state(problems))

    begun = time.perf_counter()
    search = _Search(options, budget, tell)
    for problem in problems:
        # Dynamic programming has no use for a network to cut with.
        at_once = options.algorithm in ("auto", "dp") and problem.variables <= DP_AT_ONCE
        wanted = options.incumbent and not at_once and not search.looks_later(problem)
        if wanted or problem.variables == 1 or search.ended:
            search.look(problem)
    seconds["first network"] = time.perf_counter() - begun
    begun = time.perf_counter()
    for problem in problems:
        if not (problem.gap.closed or search.ended):
            search.prove(problem)
        if not problem.gap.chosen and not problem.gap.closed:
            search.look(problem)
    seconds["search"] = time.perf_counter() - begun
    return _together(parents, problems, budget.stopped, seconds)


class _Search:
    """Runs algorithms on components until time is over or somebody interrupts."""

    def __init__(self, options: Options, budget: Budget, tell: Callable[[float], None]) -> None:
        self._options = options
        self._budget = budget
        self._tell = tell

    @property
    def ended(self) -> bool:
        """Whether the search of all components is over; want of memory ends that of one only."""
        if self._budget.over:
            self._budget.end("time")
        return self._budget.interrupted or self._budget.stopped is not None

    def looks_later(self, problem: Part) -> bool:
        """Tell whether a first network is looked for beside the proof, which can begin without.

        With very many parent sets even a quick look takes seconds.
        """
        return (
            self._budget.threads > 1
            and problem.component.parents.sets > MANY_SETS
            and self._plan(problem) == [self._ilp]
        )

    def look(self, problem: Part) -> None:
        """Find a good network, quickly."""
        with self._budget.minding_interrupts():
            self._look(problem)

    def _look(self, problem: Part) -> None:
        if self._options.order is not None and self._climb_from(problem, self._options.order):
            return
        facts = _core.find_incumbent(
            problem.component,
            problem.gap,
            self._options.seed,
            self._budget.left(least=AT_ONCE),
            self._tell,
        )
        problem.work["swaps"] += facts["swaps"]
        self._end(facts["stopped"])

    def _climb_from(self, problem: Part, order: list[int]) -> bool:
        """Climb from a known order; tell whether that gave a network."""
        place = {variable: at for at, variable in enumerate(problem.component.variables)}
        own = [place[variable] for variable in order if variable in place]
        _core.improve_order(problem.component, own, self._options.seed, problem.gap)
        return bool(problem.gap.chosen)

    def prove(self, problem: Part) -> None:
        """Run algorithms until the gap is closed or none can go on."""
        begun = time.perf_counter()
        with self._budget.minding_interrupts():
            self._prove(problem)
        problem.seconds = time.perf_counter() - begun

    def _prove(self, problem: Part) -> None:
        for step in self._plan(problem):
            step(problem)
            self._end(problem.stopped)
            if problem.gap.closed or self.ended:
                break

    def _end(self, stopped: str) -> None:
        if stopped in ("time", "interrupt"):
            self._budget.end(stopped)

    def _plan(self, problem: Part) -> list[Solver]:
        """Return what to try, one after the other.

        Dynamic programming where it takes no time, or after a short run of A* where it takes
        seconds. Else A* and integer programming, whichever is done first: A* is better with few
        variables or many parent sets, the other with few parent sets. Where dynamic programming
        fits into memory and time, these have half of what it would take, and then it closes what
        is open, whatever the data. When A* runs out of memory, dynamic programming may still
        fit: it needs less for each set of variables.
        """
        chosen = {
            "dp": self._dp,
            "astar": self._astar,
            "systematic": self._systematic,
            "ilp": self._ilp,
        }.get(self._options.algorithm)
        if chosen is not None:
            return [chosen]
        n, sets = problem.variables, problem.component.parents.sets
        if n > WORD or (self._options.known is not None and n > DP_IN_SECONDS):
            return [self._ilp]
        needed = _core.dynamic_programming_bytes(min(n, 50), self._budget.threads)
        dp: list[Solver] = []
        if needed < self._budget.memory:
            dp.append(self._dp)
        if dp and n <= DP_AT_ONCE:
            return dp
        if dp and n <= DP_IN_SECONDS:
            return dp if sets > MANY_SETS else [self._short_astar, *dp]
        if sets > MANY_SETS:
            beside = n > OFTEN_ENDS and self._budget.threads > 1
            first = _Search._bounded_astar if beside else _Search._astar
            return [self._before_dp(first, n, dp), *dp, self._ilp]
        return [self._before_dp(_Search._race, n, dp), *dp]

    def _before_dp(self, step: _Step, variables: int, dp: list[Solver]) -> Solver:
        """Return a step that leaves time for dynamic programming, if that is there to follow.

        What does not end is cut off when it took half of what that will take.
        """
        whole = partial(step, self)
        if not dp:
            return whole
        seconds = variables * 2.0 ** (variables - 1) / DP_STEPS_A_SECOND / self._budget.threads
        left = self._budget.left()
        # Half as long again, for what else the machine may have to do.
        spare = seconds / 2 if left is None else min(seconds / 2, left - 1.5 * seconds)
        if spare <= 0:
            return whole

        def cut_off(problem: Part) -> None:
            budget = self._budget.for_seconds(spare)
            step(_Search(self._options, budget, self._tell), problem)
            if problem.stopped == "time" and not self.ended:
                problem.stopped = ""

        return cut_off

    def _limits(self) -> dict[str, Any]:
        return {
            "seconds": self._budget.left(least=MOMENT),
            "max_bytes": self._budget.memory,
            "progress": self._tell,
        }

    def _dp(self, problem: Part) -> None:
        facts = _core.dynamic_programming(
            problem.component, problem.gap, self._budget.threads, **self._limits()
        )
        problem.note("dp", facts)

    def _astar(self, problem: Part, max_bytes: int | None = None) -> None:
        limits = self._limits()
        if max_bytes is not None:
            limits["max_bytes"] = min(max_bytes, limits["max_bytes"])
        facts = _core.astar(
            problem.component,
            problem.gap,
            self._options.heuristic,
            self._options.forced_moves,
            **limits,
        )
        problem.note("astar", facts)

    def _short_astar(self, problem: Part) -> None:
        self._astar(problem, SHORT_RUN_BYTES)

    def _bounded_astar(self, problem: Part) -> None:
        with self._beside(problem):
            self._astar(problem)

    def _systematic(self, problem: Part) -> None:
        clusters = self._options.heuristic != "simple"
        facts = _core.systematic(problem.component, problem.gap, clusters, **self._limits())
        problem.note("systematic", facts)

    def _ilp(self, problem: Part) -> None:
        alone = self._budget.threads == 1
        if alone:
            self._look_longer(problem)
        with self._beside(problem) as solver:
            if not alone:
                if self._options.incumbent and self.looks_later(problem):
                    self._look(problem)
                self._look_longer(problem)
            if not self.ended:
                problem.stopped = solver.wait(self._tell)

    def _beside(self, problem: Part) -> Beside:
        options, budget = self._options, self._budget
        return Beside(problem, budget, budget.threads, options.seed, options.known)

    def _look_longer(self, problem: Part) -> None:
        """Where parent sets are many, look for a better network: all proofs gain by it."""
        sets = problem.component.parents.sets
        if not self._options.incumbent or sets < ilp.MANY_SETS or self.ended or problem.gap.closed:
            return
        facts = look_longer(
            problem.component, problem.gap, self._options.seed, self._budget, self._tell
        )
        problem.work["swaps"] += facts["swaps"]
        self._end(facts["stopped"])

    def _race(self, problem: Part) -> None:
        if self._budget.threads == 1:  # a race on one core is a short run, then a long one
            self._short_astar(problem)
            if not problem.gap.closed and problem.stopped == "memory":
                self._ilp(problem)
            return
        with self._beside(problem) as solver:
            self._astar(problem)
            if not problem.gap.closed and problem.stopped not in ("time", "interrupt"):
                problem.stopped = solver.wait(self._tell)


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
    score = sum(parents.lists.score(child, place) for child, place in enumerate(places))
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


Solver = Callable[[Part], None]
_Step = Callable[[_Search, Part], None]

ALGORITHMS = ("auto", "dp", "astar", "systematic", "ilp")
"""The algorithms of exact learning."""
