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


@dataclass(frozen=True)
class Task:
    """What was asked for, checked."""

    data: Data
    score: Score
    max_parents: int | None
    knowledge: Knowledge | None
    prune: tuple[str, ...]
    counting: str
    instructions: str
    seconds_each: float | None
    sets_each: int
    within: float | None
    budget: Budget

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

    def sequential(self, task: Task, max_parents: int | None) -> Selected:
        """Score all sets by size."""

    def best_first(
        self, task: Task, independence: bool, start: _core.ParentLists | None = None
    ) -> Selected:
        """Grow the most promising sets of each child."""


class Here:
    """In this process."""

    def sequential(
        self,
        task: Task,
        max_parents: int | None,
        share: tuple[int, int] | None = None,
        children: Sequence[int] | None = None,
    ) -> Selected:
        """Score all sets by size; or a share of them, which and of how many; or some children's."""
        constraints = task.constraints(max_parents)
        if task.counting == "adtree":
            return _from_ad_tree(task, constraints, share)
        return _core.sequential_selection(
            task.scorer,
            constraints,
            task.rules,
            task.counting,
            task.instructions,
            task.budget.threads,
            share=share,
            children=children,
            **task.limits(),
        )

    def best_first(
        self,
        task: Task,
        independence: bool,
        start: _core.ParentLists | None = None,
        children: Sequence[int] | None = None,
    ) -> Selected:
        """Grow the most promising sets of each child, or of some."""
        return _core.best_first_selection(
            task.scorer,
            task.constraints(task.max_parents),
            independence,
            task.rules,
            task.sets_each,
            task.seconds_each,
            task.budget.threads,
            start,
            children=children,
            **task.limits(),
        )


def _from_ad_tree(
    task: Task, constraints: _core.Constraints, share: tuple[int, int] | None
) -> Selected:
    """Select as the A* paper did: sets that every child has by rows, larger ones off the tree."""
    table, limits = task.data.table, task.limits()
    needed = _core.estimate_sequential(
        task.scorer, constraints, task.rules, task.budget.threads, limits["max_bytes"]
    )["max_parents"]
    tree = _core.AdTree(table, max(1, needed + 1), limits["max_bytes"] // 2)
    limits["max_bytes"] -= tree.bytes
    on_tree = _core.Scorer(task.score.function(table, tree), task.budget.memory // 4)
    lists, work = _core.sequential_selection(
        on_tree,
        constraints,
        task.rules,
        "rows",
        task.instructions,
        task.budget.threads,
        most_together=1,
        share=share,
        **limits,
    )
    work["ad_tree_nodes_stored"] = tree.nodes
    return lists, work


def _hybrid(place: Place, task: Task) -> Selected:
    half = task.budget.part(0.5)
    size = _affordable_size(task, half.left() if half.limited else None)
    begun = time.monotonic()
    lists, work = place.sequential(task, size)
    took = time.monotonic() - begun
    if half.limited and not (lists.exhaustive or work["stopped"]):
        lists, work = _what_is_cheap_too(place, task, half, size, took, (lists, work))
    if lists.exhaustive or work["stopped"] or lists.exhaustive_to >= _most_parents(task):
        return lists, work
    grown, more = place.best_first(task, independence=True, start=lists)
    for counter, value in work.items():
        if counter != "stopped":
            more[counter] += value
    return grown, more


def _most_parents(task: Task) -> int:
    return task.data.n_variables - 1 if task.max_parents is None else task.max_parents


def _affordable_size(task: Task, seconds: float | None) -> int:
    """Return the largest parent sets that the time allows to score exhaustively, at most.

    As one thread would, so that the same call gives the same sets with any number of them.
    """
    allowed = HYBRID_SECONDS if seconds is None else seconds
    needed = Counter(child for _, child in task.knowledge.required) if task.knowledge else {}
    size = min(max(1, *needed.values(), 1), _most_parents(task))
    for larger, estimate in _larger_sizes(task, size):
        if estimate["seconds"] > allowed:
            break
        size = larger
    return size


def _larger_sizes(task: Task, size: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield larger sizes that fit the memory, up to where none can pay off, with their cost."""
    while size < _most_parents(task):
        size += 1
        estimate = _estimated(task, size)
        if not estimate["complete"]:
            return
        yield size, estimate
        if estimate["max_parents"] < size:  # no larger set can pay off
            return


def _estimated(task: Task, size: int) -> dict[str, Any]:
    return _core.estimate_sequential(
        task.scorer, task.constraints(size), task.rules, 1, task.budget.memory
    )


def _what_is_cheap_too(
    place: Place, task: Task, half: Budget, size: int, took: float, before: Selected
) -> Selected:
    """Score larger sets too, where pruning has spared so much that there is time for them.

    Estimates are upper limits. What one size took, beside what was estimated, says what the next
    ones will take; if it proves wrong, what was there before is returned.
    """
    pace = took / max(_estimated(task, size)["seconds"], 1e-9)
    chosen = size
    for larger, estimate in _larger_sizes(task, size):
        if estimate["seconds"] * pace > (half.left() or 0.0):
            break
        chosen = larger
    if chosen == size:
        return before
    lists, work = place.sequential(replace(task, budget=half), chosen)
    if work["stopped"] == "time":
        return before
    return lists, work


SELECTIONS: dict[str, Callable[[Place, Task], Selected]] = {
    "sequential": lambda place, task: place.sequential(task, task.max_parents),
    "greedy": lambda place, task: place.best_first(task, independence=False),
    "independence": lambda place, task: place.best_first(task, independence=True),
    "hybrid": _hybrid,
}
