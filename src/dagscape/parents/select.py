"""The ways to select candidate parent sets."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dagscape import _core
from dagscape.data import check_data
from dagscape.errors import ParameterError
from dagscape.executor import Cluster, Executor
from dagscape.limits import (
    Progress,
    ShowProgress,
    check_progress,
    use_memory,
    use_seconds,
    use_threads,
)
from dagscape.parents.candidates import CandidateParents
from dagscape.parents.constraints import constrain
from dagscape.progress import shows_progress
from dagscape.scores import Score, ScoreLike, as_score, scorer_within
from dagscape.variables import check_name

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.knowledge import Knowledge

COUNTING = ("auto", "bitmaps", "rows", "adtree")
"""The ways of counting that can be forced."""

RULES = ("limit", "bound", "entropy", "dominance")
"""The pruning rules by name."""

SETS_PER_VARIABLE = 20_000
"""What best-first selection scores for each variable when no time is given."""

HYBRID_SECONDS = 30.0
"""What hybrid selection may spend on exhaustive sizes when no time is given, by the estimate."""


@shows_progress
def candidate_parents(
    data: Data,
    *,
    score: ScoreLike = "bic",
    method: str = "sequential",
    max_parents: int | None = None,
    prune: bool | Iterable[str] = True,
    knowledge: Knowledge | None = None,
    time_per_variable: float | None = None,
    time_limit: float | None = None,
    sets_per_variable: int | None = None,
    max_memory: float | None = None,
    threads: int | None = None,
    counting: str = "auto",
    instructions: str = "auto",
    cluster: Cluster | Executor = None,
    progress: ShowProgress = None,
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
        last parent told nothing that the others tell (BIC*); for scores other than BIC the price of
        the BIC stands in to order them.
        "hybrid": all sets up to the size that half the time allows, then growth by independence.
    max_parents
        The most parents of a variable. Without it, as many as can pay off under the score, which
        for BIC is about log2(2N / ln N); for scores without such a limit (BDeu, K2, qNML, fNML)
        give it, or a time limit, unless variables are few.
    prune
        Which rules may leave sets out: all (True), none (False) or some of "limit", "bound",
        "entropy" and "dominance". The best set among any allowed parents is the same either way.
        Best-first methods have no use for "entropy".
    knowledge
        Arcs required and forbidden, tiers and limits; all are obeyed.
    time_per_variable, time_limit
        Seconds for each variable, or for all of them. When they are over, what is there is
        returned, and `stopped` and `exhaustive_to` say so. Ctrl-C does the same.
    sets_per_variable
        For best-first methods: how many sets to score for each variable, 20,000 by default or as
        many as time allows. Unlike a time limit, it gives the same sets on every machine.
    max_memory
        Bytes; by default 70 % of what is free. Reached, it ends the selection like a time limit.
    counting
        "bitmaps", "rows" or "adtree" to force a way of counting. All give the same counts; scores
        can differ in the last digit, and sets that score alike come in another order. The AD-tree
        is there for comparison: building it takes long, whatever the time limit.
    instructions
        "plain", "avx2" or "avx512" to force a set of instructions.
    progress
        True for a bar, or a function, called with the share of the work that is done, and a text,
        which is empty.

    Notes
    -----
    Sources: Wu, Learning optimal Bayesian networks with heuristic search, 2010, chapter 3; de
    Campos and Ji, Efficient structure learning of Bayesian networks using constraints, JMLR 2011;
    de Campos, Scanagatta, Corani and Zaffalon, Entropy-based pruning for learning Bayesian networks
    using BIC, AIJ 2018; Scanagatta, de Campos, Corani and Zaffalon, Learning Bayesian networks with
    thousands of variables, NIPS 2015; Perez and Mauá, Better initialization heuristics for
    order-based Bayesian network structure learning, JIDM 2016, section 3.

    The number of sets grows like n^max_parents: with hundreds of variables, choose 2 or 3, or one
    of the other methods.
    """
    check_data(data)
    check_name("method", method, METHODS)
    check_name("counting", counting, COUNTING)
    best_first = method in ("greedy", "independence")
    if best_first and (counting, instructions) != ("auto", "auto"):
        raise ParameterError(f'counting and instructions are not for method "{method}"')
    if sets_per_variable is not None:
        if method == "sequential":
            raise ParameterError('sets_per_variable is not for method "sequential"')
        if not isinstance(sets_per_variable, int) or sets_per_variable < 1:
            raise ParameterError(
                f"sets_per_variable must be a whole number from 1 up, got {sets_per_variable!r}"
            )
    seconds, each = _times(data.n_variables, time_limit, time_per_variable)
    task = _Task(
        data=data,
        score=as_score(score),
        max_parents=max_parents,
        knowledge=knowledge,
        rules=_rules(prune),
        counting=counting,
        instructions=instructions,
        threads=use_threads(threads),
        seconds=seconds,
        seconds_each=each,
        sets_each=sets_per_variable or (SETS_PER_VARIABLE if seconds is None else 1 << 62),
        max_bytes=use_memory(max_memory),
        progress=check_progress(progress),
    )
    task.constraints(max_parents)  # refuses what is wrong before anything else looks at it
    start = time.perf_counter()
    lists, work = _SELECTIONS[method](task)
    return CandidateParents(
        data.variables,
        lists,
        score=str(task.score),
        method=method,
        seconds=time.perf_counter() - start,
        work=work,
    )


