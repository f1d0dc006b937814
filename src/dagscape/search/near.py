"""All networks that score nearly as high as the best one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Unpack, overload

import numpy as np
import numpy.typing as npt

from dagscape import _core
from dagscape.claims.scopes import Scope
from dagscape.control.limits import FINAL, use_count, use_distance
from dagscape.errors import ParameterError
from dagscape.files.plain_values import thawed
from dagscape.graphs import Dag, Mpdag
from dagscape.parents import CandidateParents, network_of
from dagscape.search.exact.exact_search import SELECTION_SHARE, exact
from dagscape.search.near_listing import Listing, Places
from dagscape.selection import parents_of
from dagscape.shared_arguments import ForSearch, begin, takes
from dagscape.targets import Targets
from dagscape.words import counted, difference, downwards

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.data import TableLike
    from dagscape.problem import Problem

WITHIN = 3.0
"""Nats: a factor of 20 in odds."""

LIMIT = 100_000
"""The most that are listed."""

FIRST_DISTANCE = 1.0
"""Nats: where the search for the best so many begins."""

ANY_DISTANCE = 1e9
"""Nats: no network scores so much below another."""


@dataclass(frozen=True, slots=True)
class NearClaim:
    """What a list of networks near the optimum says; ``str(claim)`` is the sentence."""

    listed: int
    classes: bool
    """Whether classes of equivalent networks are listed, or networks."""
    within: float
    complete: bool
    """Whether nothing within that distance is missing; of the best so many, nothing better."""
    complete_to: float | None
    """All that lose less than this are listed; None where not even the best is known."""
    stopped: str | None
    """Why it is not complete: "limit", "time", "memory" or "interrupt"."""
    scope: Scope
    best: int | None = None
    """How many of the best were asked for; None where all within a distance were."""

    def __str__(self) -> str:
        thing = "class" if self.classes else "network"
        things = "classes" if self.classes else "networks"
        among = "" if self.scope.everything else f", among {self.scope}"
        if self.complete and self.best is not None:
            if self.listed < self.best:
                return f"all {self.listed:,} {things} that there are{among}"
            if self.best == 1:
                return f"the best {thing}{among}"
            return (
                f"the best {self.listed:,} {things}, down to {difference(self.within)} nats below "
                f"the optimum{among}"
            )
        where = f"within {self.within:g} nats of the optimum"
        if self.within == 0:
            where = "with the best score"
        if self.complete:
            if self.listed == 1:
                return f"the only {thing} {where}{among}"
            return f"all {self.listed:,} {things} {where}{among}"
        if self.complete_to is None:
            return f"nothing is listed: stopped by {self.stopped} before the optimum was known"
        ended = "more than the limit" if self.stopped == "limit" else f"stopped by {self.stopped}"
        best = f"the best {self.listed:,} {things}" if self.listed > 1 else f"the best {thing}"
        nearer = (
            f"; none is missing that scores less than {downwards(self.complete_to)} nats below "
            "the optimum"
            if self.complete_to > 0
            else ""
        )
        return f"{best} {where}{among}, and not all: {ended}{nearer}"


@dataclass(frozen=True, slots=True, repr=False)
class NearNetwork:
    """A class of equivalent networks, or a network, that scores nearly as high as the best."""

    score: float
    """Natural log, higher is better."""
    difference: float
    """How much less that is than the optimum; 0 for the best."""
    _places: tuple[int, ...]
    _parents: CandidateParents = field(compare=False)
    _class: bool
    _experiments: Mapping[str, Targets] = field(default_factory=dict, compare=False)

    @property
    def cpdag(self) -> Mpdag:
        """The essential graph of the class, with what experiments tell if there were any."""
        dag = network_of(self._parents, self._places)
        return dag.to_mpdag(self._experiments) if self._experiments else dag.to_cpdag()

    @property
    def dag(self) -> Dag:
        """The network; where classes are listed, one of the class."""
        return self.cpdag.to_dag() if self._class else network_of(self._parents, self._places)

    @property
    def members(self) -> int:
        """How many networks it stands for: those of the class, or 1."""
        return math.prod(_core.class_size(self.cpdag._graph)) if self._class else 1

    def __repr__(self) -> str:
        edges = counted(len(self.dag.arcs), "edge")
        kind = counted(self.members, "network") if self._class else "a network"
        return (
            f"<NearNetwork: score {self.score:.4f}, {difference(self.difference)} below the "
            f"optimum, {edges}, {kind}>"
        )


class NearOptimal(Sequence[NearNetwork]):
    """Networks near the optimum, best first: what :func:`near_optimal` found.

    ``len(near)`` counts them and ``near[0]`` is the best; ``near.claim`` says whether all are here.
    """

    def __init__(
        self,
        parents: CandidateParents,
        places: Places,
        differences: npt.NDArray[np.float64],
        claim: NearClaim,
        *,
        limit: int,
        seconds: float,
        work: Mapping[str, Any],
        asked: Mapping[str, Any],
    ) -> None:
        self._parents = parents
        self._places = places
        self._differences = differences
        self.claim = claim
        """What is proven, as data; ``str(near.claim)`` is the sentence."""
        self.limit = limit
        """The most that may be listed."""
        self.seconds = seconds
        """How long that took."""
        self.work = MappingProxyType(dict(work))
        """Counters."""
        self.asked = MappingProxyType(dict(asked))
        """The settings."""
        self.notes = parents.notes
        """What is to be known of the table, see :attr:`Data.notes`."""
        self.optimum: float | None = None
        """The best score; None where it was not found in time."""
        if len(places):
            lists = parents._lists
            self.optimum = sum(lists.score(v, int(at)) for v, at in enumerate(places[0]))

    def __getstate__(self) -> dict[str, Any]:
        # Read-only mappings cannot be pickled; they are made again from plain ones.
        return self.__dict__ | {"work": thawed(self.work), "asked": thawed(self.asked)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.work = MappingProxyType(self.work)
        self.asked = MappingProxyType(self.asked)

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order of the data."""
        return self._parents.names

    @property
    def score_name(self) -> str:
        """What networks are scored by, in words."""
        return self._parents.score

    @property
    def within(self) -> float:
        """How many nats below the optimum networks may score."""
        return self.claim.within

    @property
    def complete(self) -> bool:
        """Whether none within that distance is missing."""
        return self.claim.complete

    @property
    def complete_to(self) -> float | None:
        """All that score less than this below the optimum are listed."""
        return self.claim.complete_to

    @property
    def stopped(self) -> str | None:
        """Why it is not complete: "limit", "time", "memory" or "interrupt"; None if it is."""
        return self.claim.stopped

    @property
    def classes(self) -> bool:
        """Whether classes of equivalent networks are listed.

        With knowledge, or a score that tells equivalent networks apart, it is networks instead.
        """
        return self.claim.classes

    @property
    def scope(self) -> Scope:
        """The networks that were searched."""
        return self.claim.scope

    @property
    def differences(self) -> npt.NDArray[np.float64]:
        """How much less than the optimum each scores."""
        copy: npt.NDArray[np.float64] = self._differences.copy()
        return copy

    def __len__(self) -> int:
        return len(self._differences)

    @overload
    def __getitem__(self, at: int) -> NearNetwork: ...
    @overload
    def __getitem__(self, at: slice) -> list[NearNetwork]: ...
    def __getitem__(self, at: int | slice) -> NearNetwork | list[NearNetwork]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        place = at + len(self) if at < 0 else at
        if not 0 <= place < len(self):
            raise IndexError(f"{len(self)} are listed, got place {at}")
        less = float(self._differences[place])
        chosen = tuple(map(int, self._places[place]))
        return NearNetwork(
            (self.optimum or 0.0) - less,
            less,
            chosen,
            self._parents,
            self.classes,
            self._parents.experiments,
        )

    def __iter__(self) -> Iterator[NearNetwork]:
        return (self[at] for at in range(len(self)))

    def __repr__(self) -> str:
        best = "" if self.optimum is None else f" (score {self.optimum:.4f})"
        return f"<NearOptimal{best}: {self.claim}>"


