"""Pieces of work done in this process, batch after batch."""

from __future__ import annotations

from collections.abc import Sequence

from dagscape.control.budget import Budget
from dagscape.control.limits import Progress, use_memory
from dagscape.executors.executor import Executor, Job, Keep, TellPieces

BATCH_SECONDS = 0.5
"""What a batch should take in this process: little to lose, and little time spent on keeping it."""


class InProcess(Executor):
    """Does batch after batch here, each on all threads."""

    scattered = False

    def __init__(self, threads: int) -> None:
        self._threads = threads

    def hands(self) -> int:
        """Return the number of threads."""
        return self._threads

    def each(
        self,
        job: Job,
        stretches: Sequence[Sequence[int]],
        keep: Keep,
        tell_pieces: TellPieces,
        deadline: float | None = None,
    ) -> str:
        """Do all pieces."""
        done, size = 0, 4 * self._threads
        for stretch in stretches:
            first = 0
            while first < len(stretch):
                batch = stretch[first : first + size]
                progress = _part(tell_pieces, done, len(batch))
                budget = Budget(
                    deadline, use_memory(job.max_memory), self._threads, progress, job.seed
                )
                if budget.over:
                    return "time"
                finished, stopped = job.work(*job.shared.values(), job.settings, batch, budget)
                keep(finished)
                if stopped:
                    return stopped
                done += len(batch)
                first += len(batch)
                # Never much larger than the last, which may have been lucky.
                speed = len(batch) / max(budget.seconds, 1e-9)
                size = max(4 * self._threads, min(int(BATCH_SECONDS * speed), 4 * size))
        return ""


def _part(tell_pieces: TellPieces, done: int, batch: int) -> Progress:
    """Return what tells how far all pieces are, from the share of a batch that is done."""
    return lambda share, _: tell_pieces(done + (share or 0.0) * batch, "")
