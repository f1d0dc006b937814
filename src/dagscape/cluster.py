"""Pieces of work on a Dask cluster: data travel once, batches are sized by what they cost.

The scheduler gives batches to workers, and gives those of a dead worker to others. Here they are
cut, their results are taken in as they come, and what Dask does not mend is mended or named.
"""

from __future__ import annotations

import pickle
import signal
import threading
import time
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, ClassVar
from uuid import uuid4
from weakref import WeakKeyDictionary

from dagscape.control.budget import Budget
from dagscape.control.limits import Progress, use_memory
from dagscape.errors import ClusterError, LostClusterError, ParameterError
from dagscape.executor import Batches, Executor, Job, Keep, Told, Work
from dagscape.speech import choice, setting

try:
    import distributed
    from distributed import Client, Future, LocalCluster, as_completed, get_worker
except ImportError:
    raise ClusterError(
        f"{setting('cluster')} needs the package distributed; "
        "install it: pip install dagscape[dask]"
    ) from None

TASK_SECONDS = 3.0
"""What a batch should take: long beside the milliseconds that sending it takes, and not much to
lose with a worker."""

TASKS_PER_SECOND = 200
"""What a scheduler is asked for at most: where many workers would ask more often, batches take
longer. On two cores, with the client and a worker beside it, one did 270 empty tasks."""

POLL_SECONDS = 0.1
"""How often results are taken in."""

LOOK_SECONDS = 1.0
"""How often the workers are counted."""

PATIENCE = 10.0
"""Seconds after which a scheduler that does not answer is lost."""

MOST_REPEATS = 3
"""Times that a batch whose data were lost is sent again."""

GRACE = 2.0
"""Seconds before a time limit at which batches end by themselves, so that what they have counts."""

KEPT = 4
"""Tables and the like that are kept for later jobs: by a client's cluster, and by a worker."""

LOCAL = "local:"

LOOPBACK = "127.0.0.1"
"""Where processes that we start listen: who can reach a Dask process can run code in it."""


@contextmanager
def connected(cluster: Client | str) -> Iterator[DaskExecutor]:
    """Yield what does pieces on a cluster; one that was named by a string is left afterwards."""
    if isinstance(cluster, Client):
        yield DaskExecutor(cluster)
        return
    if not isinstance(cluster, str):
        raise ParameterError(
            f"{setting('cluster')} must be a Dask client, an address such as "
            f'"tcp://host:8786" or "local:4", got {cluster!r}'
        )
    with _local(cluster) if cluster.startswith(LOCAL) else _remote(cluster) as client:
        yield DaskExecutor(client)


@contextmanager
def _local(words: str) -> Iterator[Client]:
    """Start processes on this machine, and end them afterwards."""
    number = words.removeprefix(LOCAL)
    if not number.isascii() or not number.isdigit() or not 1 <= int(number) <= 1024:
        raise ParameterError(
            f'{choice("cluster", words)} must name a number of processes, as in "local:4"'
        )
    with _ctrl_c_left_to_us():
        processes = LocalCluster(
            n_workers=int(number),
            threads_per_worker=1,
            host=LOOPBACK,
            dashboard_address=f"{LOOPBACK}:0",
            silence_logs="CRITICAL",
        )
    with processes, Client(processes, set_as_default=False) as client:
        yield client


@contextmanager
def _ctrl_c_left_to_us() -> Iterator[None]:
    """Let processes that are started here leave Ctrl-C, which a terminal sends to all, to us."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _remote(address: str) -> Iterator[Client]:
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        why = "; ".join(str(error).split("\n")[:1])
        raise ClusterError(f'no scheduler answers at "{address}" ({why})') from None
    with client:
        yield client


class DaskExecutor(Executor):
    """Does batches on the workers of a cluster, one thread each."""

    scattered = True

    def __init__(self, client: Client) -> None:
        if client.asynchronous:
            raise ParameterError("cluster must be a client that waits: Client(asynchronous=False)")
        self._client = client

    def hands(self) -> int:
        """Return the threads of all workers."""
        with _answering(self._client):
            return max(1, sum(map(int, self._client.nthreads().values())))

    def each(
        self,
        job: Job,
        stretches: Sequence[Sequence[int]],
        keep: Keep,
        told: Told,
        deadline: float | None = None,
    ) -> str:
        """Do all pieces; see :class:`Executor`."""
        with _answering(self._client):
            check_versions(self._client)
        tasks = _Tasks(self._client, job, Batches(stretches), deadline)
        try:
            return tasks.run(keep, told)
        finally:  # by Ctrl-C, too
            tasks.cancel()


@contextmanager
def _answering(client: Client) -> Iterator[None]:
    """Say so if nobody answers what the block asks."""
    try:
        yield
    except OSError:
        raise LostClusterError(f"the scheduler at {_address(client)} does not answer") from None


def check_versions(client: Client) -> None:
    """Refuse workers that have another dagscape, or none, by name."""
    found = client.run(_version, on_error="return")
    scheduler = f"the scheduler at {_address(client)}"
    try:
        found[scheduler] = client.run_on_scheduler(_version)
    except Exception as error:  # it cannot so much as read what it is asked
        found[scheduler] = error
    for process, has in found.items():
        if has != version("dagscape"):
            raise _wrong_version(process if process == scheduler else f"the worker {process}", has)


def _address(client: Client) -> str:
    return str(getattr(client.scheduler, "address", "an unknown address"))


def _version() -> str:
    return version("dagscape")


def _wrong_version(process: str, found: object) -> ClusterError:
    has = f"dagscape {found}" if isinstance(found, str) else "no dagscape that can be imported"
    return ClusterError(
        f"{process} has {has}, and this is {version('dagscape')}; results could differ: "
        "install the same version there"
    )


class _Tasks:
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
        self._crew = _Crew(client)
        self._parcels: list[Future[Any]] = []
        self._lost_some = False
        self._to_send: list[Sequence[int]] = []  # that were cut, or came back undone

    def run(self, keep: Keep, told: Told) -> str:
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
            told(done, self._crew.words)
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
        except OSError:
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
            batch,
            left,
            version("dagscape"),
            key=f"{self._group}-{self._sent}",
            pure=False,
        )
        self._sent += 1
        self._under_way[future] = batch
        self._ended.add(future)

    def _taken(self, future: Future[Any], outcome: Any, batch: Sequence[int]) -> Finished | None:
        """Return what came of a batch; nothing if it had to be sent again."""
        if isinstance(outcome, Finished):
            self._batches.cost(len(batch), outcome.seconds)
            return outcome
        if isinstance(outcome, WrongVersion):
            raise _wrong_version(f"the worker {outcome.worker}", outcome.found)
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


class _Crew:
    """The workers, counted every now and then."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._address = _address(client)
        self._next = 0.0
        self._there = False
        self._lost_since: float | None = None
        self.threads = 0
        self.words = ""

    def look(self) -> bool:
        """Count again if it is time; tell whether the scheduler is there."""
        moment = time.monotonic()
        if moment >= self._next:
            self._next = moment + LOOK_SECONDS
            self._there = self._count()
        if self._there:
            self._lost_since = None
            return True
        self._lost_since = self._lost_since or moment
        if self._client.status == "closed" or moment - self._lost_since > PATIENCE:
            raise LostClusterError(f"the scheduler at {self._address} is gone")
        return False

    def doubt(self) -> None:
        """Look again before anything else is sent."""
        self._next, self._there = 0.0, False

    def _count(self) -> bool:
        if self._client.status != "running":
            return False
        try:
            found = self._client.nthreads()
        except OSError:
            return False
        workers, self.threads = len(found), sum(found.values())
        many = "no workers yet" if not workers else f"{workers:,} worker{'s' * (workers != 1)}"
        more = f" with {self.threads:,} threads" if self.threads > workers else ""
        self.words = f"{many}{more}"
        return True