@takes(ForSearch)
def near_optimal(
    data: TableLike | Problem,
    *,
    within: float | None = None,
    limit: int = LIMIT,
    best: int | None = None,
    **shared: Unpack[ForSearch],
) -> NearOptimal:
    """List all classes of networks that score nearly as high as the best one.

    Data seldom distinguish the best network from the next few. What all classes within 3 nats of
    the optimum share (a factor of 20, if the score is the log of a probability) is what can be
    relied on more than the best network alone.

    Parameters
    ----------
    within
        How many nats below the optimum a class may score, 3 by default. 0 lists those that tie with
        the best. The number of classes grows quickly with it.
    limit
        The most to list; of more, the best are kept, and `complete` is False.
    best
        List the best so many instead, however far below the optimum they score: distances are tried
        from 1 nat up, each twice the last, until they are there. Of those that tie with the last,
        some may be missing.
    max_parents
        The most parents of a variable: networks with more are not looked at.
    knowledge
        Arcs required and forbidden, tiers and limits; all are obeyed. Then networks are listed
        instead of classes, since equivalent networks need not all obey; the same goes for scores
        that distinguish equivalent networks (K2, fNML).
    time_limit
        Seconds, of which the selection of parent sets takes at most 60 %. A limit, or Ctrl-C, ends
        it with a list that is complete up to a smaller distance; `complete_to` says which.
    seed
        For the search for a first network, where the optimum needs one.

    Returns
    -------
    NearOptimal
        Best first; each has `cpdag`, `score`, `difference` and the number of `members`. `complete`
        says whether all are there, and ``str(near.claim)`` among which networks.

    Raises
    ------
    ParameterError
        If more than 30 variables compete for being each other's parents, even among the parent sets
        of networks that score as the best.

    Notes
    -----
    A set is kept that scores at least what its best subset does, less `within`. Where more than 24
    variables compete, the optimum is found first, and sets are left out that no near network can
    have, as the linear relaxation of the integer program shows. What any set of variables loses at
    least is then known from dynamic programming, so that a search for networks from sink to sink
    goes astray only where two of them would be the same. Differences below 1e-7 count as none.
    Needs 8 bytes for each set of competing variables: 0.3 GB for 25, 8.6 GB for 30. Where more
    compete, the list is for a half or a quarter of the distance, and `stopped` is "memory".

    Not a posterior: how much of it these classes hold depends on how many there are beyond.

    Cost: that of :func:`exact`, then at least in proportion to the networks listed, whose
    number can grow exponentially with `within`.

    Sources: Liao, Sharma, Cussens and van Beek, Finding all Bayesian network structures within a
    factor of optimal, AAAI 2019; Chen and Tian, Finding the k-best equivalence classes of Bayesian
    network structures for model averaging, AAAI 2014.
    """
    problem, budget = begin(data, shared)
    asked = {
        **problem.settings,
        **budget.settings,
        "within": WITHIN if within is None and best is None else within,
        "limit": limit,
        "best": best,
        "seed": budget.seed,
    }
    if best is None:
        distance = use_distance("within", WITHIN if within is None else within)
        return _within(problem, budget, distance, use_count("limit", limit, 1), asked)
    if within is not None:
        raise ParameterError(f"give within or best, not both; got {within!r} and {best!r}")
    return _best(problem, budget, use_count("best", best, 1), asked)


