"""Candidate parent sets by blocks of children, for many hands."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from dagscape import _core
from dagscape.errors import LostClusterError
from dagscape.executor import Executor, Job, Share
from dagscape.knowledge import Knowledge
from dagscape.parents.selections import SELECTIONS, Task
from dagscape.scores import Score

if TYPE_CHECKING:
    from dagscape.data import Data

ALONE = ("greedy", "independence")
"""Methods that go child by child; others share what they count of all children, so that few large
blocks are better than many small ones."""

TIME_SHARE = 0.9
"""The share of a time limit that children who go alone are given; the rest is for those that wait
for the last ones."""


class Blocks(NamedTuple):
    """What is asked of all blocks."""

    method: str
    blocks: tuple[tuple[int, ...], ...]
    score: Score
    max_parents: int | None
    knowledge: Knowledge | None
    prune: tuple[str, ...]
    counting: str
    instructions: str
    seconds_each: float | None
    sets_each: int
    max_bytes: int


def block_batch(
    data: Data, asked: Blocks, batch: Sequence[int], share: Share
) -> tuple[list[Any], str]:
    """Select parent sets for the children of some blocks."""
    children = tuple(child for block in batch for child in asked.blocks[block])
    seconds = share.seconds
    if asked.seconds_each is not None:
        own = asked.seconds_each * len(children)
        seconds = own if seconds is None else min(own, seconds)
    task = Task(
        data=data,
        score=asked.score,
        max_parents=asked.max_parents,
        knowledge=asked.knowledge,
        prune=asked.prune,
        counting=asked.counting,
        instructions=asked.instructions,
        threads=share.threads,
        seconds=seconds,
        seconds_each=asked.seconds_each,
        sets_each=asked.sets_each,
        max_bytes=asked.max_bytes,
        progress=lambda done, _: share.told(done or 0.0),
        children=children,
    )
    lists, work = SELECTIONS[asked.method](task)
    # What ends a block by its own time ends no other.
    over = work["stopped"] if work["stopped"] != "time" else ""
    return [(children, lists, work)], over


def select_in_blocks(
    executor: Executor, method: str, task: Task
) -> tuple[_core.ParentLists, dict[str, Any]]:
    """Select parent sets elsewhere, and join them; children that nobody came to get their least."""
    children = _core.selection_order(task.data.table)
    hands = min(len(children), executor.hands())
    count = len(children) if method in ALONE else hands
    each = task.seconds_each
    if method in ALONE and task.seconds is not None:
        fair = TIME_SHARE * task.seconds * hands / len(children)
        each = fair if each is None else min(each, fair)
    asked = Blocks(
        method,
        _cut(children, count),
        task.score,
        task.max_parents,
        task.knowledge,
        task.prune,
        task.counting,
        task.instructions,
        each,
        task.sets_each,
        task.max_bytes,
    )
    deadline = None if task.seconds is None else time.monotonic() + task.seconds
    found: list[Any] = []

    def told(done: float, where: str) -> None:
        if task.progress is not None:
            task.progress(min(1.0, done / count), where)

    job = Job(block_batch, {task.data.fingerprint: task.data}, asked)
    try:
        stopped = executor.each(job, [range(count)], found.extend, told, deadline)
    except KeyboardInterrupt:
        stopped = "interrupt"
    except LostClusterError:
        if not found:
            raise
        stopped = "cluster"
    return _joined(task, found, stopped)


def _cut(children: Sequence[int], count: int) -> tuple[tuple[int, ...], ...]:
    """Return so many blocks, about equally large."""
    ends = [block * len(children) // count for block in range(count + 1)]
    return tuple(tuple(children[a:b]) for a, b in itertools.pairwise(ends))


def _joined(task: Task, found: list[Any], stopped: str) -> tuple[_core.ParentLists, dict[str, Any]]:
    done = {child for children, _, _ in found for child in children}
    missing = tuple(v for v in range(task.data.n_variables) if v not in done)
    if missing:
        least = replace(task, children=missing, max_parents=0, counting="auto", progress=None)
        found.append((missing, *SELECTIONS["sequential"](least)))
    work: Counter[str] = Counter()
    for _, _, facts in found:
        stopped = stopped or facts["stopped"]
        work.update({name: n for name, n in facts.items() if name != "stopped"})
    for name in ("sizes_done_together", "sizes_from_bitmaps"):  # every block did them
        work[name] = max(facts[name] for _, _, facts in found)
    return _core.join_lists([lists for _, lists, _ in found]), {**work, "stopped": stopped}
