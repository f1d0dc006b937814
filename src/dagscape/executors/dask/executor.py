"""The executor on a cluster."""

from __future__ import annotations

from collections.abc import Sequence

from distributed import Client

from dagscape.errors import ParameterError
from dagscape.executors.batches import Batches
from dagscape.executors.dask.crew import answering
from dagscape.executors.dask.tasks import Tasks
from dagscape.executors.dask.versions import check_versions
from dagscape.executors.executor import Executor, Job, Keep, TellPieces


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
