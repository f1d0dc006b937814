"""Restarts of searches over orders, done in parts: all numbers, each from its own random stream."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dagscape import _core
from dagscape.executor import Executor, Job, Share
from dagscape.limits import Progress
from dagscape.search.grown import GrownSearch

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.knowledge import Knowledge
    from dagscape.scores import ScoreLike


class Listed(NamedTuple):
    """How every restart on lists of parent sets goes."""

    init: str
    neighbourhood: str
    max_steps: int
    seed: int
    max_memory: float | None

    @property
    def evolves(self) -> bool:
        """Whether a population follows."""
        return self.neighbourhood != "swap"

    def options(
        self, restarts: int, threads: int, generations: int = 0, first: int = 0
    ) -> _core.OrderSearchOptions:
        """Return it as the engine takes it."""
        return _core.OrderSearchOptions(
            self.init,
            self.evolves,
            restarts,
            self.max_steps,
            generations,
            self.seed,
            threads,
            self.neighbourhood == "block",
            first,
        )


def listed_batch(
    lists: _core.ParentLists, how: Listed, batch: Sequence[int], share: Share
) -> tuple[list[Any], str]:
    """Climb from some initial orders; return each with its number."""
    found, stopped = _core.order_restarts(
        lists,
        how.options(len(batch), share.threads, first=batch[0]),
        share.seconds,
        share.memory(how.max_memory),
        share.told,
    )
    return list(zip(batch, found, strict=False)), stopped


def restart_listed(
    executor: Executor,
    lists: _core.ParentLists,
    how: Listed,
    restarts: int,
    deadline: float | None,
    tell: Progress | None,
) -> tuple[list[Any], str]:
    """Do restarts elsewhere; return what they found in the order of their numbers."""
    mark = hashlib.sha256(_core.pack_lists(lists)).hexdigest()
    job = Job(listed_batch, {mark: lists}, how)
    found, stopped = _each(executor, job, restarts, deadline, tell)
    return [end for _, end in sorted(found)], stopped


class Grown(NamedTuple):
    """How every restart with grown parents goes."""

    score: ScoreLike | None
    max_parents: int | None
    knowledge: Knowledge | None
    max_memory: float | None
    init: str
    patience: int
    seed: int


def grown_batch(
    data: Data, how: Grown, batch: Sequence[int], share: Share
) -> tuple[list[Any], str]:
    """Search from some initial orders; return what came of all of them, with the first number."""
    search = GrownSearch(
        data,
        score=how.score,
        max_parents=how.max_parents,
        knowledge=how.knowledge,
        memory=share.memory(how.max_memory),
        threads=share.threads,
    )
    facts = search.climb(
        how.init,
        range(batch[0], batch[0] + len(batch)),
        how.patience,
        how.seed,
        share.seconds,
        share.told,
    )
    return [(batch[0], facts)], facts["stopped"]


def restart_grown(
    executor: Executor,
    data: Data,
    how: Grown,
    restarts: int,
    deadline: float | None,
    tell: Progress | None,
) -> tuple[dict[str, Any] | None, str]:
    """Do restarts elsewhere; return what one search that did them would have, if any was done."""
    job = Job(grown_batch, {data.fingerprint: data}, how)
    found, stopped = _each(executor, job, restarts, deadline, tell)
    if not found:
        return None, stopped
    parts = [facts for _, facts in sorted(found, key=lambda pair: pair[0])]
    best = max(parts, key=lambda facts: facts["score"])  # of equal ones the first
    counters = ("looks", "nodes", "clearings", "restarts_begun")
    return {
        **best,
        **{name: sum(facts[name] for facts in parts) for name in counters},
        "restarts": [one for facts in parts for one in facts["restarts"]],
        "stopped": stopped,
    }, stopped


def _each(
    executor: Executor,
    job: Job,
    restarts: int,
    deadline: float | None,
    tell: Progress | None,
) -> tuple[list[Any], str]:
    found: list[Any] = []

    def told(done: float, where: str) -> None:
        if tell is not None:
            share = None if deadline is not None else min(1.0, done / restarts)
            tell(share, f"searching, {int(done):,} restarts{where and ', '}{where}")

    stopped = executor.do(job, [range(restarts)], found.extend, told, deadline)
    return found, stopped
