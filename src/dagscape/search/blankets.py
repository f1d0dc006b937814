"""What each member of a Markov blanket is to the target, and how much it matters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack

from dagscape.control.limits import FINAL, use_count
from dagscape.executors import use_executor
from dagscape.parents import CandidateParents, keep_sets
from dagscape.regression import Slope, edge_slopes
from dagscape.results import Result
from dagscape.search.exact import exact
from dagscape.search.local import (
    LOCAL_PARENTS,
    NO_DIRECTIONS,
    markov_blanket,
    neighbors,
    usual_method,
)
from dagscape.search.local_sets import LocalSets
from dagscape.search.order import order_search
from dagscape.selection import candidate_parents
from dagscape.shared_arguments import ForClusterSets, begin, takes

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.data import TableLike
    from dagscape.graphs import Cpdag
    from dagscape.problem import Problem


@dataclass(frozen=True, slots=True)
class BlanketMember:
    """A member of a Markov blanket."""

    name: str
    role: str | None
    """What it is to the target: "parent" or "child", where all networks that the data cannot tell
    apart agree; "parent or child", where they do not; "spouse", another parent of a child; "none",
    where the network does without it; None, if a limit came first."""
    through: tuple[str, ...]
    """For a spouse, the children in common."""
    support: float | None
    """How much lower the best score is without it in the blanket; None, if a limit came first."""


@dataclass(frozen=True, slots=True, repr=False)
class Blanket:
    """The Markov blanket of a variable, member by member, those of the most support first.

    A frame library makes a table of it: ``polars.DataFrame(blanket.members)``.
    """

    target: str
    members: tuple[BlanketMember, ...]
    network: Result | None
    """The network around the target that roles are read from; None, if a limit came first."""
    method: str
    """How the members were found."""
    score_name: str
    """The score of support, in words."""
    stopped: str | None
    """What ended it early: "time", "memory" or "interrupt"; or None."""
    seconds: float
    slopes: Mapping[str, tuple[Slope, ...]] = field(default_factory=dict)
    """By member: how the child of target and member rises with the other in :attr:`network`, its
    other parents held fixed. Empty unless the two are joined and the child is of numbers."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the members."""
        return tuple(member.name for member in self.members)

    def __repr__(self) -> str:
        said = f"<Blanket of {self.target!r}: {', '.join(map(_said, self.members)) or 'empty'}"
        return said + (f"; stopped by {self.stopped}>" if self.stopped else ">")


def _said(member: BlanketMember) -> str:
    if member.role is None:
        return member.name
    support = "" if member.support is None else f" {member.support:.1f}"
    return f"{member.name} ({member.role}{support})"


LOCAL_SHARE = 0.3
"""Of a time limit, for the blankets, and again for the neighbors of their members."""

SHORTEST = 0.02
"""Seconds in which nothing is begun any more."""

SETS_PER_VARIABLE = 1000
"""Parent sets that are scored for each variable where there are too many for exact search."""

GENERATIONS = 10
"""Of the search over orders then; it runs once more for each member."""


@takes(ForClusterSets)
def describe_blanket(
    data: TableLike | Problem,
    target: str | Iterable[str] | None = None,
    *,
    method: str | None = None,
    order: str | None = None,
    spouses: str | None = None,
    exact_limit: int = 20,
    alpha: float | None = None,
    max_conditioning: int | None = None,
    rows_per_cell: float | None = None,
    degrees: str | None = None,
    **shared: Unpack[ForClusterSets],
) -> Blanket | dict[str, Blanket]:
    """Describe what each member of a Markov blanket is to the target, and how much it matters.

    :func:`markov_blanket` finds the members. Then the best network is learned on the target, its
    blanket and the neighbors of its neighbors, which help to direct edges. Roles are those in its
    essential graph. Support is how much lower the best network scores, on the same variables, in
    which the member is not in the blanket: not joined to the target, and no child in common.

    Parameters
    ----------
    target
        A name; or a list of names, or None for all.
    method, order, alpha, max_conditioning, rows_per_cell, degrees
        As in :func:`neighbors`.
    spouses
        As in :func:`markov_blanket`.
    knowledge
        Refused: the networks that roles are read from cannot obey it.
    score, prior
        Of the networks, and of sll: a score that is the same for equivalent networks, and a prior
        on structures whose logarithm is added. Chosen by :func:`default_score` if neither is given.
    max_parents
        The most parents of a variable in these networks; 5 if not given.
    exact_limit
        With up to this many variables the networks are optimal; above, the best that
        :func:`order_search` finds, and support can then come out below 0.
    time_limit
        Seconds for all targets, of which local learning takes at most 60 %.
    cluster
        Where members are looked for, as in :func:`neighbors`; what each is to the target is found
        out here.

    Returns
    -------
    Blanket or dict of Blanket
        For one target, or for each by name. What a limit, or Ctrl-C, does not leave time for is
        None.

    Notes
    -----
    Support is a difference of scores: with BIC or BDeu about the logarithm of how many times more
    likely the data are with the member than without. A member of role "none" has support 0: local
    learning found it, and the network, which sees more at once, does without.

    Roles are no causes: hidden common causes make arcs too, and so do rows that were selected by
    what variables cause.
    """
    problem, budget = begin(data, shared)
    method = usual_method(method, order, spouses, budget.cluster)
    problem.refuse_knowledge("the description of a blanket", NO_DIRECTIONS)
    problem.refuse_inequivalent("the description of a blanket")
    use_count("exact_limit", exact_limit)
    if problem.max_parents is None:
        problem = replace(problem, max_parents=min(LOCAL_PARENTS, problem.most_parents))
    settings: dict[str, Any] = {
        "method": method,
        "order": order,
        "exact_limit": exact_limit if method == "sll" else None,
        "alpha": alpha,
        "max_conditioning": max_conditioning,
        "rows_per_cell": rows_per_cell,
        "degrees": degrees,
        **budget.words(LOCAL_SHARE),
    }
    targets = [target] if isinstance(target, str) else target
    near: Mapping[str, tuple[str, ...]] = {}
    with use_executor(budget) as executor:
        settings["cluster"] = executor
        blankets = _sets(markov_blanket(problem, targets, spouses=spouses, **settings))
        budget.end(blankets.stopped if blankets.stopped in FINAL else None)
        if not budget.interrupted:
            members = {name for names in blankets.values() for name in names}
            near = found = _sets(neighbors(problem, sorted(members), **settings))
            budget.end(found.stopped if found.stopped in FINAL else None)
    described = {}
    for name, names in blankets.items():
        begun = budget.seconds
        around = _Surroundings(problem, name, names, near)
        network, rows = None, around.unknown()
        with budget.minding_interrupts():  # between two searches, which would have returned
            network, rows = around.describe(exact_limit, budget)
        described[name] = Blanket(
            target=name,
            members=tuple(sorted(rows, key=_most_support_first)),
            network=network,
            method=method,
            score_name=str(problem.score),
            stopped=(blankets.stopped if name in blankets.unfinished else None) or budget.stopped,
            seconds=budget.seconds - (0.0 if isinstance(target, str) else begun),
            slopes=around.slopes(network),
        )
    return described[target] if isinstance(target, str) else described


