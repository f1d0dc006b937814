"""Candidate parent sets: what exact learning and order search choose from."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, overload

from dagscape import _core
from dagscape.errors import ParameterError
from dagscape.limits import Progress, use_memory, use_seconds, use_threads
from dagscape.scores import ScoreLike, as_score, scorer
from dagscape.variables import Variables, suggest

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.knowledge import Knowledge

RULES = ("limit", "bound", "entropy", "dominance")
"""The pruning rules by name."""

ParentSet = tuple[float, tuple[str, ...]]
"""A score and the parents that have it."""


class ParentSets(Sequence[ParentSet]):
    """One variable's candidate parent sets, best first, each a pair of score and parents."""

    __slots__ = ("_child", "_lists", "_variables")

    def __init__(self, variables: Variables, lists: _core.ParentLists, child: int) -> None:
        self._variables = variables
        self._lists = lists
        self._child = child

    def __len__(self) -> int:
        return self._lists.size(self._child)

    @overload
    def __getitem__(self, at: int) -> ParentSet: ...
    @overload
    def __getitem__(self, at: slice) -> list[ParentSet]: ...
    def __getitem__(self, at: int | slice) -> ParentSet | list[ParentSet]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        place = at + len(self) if at < 0 else at
        if not 0 <= place < len(self):
            raise IndexError(f"there are {len(self)} parent sets, got place {at}")
        parents = self._lists.parents(self._child, place)
        return self._lists.score(self._child, place), self._variables.show(parents)

    def __repr__(self) -> str:
        name = self._variables.name(self._child)
        return f"<{len(self)} parent sets of {name!r}: {', '.join(map(str, self[:2]))}, ...>"


