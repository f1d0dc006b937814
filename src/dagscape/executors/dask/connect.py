"""The executor on a cluster: a client that the user has, an address, or processes started here."""

from __future__ import annotations

import os
import re
import signal
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TypeVar

import dask
from distributed import Client, LocalCluster
from distributed.security import Security

from dagscape.errors import ClusterError, ParameterError
from dagscape.executors.batches import Batches
from dagscape.executors.dask.crew import PATIENCE, answering, check_versions
from dagscape.executors.dask.tasks import Tasks
from dagscape.executors.executor import Executor, Job, Keep, TellPieces
from dagscape.speech import choice, setting


class DaskExecutor(Executor):
    """Does batches on the workers of a cluster, one thread each."""

    scattered = True

    def __init__(self, client: Client) -> None:
        if client.asynchronous:
            raise ParameterError("cluster must be a client that waits: Client(asynchronous=False)")
        self._client = client

    def hands(self) -> int:
        """Return the threads of all workers."""
        with answering(self._client):
            return max(1, sum(map(int, self._client.nthreads().values())))

    def each(
        self,
        job: Job,
        stretches: Sequence[Sequence[int]],
        keep: Keep,
        tell_pieces: TellPieces,
        deadline: float | None = None,
    ) -> str:
        """Do all pieces; see :class:`Executor`."""
        with answering(self._client):
            check_versions(self._client)
        tasks = Tasks(self._client, job, Batches(stretches), deadline)
        try:
            return tasks.run(keep, tell_pieces)
        finally:  # by Ctrl-C, too
            tasks.cancel()


LOCAL = "local:"

_ADDRESS = re.compile(r"local:.*|[\w.+-]+://\S+|\S+:\d+")
"""What may name a cluster."""

LOOPBACK = "127.0.0.1"
"""Where processes that we start listen: who can reach a Dask process, and has the key that its
connections ask for, can run code in it."""

_NO_PAGES: dict[str, object] = {
    f"distributed.{who}.http.routes": [] for who in ("scheduler", "worker", "nanny")
}
"""The processes answer web browsers too, without a key: they have nothing to say there."""


@contextmanager
def connected(cluster: Client | str) -> Iterator[DaskExecutor]:
    """Yield what does pieces on a cluster; one that was named by a string is left afterwards."""
    if isinstance(cluster, Client):
        yield DaskExecutor(cluster)
        return
    if not isinstance(cluster, str) or not _ADDRESS.fullmatch(cluster):
        raise ParameterError(
            f"{setting('cluster')} must be a Dask client, an address such as "
            f'"tcp://host:8786" or "local:4", got {cluster!r}'
        )
    with _local(cluster) if cluster.startswith(LOCAL) else _remote(cluster) as client:
        yield DaskExecutor(client)


@contextmanager
def _local(address: str) -> Iterator[Client]:
    """Start processes on this machine, and end them afterwards."""
    number = address.removeprefix(LOCAL)
    if not number.isascii() or not number.isdigit() or not 1 <= int(number) <= 1024:
        raise ParameterError(
            f'{choice("cluster", address)} must name a number of processes, as in "local:4"'
        )
    key = _key_for_the_run(address)
    # The processes import from their folders first; in one that all may write to, others could put
    # files.
    with (
        tempfile.TemporaryDirectory(prefix="dagscape-", ignore_cleanup_errors=True) as folder,
        _nothing_from_current_folder(),
    ):
        settings = {**_NO_PAGES, "temporary-directory": folder}
        with _ctrl_c_left_to_us(), dask.config.set(settings):
            processes = LocalCluster(
                n_workers=int(number),
                threads_per_worker=1,
                host=LOOPBACK,
                dashboard_address=f"{LOOPBACK}:0",
                security=key,
                silence_logs="CRITICAL",
            )
        with _left(processes), _left(Client(processes, set_as_default=False)) as client:
            yield client


def _key_for_the_run(address: str) -> Security:
    """Return a new key, which nobody has but this process and those that it starts."""
    try:
        made: Security = Security.temporary()
    except ImportError:
        raise ParameterError(
            f"{choice('cluster', address)} needs the package cryptography, which is not installed, "
            'so that nobody else can reach these processes: pip install "dagscape[dask]"'
        ) from None
    return made


@contextmanager
def _nothing_from_current_folder() -> Iterator[None]:
    """Let processes that are started here import nothing from the current folder.

    Python starts them with ``-c``, and would look there first.
    """
    name = "PYTHONSAFEPATH"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = before


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
    with _left(client):
        yield client


Left = TypeVar("Left", Client, LocalCluster)


@contextmanager
def _left(there: Left) -> Iterator[Left]:
    """Close a client or processes in the end.

    What they were for is in hand by then: neither a Ctrl-C nor what a busy machine closes too late
    may cost it.
    """
    try:
        yield there
    finally:
        with suppress(Exception, KeyboardInterrupt):
            there.close()
