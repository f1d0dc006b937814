"""The ways to select candidate parent sets."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from dagscape import _core
from dagscape.control.budget import Budget

if TYPE_CHECKING:
    from dagscape.problem import Problem

RULES = ("limit", "bound", "entropy", "dominance")
"""The pruning rules by name."""

PUBLISHED = "published"
"""The name that puts the rules of Wu 2010, as printed, in the place of the sharper ones."""
PUBLISHED_RULES = ("limit", "bound", "dominance")
"""Those that the thesis uses: its Theorems 3, 5 and 7."""

HYBRID_SECONDS = 30.0
"""What hybrid selection may spend on exhaustive sizes when no time is given, by the estimate."""


@dataclass(frozen=True)
class SelectionRules:
    """How parent sets are selected: the same wherever it is done."""

    prune: tuple[str, ...]
    counting: str
    instructions: str
    seconds_each: float | None
    sets_each: int
    within: float | None
    keep_of_size: int | None

    @property
    def pruning(self) -> _core.PruningRules:
        """The pruning rules as the engine takes them."""
        rules = _core.PruningRules()
        for rule in RULES:
            setattr(rules, rule, rule in self.prune)
        rules.published = PUBLISHED in self.prune
        if self.within is not None:  # twice, so that rounding takes no set from a near network
            rules.slack = self.within + 2 * _core.SAME_SCORE
        if self.keep_of_size is not None:
            rules.most_of_size = self.keep_of_size
        return rules


@dataclass(frozen=True)
class Selection:
    """What sets are selected for, how, and what that may use."""

    problem: Problem
    rules: SelectionRules
    budget: Budget

    @cached_property
    def scorer(self) -> _core.Scorer:
        """The score on the data."""
        return self.problem.scorer_within(self.budget.memory)

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
    """The place where sets are scored."""

    def sequential(self, selection: Selection, max_parents: int | None) -> Selected:
        """Score all sets by size."""

    def best_first(
        self, selection: Selection, independence: bool, start: _core.ParentLists | None = None
    ) -> Selected:
        """Grow the most promising sets of each child."""


class Here:
    """In this process."""

    def sequential(
        self,
        selection: Selection,
        max_parents: int | None,
        share: tuple[int, int] | None = None,
        children: Sequence[int] | None = None,
    ) -> Selected:
        """Score all sets by size; or a share of them, which and of how many; or some children's."""
        constraints = selection.problem.constraints(max_parents)
        if selection.rules.counting == "adtree":
            return _from_ad_tree(selection, constraints, share)
        return _core.sequential_selection(
            selection.scorer,
            constraints,
            selection.rules.pruning,
            selection.rules.counting,
            selection.rules.instructions,
            selection.budget.threads,
            share=share,
            children=children,
            **selection.limits(),
        )

    def best_first(
        self,
        selection: Selection,
        independence: bool,
        start: _core.ParentLists | None = None,
        children: Sequence[int] | None = None,
    ) -> Selected:
        """Grow the most promising sets of each child, or of some."""
        return _core.best_first_selection(
            selection.scorer,
            selection.problem.constraints(),
            independence,
            selection.rules.pruning,
            selection.rules.sets_each,
            selection.rules.seconds_each,
            selection.budget.threads,
            start,
            children=children,
            **selection.limits(),
        )


def _from_ad_tree(
    selection: Selection, constraints: _core.Constraints, share: tuple[int, int] | None
) -> Selected:
    """Select as the A* paper did: sets that every child has by rows, larger ones off the tree."""
    table, limits = selection.problem.data._engine_table, selection.limits()
    needed = _core.estimate_sequential(
        selection.scorer,
        constraints,
        selection.rules.pruning,
        selection.budget.threads,
        limits["max_bytes"],
    )["max_parents"]
    tree = _core.AdTree(table, max(1, needed + 1), limits["max_bytes"] // 2)
    limits["max_bytes"] -= tree.bytes
    on_tree = _core.Scorer(
        selection.problem.score.function(table, tree), selection.budget.memory // 4
    )
    lists, work = _core.sequential_selection(
        on_tree,
        constraints,
        selection.rules.pruning,
        "rows",
        selection.rules.instructions,
        selection.budget.threads,
        most_together=1,
        share=share,
        **limits,
    )
    work["ad_tree_nodes_stored"] = tree.nodes
    return lists, work


def _hybrid(place: Place, selection: Selection) -> Selected:
    half = selection.budget.part(0.5)
    size = _affordable_size(selection, half.left() if half.limited else None)
    begun = time.monotonic()
    lists, work = place.sequential(selection, size)
    took = time.monotonic() - begun
    if half.limited and not (lists.exhaustive or work["stopped"]):
        lists, work = _what_is_cheap_too(place, selection, half, size, took, (lists, work))
    if lists.exhaustive or work["stopped"] or lists.exhaustive_to >= selection.problem.most_parents:
        return lists, work
    grown, more = place.best_first(selection, independence=True, start=lists)
    for counter, value in work.items():
        if counter != "stopped":
            more[counter] += value
    return grown, more


def _affordable_size(selection: Selection, seconds: float | None) -> int:
    """Return the largest parent sets that the time allows to score exhaustively, at most.

    As one thread would, so that the same selection gives the same sets with any number of them.
    """
    allowed = HYBRID_SECONDS if seconds is None else seconds
    needed = (
        Counter(child for _, child in selection.problem.knowledge.required)
        if selection.problem.knowledge
        else {}
    )
    size = min(max(1, *needed.values(), 1), selection.problem.most_parents)
    for larger, estimate in _larger_sizes(selection, size):
        if estimate["seconds"] > allowed:
            break
        size = larger
    return size


def _larger_sizes(selection: Selection, size: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield larger sizes that fit the memory, up to where none can pay off, with their cost."""
    while size < selection.problem.most_parents:
        size += 1
        estimate = _estimated(selection, size)
        if not estimate["complete"]:
            return
        yield size, estimate
        if estimate["max_parents"] < size:  # no larger set can pay off
            return


def _estimated(selection: Selection, size: int) -> dict[str, Any]:
    return _core.estimate_sequential(
        selection.scorer,
        selection.problem.constraints(size),
        selection.rules.pruning,
        1,
        selection.budget.memory,
    )


def _what_is_cheap_too(
    place: Place, selection: Selection, half: Budget, size: int, took: float, before: Selected
) -> Selected:
    """Score larger sets too, where pruning spared so much that there is time for them.

    Estimates are upper limits. What one size took, beside what was estimated, says what the next
    ones will take; if it proves wrong, what was there before is returned.
    """
    pace = took / max(_estimated(selection, size)["seconds"], 1e-9)
    chosen = size
    for larger, estimate in _larger_sizes(selection, size):
        if estimate["seconds"] * pace > (half.left() or 0.0):
            break
        chosen = larger
    if chosen == size:
        return before
    lists, work = place.sequential(replace(selection, budget=half), chosen)
    if work["stopped"] == "time":
        return before
    return lists, work


SELECTIONS: dict[str, Callable[[Place, Selection], Selected]] = {
    "sequential": lambda place, selection: place.sequential(selection, None),
    "greedy": lambda place, selection: place.best_first(selection, independence=False),
    "independence": lambda place, selection: place.best_first(selection, independence=True),
    "hybrid": _hybrid,
}