def _best(problem: Problem, budget: Budget, best: int, asked: Mapping[str, Any]) -> NearOptimal:
    """List the best so many: of the first distance that has as many, cut by the limit."""
    distance, found = FIRST_DISTANCE, None
    while True:
        try:
            last = _within(problem, budget, distance, best, asked)
        except ParameterError:  # too many compete at this distance
            if found is None:
                raise
            return found
        there = len(last) == best and last.stopped in (None, "limit")
        if there or (last.complete and distance >= ANY_DISTANCE):
            ends = float(last._differences[-1])
            last.claim = replace(
                last.claim, within=ends, complete=True, complete_to=ends, stopped=None, best=best
            )
            return last
        if found is not None and (last.complete_to or 0.0) < (found.complete_to or 0.0):
            found.claim = replace(found.claim, complete=False, stopped=last.stopped)
            return found
        if not last.complete:
            return last
        grown = found is None or len(last) > len(found)
        found, distance = last, distance * (2 if grown else 1000)


def _within(
    problem: Problem, budget: Budget, distance: float, most: int, asked: Mapping[str, Any]
) -> NearOptimal:
    """List all within a distance, at most so many."""
    parents = parents_of(problem, budget.part(SELECTION_SHARE), within=distance)
    if parents.stopped in FINAL:
        budget.end(parents.stopped)
    classes = problem.score.equivalent and problem.knowledge is None
    listing = Listing(parents, distance, most, classes, parents.kinds)

    def optimum() -> float | None:
        found = exact(problem, seed=budget.seed, **budget.words(SELECTION_SHARE))
        return found.score if found.optimal else None

    found = listing.run(budget, optimum)
    facts = found.facts
    everything = facts["complete"] and found.within == distance
    short = "limit" if facts["limited"] else None if everything else "memory"
    stopped = parents.stopped or budget.stopped or facts["stopped"] or short
    complete = everything and parents.stopped is None
    claim = NearClaim(
        listed=len(found.differences),
        classes=classes,
        within=distance,
        complete=complete,
        complete_to=None if facts["complete_to"] < 0 else facts["complete_to"],
        stopped=None if complete else stopped,
        scope=parents.scope,
    )
    counters = ("largest_component", "sinks_placed")
    return NearOptimal(
        parents,
        found.places,
        found.differences,
        claim,
        limit=most,
        seconds=budget.seconds,
        work={"parent_sets": len(parents), **{name: facts[name] for name in counters}},
        asked=asked,
    )
