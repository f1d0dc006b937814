"""Where numbered pieces of work are done: in this process, or on a Dask cluster."""

from dagscape.executors.batches import Batches
from dagscape.executors.executor import (
    Cluster,
    EndedError,
    Executor,
    InProcess,
    Job,
    Keep,
    TellPieces,
    Work,
    side_by_side,
    use_executor,
)

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
