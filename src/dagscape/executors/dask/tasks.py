"""The batches of a job: sent, taken in as they end, and sent again where they were lost."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from importlib.metadata import version
from typing import Any
from uuid import uuid4

import distributed
from distributed import Client, Future, as_completed

from dagscape.errors import LostClusterError
from dagscape.executors.batches import Batches
from dagscape.executors.dask.crew import Crew, wrong_version
from dagscape.executors.dask.parcels import send
from dagscape.executors.dask.worker import BatchOutcome, WrongVersion, do_batch
from dagscape.executors.executor import Job, Keep, TellPieces

TASK_SECONDS = 3.0
"""What a batch should take: long beside the milliseconds that sending it takes, and not much to
lose with a worker."""

TASKS_PER_SECOND = 200
"""What a scheduler is asked for at most: where many workers would ask more often, batches take
longer. On two cores, with the client and a worker beside it, one did 270 empty tasks."""

POLL_SECONDS = 0.1
"""How often results are taken in."""

MOST_REPEATS = 3
"""Times that a batch whose data were lost is sent again."""

GRACE = 2.0
"""Seconds before a time limit at which batches end by themselves, so that what they have counts."""


class Tasks:
    """The batches of one job that are under way."""

    def __init__(self, client: Client, job: Job, batches: Batches, deadline: float | None) -> None:
        self._client = client
        self._job = job
        self._batches = batches
        self._deadline = deadline
        self._group = f"{job.work.__name__}-{uuid4().hex[:12]}"
        self._sent = 0
        self._under_way: dict[Future[Any], Sequence[int]] = {}
        self._repeats: dict[int, int] = {}  # by the first piece of a batch
        self._ended = as_completed(loop=client.loop, with_results=True, raise_errors=False)
        self._crew = Crew(client)
        self._parcels: list[Future[Any]] = []
        self._lost_some = False
        self._to_send: list[Sequence[int]] = []  # that were cut, or came back undone

    def run(self, keep: Keep, tell_pieces: TellPieces) -> str:
        """Send batches and take in what comes of them, until all is done or something stops it."""
        done, ended = 0, ""
        while self._under_way or (not ended and (self._batches.left or self._to_send)):
            if self._deadline is not None and time.monotonic() >= self._deadline:
                return "time"
            if self._crew.look() and not ended:
                self._fill()
            results: list[Any] = []
            try:
                for future, outcome in self._ended.next_batch(block=False):
                    batch = self._under_way.pop(future, None)
                    finished = None if batch is None else self._taken(future, outcome, batch)
                    if batch is None or finished is None:
                        continue
                    results += finished.results
                    done += len(batch)
                    ended = ended or finished.stopped  # others may still bring what they have
            finally:  # whatever became of another batch
                if results:
                    keep(results)
            tell_pieces(done, self._crew.words)
            if not results:
                time.sleep(POLL_SECONDS)
        return ended

    def _fill(self) -> None:
        """Send as many batches as keep all threads busy until the next look."""
        for future in [f for f in self._under_way if f.status in ("cancelled", "lost")]:
            self._give_back(self._under_way.pop(future))  # nobody else will tell of these
        threads = self._crew.threads
        seconds = max(TASK_SECONDS, threads / TASKS_PER_SECOND)
        # Before a time limit few should wait, since none is told how long it did.
        most = 2 * threads + 2 if self._deadline is None else threads + 1
        room = max(most, 8 * (threads == 0))
        try:
            if not self._parcels:
                self._parcels = send(self._client, self._job, anew=self._lost_some)
            while self._to_send or (self._batches.left and len(self._under_way) < room):
                if not self._to_send:
                    self._to_send.append(self._batches.next(seconds, threads))
                self._submit(self._to_send[-1])
                self._to_send.pop()
        except Exception as error:
            # A client that has given up looking for its scheduler has nothing to send with.
            if self._client.status == "running" and not isinstance(error, OSError):
                raise
            self._crew.doubt()  # whether the scheduler is there: the next look tells

    def _submit(self, batch: Sequence[int]) -> None:
        job = self._job
        left = None if self._deadline is None else self._deadline - time.monotonic()
        if left is not None:
            left -= min(GRACE, left / 8)
        future = self._client.submit(
            do_batch,
            self._parcels,
            job.work,
            job.settings,
            job.seed,
            job.max_memory,
            batch,
            left,
            version("dagscape"),
            key=f"{self._group}-{self._sent}",
            pure=False,
        )
        self._sent += 1
        self._under_way[future] = batch
        self._ended.add(future)

    def _taken(
        self, future: Future[Any], outcome: Any, batch: Sequence[int]
    ) -> BatchOutcome | None:
        """Return what came of a batch; nothing if it had to be sent again."""
        if isinstance(outcome, BatchOutcome):
            self._batches.cost(len(batch), outcome.seconds)
            return outcome
        if isinstance(outcome, WrongVersion):
            raise wrong_version(f"the worker {outcome.worker}", outcome.found)
        if future.status == "error":
            _kind, error, _trace = outcome
            if isinstance(error, distributed.scheduler.KilledWorker):
                raise LostClusterError(
                    f"workers died again and again over {_words(batch)}; see their logs, most "
                    "often the memory of a worker was too small"
                )
            if not isinstance(error, CancelledError):
                raise error
        self._give_back(batch)
        return None

    def _give_back(self, batch: Sequence[int]) -> None:
        """Have a batch done again: its data went with their workers, or it was forgotten."""
        self._repeats[batch[0]] = self._repeats.get(batch[0], 0) + 1
        if self._repeats[batch[0]] > MOST_REPEATS:
            raise LostClusterError(f"the cluster lost {_words(batch)} again and again")
        self._to_send.append(batch)
        self._parcels, self._lost_some = [], True

    def cancel(self) -> None:
        """Take back what is queued; batches that run end within a second or so."""
        left = list(self._under_way)
        self._under_way.clear()
        if left and self._client.status == "running":
            with suppress(Exception):  # a scheduler that goes away now takes them along
                self._client.cancel(left, force=True)


def _words(batch: Sequence[int]) -> str:
    return f"piece {batch[0]}" if len(batch) == 1 else f"pieces {batch[0]} to {batch[-1]}"
