"""Whole networks put together from what was learned around each variable."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

from dagscape import _core
from dagscape.graphs import Dag
from dagscape.results import Result
from dagscape.scoring import total
from dagscape.search.greedy import hill_climb
from dagscape.search.local import NO_DIRECTIONS, Learner, sll_learner, test_learner
from dagscape.shared_arguments import ForSearch, ForSets, begin, takes
from dagscape.variables import check_name

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.data import TableLike
    from dagscape.problem import Problem

AT_ONCE = 0.05
"""Seconds in which greedy search gives what it finds first."""

LOCAL_SHARE = 0.7
"""Of a time limit, for what is learned around each variable; the rest is for greedy search."""

SKELETONS = ("printed", "strict")
"""Whether common children of spouses are joined to both, or only where each finds the other."""

Pair = tuple[int, int]


@takes(ForSets)
def sll_c(
    data: TableLike | Problem,
    *,
    order: str = "association",
    spouses: str = "either",
    skeleton: str = "printed",
    exact_limit: int = 20,
    **shared: Unpack[ForSets],
) -> Result:
    """Put a network together from neighbors and spouses that score-based local learning finds.

    Two variables are joined if each finds the other. Arcs lead from spouses to their common
    children, and the rest is directed so that no cycle and, if possible, no other v-structure
    arises.

    Parameters
    ----------
    score, prior, order, max_parents, exact_limit
        Of local learning, as in :func:`neighbors`.
    spouses
        "either", "checked" or "published", as in :func:`markov_blanket`.
    skeleton
        "printed": a common child is joined to both spouses, also where it was not found to be a
        neighbor of both, as in lines 10 to 15 of the algorithm. "strict": such children are left
        out, so that all edges are between variables that find each other.
    knowledge
        Refused: local learning does not tell parents from children.
    time_limit
        Seconds. What is known around each variable by then is put together.

    Returns
    -------
    Result
        `work` has the edges of the skeleton, the v-structures directed, and the `conflicts`: those
        left out, since an arc had the other direction already or a cycle would have arisen. They
        are taken in the order of the names of one spouse, the other, and the child.

    Notes
    -----
    Close to the true structure where data are plenty, but usually not the network with the better
    score: for that see :func:`sll_g`, :func:`hill_climb` or :func:`learn`.

    Cost: that of :func:`neighbors` for all variables, then of the search on what they leave.

    Sources: Niinimäki and Parviainen, Local structure discovery in Bayesian networks, UAI 2012,
    Algorithm 5; Meek, Causal inference and causal explanation with background knowledge, UAI 1995.
    """
    problem, budget = begin(data, shared)
    problem.refuse_knowledge("sll_c", NO_DIRECTIONS)
    learner = sll_learner(problem, order=order, spouses=spouses, exact_limit=exact_limit)
    check_name("skeleton", skeleton, SKELETONS)
    around = _learn("blankets", learner, problem, budget)
    edges = around.edges(both=True)
    directing = _core.Orientation(len(problem.variables), edges)
    triples = {
        (min(a, b), max(a, b), child) for a, b, children in around.spouses for child in children
    }
    join = skeleton == "printed"
    kept = [directing.add_collider(a, child, b, join) for a, b, child in sorted(triples)]
    directing.finish()
    dag = Dag._wrap(problem.variables, directing.dag())
    return Result(
        dag=dag,
        score=total(problem, dag),
        score_kind=problem.score,
        method="sll+c",
        seconds=budget.seconds,
        stopped=around.stopped,
        work={
            **around.work,
            "skeleton": len(edges),
            "v_structures": sum(kept),
            "conflicts": len(kept) - sum(kept),
        },
        asked={**learner.asked, "skeleton": skeleton, **budget.settings},
        notes=problem.data.notes,
    )


@takes(ForSearch)
def sll_g(
    data: TableLike | Problem,
    *,
    order: str = "association",
    local_parents: int = 5,
    exact_limit: int = 20,
    tabu: int = 100,
    patience: int = 15,
    restarts: int = 0,
    **shared: Unpack[ForSearch],
) -> Result:
    """Search greedily among networks that join only what score-based local learning joins.

    Two variables may be joined if either finds the other; :func:`hill_climb` does the rest.

    Parameters
    ----------
    score, prior
        Of both, as in :func:`kes`: a score that is the same for equivalent networks.
    order, exact_limit
        Of local learning, as in :func:`neighbors`; `local_parents` is the most parents in its
        networks.
    tabu, patience, restarts, max_parents, seed
        Of the greedy search, as in :func:`hill_climb`.
    knowledge
        Obeyed by the greedy search: arcs that are required are allowed, whatever was found.
    time_limit
        Seconds, of which local learning takes at most 70 %.

    Notes
    -----
    For hundreds of variables; with fewer, :func:`learn` gives better networks.

    Cost: that of :func:`neighbors` for all variables, then of the search on what they leave.

    Source: Niinimäki and Parviainen, Local structure discovery in Bayesian networks, UAI 2012,
    Algorithm 6.
    """
    problem, budget = begin(data, shared)
    learner = sll_learner(
        problem, local_parents=local_parents, order=order, exact_limit=exact_limit
    )
    around = _learn("potential", learner, problem, budget, LOCAL_SHARE)
    climb = {"tabu": tabu, "patience": patience, "restarts": restarts}
    asked = {"order": order, "local_parents": local_parents, "exact_limit": exact_limit}
    return _climb("sll+g", problem, budget, around, climb, asked, both=False)


@takes(ForSearch)
def mmhc(
    data: TableLike | Problem,
    *,
    alpha: float = 0.05,
    max_conditioning: int = 5,
    rows_per_cell: float = 5,
    degrees: str = "declared",
    tabu: int = 100,
    patience: int = 15,
    restarts: int = 0,
    **shared: Unpack[ForSearch],
) -> Result:
    """Search greedily among networks that join only what tests of independence do not separate.

    Max-min hill climbing: two variables may be joined if max-min parents and children finds each of
    them from the other; :func:`hill_climb` does the rest.

    Parameters
    ----------
    alpha, max_conditioning, rows_per_cell, degrees
        Of the tests, as in :func:`neighbors`, but that degrees of freedom count all declared
        states if nothing else is asked for, as published.
    score, prior, tabu, patience, restarts, max_parents, seed
        Of the greedy search, as in :func:`hill_climb`.
    knowledge
        Obeyed by the greedy search: arcs that are required are allowed, whatever was found.
    time_limit
        Seconds, of which the tests take at most 70 %.

    Notes
    -----
    What many people use, and here for comparison; :func:`hill_climb` without it is about as fast
    here, and :func:`learn` gives better networks.

    Cost: that of :func:`neighbors` for all variables, then of the search on what they leave.

    Source: Tsamardinos, Brown and Aliferis, The max-min hill-climbing Bayesian network structure
    learning algorithm, Machine Learning 2006.
    """
    problem, budget = begin(data, shared)
    tests: dict[str, Any] = {
        "alpha": alpha,
        "max_conditioning": max_conditioning,
        "rows_per_cell": rows_per_cell,
        "degrees": degrees,
    }
    learner = test_learner(problem, "mmpc", **tests)
    around = _learn("potential", learner, problem, budget, LOCAL_SHARE)
    climb = {"tabu": tabu, "patience": patience, "restarts": restarts}
    return _climb("mmhc", problem, budget, around, climb, tests, both=True)


@dataclass(frozen=True)
class _Neighborhoods:
    """What was learned around each variable, by number."""

    neighbors: dict[int, set[int]]
    spouses: list[tuple[int, int, list[int]]]
    """Two variables and the children in common that the first one's search found."""
    stopped: str | None
    work: dict[str, Any]

    def edges(self, *, both: bool) -> list[Pair]:
        """Return the pairs in which both find each other, or in which either does."""
        pairs = {(a, b) for a, others in self.neighbors.items() for b in others}
        return sorted({(min(a, b), max(a, b)) for a, b in pairs if not both or (b, a) in pairs})


