"""Where numbered pieces of work are done: in this process, or on a Dask cluster."""

from dagscape.executors.batches import Batches
from dagscape.executors.executor import (
    Cluster,
    Executor,
    InProcess,
    Job,
    Keep,
    TellPieces,
    Work,
    use_executor,
)
from dagscape.executors.thread_pieces import EndedError, side_by_side

__all__ = [
    "Batches",
    "Cluster",
    "EndedError",
    "Executor",
    "InProcess",
    "Job",
    "Keep",
    "TellPieces",
    "Work",
    "side_by_side",
    "use_executor",
]
