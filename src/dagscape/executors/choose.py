"""Which executor does the work: what the user gave, or the threads of this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from dagscape.executors.executor import Executor
from dagscape.executors.in_process import InProcess

if TYPE_CHECKING:
    from distributed import Client

    from dagscape.control.budget import Budget

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