# What travels, and what is done with it where it arrives.


class Parcel:
    """Something large that travels compressed, and is unpacked once wherever it arrives.

    Dask drops copies that no task waits for at the moment, and sends them again later. So what was
    unpacked is kept here, with all that was counted on it.
    """

    unpacked: ClassVar[dict[str, Any]] = {}
    """By fingerprint, what this process had last."""
    _lock: ClassVar[threading.Lock] = threading.Lock()  # the threads of a worker share it

    def __init__(self, fingerprint: str, content: Any) -> None:
        self._fingerprint = fingerprint
        self._packed = zlib.compress(pickle.dumps(content, protocol=5), 1)

    def content(self) -> Any:
        """Return what is in it."""
        with Parcel._lock:
            there = Parcel.unpacked
            if self._fingerprint not in there:
                there[self._fingerprint] = pickle.loads(zlib.decompress(self._packed))  # noqa: S301
            content = there[self._fingerprint] = there.pop(self._fingerprint)  # the last one used
            while len(there) > KEPT:
                del there[next(iter(there))]
            return content


_sent: WeakKeyDictionary[Client, dict[str, Future[Any]]] = WeakKeyDictionary()


def send(client: Client, job: Job, anew: bool = False) -> list[Future[Any]]:
    """Send what a job shares to all workers, unless they have it."""
    there = _sent.setdefault(client, {})
    parcels = []
    for fingerprint, content in job.shared.items():
        known = there.pop(fingerprint, None)
        if anew or known is None or known.status != "finished":
            key = f"dagscape-{fingerprint[:16]}-{uuid4().hex[:8]}"
            # To all: who holds the only copy would take it along.
            known = client.scatter({key: Parcel(fingerprint, content)}, broadcast=True, hash=False)[
                key
            ]
        there[fingerprint] = known
        parcels.append(known)
    while len(there) > max(KEPT, len(parcels)):
        del there[next(iter(there))]
    return parcels


@dataclass(frozen=True)
class Finished:
    """What came of a batch, and how long it took."""

    results: list[Any]
    stopped: str
    seconds: float


@dataclass(frozen=True)
class WrongVersion:
    """A worker that came late has another version."""

    worker: str
    found: str


def do_batch(
    parcels: Sequence[Parcel],
    work: Work,
    settings: Any,
    batch: Sequence[int],
    seconds: float | None,
    wanted: str,
) -> Finished | WrongVersion:
    """Do a batch on a worker, on one thread."""
    worker = get_worker()
    if version("dagscape") != wanted:
        return WrongVersion(worker.address, version("dagscape"))
    shared = [parcel.content() for parcel in parcels]
    deadline = None if seconds is None else time.monotonic() + seconds
    memory = use_memory(None) // worker.state.nthreads  # other batches are done beside it
    budget = Budget(deadline, memory, 1, _unless_cancelled(worker))
    results, stopped = work(*shared, settings, batch, budget)
    return Finished(results, stopped, budget.seconds)


def _unless_cancelled(worker: Any) -> Progress:
    """Return what ends a batch, as Ctrl-C does here, once nobody waits for it any more."""
    key = worker.get_current_task()

    def look(_share: float | None, _text: str) -> None:
        task = worker.state.tasks.get(key)
        if task is None or task.state != "executing":
            raise KeyboardInterrupt

    return look