def _sets(found: object) -> LocalSets:
    assert isinstance(found, LocalSets), "a list of targets was given"  # noqa: S101
    return found


def _most_support_first(member: BlanketMember) -> tuple[float, str]:
    """Order members by support, beyond rounding, then by name."""
    return math.inf if member.support is None else -round(member.support, 6), member.name


def _ended(budget: Budget) -> bool:
    """Tell whether nothing more may begin, and note it if the time is over."""
    left = budget.left(least=0.0)
    if left is not None and left < SHORTEST:
        budget.end("time")
    return budget.interrupted or budget.stopped is not None


class _Surroundings:
    """A target, its blanket, and the neighbors of its neighbors."""

    def __init__(
        self,
        problem: Problem,
        target: str,
        members: tuple[str, ...],
        near: Mapping[str, tuple[str, ...]],
    ) -> None:
        self._problem = problem
        self._target = target
        self._members = members
        joined = [name for name in members if target in near.get(name, ())]
        self._names = {target, *members, *(other for name in joined for other in near[name])}

    def unknown(self) -> list[BlanketMember]:
        """Return the members, with nothing further known of them."""
        return [BlanketMember(name, None, (), None) for name in self._members]

    def describe(
        self, exact_limit: int, budget: Budget
    ) -> tuple[Result | None, list[BlanketMember]]:
        """Return the best network, if there is time, and each member as it is there."""
        if _ended(budget):
            return None, self.unknown()
        data = self._problem.data
        names = [name for name in data.names if name in self._names]
        small = len(names) <= exact_limit
        parents = candidate_parents(
            data.select(names),
            score=self._problem.score,
            method="sequential" if small else "greedy",
            max_parents=min(self._problem.most_parents, len(names) - 1),
            sets_per_variable=None if small else SETS_PER_VARIABLE,
            **budget.words(least=SHORTEST),
        )
        budget.end(parents.stopped)
        if _ended(budget):
            return None, self.unknown()

        def best(given: CandidateParents) -> Result:
            rest = budget.words(least=SHORTEST)
            if small:
                found = exact(given, **rest)
            else:
                found = order_search(given, generations=GENERATIONS, **rest)
            budget.end(found.stopped)
            return found

        network = best(parents)
        graph = network.cpdag
        rows = []
        for name in self._members:
            role, through = _role(graph, self._target, name)
            support = None
            if budget.stopped is None and role == "none":
                support = 0.0
            elif not _ended(budget):
                without = best(_without(parents, self._target, name))
                support = None if budget.stopped else network.score - without.score
            rows.append(BlanketMember(name, role, through, support))
        return network, rows

    def slopes(self, network: Result | None) -> dict[str, tuple[Slope, ...]]:
        """Return by member how the child of it and the target rises with the other."""
        data = self._problem.data
        # Each group has lines of its own.
        if network is None or not data.numbers or data.rows.groups is not None:
            return {}
        return {name: edge_slopes(data, network.dag, self._target, name) for name in self._members}


def _role(graph: Cpdag, target: str, name: str) -> tuple[str, tuple[str, ...]]:
    """Return what a variable is to the target in an essential graph, and children in common."""
    if name in graph.parents(target):
        return "parent", ()
    if name in graph.children(target):
        return "child", ()
    if name in graph.undirected_neighbors(target):
        return "parent or child", ()
    theirs = graph.children(name)
    through = tuple(child for child in graph.children(target) if child in theirs)
    return ("spouse" if through else "none"), through


def _without(parents: CandidateParents, target: str, name: str) -> CandidateParents:
    """Return the parent sets of networks in which a variable is not in the target's blanket."""
    ends = {target, name}

    def joins_neither(child: str, chosen: tuple[str, ...]) -> bool:
        return len(ends.intersection((*chosen, child))) < 2

    return keep_sets(parents, joins_neither)
