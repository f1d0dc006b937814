"""Restarts of searches over orders, done elsewhere: all numbers, each from its own stream."""

from __future__ import annotations

from typing import Any

from dagscape.control.budget import Budget
from dagscape.executors import Executor, Job


def do_restarts(
    executor: Executor, job: Job, restarts: int, budget: Budget
) -> tuple[list[Any], str]:
    """Do restarts within a budget; return what came of batches, in any order, and what ended it."""
    found: list[Any] = []

    def tell_pieces(done: float, where: str) -> None:
        if budget.progress is not None:
            share = None if budget.limited else min(1.0, done / restarts)
            budget.progress(share, f"searching, {int(done):,} restarts{where and ', '}{where}")

    stopped = executor.do(job, [range(restarts)], found.extend, tell_pieces, budget.deadline)
    return found, stopped
