"""Who is there: the scheduler, which may go away, and its workers, all of one version."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version

from distributed import Client

from dagscape.errors import ClusterError, LostClusterError

LOOK_SECONDS = 1.0
"""How often the workers are counted."""

PATIENCE = 10.0
"""Seconds after which a scheduler that does not answer is lost."""


@contextmanager
def answering(client: Client) -> Iterator[None]:
    """Raise an error that says so, if nobody answers what the block asks."""
    try:
        yield
    except OSError:
        raise LostClusterError(f"the scheduler at {address_of(client)} does not answer") from None


def address_of(client: Client) -> str:
    """Return where the scheduler is."""
    return str(getattr(client.scheduler, "address", "an unknown address"))


class Crew:
    """The workers, counted every now and then."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._address = address_of(client)
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


def check_versions(client: Client) -> None:
    """Refuse workers that have another dagscape, or none, by name."""
    found = client.run(_version, on_error="return")
    scheduler = f"the scheduler at {address_of(client)}"
    try:
        found[scheduler] = client.run_on_scheduler(_version)
    except Exception as error:  # it cannot so much as read what it is asked
        found[scheduler] = error
    for process, has in found.items():
        if has != version("dagscape"):
            raise wrong_version(process if process == scheduler else f"the worker {process}", has)


def _version() -> str:
    return version("dagscape")


def wrong_version(process: str, found: object) -> ClusterError:
    """Return the error for a process that has another version, or none."""
    has = f"dagscape {found}" if isinstance(found, str) else "no dagscape that can be imported"
    return ClusterError(
        f"{process} has {has}, and this is {version('dagscape')}; results could differ: "
        "install the same version there"
    )
