"""Every process of a cluster must have this version: others could find something else."""

from __future__ import annotations

from importlib.metadata import version

from distributed import Client

from dagscape.errors import ClusterError
from dagscape.executors.dask.crew import address_of


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
