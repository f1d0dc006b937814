"""What is large and travels once: packed, and unpacked where it arrives."""

from __future__ import annotations

import pickle
import threading
import zlib
from typing import Any, ClassVar
from uuid import uuid4
from weakref import WeakKeyDictionary

from distributed import Client, Future

from dagscape.executors.executor import Job

KEPT = 4
"""Tables and the like that are kept for later jobs: by a client's cluster, and by a worker."""


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
