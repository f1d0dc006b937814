"""Numbered pieces of work, done by threads of this process or by a cluster.

Searches do not know which of them it is.
"""

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
from dagscape.control.held_ctrl_c import comes_of_ctrl_c, held_ctrl_c
from dagscape.control.limits import Progress, use_memory
from dagscape.errors import ClusterWarning, LostClusterError

if TYPE_CHECKING:
    from distributed import Client

Work = Callable[..., tuple[list[Any], str]]
"""Does a batch of pieces, given what all pieces share, settings, the numbers of the pieces and its
:class:`Budget`. Returns what came of those that it finished, and what stopped it, or nothing. It
must be a function of a module, and what comes of a piece must not depend on who does it, or beside
which others."""

TellPieces = Callable[[float, str], object]
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
    seed: int = 0
    """Of all that is drawn."""
    max_memory: float | None = None
    """Bytes that each batch may use, if the user said so."""

    @classmethod
    def of(cls, budget: Budget, work: Work, shared: Mapping[str, Any], settings: Any) -> Job:
        """Return pieces with the seed and memory of a budget."""
        return cls(work, shared, settings, budget.seed, budget.settings.get("max_memory"))


class Executor(ABC):
    """Does the pieces of jobs."""

    scattered: bool
    """Whether batches are done in places that do not see what others found on the way."""

    @abstractmethod
    def hands(self) -> int:
        """Return how many threads can do batches."""

    @abstractmethod
    def each(
        self,
        job: Job,
        stretches: Sequence[Sequence[int]],
        keep: Keep,
        tell_pieces: TellPieces,
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
        tell_pieces: TellPieces,
        deadline: float | None = None,
    ) -> str:
        """Do all pieces as :meth:`each` does; Ctrl-C, or a lost cluster, ends it as limits do."""
        try:
            return self.each(job, stretches, keep, tell_pieces, deadline)
        except KeyboardInterrupt:  # a batch that is not kept whole is not kept
            return "interrupt"
        except LostClusterError as error:
            warnings.warn(f"{error}; what came back before is kept", ClusterWarning, stacklevel=2)
            return "cluster"
        except Exception as error:
            if not comes_of_ctrl_c(error):
                raise
            return "interrupt"


# Work done in this process, batch after batch.

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


# Which of them does the work: what the user gave, or the threads of this process.

Cluster: TypeAlias = "Client | str | Executor | None"
"""What searches take: a Dask client, the address of a scheduler, "local:4", or nothing; and what a
search that they are part of was given."""


@contextmanager
def use_executor(budget: Budget) -> Iterator[Executor]:
    """Yield what does pieces: a cluster if there is one, else threads of this process."""
    cluster = budget.cluster
    if cluster is None or isinstance(cluster, Executor):
        yield cluster or InProcess(budget.threads)
        return
    from dagscape.executors.dask.connect import connected  # needs a package that few have

    with connected(cluster) as executor:
        yield executor


T = TypeVar("T")


class EndedError(Exception):
    """A piece is to be given up."""


def side_by_side(
    do: Callable[[int, Callable[[float], None]], T],
    batch: Sequence[int],
    budget: Budget,
    text: str,
) -> tuple[list[T], str]:
    """Do pieces on several threads at once, each by itself; return those done, and what ended it.

    Parameters
    ----------
    do
        Does a piece by its number. It must call what it is given now and then, with the share that
        is done: :class:`EndedError` there ends it.
    text
        Says what is being done.
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
    with held_ctrl_c() as mind, ThreadPoolExecutor(budget.threads) as pool:
        pieces = [pool.submit(piece_of, *each) for each in enumerate(batch)]
        try:
            stopped = _wait(pieces, shares, budget, text, mind)
        except KeyboardInterrupt:
            stopped = "interrupt"
        finally:
            over.set()
            pool.shutdown(cancel_futures=True)
        try:
            mind()
        except KeyboardInterrupt:  # while the last pieces ended
            stopped = "interrupt"
    ended = [piece for piece in pieces if not piece.cancelled()]
    errors = [piece.exception() for piece in ended]
    for error in errors:
        if error is not None and not isinstance(error, EndedError):
            raise error
    return [piece.result() for piece in ended if piece.exception() is None], stopped


def _wait(
    pieces: list[Future[T]],
    shares: list[float],
    budget: Budget,
    text: str,
    mind: Callable[[], None],
) -> str:
    """Wait for all pieces, and mind Ctrl-C; return "time" if that takes too long."""
    tell_share = budget.telling(text)
    pending = set(pieces)
    while pending:
        _, pending = wait(pending, timeout=0.1, return_when=FIRST_COMPLETED)
        mind()
        if tell_share is not None:
            tell_share(sum(shares) / len(shares))
        if budget.over:
            return "time"
    return ""
