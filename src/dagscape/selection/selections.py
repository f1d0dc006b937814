"""The ways to select candidate parent sets."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from dagscape import _core
from dagscape.control.budget import Budget
from dagscape.parents.constraints import constrain
from dagscape.scores import Score, scorer_within

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.knowledge import Knowledge

RULES = ("limit", "bound", "entropy", "dominance")
"""The pruning rules by name."""

PUBLISHED = "published"
"""The name that puts the rules of Wu 2010, as printed, in the place of the sharper ones."""
PUBLISHED_RULES = ("limit", "bound", "dominance")
"""Those that the thesis uses: its Theorems 3, 5 and 7."""

HYBRID_SECONDS = 30.0
"""What hybrid selection may spend on exhaustive sizes when no time is given, by the estimate."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What was asked for, checked, beside the data: the same wherever it is done."""

    score: Score
    max_parents: int | None
    knowledge: Knowledge | None
    prune: tuple[str, ...]
    counting: str
    instructions: str
    seconds_each: float | None
    sets_each: int
    within: float | None

    def on(self, data: Data, budget: Budget) -> Call:
        """Return it as a call on a table."""
        same = {each.name: getattr(self, each.name) for each in fields(Wanted)}
        return Call(data=data, budget=budget, **same)


@dataclass(frozen=True, kw_only=True)
class Call(Wanted):
    """A selection on a table: what was asked for, and what it may use."""

    data: Data
    budget: Budget

    @property
    def wanted(self) -> Wanted:
        """What was asked for, without the data."""
        return Wanted(**{each.name: getattr(self, each.name) for each in fields(Wanted)})

    @cached_property
    def rules(self) -> _core.PruningRules:
        """The pruning rules as the engine takes them."""
        rules = _core.PruningRules()
        for rule in RULES:
            setattr(rules, rule, rule in self.prune)
        rules.published = PUBLISHED in self.prune
        if self.within is not None:  # twice, so that rounding takes no set from a near network
            rules.slack = self.within + 2 * _core.SAME_SCORE
        return rules

    def constraints(self, max_parents: int | None) -> _core.Constraints:
        """Return which sets are allowed, of up to so many parents."""
        return constrain(self.data.variables, max_parents, self.knowledge)

    @cached_property
    def scorer(self) -> _core.Scorer:
        """The score on the data."""
        return scorer_within(self.data, self.score, self.budget.memory)

    def limits(self) -> dict[str, Any]:
        """Return what the engine may use; a quarter of the memory is left to the cache."""
        return {
            "seconds": self.budget.left(),
            "max_bytes": self.budget.memory - self.budget.memory // 4,
            "progress": self.budget.telling(""),
        }


Selected = tuple[_core.ParentLists, dict[str, Any]]
"""Lists, and what was done for them."""


class Place(Protocol):
    """Where sets are scored."""

    def sequential(self, call: Call, max_parents: int | None) -> Selected:
        """Score all sets by size."""

    def best_first(
        self, call: Call, independence: bool, start: _core.ParentLists | None = None
    ) -> Selected:
        """Grow the most promising sets of each child."""


class Here:
    """In this process."""

    def sequential(
        self,
        call: Call,
        max_parents: int | None,
        share: tuple[int, int] | None = None,
        children: Sequence[int] | None = None,
    ) -> Selected:
        """Score all sets by size; or a share of them, which and of how many; or some children's."""
        constraints = call.constraints(max_parents)
        if call.counting == "adtree":
            return _from_ad_tree(call, constraints, share)
        return _core.sequential_selection(
            call.scorer,
            constraints,
            call.rules,
            call.counting,
            call.instructions,
            call.budget.threads,
            share=share,
            children=children,
            **call.limits(),
        )

    def best_first(
        self,
        call: Call,
        independence: bool,
        start: _core.ParentLists | None = None,
        children: Sequence[int] | None = None,
    ) -> Selected:
        """Grow the most promising sets of each child, or of some."""
        return _core.best_first_selection(
            call.scorer,
            call.constraints(call.max_parents),
            independence,
            call.rules,
            call.sets_each,
            call.seconds_each,
            call.budget.threads,
            start,
            children=children,
            **call.limits(),
        )