class CandidateParents:
    """Scored parent sets of every variable, best first.

    ``p["X"]`` are those of one variable, ``len(p)`` counts those of all.
    """

    def __init__(
        self,
        variables: Variables,
        lists: _core.ParentLists,
        *,
        score: str,
        method: str,
        seconds: float = 0.0,
        work: dict[str, Any] | None = None,
    ) -> None:
        self._variables = variables
        self._lists = lists
        self._best: _core.BestParents | None = None
        self.score = score
        """The score, in words."""
        self.method = method
        """How the sets were selected."""
        self.seconds = seconds
        """How long that took."""
        self.work = MappingProxyType(work or {})
        """Counters: sets counted, families scored, sets that each rule left out."""

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in display order."""
        return self._variables.names

    @property
    def variables(self) -> Variables:
        """The variables with their engine numbers."""
        return self._variables

    @property
    def lists(self) -> _core.ParentLists:
        """The engine's lists, for searches."""
        return self._lists

    @property
    def exhaustive(self) -> bool:
        """Whether no set that was left out can be part of a better network."""
        return self._lists.exhaustive

    @property
    def exhaustive_to(self) -> int:
        """Up to how many parents every set was scored, or ruled out for good."""
        return self._lists.exhaustive_to

    @property
    def stopped(self) -> str | None:
        """What ended the selection early: "time", "memory" or "interrupt"; None if nothing did."""
        return self.work.get("stopped") or None

    @property
    def relaxed_score(self) -> float:
        """The score if every variable had its best parents, cycles or not.

        No network on these sets scores higher.
        """
        return sum(self._lists.score(v, 0) for v in range(len(self._variables)))

    def __len__(self) -> int:
        return self._lists.sets

    def __getitem__(self, name: str) -> ParentSets:
        return ParentSets(self._variables, self._lists, self._variables.number(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def best(self, name: str, allowed: Iterable[str] | None = None) -> ParentSet:
        """Return the best parent set of a variable among allowed parents, with its score.

        Fast for lists of a million too. Without `allowed`, all other variables are.
        """
        child = self._variables.number(name)
        if allowed is None:
            return self[name][0]
        if isinstance(allowed, str):
            raise ParameterError(f'allowed must be a list of names, got the string "{allowed}"')
        if self._best is None:
            self._best = _core.BestParents(self._lists)
        numbers = [self._variables.number(other) for other in allowed]
        at = self._best.best(self._lists, child, numbers)
        if at is None:
            raise ParameterError(f'"{name}" has no parent set among those allowed')
        return self[name][at]

    def __repr__(self) -> str:
        how_far = "exhaustive" if self.exhaustive else f"exhaustive to {self.exhaustive_to} parents"
        ended = f", stopped by {self.stopped}" if self.stopped else ""
        return (
            f"<CandidateParents: {len(self):,} sets of {len(self.names)} variables, {self.score}, "
            f"{self.method}, {how_far}{ended}>"
        )


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
    max_memory: float | None = None,
    threads: int | None = None,
    counting: str = "auto",
    instructions: str = "auto",
    progress: Progress | None = None,
) -> CandidateParents:
    """Score parent sets of every variable and keep those that can matter.

    Parent sets are scored by size, smallest first, for all variables at once from one count of
    each set of variables. Left out is only what cannot be best among any allowed parents.

    Parameters
    ----------
    method
        "sequential": all sets, breadth first.
    max_parents
        The most parents of a variable. Without it, as many as can pay off under the score, which
        for BIC is about log2(2N / ln N); for scores without such a limit (BDeu, K2, qNML, fNML)
        give it, or a time limit, unless variables are few.
    prune
        Which rules may leave sets out: all (True), none (False) or some of "limit", "bound",
        "entropy" and "dominance". The best set among any allowed parents is the same either way.
    knowledge
        Arcs required and forbidden, tiers and limits; all are obeyed.
    time_per_variable, time_limit
        Seconds for each variable, or for all of them. When they are over, what is there is
        returned, and `stopped` and `exhaustive_to` say so. Ctrl-C does the same.
    max_memory
        Bytes; by default 70 % of what is free. Reached, it ends the selection like a time limit.
    counting
        "bitmaps" or "rows" to force a way of counting; all give the same numbers.
    instructions
        "plain", "avx2" or "avx512" to force a set of instructions; all give the same numbers.
    progress
        Called with the share of the work that is done.

    Notes
    -----
    Sources: Wu, Learning optimal Bayesian networks with heuristic search, 2010, chapter 3; de Campos
    and Ji, Efficient structure learning of Bayesian networks using constraints, JMLR 2011; de
    Campos, Scanagatta, Corani and Zaffalon, Entropy-based pruning for learning Bayesian networks
    using BIC, AIJ 2018; Perez and Mauá, Better initialization heuristics for order-based Bayesian
    network structure learning, JIDM 2016, section 3.

    The number of sets grows like n^max_parents: with hundreds of variables, choose 2 or 3.
    """
    if method not in METHODS:
        hint = suggest(method, METHODS) or f"; choose {', '.join(METHODS)}"
        raise ParameterError(f'unknown method "{method}"{hint}')
    kind = as_score(score)
    constraints = _constraints(data.variables, max_parents, knowledge)
    seconds = use_seconds(time_limit)
    if (each := use_seconds(time_per_variable, "time_per_variable")) is not None:
        shared = each * data.n_variables
        seconds = shared if seconds is None else min(seconds, shared)
    start = time.perf_counter()
    lists, work = _core.sequential_selection(
        scorer(data, kind),
        constraints,
        _rules(prune),
        counting,
        instructions,
        use_threads(threads),
        seconds=seconds,
        max_bytes=use_memory(max_memory),
        progress=progress,
    )
    return CandidateParents(
        data.variables,
        lists,
        score=str(kind),
        method=method,
        seconds=time.perf_counter() - start,
        work=work,
    )


METHODS = ("sequential",)
"""The ways to select parent sets."""


def _rules(prune: bool | Iterable[str]) -> _core.PruningRules:
    if isinstance(prune, bool):
        chosen = set(RULES) if prune else set()
    else:
        chosen = {prune} if isinstance(prune, str) else set(prune)
    if unknown := sorted(chosen - set(RULES)):
        hint = suggest(unknown[0], RULES) or f"; choose {', '.join(RULES)}"
        raise ParameterError(f'unknown pruning rule "{unknown[0]}"{hint}')
    rules = _core.PruningRules()
    for rule in RULES:
        setattr(rules, rule, rule in chosen)
    return rules


def _constraints(
    variables: Variables, max_parents: int | None, knowledge: Knowledge | None
) -> _core.Constraints:
    most = len(variables) - 1
    if max_parents is not None:
        whole = isinstance(max_parents, int) and not isinstance(max_parents, bool)
        if not whole or not 0 <= max_parents <= most:
            raise ParameterError(
                f"max_parents must be between 0 and {most} (variables - 1), got {max_parents!r}"
            )
        most = max_parents
    constraints = _core.Constraints(len(variables), most)
    if knowledge is None:
        return constraints
    knowledge.check(variables)
    number = variables.number
    for parent, child in knowledge.required:
        constraints.require(number(child), number(parent))
    for child in variables.names:
        for parent in variables.names:
            if parent != child and not knowledge.allows(parent, child):
                constraints.forbid(number(child), number(parent))
    for child, limit in knowledge.max_parents.items():
        constraints.limit(number(child), limit)
    for child in variables.names:
        required = sum(b == child for _, b in knowledge.required)
        if max_parents is not None and required > max_parents:
            raise ParameterError(
                f'"{child}" has {required} required parents, but max_parents is {max_parents}'
            )
    return constraints
