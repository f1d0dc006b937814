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
from dagscape.selection.selections import Call, Here, Selected, Wanted

if TYPE_CHECKING:
    from dagscape.data import Data

TIME_SHARE = 0.9
"""The share of a time limit that all children are given; the rest is to wait for the last ones."""


class Asked(NamedTuple):
    """What is asked of all parts, beside the data."""

    wanted: Wanted
    memory: int
    parts: int = 1
    independence: bool = False

    def call(self, data: Data, budget: Budget, children: int | None = None) -> Call:
        """Return it as a call for one part."""
        own = replace(budget, memory=self.memory)
        seconds_each = self.wanted.seconds_each
        if children is not None and seconds_each is not None:
            until = time.monotonic() + seconds_each * children
            own.deadline = until if own.deadline is None else min(until, own.deadline)
        return self.wanted.on(data, own)


def share_batch(
    data: Data, asked: Asked, batch: Sequence[int], budget: Budget
) -> tuple[list[Any], str]:
    """Score some shares of all sets."""
    found = []
    for part in batch:
        call = asked.call(data, budget)
        lists, work = Here().sequential(call, call.max_parents, (part, asked.parts))
        found.append((part, lists, work))
        if work["stopped"]:
            return found, work["stopped"]
    return found, ""


def child_batch(
    data: Data,
    start: _core.ParentLists | None,
    asked: Asked,
    batch: Sequence[int],
    budget: Budget,
) -> tuple[list[Any], str]:
    """Grow the sets of some children."""
    call = asked.call(data, budget, len(batch))
    lists, work = Here().best_first(call, asked.independence, start, list(batch))
    # What ends one child by its own time ends no other.
    return [(batch, lists, work)], work["stopped"] if work["stopped"] != "time" else ""


class InParts:
    """On the hands of an executor."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def sequential(self, call: Call, max_parents: int | None) -> Selected:
        """Score all sets by size. All parts count the smaller ones, so there are few parts."""
        call = replace(call, max_parents=max_parents)
        parts = min(call.data.n_variables, self._executor.hands())
        asked = Asked(call.wanted, call.budget.memory, parts=parts)
        shared = {call.data.fingerprint: call.data}
        found, stopped = self._each(call, Job(share_batch, shared, asked), parts)
        done = {part for part, _, _ in found}
        order = _core.selection_order(call.scorer)
        # The place of a child says which part finds its least sets.
        missing = [child for place, child in enumerate(order) if place % parts not in done]
        return _joined(call, found, stopped, missing)

    def best_first(
        self, call: Call, independence: bool, start: _core.ParentLists | None = None
    ) -> Selected:
        """Grow the most promising sets of each child."""
        children = call.data.n_variables
        each = call.seconds_each
        left = call.budget.left(TIME_SHARE)
        if left is not None:
            hands = min(children, self._executor.hands())
            fair = left * hands / children
            each = fair if each is None else min(each, fair)
        wanted = replace(call.wanted, seconds_each=each)
        asked = Asked(wanted, call.budget.memory, independence=independence)
        packed = b"" if start is None else _core.pack_lists(start)
        mark = hashlib.sha256(packed).hexdigest()
        shared: Mapping[str, Any] = {call.data.fingerprint: call.data, mark: start}
        found, stopped = self._each(call, Job(child_batch, shared, asked), children)
        done = {child for batch, _, _ in found for child in batch}
        return _joined(call, found, stopped, [v for v in range(children) if v not in done])

    def _each(self, call: Call, job: Job, pieces: int) -> tuple[list[Any], str]:
        found: list[Any] = []
        budget = call.budget

        def tell_pieces(done: float, where: str) -> None:
            if budget.progress is not None:
                budget.progress(min(1.0, done / pieces), where)

        return found, self._executor.do(
            job, [range(pieces)], found.extend, tell_pieces, budget.deadline
        )


def _joined(call: Call, found: list[Any], stopped: str, missing: Sequence[int]) -> Selected:
    """Join parts; children that nobody came to have their least set."""
    if missing:
        unlimited = replace(call.budget, deadline=None, progress=None)
        least = replace(call, max_parents=0, counting="auto", budget=unlimited)
        found.append((0, *Here().sequential(least, 0, children=sorted(missing))))
    work: Counter[str] = Counter()
    for _, _, facts in found:
        stopped = stopped or facts["stopped"]
        work.update({name: n for name, n in facts.items() if name != "stopped"})
    for name in ("sizes_done_together", "sizes_from_bitmaps"):  # every part did them
        work[name] = max(facts[name] for _, _, facts in found)
    lists = _core.join_lists([lists for _, lists, _ in found])
    lists.sort(call.budget.threads)
    return lists, {**work, "stopped": stopped}
