"""Whether a graph of the user's own is right: the call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack, overload

from dagscape.arguments import as_list
from dagscape.claims.scopes import most_parents
from dagscape.control.limits import use_count, use_share
from dagscape.data.refusals import refuse_rows
from dagscape.errors import ParameterError
from dagscape.examinations.arc_changes import Changes
from dagscape.examinations.arc_verdicts import arcs_of
from dagscape.examinations.as_many_arcs import as_many_arcs
from dagscape.examinations.examination import Examination
from dagscape.examinations.examine_pag import findings_of, network_of
from dagscape.examinations.family_losses import families_of, nearest_member
from dagscape.examinations.implications import Tests, implications_of
from dagscape.examinations.nearest import nearest_of, way_up
from dagscape.examinations.pag_examination import PagExamination
from dagscape.examinations.relabelings import relabelings_of
from dagscape.examinations.user_graph import Given, drawn_graph
from dagscape.graphs import Pag, as_dag
from dagscape.graphs.independences import implied_independences
from dagscape.learning import LearnResult, learn
from dagscape.learning.plan import LEAST, NEAR_WITHIN, TIME_LIMIT
from dagscape.problem import Problem
from dagscape.results import Result
from dagscape.scores.base import higher
from dagscape.scoring import total
from dagscape.search import hill_climb
from dagscape.shared_arguments import ForSearch, begin, takes
from dagscape.speech import setting

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.data import TableLike
    from dagscape.graphs import Dag, GraphLike
    from dagscape.graphs.pag import MarkedPair
    from dagscape.networks import Network

LEARNING_SHARE = 0.7
"""The share of the time that learning may take."""
RESTARTS = 20
"""Of the climb that starts from the drawn graph."""
LIMITS = ("time_limit", "max_memory", "threads", "progress", "seed")


@overload
def examine(
    graph: Pag | Iterable[MarkedPair],
    data: TableLike | Problem | LearnResult,
    *,
    hidden: str | Iterable[str] = (),
    level: float = 0.05,
    relabelings: int = 200,
    resamples: int | None = None,
    **shared: Unpack[ForSearch],
) -> PagExamination: ...
@overload
def examine(
    graph: GraphLike | Network | Result,
    data: TableLike | Problem | LearnResult,
    *,
    hidden: str | Iterable[str] = (),
    level: float = 0.05,
    relabelings: int = 200,
    resamples: int | None = None,
    **shared: Unpack[ForSearch],
) -> Examination: ...
@overload
def examine(
    graph: Given,
    data: TableLike | Problem | LearnResult,
    *,
    hidden: str | Iterable[str] = (),
    level: float = 0.05,
    relabelings: int = 200,
    resamples: int | None = None,
    **shared: Unpack[ForSearch],
) -> Examination | PagExamination: ...
@takes(ForSearch)
def examine(
    graph: Given,
    data: TableLike | Problem | LearnResult,
    *,
    hidden: str | Iterable[str] = (),
    level: float = 0.05,
    relabelings: int = 200,
    resamples: int | None = None,
    **shared: Unpack[ForSearch],
) -> Examination | PagExamination:
    """Set a graph of your own beside what a table says of it.

    Scores it, and tells how far that is below the best network, proven where that can be done in
    time; which variables' parents lose it; how probable each arc is, drawn or not; which of the
    independences that the graph implies fail, and what would mend them; how many graphs of the same
    shape with other names do as well; and which graph that the table supports is nearest. Where
    causes may be hidden: what the table says of the graph's edges, marks and independences.

    Parameters
    ----------
    graph
        A Dag, Cpdag or Mpdag, a Network, a Result, a networkx graph, or a list of arcs, which need
        not mention variables without arcs; a file of any of these (:func:`read_graph`,
        :func:`read_network`, :func:`load_result`); or the text of DAGitty (``"dag { a -> b }"``),
        R's bnlearn (``"[a][b|a]"``) or Graphviz (``"digraph { a -> b }"``). Where causes
        may be hidden, a Pag, a list of its edges (``("a", "o->", "b")``), a file of one, or
        ``"pag { a @-> b }"``.
    data
        A table without missing cells; or what :func:`learn` found on it, which is then not done
        again.
    hidden
        Variables of the graph, a network, that are not in the table. What the network says of the
        others is examined, as a Pag.
    level
        Independences fail that chance would make look so in this share of tables at most, all of
        them together.
    relabelings
        How many graphs of the same shape, with the names of the variables shuffled, to compare
        with; all of them if there are no more. 0 for none.
    max_parents
        The most parents of a variable in the networks to compare with; as many as the graph has
        are allowed in any case.
    knowledge
        Arcs required and forbidden, tiers and limits, which the graph has to obey, too.
    resamples
        As in :func:`learn`, which gives the probabilities; 0 for none.
    time_limit
        Seconds for everything: 120 if not given. Learning has 70 % of them.

    Returns
    -------
    Examination or PagExamination
        `score`, `regret` (how much less than the best network, never negative), `proven`, `arcs`,
        `implications` and more; ``print(e.summary)`` says it in words. The latter of a Pag.

    Raises
    ------
    GraphError
        If the graph's variables are not the table's, its arcs form a cycle, or it does not obey the
        knowledge.

    Notes
    -----
    The networks to compare with are those that :func:`learn` finds, those that a climb from the
    graph itself reaches, and the graph; so the regret is never negative. Equivalent graphs have the
    same score and imply the same, and no table can tell them apart.

    A graph can be right although an independence fails: if rows depend on each other, if columns
    are rough measures of what they stand for, or if common causes are not in the table. And a table
    with few rows cannot deny much: see the verdicts "too few rows".

    A Pag has no score, since scores are of networks. It says that no variables separate those that
    it joins, which each edge is tested for by sets of up to two neighbors; that others are
    independent given some set, by m-separation; and marks, which are held against the arrows of
    :func:`hidden` that have tests of their own.

    Cost: that of :func:`learn`, and one test for each two variables that are not joined; of a Pag
    also some for each edge, as many as there are sets of two neighbors.

    Sources: Eulig, Mastakouri, Blöbaum, Hardt and Janzing, Toward falsifying causal graphs using a
    permutation-based test, 2023; Ankan, Wortel and Textor, Testing graphical causal models using
    the R package dagitty, 2021.

    Examples
    --------
    >>> import dagscape as ds
    >>> data = ds.load_network("asia").sample(1000, seed=0)
    >>> e = ds.examine([("smoke", "bronc"), ("bronc", "dysp")], data, resamples=0)
    >>> e.regret > 10, e.proven
    (True, True)
    """
    alpha = use_share("level", level)
    if not 0 < alpha < 1:
        raise ParameterError(f"{setting('level')} must lie between 0 and 1, got {level!r}")
    number = use_count("relabelings", relabelings)
    limit = shared["time_limit"]
    shared["time_limit"] = TIME_LIMIT if limit is None else limit
    known = data if isinstance(data, LearnResult) else None
    if isinstance(data, LearnResult):
        problem, budget = begin(_asked_of(data, shared), {x: shared.get(x) for x in LIMITS})
    else:
        problem, budget = begin(data, shared)
    refuse_rows(problem.data)  # learning may obey what shuffled rows cannot
    names = (hidden,) if isinstance(hidden, str) else as_list("hidden", hidden, "names")
    drawn = drawn_graph(graph, problem, tuple(names))
    network = network_of(drawn) if isinstance(drawn, Pag) else as_dag(drawn, problem.variables)
    if problem.max_parents is not None and network is not None:
        problem = problem.limited(max(problem.max_parents, most_parents(network)))
    learned = _learned(problem, resamples, budget) if known is None else known
    asked = {
        **problem.settings,
        **budget.settings,
        "time_limit": limit,
        "hidden": list(names),
        "level": alpha,
        "relabelings": number,
        "resamples": resamples,
        "seed": budget.seed,
    }
    notes = problem.data.notes if learned.data is None else learned.data.notes
    over = _over(budget)
    if isinstance(drawn, Pag):
        findings = findings_of(
            drawn, problem, learned, budget, over, level=alpha, relabelings=number
        )
        best = learned if network is None else _best(problem, network, learned, budget)
        own = None if network is None else total(problem, network)
        return PagExamination(
            graph=drawn,
            learned=learned,
            dag=network,
            score=own,
            score_kind=problem.score,
            best=best,
            regret=None if own is None else _less(own, best),
            level=alpha,
            notes=notes,
            seconds=budget.seconds,
            stopped=_stopped(budget, learned),
            asked=asked,
            **findings._asdict(),
        )
    dag = as_dag(drawn, problem.variables)
    best = _best(problem, dag, learned, budget)
    score = total(problem, dag)
    regret = _less(score, best)
    changes, tests = Changes(problem, dag), Tests(problem.data)
    implications = implications_of(
        implied_independences(dag),
        tests,
        level=alpha,
        rows_independent=learned.rows_independent,
        over=over,
        mend=changes.mend,
    )
    compared = None
    if number:
        compared = relabelings_of(
            problem,
            dag,
            tests if learned.rows_independent else None,
            number=number,
            level=alpha,
            seed=budget.seed,
            over=over,
        )
    alike = as_many_arcs(problem, dag, best, lambda: budget.left(0.2, LEAST), over)
    steps, end = way_up(problem, dag, regret, NEAR_WITHIN, over)
    left = steps[-1].regret if steps else regret
    same = not higher(best.score, learned.score)
    return Examination(
        graph=drawn,
        dag=dag,
        score=score,
        score_kind=problem.score,
        best=best,
        learned=learned,
        regret=regret,
        as_many_arcs=alike,
        level=alpha,
        family_rows=families_of(problem, dag, _beside(best, dag, problem)),
        arc_rows=arcs_of(problem, drawn, dag, learned),
        implication_rows=implications,
        relabelings=compared,
        steps=steps,
        nearest=nearest_of(
            (dag.to_cpdag(), regret),
            (end, left),
            (best.dag, 0.0),
            learned.near if same else None,
            NEAR_WITHIN,
        ),
        notes=notes,
        seconds=budget.seconds,
        stopped=_stopped(budget, learned),
        asked=asked,
    )


def _less(score: float, best: Result) -> float:
    """Return how much less than the best a score is; rounding is no difference."""
    return best.score - score if higher(best.score, score) else 0.0


def _stopped(budget: Budget, learned: LearnResult) -> str | None:
    return budget.stopped or ("time" if budget.over else learned.stopped)


def _asked_of(known: LearnResult, shared: Mapping[str, Any]) -> Problem:
    """Return what was asked of what was learned; refuse to ask anything else of it."""
    asked = ("score", "prior", "max_parents", "knowledge")
    if given := [name for name in asked if shared.get(name) is not None]:
        raise ParameterError(f"{given[0]} belongs to what was learned, not here")
    if known.data is None or known.score_kind is None:
        raise ParameterError("what was learned has no table; give the table")
    return Problem(
        known.data,
        score=known.score_kind,
        max_parents=known.asked.get("max_parents"),
        knowledge=known.scope.knowledge,
    )


def _learned(problem: Problem, resamples: int | None, budget: Budget) -> LearnResult:
    found = learn(
        problem,
        runs=0,
        resamples=resamples,
        time_limit=budget.left(LEARNING_SHARE, LEAST),
        max_memory=budget.memory,
        threads=budget.threads,
        seed=budget.seed,
        progress=budget.progress,
    )
    if found.stopped is not None:
        budget.end(found.stopped)
    return found


def _best(problem: Problem, dag: Dag, learned: LearnResult, budget: Budget) -> Result:
    """Return the best network that is known, the drawn one included."""
    own = total(problem, dag)
    if (learned.optimal and learned.scope.admits(dag)) or budget.ended:
        climbed = None
    else:
        climbed = hill_climb(
            problem,
            start=dag,
            restarts=RESTARTS,
            time_limit=budget.left(0.5, LEAST),
            threads=budget.threads,
            seed=budget.seed,
        )
    plain: Result = learned
    if climbed is not None and higher(climbed.score, plain.score):
        plain = climbed
    if higher(own, plain.score):
        plain = replace(
            climbed or learned.plain(), dag=dag, score=own, method="the graph itself", bound=None,
            optimal=False,
        )  # fmt: skip
    return plain


def _beside(best: Result, dag: Dag, problem: Problem) -> Dag:
    """Return a network as good as the best, with the directions that were drawn where it can."""
    if not problem.score.equivalent:
        return best.dag
    near = nearest_member(best.mpdag, dag)
    known = problem.knowledge
    return best.dag if known is not None and known.violations(near) else near


def _over(budget: Budget) -> Callable[[], bool]:
    return lambda: budget.over or budget.interrupted
