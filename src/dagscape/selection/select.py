"""Candidate parent sets, selected from data, and what that costs."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from dagscape import _core
from dagscape.control.limits import use_count, use_distance, use_seconds
from dagscape.data import as_data, check_data
from dagscape.errors import ParameterError
from dagscape.executors import use_executor
from dagscape.parents import CandidateParents
from dagscape.scores import BIC, ScoreFunction
from dagscape.selection.in_parts import InParts
from dagscape.selection.selections import (
    PUBLISHED,
    PUBLISHED_RULES,
    RULES,
    SELECTIONS,
    Here,
    Place,
    Selection,
    SelectionRules,
)
from dagscape.shared_arguments import ForClusterSets, ForEstimate, begin, takes
from dagscape.variables import check_name

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.data import TableLike
    from dagscape.problem import Problem

COUNTING = ("auto", "bitmaps", "rows", "adtree")
"""The ways of counting that can be forced."""

SETS_PER_VARIABLE = 20_000
"""What best-first selection scores for each variable when no time is given."""

METHODS = tuple(SELECTIONS)
"""The ways to select parent sets."""


@takes(ForClusterSets)
def candidate_parents(
    data: TableLike | Problem,
    *,
    method: str = "sequential",
    prune: bool | Iterable[str] = True,
    within: float | None = None,
    time_per_variable: float | None = None,
    sets_per_variable: int | None = None,
    keep_of_size: int | None = None,
    counting: str = "auto",
    instructions: str = "auto",
    **shared: Unpack[ForClusterSets],
) -> CandidateParents:
    """Score parent sets of every variable and keep those that can matter.

    Left out, besides what a method does not come to, is only what cannot be the best choice among
    any allowed parents.

    Parameters
    ----------
    method
        "sequential": all sets by size, smallest first, for all variables at once from one count of
        each set of variables; the only one after which a search can claim an optimum.
        "greedy": from the empty set, always growing the best set so far by each variable.
        "independence": all single parents, then sets in the order of what they would score if their
        last parent shared no information with the others (BIC*); for scores other than BIC the
        price of the BIC stands in to order them.
        "hybrid": all sets up to the size that half the time allows, by an estimate for one thread
        and then by what it really took; then growth by independence.
    max_parents
        The most parents of a variable. Without it, as many as can pay off under the score, which
        for BIC is about log2(2N / ln N); for scores without such a limit (BDeu, K2, qNML, fNML)
        give it, or a time limit, unless variables are few.
    prune
        Which rules may leave sets out: all (True), none (False) or some of "limit", "bound",
        "entropy" and "dominance". The best set among any allowed parents is the same either way.
        Best-first methods have no use for "entropy". "published" has the rules of Wu 2010 as they
        are printed, for comparisons: at most log2(2N / ln N) parents, a bound by the number of
        parameters alone, and "dominance"; ("published", "bound") is that bound alone. They are
        for BIC with the uniform prior, without `knowledge` and `within`.
    within
        Also keep sets that score up to this many nats below their best subset: all that networks
        can have that score this much less than the best, as :func:`near_optimal` lists them. For
        "sequential".
    time_per_variable, time_limit
        Seconds for each variable, or for all of them. When they are over, what is there is
        returned, and `stopped` and `exhaustive_to` say so. Ctrl-C does the same.
    sets_per_variable
        For best-first methods: how many sets to score for each variable, 20,000 by default or as
        many as time allows. Unlike a time limit, it gives the same sets on every machine.
    keep_of_size
        Of each variable's sets with as many parents, keep so many, the best ones, so that memory
        holds the lists however many sets are scored. What is left out may be the best that some
        order allows: a search can then claim no optimum over all sets, and `exhaustive_to` is the
        size before the first that was cut.
    max_memory
        Bytes; by default 70 % of what is free. Reached, it ends the selection like a time limit.
    counting
        "bitmaps", "rows" or "adtree" to force a way of counting. All give the same counts; scores
        can differ in the last digit, and sets that score alike come in another order. The AD-tree
        is there for comparison: building it takes long, whatever the time limit.
    instructions
        "plain", "avx2" or "avx512" to force a set of instructions.
    cluster
        Where parts are done instead of here, as in :func:`local_optima`; the sets are the same.
        Best-first methods gain most, since they go child by child. For the others, every part
        counts the smaller sets again, so more than about ten threads gain little. Every worker may
        use `max_memory`.

    Notes
    -----
    Cost: sequential selection counts each set of up to `max_parents` + 1 variables once, in as
    many steps as there are rows at most; best-first selection so many sets for each variable.
    Memory holds the sets that are kept.

    Sources: Wu, A heuristic search algorithm for learning optimal Bayesian networks, 2010,
    chapter 3; de
    Campos and Ji, Efficient structure learning of Bayesian networks using constraints, JMLR 2011;
    de Campos, Scanagatta, Corani and Zaffalon, Entropy-based pruning for learning Bayesian networks
    using BIC, AIJ 2018; Scanagatta, de Campos, Corani and Zaffalon, Learning Bayesian networks with
    thousands of variables, NIPS 2015; Perez and Mauá, Better initialization heuristics for
    order-based Bayesian network structure learning, JIDM 2016, section 3.

    The number of sets grows like n^max_parents: with hundreds of variables, choose 2 or 3, or one
    of the other methods.
    """
    check_name("method", method, METHODS)
    check_name("counting", counting, COUNTING)
    best_first = method in ("greedy", "independence")
    for name, word in (("counting", counting), ("instructions", instructions)):
        if not isinstance(word, str) or not word.isascii():
            raise ParameterError(f"{name} must be a word, got {word!r}")
    if best_first and (counting, instructions) != ("auto", "auto"):
        raise ParameterError(f'counting and instructions are not for method "{method}"')
    if sets_per_variable is not None:
        if method == "sequential":
            raise ParameterError('sets_per_variable is not for method "sequential"')
        if not isinstance(sets_per_variable, int) or sets_per_variable < 1:
            raise ParameterError(
                f"sets_per_variable must be a whole number from 1 up, got {sets_per_variable!r}"
            )
    if within is not None:
        if method != "sequential":
            raise ParameterError(f'within is for method "sequential", got "{method}"')
        within = use_distance("within", within)
    problem, budget = begin(data, shared)
    each = _limit_each(budget, len(problem.variables), time_per_variable)
    rules = SelectionRules(
        prune=_rules(prune),
        counting=counting,
        instructions=instructions,
        seconds_each=each,
        sets_each=sets_per_variable or (1 << 62 if budget.limited else SETS_PER_VARIABLE),
        within=within,
        keep_of_size=None if keep_of_size is None else use_count("keep_of_size", keep_of_size, 1),
    )
    _check_published(problem, rules)
    with use_executor(budget) as executor:
        place: Place = InParts(executor) if executor.scattered else Here()
        lists, work = SELECTIONS[method](place, Selection(problem, rules, budget))
    if keep_of_size is not None:
        work["scored_to"] = lists.exhaustive_to
        lists = lists.best_of_each_size(keep_of_size, budget.threads)
    budget.end(work["stopped"])
    return CandidateParents(
        problem.variables,
        lists,
        score=problem.score,
        method=method,
        max_parents=problem.max_parents,
        knowledge=problem.knowledge,
        seconds=budget.seconds,
        work=work,
        notes=problem.data.notes,
        interventions=problem.settings.get("interventions"),
    )


def parents_of(
    problem: Problem | CandidateParents, budget: Budget, **selection: Any
) -> CandidateParents:
    """Return candidate parents as the first step of a search: selected, or those that are given."""
    if isinstance(problem, CandidateParents):
        return problem
    limits = budget.words()
    if (tell := budget.progress) is not None:
        limits["progress"] = lambda share, _: tell(share, "scoring parent sets")
    return candidate_parents(problem, **limits, **selection)


def _limit_each(budget: Budget, variables: int, time_per_variable: float | None) -> float | None:
    """Return the seconds for each variable, which together limit the time for all."""
    each = use_seconds(time_per_variable, "time_per_variable")
    if each is not None:
        shared = time.monotonic() + each * variables
        budget.deadline = shared if budget.deadline is None else min(budget.deadline, shared)
    return each


def _rules(prune: bool | Iterable[str]) -> tuple[str, ...]:
    if isinstance(prune, bool):
        chosen = list(RULES) if prune else []
    elif isinstance(prune, Iterable):
        chosen = [prune] if isinstance(prune, str) else list(prune)
    else:
        raise ParameterError(f"prune must be True, False or names of rules, got {prune!r}")
    for rule in chosen:
        check_name("pruning rule", rule, (*RULES, PUBLISHED))
    return (PUBLISHED, *PUBLISHED_RULES) if chosen == [PUBLISHED] else tuple(chosen)


def _check_published(problem: Problem, rules: SelectionRules) -> None:
    """Refuse the published rules where they are not proven."""
    if PUBLISHED not in rules.prune:
        return
    words = f'the pruning rules "{PUBLISHED}"'
    if "entropy" in rules.prune:
        names = ", ".join(PUBLISHED_RULES)
        raise ParameterError(f'{words} have no "entropy"; name some of {names}')
    if problem.score != BIC():
        raise ParameterError(f"{words} are for BIC with the uniform prior, got {problem.score}")
    if problem.knowledge is not None or rules.within is not None:
        raise ParameterError(f"{words} are not for selections with knowledge or within")


@dataclass(frozen=True)
class SelectionCost:
    """About what a computation will take, if no rule spares any of it."""

    sets: float
    """Sets of variables to be counted."""
    bytes: float
    """Memory for what is kept between sizes."""
    list_bytes: float
    """Memory for the sets that are found, at most: if none can be left out."""
    seconds: float
    """Rough: the constants were measured on one machine."""
    max_parents: int
    """The most parents that can pay off, or that are allowed."""
    complete: bool
    """Whether all sizes fit the memory; if not, the figures are those of the sizes that do."""


@takes(ForEstimate)
def estimate_parents(data: TableLike | Problem, **shared: Unpack[ForEstimate]) -> SelectionCost:
    """Return what :func:`candidate_parents` will take at most, by "sequential" selection."""
    problem, budget = begin(data, shared)
    facts = _core.estimate_sequential(
        problem.scorer,
        problem.constraints(),
        _core.PruningRules(),
        budget.threads,
        budget.memory,
    )
    if isinstance(own := problem.score.base, ScoreFunction):
        size = facts["max_parents"] + 1
        facts["seconds"] += own.seconds_of(problem.data, facts["sets"], size)
    return SelectionCost(**facts)


class AdTreeSize(NamedTuple):
    """The columns "adtree" and "f-adtree" of the paper's Table 4.1."""

    nodes: int
    """Nodes up to the depth, the root included."""
    full_nodes: float
    """Nodes without a limit of depth: the product of (states + 1)."""
    depth: int


def ad_tree_size(data: TableLike, depth: int | None = None) -> AdTreeSize:
    """Count the nodes of a table's AD-tree, without building it.

    One child per state, zero counts as leaves. The number depends on the order of the columns,
    which is that of the table here.

    Parameters
    ----------
    depth
        Most variables on a path; the paper's floor(log2(2N / ln N)) + 1 by default. The number of
        nodes, and the time to count them, grow exponentially in it.

    Notes
    -----
    Source: Wu, A heuristic search algorithm for learning optimal Bayesian networks, 2010,
    section 3.4.
    """
    data = as_data(data)
    check_data(data)
    columns = [data.codes[:, i] for i in range(data.n_variables)]
    table = _core.Table(columns, list(data.arities.values()))
    most = _core.AdTree.paper_depth(data.n_rows) if depth is None else use_count("depth", depth)
    return AdTreeSize(
        _core.ad_tree_nodes(table, most), _core.full_ad_tree_nodes(table), min(most, len(columns))
    )
