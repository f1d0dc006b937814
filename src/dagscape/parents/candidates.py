"""Scored parent sets of every variable, as the user sees them."""

from __future__ import annotations

import copyreg
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, overload

from dagscape import _core
from dagscape.arguments import as_list
from dagscape.claims.scopes import Scope
from dagscape.errors import ParameterError
from dagscape.files.plain_values import thawed
from dagscape.graphs import Dag
from dagscape.knowledge import described
from dagscape.notes import Note
from dagscape.parents.score_files import read_score_file, write_score_file
from dagscape.scores import AND_PRIOR, Score, known_score
from dagscape.targets import Targets, kinds_in, told
from dagscape.variables import Variables
from dagscape.words import counted

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.knowledge import Knowledge

ParentSet = tuple[float, tuple[str, ...]]
"""A score and the parents that have it."""

FROM_FILE = "file"
"""The method of selection, where a file does not tell."""


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
        more = ", ..." if len(self) > 2 else ""
        sets = counted(len(self), "parent set")
        return f"<{sets} of {name!r}: {', '.join(map(str, self[:2]))}{more}>"


class CandidateParents:
    """Scored parent sets of every variable, best first.

    ``p["X"]`` are those of one variable, ``len(p)`` counts those of all.
    """

    def __init__(
        self,
        variables: Variables,
        lists: _core.ParentLists,
        *,
        score: Score | str,
        method: str,
        max_parents: int | None = None,
        knowledge: Knowledge | None = None,
        seconds: float = 0.0,
        work: Mapping[str, Any] | None = None,
        notes: Iterable[Note] = (),
        interventions: Mapping[str, Any] | None = None,
    ) -> None:
        self._variables = variables
        self._lists = lists
        self._best: _core.BestParents | None = None
        self.score_kind = score if isinstance(score, Score) else known_score(score)
        """The score as an object; None if it is not ours."""
        self.score = str(self.score_kind or score)
        """The score, in words."""
        self.method = method
        """How the sets were selected."""
        self.max_parents = max_parents
        """The most parents that were asked for; None without a limit, or where it is not known."""
        self.knowledge = knowledge
        """What the sets obey; None where nothing was given, or where it is not known."""
        self.seconds = seconds
        """How long that took."""
        self.work = MappingProxyType(dict(work or {}))
        """Counters: sets counted, families scored, sets that each rule left out."""
        self.notes = tuple(notes)
        """What is to be known of the table, see :attr:`Data.notes`; of a file nothing is known."""
        self.interventions = interventions
        """What experiments did, as results tell it; None where there were none, and of a file."""

    def __reduce__(self) -> tuple[Callable[..., CandidateParents], tuple[Any, ...]]:
        # The engine's lists travel as bytes, and read-only mappings as plain ones.
        facts = {
            "score": self.score_kind or self.score,
            "method": self.method,
            "max_parents": self.max_parents,
            "knowledge": self.knowledge,
            "seconds": self.seconds,
            "work": thawed(self.work),
            "notes": self.notes,
            "interventions": self.interventions,
        }
        return _made_again, (self._variables, _core.pack_lists(self._lists), facts)

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in display order."""
        return self._variables.names

    @property
    def variables(self) -> Variables:
        """The variables with their engine numbers."""
        return self._variables

    @property
    def exhaustive(self) -> bool:
        """Whether no set that was left out can be part of a better network.

        With `knowledge`, of a better one that obeys it.
        """
        return self._lists.exhaustive

    @property
    def exhaustive_to(self) -> int:
        """Up to how many parents every set was scored, or ruled out for good."""
        return self._lists.exhaustive_to

    @property
    def complete(self) -> bool:
        """Whether no set of as many parents as were asked for can be part of a better network."""
        limited = self.max_parents is not None and self.exhaustive_to >= self.max_parents
        return self.exhaustive or limited

    @property
    def bytes(self) -> int:
        """The memory that the sets take."""
        return self._lists.bytes

    @property
    def stopped(self) -> str | None:
        """What ended the selection early: "time", "memory" or "interrupt"; None if nothing did."""
        return self.work.get("stopped") or None

    @property
    def relaxed_score(self) -> float:
        """The score if every variable had its best parents, cycles or not.

        No network on these sets scores higher.
        """
        return sum(self.best(name)[0] for name in self._variables.in_engine_order())

    @property
    def scope(self) -> Scope:
        """The networks that a proof or bound over these sets is about."""
        if self.exhaustive:
            return Scope(knowledge=self.knowledge)
        if self.complete:
            return Scope(max_parents=self.max_parents, knowledge=self.knowledge)
        return Scope(
            candidates_only=True,
            complete_to=self.exhaustive_to or None,
            knowledge=self.knowledge,
        )

    @property
    def settings(self) -> dict[str, Any]:
        """What was asked, as results of searches on these sets report it."""
        asked = {"score": self.score} if self.score_kind is None else self.score_kind.asked
        known = described(self.knowledge)
        done = {} if self.interventions is None else {"interventions": self.interventions}
        return {**asked, "chosen": [], "max_parents": self.max_parents, "knowledge": known, **done}

    @property
    def experiments(self) -> dict[str, Targets]:
        """What each experiment made of which variables; empty where there were none."""
        return told(self.interventions)

    @property
    def kinds(self) -> list[int]:
        """A number for each variable of the engine, equal where both are scored on the same rows.

        Empty where there are no experiments.
        """
        done = list(self.experiments.values())
        return kinds_in(done, self._variables.in_engine_order()) if done else []

    def with_lists(
        self, lists: _core.ParentLists, knowledge: Knowledge | None = None
    ) -> CandidateParents:
        """Return some of these sets, which obey this knowledge too."""
        return CandidateParents(
            self._variables,
            lists,
            score=self.score_kind or self.score,
            method=self.method,
            max_parents=self.max_parents,
            knowledge=_both(self.knowledge, knowledge),
            seconds=self.seconds,
            work=self.work,
            notes=self.notes,
            interventions=self.interventions,
        )

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
            if not self[name]:
                raise ParameterError(f'"{name}" has no parent set')
            return self[name][0]
        names = as_list("allowed", allowed, "names")
        if self._best is None:
            self._lists.sort()
            self._best = _core.BestParents(self._lists)
        numbers = [self._variables.number(other) for other in names]
        at = self._best.best(child, numbers)
        if at is None:
            raise ParameterError(f'"{name}" has no parent set among those allowed')
        return self[name][at]

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the sets to a score file: GOBNILP's .jkl or URLearning's .pss, also with .gz."""
        about = {"score": self.score} if self.score_kind is None else self.score_kind.asked
        if self.method != FROM_FILE:
            about = {**about, "method": self.method}
        facts = {"": about}
        write_score_file(self._lists, self.names, path, facts)

    def __repr__(self) -> str:
        how_far = "exhaustive"
        if not self.exhaustive:
            how_far += f" to {counted(self.exhaustive_to, 'parent')}"
        if self.knowledge is not None:
            how_far += " under knowledge"
        ended = f", stopped by {self.stopped}" if self.stopped else ""
        return (
            f"<CandidateParents: {len(self):,} sets of {len(self.names)} variables, {self.score}, "
            f"{self.method}, {how_far}{ended}>"
        )