def _times(
    variables: int, time_limit: float | None, time_per_variable: float | None
) -> tuple[float | None, float | None]:
    """Return the seconds for all variables, and for each."""
    whole = use_seconds(time_limit)
    each = use_seconds(time_per_variable, "time_per_variable")
    if each is not None:
        shared = each * variables
        whole = shared if whole is None else min(whole, shared)
    return whole, each


@dataclass(frozen=True)
class _Task:
    """What was asked for, checked."""

    data: Data
    score: Score
    max_parents: int | None
    knowledge: Knowledge | None
    rules: _core.PruningRules
    counting: str
    instructions: str
    threads: int
    seconds: float | None
    seconds_each: float | None
    sets_each: int
    max_bytes: int
    progress: Progress | None

    def constraints(self, max_parents: int | None) -> _core.Constraints:
        return constrain(self.data.variables, max_parents, self.knowledge)

    @cached_property
    def scorer(self) -> _core.Scorer:
        return scorer_within(self.data, self.score, self.max_bytes)

    def limits(self) -> dict[str, Any]:
        """Return what the engine may use; a quarter of the memory is left to the cache."""
        memory = self.max_bytes - self.max_bytes // 4
        told = self.progress
        progress = None if told is None else lambda share: told(share, "")
        return {"seconds": self.seconds, "max_bytes": memory, "progress": progress}


_Selected = tuple[_core.ParentLists, dict[str, Any]]


def _sequential(task: _Task, max_parents: int | None = None) -> _Selected:
    constraints = task.constraints(task.max_parents if max_parents is None else max_parents)
    if task.counting == "adtree":
        return _from_ad_tree(task, constraints)
    return _core.sequential_selection(
        task.scorer,
        constraints,
        task.rules,
        task.counting,
        task.instructions,
        task.threads,
        **task.limits(),
    )


def _from_ad_tree(task: _Task, constraints: _core.Constraints) -> _Selected:
    """Select as the A* paper did: sets that every child has by rows, larger ones off the tree."""
    table, limits = task.data.table, task.limits()
    needed = _core.estimate_sequential(
        task.scorer, constraints, task.rules, task.threads, limits["max_bytes"]
    )["max_parents"]
    tree = _core.AdTree(table, max(1, needed + 1), limits["max_bytes"] // 2)
    limits["max_bytes"] -= tree.bytes
    on_tree = _core.Scorer(table, task.score.engine(table.cases), task.max_bytes // 4, tree)
    lists, work = _core.sequential_selection(
        on_tree,
        constraints,
        task.rules,
        "rows",
        task.instructions,
        task.threads,
        most_together=1,
        **limits,
    )
    work["ad_tree_nodes_stored"] = tree.nodes
    return lists, work


def _best_first(
    task: _Task, independence: bool, start: _core.ParentLists | None = None
) -> _Selected:
    return _core.best_first_selection(
        task.scorer,
        task.constraints(task.max_parents),
        independence,
        task.rules,
        task.sets_each,
        task.seconds_each,
        task.threads,
        start,
        **task.limits(),
    )


def _hybrid(task: _Task) -> _Selected:
    begun = time.perf_counter()
    lists, work = _sequential(task, _affordable_size(task))
    if lists.exhaustive or work["stopped"] or lists.exhaustive_to >= _most_parents(task):
        return lists, work
    left = task.seconds and max(0.001, task.seconds - (time.perf_counter() - begun))
    grown, more = _best_first(replace(task, seconds=left), independence=True, start=lists)
    for counter, value in work.items():
        if counter != "stopped":
            more[counter] += value
    return grown, more


def _most_parents(task: _Task) -> int:
    return task.data.n_variables - 1 if task.max_parents is None else task.max_parents


def _affordable_size(task: _Task) -> int:
    """Return the largest parent sets that half the time allows to score exhaustively."""
    budget = HYBRID_SECONDS if task.seconds is None else task.seconds / 2
    threads = 1 if task.seconds is None else task.threads  # the same sets on every machine
    most = _most_parents(task)
    needed = Counter(child for _, child in task.knowledge.required) if task.knowledge else {}
    size = min(max(1, *needed.values(), 1), most)
    while size < most:
        estimate = _core.estimate_sequential(
            task.scorer, task.constraints(size + 1), task.rules, threads, task.max_bytes
        )
        if not estimate["complete"] or estimate["seconds"] > budget:
            break
        size += 1
        if estimate["max_parents"] < size:  # no larger set can pay off
            break
    return size


_SELECTIONS: dict[str, Callable[[_Task], _Selected]] = {
    "sequential": _sequential,
    "greedy": lambda task: _best_first(task, independence=False),
    "independence": lambda task: _best_first(task, independence=True),
    "hybrid": _hybrid,
}

METHODS = tuple(_SELECTIONS)
"""The ways to select parent sets."""


def _rules(prune: bool | Iterable[str]) -> _core.PruningRules:
    if isinstance(prune, bool):
        chosen = list(RULES) if prune else []
    elif isinstance(prune, Iterable):
        chosen = [prune] if isinstance(prune, str) else list(prune)
    else:
        raise ParameterError(f"prune must be True, False or names of rules, got {prune!r}")
    for rule in chosen:
        check_name("pruning rule", rule, RULES)
    rules = _core.PruningRules()
    for rule in RULES:
        setattr(rules, rule, rule in chosen)
    return rules