def _from_ad_tree(
    call: Call, constraints: _core.Constraints, share: tuple[int, int] | None
) -> Selected:
    """Select as the A* paper did: sets that every child has by rows, larger ones off the tree."""
    table, limits = call.data.table, call.limits()
    needed = _core.estimate_sequential(
        call.scorer, constraints, call.rules, call.budget.threads, limits["max_bytes"]
    )["max_parents"]
    tree = _core.AdTree(table, max(1, needed + 1), limits["max_bytes"] // 2)
    limits["max_bytes"] -= tree.bytes
    on_tree = _core.Scorer(call.score.function(table, tree), call.budget.memory // 4)
    lists, work = _core.sequential_selection(
        on_tree,
        constraints,
        call.rules,
        "rows",
        call.instructions,
        call.budget.threads,
        most_together=1,
        share=share,
        **limits,
    )
    work["ad_tree_nodes_stored"] = tree.nodes
    return lists, work


def _hybrid(place: Place, call: Call) -> Selected:
    half = call.budget.part(0.5)
    size = _affordable_size(call, half.left() if half.limited else None)
    begun = time.monotonic()
    lists, work = place.sequential(call, size)
    took = time.monotonic() - begun
    if half.limited and not (lists.exhaustive or work["stopped"]):
        lists, work = _what_is_cheap_too(place, call, half, size, took, (lists, work))
    if lists.exhaustive or work["stopped"] or lists.exhaustive_to >= _most_parents(call):
        return lists, work
    grown, more = place.best_first(call, independence=True, start=lists)
    for counter, value in work.items():
        if counter != "stopped":
            more[counter] += value
    return grown, more


def _most_parents(call: Call) -> int:
    return call.data.n_variables - 1 if call.max_parents is None else call.max_parents


def _affordable_size(call: Call, seconds: float | None) -> int:
    """Return the largest parent sets that the time allows to score exhaustively, at most.

    As one thread would, so that the same call gives the same sets with any number of them.
    """
    allowed = HYBRID_SECONDS if seconds is None else seconds
    needed = Counter(child for _, child in call.knowledge.required) if call.knowledge else {}
    size = min(max(1, *needed.values(), 1), _most_parents(call))
    for larger, estimate in _larger_sizes(call, size):
        if estimate["seconds"] > allowed:
            break
        size = larger
    return size


def _larger_sizes(call: Call, size: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield larger sizes that fit the memory, up to where none can pay off, with their cost."""
    while size < _most_parents(call):
        size += 1
        estimate = _estimated(call, size)
        if not estimate["complete"]:
            return
        yield size, estimate
        if estimate["max_parents"] < size:  # no larger set can pay off
            return


def _estimated(call: Call, size: int) -> dict[str, Any]:
    return _core.estimate_sequential(
        call.scorer, call.constraints(size), call.rules, 1, call.budget.memory
    )


def _what_is_cheap_too(
    place: Place, call: Call, half: Budget, size: int, took: float, before: Selected
) -> Selected:
    """Score larger sets too, where pruning has spared so much that there is time for them.

    Estimates are upper limits. What one size took, beside what was estimated, says what the next
    ones will take; if it proves wrong, what was there before is returned.
    """
    pace = took / max(_estimated(call, size)["seconds"], 1e-9)
    chosen = size
    for larger, estimate in _larger_sizes(call, size):
        if estimate["seconds"] * pace > (half.left() or 0.0):
            break
        chosen = larger
    if chosen == size:
        return before
    lists, work = place.sequential(replace(call, budget=half), chosen)
    if work["stopped"] == "time":
        return before
    return lists, work


SELECTIONS: dict[str, Callable[[Place, Call], Selected]] = {
    "sequential": lambda place, call: place.sequential(call, call.max_parents),
    "greedy": lambda place, call: place.best_first(call, independence=False),
    "independence": lambda place, call: place.best_first(call, independence=True),
    "hybrid": _hybrid,
}
