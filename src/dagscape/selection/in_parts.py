"""Candidate parent sets in parts, for many hands: shares of all sets, or children one by one."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from dagscape import _core
from dagscape.control.budget import Budget
from dagscape.executors import Executor, Job
from dagscape.selection.selections import Here, Selected, Selection, SelectionRules

if TYPE_CHECKING:
    from dagscape.problem import Problem

TIME_SHARE = 0.9
"""The share of a time limit that all children are given; the rest is to wait for the last ones."""


class SelectionParts(NamedTuple):
    """What all parts have in common, beside the problem."""

    rules: SelectionRules
    number: int = 1
    max_parents: int | None = None
    """For a step that takes fewer than the problem allows."""
    independence: bool = False

    def selection(self, problem: Problem, budget: Budget, children: int | None = None) -> Selection:
        """Return the selection of one part."""
        own = replace(budget)
        seconds_each = self.rules.seconds_each
        if children is not None and seconds_each is not None:
            until = time.monotonic() + seconds_each * children
            own.deadline = until if own.deadline is None else min(until, own.deadline)
        return Selection(problem, self.rules, own)


def share_batch(
    problem: Problem, parts: SelectionParts, batch: Sequence[int], budget: Budget
) -> tuple[list[Any], str]:
    """Score some shares of all sets."""
    found = []
    for part in batch:
        lists, work = Here().sequential(
            parts.selection(problem, budget), parts.max_parents, (part, parts.number)
        )
        found.append((part, lists, work))
        if work["stopped"]:
            return found, work["stopped"]
    return found, ""


def child_batch(
    problem: Problem,
    start: _core.ParentLists | None,
    parts: SelectionParts,
    batch: Sequence[int],
    budget: Budget,
) -> tuple[list[Any], str]:
    """Grow the sets of some children."""
    selection = parts.selection(problem, budget, len(batch))
    lists, work = Here().best_first(selection, parts.independence, start, list(batch))
    # What ends one child by its own time ends no other.
    return [(batch, lists, work)], work["stopped"] if work["stopped"] != "time" else ""


class InParts:
    """On the hands of an executor."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def sequential(self, selection: Selection, max_parents: int | None) -> Selected:
        """Score all sets by size. All parts count the smaller ones, so there are few parts."""
        parts = min(len(selection.problem.variables), self._executor.hands())
        shares = SelectionParts(selection.rules, parts, max_parents)
        shared = {selection.problem.mark: selection.problem}
        found, stopped = self._each(
            selection, Job.of(selection.budget, share_batch, shared, shares), parts
        )
        done = {part for part, _, _ in found}
        order = _core.selection_order(selection.scorer)
        # The place of a child says which part finds its least sets.
        missing = [child for place, child in enumerate(order) if place % parts not in done]
        return _joined(selection, found, stopped, missing)

    def best_first(
        self, selection: Selection, independence: bool, start: _core.ParentLists | None = None
    ) -> Selected:
        """Grow the most promising sets of each child."""
        children = len(selection.problem.variables)
        each = selection.rules.seconds_each
        left = selection.budget.left(TIME_SHARE)
        if left is not None:
            hands = min(children, self._executor.hands())
            fair = left * hands / children
            each = fair if each is None else min(each, fair)
        rules = replace(selection.rules, seconds_each=each)
        parts = SelectionParts(rules, independence=independence)
        packed = b"" if start is None else _core.pack_lists(start)
        mark = hashlib.sha256(packed).hexdigest()
        shared: Mapping[str, Any] = {selection.problem.mark: selection.problem, mark: start}
        found, stopped = self._each(
            selection, Job.of(selection.budget, child_batch, shared, parts), children
        )
        done = {child for batch, _, _ in found for child in batch}
        return _joined(selection, found, stopped, [v for v in range(children) if v not in done])

    def _each(self, selection: Selection, job: Job, pieces: int) -> tuple[list[Any], str]:
        found: list[Any] = []
        budget = selection.budget

        def tell_pieces(done: float, where: str) -> None:
            if budget.progress is not None:
                budget.progress(min(1.0, done / pieces), where)

        return found, self._executor.do(
            job, [range(pieces)], found.extend, tell_pieces, budget.deadline
        )


def _joined(
    selection: Selection, found: list[Any], stopped: str, missing: Sequence[int]
) -> Selected:
    """Join parts; children that nobody came to have their least set."""
    if missing:
        unlimited = replace(selection.budget, deadline=None, progress=None)
        least = replace(
            selection, rules=replace(selection.rules, counting="auto"), budget=unlimited
        )
        found.append((0, *Here().sequential(least, 0, children=sorted(missing))))
    work: Counter[str] = Counter()
    for _, _, facts in found:
        stopped = stopped or facts["stopped"]
        work.update({name: n for name, n in facts.items() if name != "stopped"})
    for name in ("sizes_done_together", "sizes_from_bitmaps"):  # every part did them
        work[name] = max(facts[name] for _, _, facts in found)
    lists = _core.join_lists([lists for _, lists, _ in found])
    if stopped not in ("time", "interrupt"):  # who stopped it wants it back at once
        ended = lists.sort(selection.budget.threads, selection.budget.left())
        stopped = ended if ended == "interrupt" else stopped
    return lists, {**work, "stopped": stopped}
