"""Searches over equivalence classes of networks: greedy and k-greedy."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any, Unpack

from dagscape import _core
from dagscape.control.limits import use_count, use_multiple
from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.results import Result
from dagscape.scoring import total
from dagscape.shared_arguments import ForClasses, ForRandomClasses, begin, takes
from dagscape.speech import for_python, setting
from dagscape.variables import check_name

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.data import TableLike
    from dagscape.problem import Problem

NEIGHBORHOODS = ("auto", "exact", "sampled")
"""How the classes next to one are found."""

MOST_REVERSALS = 10_000
"""More arcs than are reversed between two looks at the clock."""


@takes(ForRandomClasses)
def kes(
    data: TableLike | Problem,
    *,
    k: float = 0.8,
    neighborhood: str = "auto",
    draws: float | None = None,
    reversals: int | None = None,
    patience: float | None = None,
    **shared: Unpack[ForRandomClasses],
) -> Result:
    """Search equivalence classes by k-greedy moves.

    Each step lists the neighboring classes that score higher, draws a share of them at random and
    moves to the best one drawn; it stops at a class that no neighbor beats.

    Parameters
    ----------
    k
        Share drawn at each step, from 0 (one class, SES) to 1 (all of them, GES).
    score, prior
        What networks are scored by, and a prior on structures whose logarithm is added, as in
        :func:`exact`. The score must be the same for equivalent networks: not K2, not fNML. All
        priors are.
    max_parents
        The most parents that a step gives a variable.
    neighborhood
        "exact": the inclusion boundary, every class that one arc more or less in any network of the
        class leads to, each once. "sampled": the paper's own way, networks of the class drawn by
        reversing covered arcs, then an arc added or removed; it can miss neighbors. "auto": exact,
        unless a class has too many neighbors to list; `work` says what ran.
    draws, reversals, patience
        For "sampled", and not with another neighborhood. The draws of a step with k = 1, in units
        of n (n − 1); with a smaller k it is −ln(1 − k) of these units, if that is less. The most
        arcs that are tried before each draw. The draws in vain that end the search, in the same
        units. As published, 20, 7 and 20.
    knowledge
        Refused: classes contain networks with either direction of most arcs.
    seed
        For what is drawn. Runs of :func:`local_optima` are runs of this with other streams.

    Notes
    -----
    Finds a local optimum, without proof. Where :func:`exact` finishes, prefer it; for what other
    optima there are and what they agree on, see :func:`local_optima`.

    Cost: the start looks at all n (n − 1) / 2 pairs, a step at those near the last one. A gain
    takes two values of sets, each counted once, in as many steps as there are rows. Moves of a
    pair grow exponentially with its undirected neighbors; at most 4,096 are looked at.

    Source: Nielsen, Kočka and Peña, On local optima in learning Bayesian networks, UAI 2003.
    """
    problem, budget = begin_on_classes(data, shared)
    sampling = _sampling(neighborhood, draws, reversals, patience)
    options = kes_options(problem, k, neighborhood, **sampling)
    found, stopped = _core.kes(problem.scorer, options, budget.seed, **_limits(budget))
    return _result(
        problem,
        budget,
        found,
        stopped,
        f"kes, k={k:g}",
        budget.seed,
        {"k": float(k), "neighborhood": neighborhood, **sampling},
        {"neighborhood": "sampled" if found.sampled else "exact", "better_classes": found.classes},
    )


@takes(ForClasses)
def ges(
    data: TableLike | Problem,
    *,
    phases: int = 2,
    turning: bool = False,
    **shared: Unpack[ForClasses],
) -> Result:
    """Search equivalence classes greedily.

    Moves to the neighboring class that scores highest, until none is better. With enough data
    from a network it finds that network's class.

    Parameters
    ----------
    phases
        2: Meek's, first arcs are only added, then only removed. 1: both in every step, which is
        :func:`kes` with k=1.
    turning
        Whether to continue by turning edges, and to start again while that gains.
    score, prior, max_parents, knowledge
        As in :func:`kes`.

    Notes
    -----
    Finds a local optimum, without proof; other optima are often better, see :func:`local_optima`.

    Cost: as in :func:`kes`.

    Sources: Meek, Graphical models: selecting causal and statistical models, 1997; Chickering,
    Optimal structure identification with greedy search, JMLR 2002; Hauser and Bühlmann,
    Characterization and greedy learning of interventional Markov equivalence classes of directed
    acyclic graphs, JMLR 2012.
    """
    if isinstance(phases, bool) or not isinstance(phases, int) or phases not in (1, 2):
        raise ParameterError(f"phases must be 1 or 2, got {phases!r}")
    if not isinstance(turning, bool):
        raise ParameterError(f"turning must be True or False, got {turning!r}")
    problem, budget = begin_on_classes(data, shared)
    found, stopped = _core.ges(
        problem.scorer, phases == 2, turning, problem.most_parents, **_limits(budget)
    )
    words = f"ges, {'two phases' if phases == 2 else 'one phase'}{', turning' if turning else ''}"
    asked = {"phases": phases, "turning": turning}
    return _result(problem, budget, found, stopped, words, None, asked, {})


CLASSES = "search over equivalence classes"
EXPERIMENTS = "they tell networks of one class apart"
OTHERS = "exact, hill_climb or order_search", "dagscape exact or order"
NO_DIRECTIONS = "a class contains networks with either direction of its undirected edges; use exact"


def begin_on_classes(
    data: TableLike | Problem, shared: Mapping[str, Any]
) -> tuple[Problem, Budget]:
    """Return what is asked and what may be used; refuse what classes of networks do not share."""
    problem, budget = begin(data, shared)
    problem.refuse_experiments(CLASSES, f"{EXPERIMENTS}; use {for_python(*OTHERS)}")
    problem.refuse_knowledge(CLASSES, NO_DIRECTIONS)
    problem.refuse_inequivalent(CLASSES)
    return problem, budget


def _sampling(
    neighborhood: str, draws: float | None, reversals: int | None, patience: float | None
) -> dict[str, Any]:
    """Return what was asked about draws, checked."""
    asked: dict[str, Any] = {}
    if draws is not None:
        asked["draws"] = use_multiple("draws", draws)
    if reversals is not None:
        asked["reversals"] = use_count("reversals", reversals)
        if reversals > MOST_REVERSALS:
            raise ParameterError(f"reversals must be at most {MOST_REVERSALS:,}, got {reversals}")
    if patience is not None:
        asked["patience"] = use_multiple("patience", patience)
    if asked and neighborhood != "sampled":
        name = next(iter(asked))
        raise ParameterError(f'{setting(name)} is for {setting("neighborhood")} "sampled"')
    return asked


def kes_options(problem: Problem, k: float, neighborhood: str, **sampling: Any) -> _core.KesOptions:
    """Return how k-greedy search goes, checked."""
    if isinstance(k, bool) or not isinstance(k, Real) or not 0 <= k <= 1:
        raise ParameterError(f"{setting('k')} must be between 0 and 1, got {k!r}")
    check_name("neighborhood", neighborhood, NEIGHBORHOODS)
    return _core.KesOptions(float(k), problem.most_parents, neighborhood, **sampling)


def _limits(budget: Budget) -> dict[str, Any]:
    """Return what the engine may use, and its progress function."""
    return {"seconds": budget.left(), "progress": budget.telling("searching", known=False)}


def _result(
    problem: Problem,
    budget: Budget,
    found: _core.ClassSearch,
    stopped: str,
    method: str,
    seed: int | None,
    asked: dict[str, Any],
    work: dict[str, Any],
) -> Result:
    budget.end(stopped)
    dag = Dag._wrap(problem.variables, found.dag)
    return Result(
        dag=dag,
        score=total(problem, dag),
        score_kind=problem.score,
        method=method,
        scope=problem.scope,
        seed=seed,
        seconds=budget.seconds,
        stopped=None if found.done else stopped or None,
        work={"steps": found.steps, "sets_counted": problem.scorer.sets_counted, **work},
        asked={**problem.settings, "time_limit": budget.settings["time_limit"], **asked},
        notes=problem.data.notes,
    )
