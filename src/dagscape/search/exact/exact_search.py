"""The best network there is, with proof, or how far the best one found may be from it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from dagscape import _core
from dagscape.arguments import as_switch
from dagscape.control.budget import Budget
from dagscape.control.limits import FINAL
from dagscape.errors import GraphError, ParameterError
from dagscape.graphs import Dag
from dagscape.parents import CandidateParents
from dagscape.parents.candidates import FEW_SETS, check_lists, check_scores, network_of
from dagscape.results import Result
from dagscape.scores.base import SAME_SCORE, rounding
from dagscape.scoring import total
from dagscape.search.exact.astar import HEURISTICS
from dagscape.search.exact.first_network import AT_ONCE, look
from dagscape.search.exact.known_cuts import Beginning, KnownCuts
from dagscape.search.exact.part import Part, SolveOptions, SolverRun
from dagscape.search.exact.portfolio import (
    ALGORITHMS,
    MOST_VARIABLES,
    looks_later,
    needs_no_network,
    plan,
)
from dagscape.selection import parents_of
from dagscape.shared_arguments import ForSearch, begin_with_sets, takes
from dagscape.variables import check_name

if TYPE_CHECKING:
    from dagscape.data import TableLike
    from dagscape.problem import Problem
    from dagscape.variables import Variables

SELECTION_SHARE = 0.6
"""The share of a time limit that the selection of parent sets may take."""
EQUIVALENT = 1e-9
"""Scores of equivalent networks that differ by no more differ in rounding alone."""


@takes(ForSearch)
def exact(
    data: TableLike | Problem | CandidateParents,
    *,
    algorithm: str = "auto",
    heuristic: str = "clusters",
    prune: bool | Iterable[str] = True,
    split: bool = True,
    incumbent: bool = True,
    forced_moves: bool = True,
    start: Dag | Beginning | None = None,
    **shared: Unpack[ForSearch],
) -> Result:
    """Find the network with the best score, and prove it.

    Scores the parent sets that can matter, splits the variables into components that can be solved
    one by one, and solves each. A limit, or Ctrl-C, ends it with the best network so far and a
    bound on the score of all others.

    Parameters
    ----------
    data
        A table, or candidate parent sets that were selected before or read from a score file. With
        the latter the result is about networks built from these sets; what belongs to their
        selection is refused: `score`, `prior`, `max_parents` and required arcs.
    algorithm
        "dp": dynamic programming over all sets of variables; up to about 30 in a component,
        in time and memory that are known before and double with each variable.
        "astar": A* over the order graph; up to 256 in a component, and only the sets of variables
        that can be part of a better network.
        "systematic": branch and bound that breaks the cycles of the relaxed optimum.
        "ilp": integer programming with cluster cuts, on HiGHS; any number of variables, best when
        few parent sets are kept. Where they are many, it begins with multipliers of cuts that are
        found without solving a program.
        "auto": for each component what suits it, and A* and integer programming at the same time
        where either may be the faster; with many parent sets and variables, also searches over
        orders that look ahead by multipliers of cuts. `work` says what ran.
    max_parents
        The most parents of a variable; the result is then optimal among networks with no more.
    heuristic
        Of A*: "simple", the paper's own, in which every variable left has its best parents;
        "patterns", pattern databases over groups of variables that are likely parents of each
        other; "clusters", these along with prices of clusters that cannot all have parents among
        themselves; or "cuts", multipliers of cuts of any kind, which take seconds to find and are
        for components with very many parent sets. With "systematic", "simple" is the published
        search, which bounds a subproblem by its relaxed optimum alone.
    prune
        Which parent sets to leave out, as in :func:`candidate_parents`; the optimum stays the same.
        "published" has the rules that the A* paper used, ("published", "bound") those of its "DP".
    split, incumbent, forced_moves
        Whether to split into components; to look for a good network first and cut with its score;
        and, in A*, to place a variable at once when its best parents are there. For comparisons:
        the optimum stays the same.
    start
        A network of these variables that may be near the best: the first network to cut with is
        looked for from its order alone. The optimum stays the same.
    time_limit
        Seconds, of which the selection of parent sets takes at most 60 %.
    seed
        For the search for a first network.

    Returns
    -------
    Result
        `optimal`, `scope` and `bound` say what is proven. Equivalent networks score alike; the one
        returned is the same for every algorithm unless several classes of networks tie.

    Raises
    ------
    GraphError
        If no network can be built from the candidate parent sets.

    Notes
    -----
    In each component, scores that differ by no more than 1e-7 are the same. With a hundred
    variables that have thousands of parent sets each, expect a bound and no proof.

    Cost: with n variables in a component, dynamic programming takes up to n² · 2ⁿ steps and
    8 · 2ⁿ bytes, A* at most 2ⁿ nodes; the other two hold the candidate sets, and take
    exponential time at worst. Rows matter for the scoring of candidate sets alone, see
    :func:`candidate_parents`.

    Sources: Wu, A heuristic search algorithm for learning optimal Bayesian networks, 2010;
    Silander and
    Myllymäki, UAI 2006; Fan, Malone and Yuan, UAI 2014; Yuan and Malone, JAIR 2013; Bartlett and
    Cussens, Integer linear programming for the Bayesian network structure learning problem, AIJ
    2017; Trösser, de Givry and Katsirelos, IJCAI 2021; de Campos and Ji, JMLR 2011.
    """
    check_name("algorithm", algorithm, ALGORITHMS)
    check_name("heuristic", heuristic, HEURISTICS)
    switches = {"split": split, "incumbent": incumbent, "forced_moves": forced_moves}
    for name, switch in switches.items():
        as_switch(name, switch)
    problem, budget = begin_with_sets(data, shared)
    order, known = _beginning(start, problem.variables)
    parents = parents_of(problem, budget.part(SELECTION_SHARE), prune=prune)
    given = parents is problem
    stages = {} if given else {"scoring": parents.seconds}
    options = SolveOptions(algorithm, heuristic, forced_moves, incumbent, budget.seed, order, known)
    # A selection stopped before this call is the user's choice, not a limit of this search.
    cut_short = None if given else parents.stopped
    if cut_short in FINAL:
        budget.end(cut_short)
    solved = solve(parents, options, budget, split)
    stages |= solved.seconds
    dag = _canonical(network_of(solved.parents, solved.places), solved.parents)
    work = {
        **{f"selection_{k}": v for k, v in parents.work.items() if k != "stopped"},
        "parent_sets": len(parents),
        **solved.work,
        "stages": stages,
    }
    # What the lists add up to can differ from it in the last digit.
    score = solved.score if isinstance(problem, CandidateParents) else total(problem, dag)
    return Result(
        dag=dag,
        score=score,
        score_kind=parents.score_kind,
        score_name=parents.score,
        method=f"exact: {solved.ran}",
        scope=parents.scope,
        optimal=solved.closed,
        bound=score if solved.closed else max(score, solved.bound),
        seed=budget.seed,
        seconds=budget.seconds,
        stopped=cut_short if solved.closed else cut_short or solved.stopped,
        work=work,
        notes=parents.notes,
        asked={
            **problem.settings,
            **budget.settings,
            "algorithm": algorithm,
            "heuristic": heuristic,
            "prune": prune if isinstance(prune, bool | str) else list(prune),
            **switches,
            "start": start is not None,
        },
    )


def _beginning(
    start: Dag | Beginning | None, variables: Variables
) -> tuple[list[int] | None, KnownCuts | None]:
    """Return an order to begin with and cuts, as far as they are known."""
    if isinstance(start, Beginning):
        return order_of(start.dag, variables), start.known
    return None if start is None else order_of(start, variables), None


def order_of(start: Dag, variables: Variables) -> list[int]:
    """Return the numbers of the variables, parents first; refuse other variables."""
    if not isinstance(start, Dag):
        raise ParameterError(f"start must be a ds.Dag, got {type(start).__name__}")
    if odd := set(start.names) ^ set(variables.names):
        raise ParameterError(
            f'start must have the variables of the data; "{min(odd)}" is in one of them only'
        )
    return [variables.number(name) for name in start.topological_order()]


def _canonical(dag: Dag, parents: CandidateParents) -> Dag:
    """Return the equivalent network that every algorithm would give, if it can be found.

    Which of the equivalent networks a search meets first is chance; the essential graph and its
    extension are not. Under scores that tell equivalent networks apart, or with candidate sets
    that do not hold it, the network stays as it is.
    """
    done = parents.experiments
    same = (dag.to_mpdag(done) if done else dag.to_cpdag()).to_dag()
    if same == dag:
        return dag
    best = _core.BestParents(parents._lists)
    before, after = _total(dag, parents, best), _total(same, parents, best)
    if before is None or after is None:
        return dag
    # Digits alone: the proof has used the other slack.
    digits = rounding(before) - SAME_SCORE + EQUIVALENT
    return same if abs(after - before) <= digits else dag


def _total(dag: Dag, parents: CandidateParents, best: _core.BestParents) -> float | None:
    """Return the score of a network, or None if a variable's parents are not the best in them."""
    number, total = parents.variables.number, 0.0
    for name in dag.names:
        wanted = sorted(map(number, dag.parents(name)))
        place = best.best(number(name), wanted)
        if place is None or sorted(parents._lists.parents(number(name), place)) != wanted:
            return None
        total += parents._lists.score(number(name), place)
    return total


# A whole problem: its components are solved one by one and put together.


@dataclass(frozen=True)
class ExactOutcome:
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
    options: SolveOptions,
    budget: Budget,
    split: bool,
) -> ExactOutcome:
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
    run = SolverRun(options, budget, tell)
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


def _prove(part: Part, run: SolverRun) -> None:
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
) -> ExactOutcome:
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
    return ExactOutcome(
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
