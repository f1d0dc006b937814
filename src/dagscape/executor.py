"""Where numbered pieces of work are done: in this process, or elsewhere. Searches do not know."""

from __future__ import annotations

import threading
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from dagscape.control.budget import Budget
from dagscape.control.limits import Progress, use_memory, use_threads
from dagscape.errors import ClusterWarning, LostClusterError

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")

BATCH_SECONDS = 0.5
"""What a batch should take in this process: little to lose, and little time spent on keeping it."""


Work = Callable[..., tuple[list[Any], str]]
"""Does a batch of pieces, given what all pieces share, settings, the numbers of the pieces and its
:class:`Budget`. Returns what came of those that it finished, and what stopped it, or nothing. It
must be a function of a module, and what comes of a piece must not depend on who does it, or beside
which others."""

Told = Callable[[float, str], object]
"""Takes the number of pieces done, and where, in words, a few times a second."""

Keep = Callable[[list[Any]], None]
"""Takes what came of a batch; batches come in no particular order."""


@dataclass(frozen=True)
class Job:
    """Pieces of work of one kind."""

    work: Work
    shared: Mapping[str, Any]
    """What is large, by fingerprint: it travels once to wherever pieces are done."""
    settings: Any
    """What is small: it travels with every batch."""


class Executor(ABC):
    """Does the pieces of jobs."""

    scattered: bool
    """Whether batches are done in places that do not see what others found on the way."""

    @abstractmethod
    def hands(self) -> int:
        """Return how many threads there are to do batches."""

    @abstractmethod
    def each(
        self,
        job: Job,
        stretches: Sequence[Sequence[int]],
        keep: Keep,
        told: Told,
        deadline: float | None = None,
    ) -> str:
        """Do all pieces, in batches within stretches; return what stopped it, or nothing.

        Parameters
        ----------
        deadline
            By :func:`time.monotonic`.
        """

    def do(
        self,
        job: Job,
        stretches: Sequence[Sequence[int]],
        keep: Keep,
        told: Told,
        deadline: float | None = None,
    ) -> str:
        """Do all pieces as :meth:`each` does; Ctrl-C, or a lost cluster, ends it as limits do."""
        try:
            return self.each(job, stretches, keep, told, deadline)
        except KeyboardInterrupt:  # a batch that is not kept whole is not kept
            return "interrupt"
        except LostClusterError as error:
            warnings.warn(f"{error}; what came back before is kept", ClusterWarning, stacklevel=2)
            return "cluster"


class Batches:
    """Cuts pieces into batches for many hands, by what those done so far have cost."""

    GROWTH = 8
    """The most by which a batch is larger than any before, which may have been lucky."""

    def __init__(self, stretches: Sequence[Sequence[int]]) -> None:
        self._stretches = [stretch for stretch in stretches if len(stretch)]
        self._stretches.reverse()
        self._first = 0
        self._largest = 0
        self._each: float | None = None
        self.left = sum(map(len, stretches))

    def next(self, seconds: float, hands: int) -> Sequence[int]:
        """Return pieces that follow each other and take about so long; few when few are left."""
        size = 1
        if self._each is not None:
            fair = -(-self.left // (2 * max(1, hands)))  # so that all end at about the same time
            most = min(self.GROWTH * self._largest, fair)
            size = max(1, min(most, int(seconds / max(self._each, 1e-9))))
        stretch = self._stretches[-1]
        batch = stretch[self._first : self._first + size]
        self._first += len(batch)
        self.left -= len(batch)
        if self._first == len(stretch):
            self._stretches.pop()
            self._first = 0
        return batch

    def cost(self, pieces: int, seconds: float) -> None:
        """Learn from a batch: later ones count more, since pieces may grow dearer."""
        each = seconds / pieces
        self._each = each if self._each is None else 0.7 * self._each + 0.3 * each
        self._largest = max(self._largest, pieces)


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
        told: Told,
        deadline: float | None = None,
    ) -> str:
        """Do all pieces."""
        done, size = 0, 4 * self._threads
        for stretch in stretches:
            first = 0
            while first < len(stretch):
                batch = stretch[first : first + size]
                progress = _part(told, done, len(batch))
                budget = Budget(deadline, use_memory(None), self._threads, progress)
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
                size = max(self._threads, min(int(BATCH_SECONDS * speed), 4 * size))
        return ""


def _part(told: Told, done: int, batch: int) -> Progress:
    """Return what tells how far all pieces are, from the share of a batch that is done."""
    return lambda share, _: told(done + (share or 0.0) * batch, "")


class EndedError(Exception):
    """A piece is to be given up."""


def side_by_side(
    do: Callable[[int, Callable[[float], None]], T],
    batch: Sequence[int],
    budget: Budget,
    words: str,
) -> tuple[list[T], str]:
    """Do pieces on several threads at once, each by itself; return those done, and what ended it.

    Parameters
    ----------
    do
        Does a piece by its number. It must call what it is given now and then, with the share that
        is done: :class:`EndedError` there ends it.
    words
        What the budget is told that is done.
    """
    over = threading.Event()
    shares = [0.0] * len(batch)

    def piece_of(place: int, number: int) -> T:
        def look(share: float) -> None:
            if over.is_set():
                raise EndedError
            shares[place] = max(shares[place], min(1.0, share))

        done = do(number, look)
        shares[place] = 1.0
        return done

    stopped = ""
    with ThreadPoolExecutor(budget.threads) as pool:
        pieces = [pool.submit(piece_of, *each) for each in enumerate(batch)]
        try:
            stopped = _wait(pieces, shares, budget, words)
        except KeyboardInterrupt:
            stopped = "interrupt"
        finally:
            over.set()
            pool.shutdown(cancel_futures=True)
    ended = [piece for piece in pieces if not piece.cancelled()]
    errors = [piece.exception() for piece in ended]
    for error in errors:
        if error is not None and not isinstance(error, EndedError):
            raise error
    return [piece.result() for piece in ended if piece.exception() is None], stopped


def _wait(pieces: list[Future[T]], shares: list[float], budget: Budget, words: str) -> str:
    """Wait for all pieces; return "time" if that takes too long."""
    told = budget.telling(words)
    pending = set(pieces)
    while pending:
        _, pending = wait(pending, timeout=0.1, return_when=FIRST_COMPLETED)
        if told is not None:
            told(sum(shares) / len(shares))
        if budget.over:
            return "time"
    return ""


Cluster: TypeAlias = "Client | str | Executor | None"
"""What searches take: a Dask client, the address of a scheduler, "local:4", or nothing; and what a
search that they are part of was given."""


@contextmanager
def use_executor(cluster: Cluster, threads: int | None) -> Iterator[Executor]:
    """Yield what does pieces: a cluster if there is one, else threads of this process."""
    workers = use_threads(threads)
    if cluster is None or isinstance(cluster, Executor):
        yield cluster or InProcess(workers)
        return
    from dagscape.cluster import connected  # needs a package that few have

    with connected(cluster) as executor:
        yield executor