def read_parents(path: str | os.PathLike[str]) -> CandidateParents:
    """Read a score file: GOBNILP's .jkl or URLearning's .pss, also with .gz.

    Such files do not say whether they hold all that matters: the sets do not count as exhaustive.
    """
    names, lists, facts = read_score_file(path)
    about = facts.get("", {})
    score = about.get("score", "unknown score")
    if "prior" in about:
        score = f"{score}{AND_PRIOR}{about['prior']}"
    return CandidateParents(
        Variables(names), lists, score=score, method=about.get("method", FROM_FILE)
    )


# What searches ask of the sets.

FEW_SETS = 1000
"""Sets of each variable from which a network is built where there is no time for more."""

AT_ONCE = 0.2
"""Seconds in which sets are put in order, whatever time is left."""

GREATEST_SCORE = 1e300
"""Sums and differences of scores up to this one are finite, whatever the number of variables."""


def check_lists(parents: CandidateParents) -> None:
    """Refuse a variable without any candidate set."""
    for child, name in enumerate(parents.variables.in_engine_order()):
        if not parents._lists.size(child):
            raise ParameterError(f'"{name}" has no candidate parent set, not even the empty one')


def in_order(parents: CandidateParents, budget: Budget) -> CandidateParents:
    """Return the sets in order; if sorting was stopped, a few of the best ones."""
    stopped = parents._lists.sort(budget.threads, budget.left(least=AT_ONCE))
    if not stopped:
        return parents
    budget.end(stopped)
    return parents.with_lists(parents._lists.best_few(FEW_SETS, budget.threads))


def check_scores(parents: CandidateParents) -> None:
    """Refuse scores whose sums are no numbers; the lists must be in order."""
    lists = parents._lists
    for child, name in enumerate(parents.variables.in_engine_order()):
        for score in (lists.score(child, 0), lists.score(child, lists.size(child) - 1)):
            if GREATEST_SCORE < abs(score) < math.inf:
                raise ParameterError(
                    f'"{name}" has a parent set with the score {score:g}: sums of scores beyond '
                    f"{GREATEST_SCORE:g} are not finite; divide all scores by the same number"
                )


def network_of(parents: CandidateParents, places: Sequence[int]) -> Dag:
    """Return the network in which every variable has the set at its place in the list."""
    sets = [parents._lists.parents(child, place) for child, place in enumerate(places)]
    return Dag._of_sets(parents.variables, sets)


def _both(one: Knowledge | None, other: Knowledge | None) -> Knowledge | None:
    return one.also(other) if one and other else one or other


def _pack(lists: _core.ParentLists) -> tuple[Any, ...]:
    return _unpack, (_core.pack_lists(lists),)


def _unpack(packed: bytes) -> _core.ParentLists:
    return _core.unpack_lists(packed)


copyreg.pickle(_core.ParentLists, _pack)  # lists travel to other processes


def _made_again(variables: Variables, packed: bytes, facts: dict[str, Any]) -> CandidateParents:
    return CandidateParents(variables, _core.unpack_lists(packed), **facts)
