"""Where numbered pieces of work are done: in this process, or on a Dask cluster."""

from dagscape.executors.batches import Batches
from dagscape.executors.choose import Cluster, use_executor
from dagscape.executors.executor import Executor, Job, Keep, TellPieces, Work
from dagscape.executors.in_process import InProcess
from dagscape.executors.side_by_side import EndedError, side_by_side

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