def _learn(
    what: str, learner: Learner, problem: Problem, budget: Budget, share: float = 1.0
) -> _Neighborhoods:
    """Learn around every variable."""
    part = budget.part(share)
    facts = learner.learn(
        learner.on_data,
        list(range(len(problem.variables))),
        what,
        **learner.words,
        threads=part.threads,
        seconds=part.left(),
        max_bytes=part.memory,
        progress=part.telling("learning around each variable"),
    )
    sets, spouses, stopped = (facts.pop(name) for name in ("sets", "spouses", "stopped"))
    facts.pop("separators", None)
    budget.end(stopped)
    finished = all(done for _, _, _, done in sets)
    return _Neighborhoods(
        {v: set(around) for v, around, _, _ in sets},
        spouses,
        None if finished else stopped or None,
        {**facts, "local_seconds": part.seconds},
    )


def _climb(
    method: str,
    problem: Problem,
    budget: Budget,
    around: _Neighborhoods,
    climb: dict[str, Any],
    asked: dict[str, Any],
    *,
    both: bool,
) -> Result:
    """Search greedily on the skeleton."""
    name = problem.variables.name
    skeleton = around.edges(both=both)
    required = () if problem.knowledge is None else problem.knowledge.required
    found = hill_climb(
        problem,
        allowed=[*((name(a), name(b)) for a, b in skeleton), *required],
        wander=False,  # as published
        seed=budget.seed,
        **budget.words(least=AT_ONCE),
        **climb,
    )
    ended = budget.stopped if budget.interrupted else around.stopped or found.stopped
    return replace(
        found,
        method=method,
        seconds=budget.seconds,
        stopped=ended,
        work={**around.work, "skeleton": len(skeleton), **found.work},
        asked={**problem.settings, **budget.settings, **asked, **climb, "seed": budget.seed},
    )
