"""A Dask cluster of real processes on this machine, to be killed at will."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path

from distributed import Client

from limits import WAIT, wait_for


class Processes:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "scheduler.json"
        self._log = (folder / "log.txt").open("wb")
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        self._clients: list[Client] = []
        self._numbers = itertools.count()
        self.scheduler = self._start("scheduler", "--port", "0", "--no-show")

        def starting() -> bool:
            assert self.scheduler.poll() is None, (folder / "log.txt").read_text()
            return True

        wait_for(self._file.exists, starting)

    def _start(self, what: str, *more: str, **environment: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", what, "--host", "127.0.0.1", "--no-dashboard"]
        return subprocess.Popen(
            [*command, "--scheduler-file", str(self._file), *more],
            env={**os.environ, **environment},
            cwd=self._folder,
            stdout=self._log,
            stderr=self._log,
        )

    def add_worker(self, name: str, **environment: str) -> None:
        """Start a worker with one thread, and no nanny to start it again."""
        more = ("--nthreads", "1", "--no-nanny", "--name", name, "--memory-limit", "0")
        self.workers[name] = self._start("worker", *more, **environment)

    def add_workers(self, *names: str) -> None:
        """Start workers, and wait until they are there."""
        for name in names:
            self.add_worker(name)
        self.client().wait_for_workers(len(self.workers), timeout=WAIT)

    def leave(self, many: int) -> None:
        """Leave so many workers of those that are there, or add what is missing."""
        for name in list(self.workers)[many:]:
            self.kill(name)
        self.add_workers(*(f"more-{next(self._numbers)}" for _ in range(many - len(self.workers))))

    def client(self, patience: float = WAIT) -> Client:
        """Return a client, closed with the cluster; so long it looks for a scheduler it lost."""
        made = Client(scheduler_file=str(self._file), timeout=WAIT, set_as_default=False)
        made._timeout = patience
        self._clients.append(made)
        return made

    @property
    def address(self) -> str:
        """The scheduler's."""
        return str(self.client().scheduler.address)

    def kill(self, name: str) -> None:
        """Kill a worker at once, in the middle of whatever it does."""
        self.workers[name].send_signal(signal.SIGKILL)
        self.workers.pop(name).wait(WAIT)

    def kill_scheduler(self) -> None:
        """Kill the scheduler; workers leave by themselves."""
        self.scheduler.send_signal(signal.SIGKILL)
        self.scheduler.wait(WAIT)

    def close(self) -> None:
        """End all of it."""
        for client in self._clients:
            client.close(timeout=WAIT)
        for process in (*self.workers.values(), self.scheduler):
            process.kill()
            process.wait(WAIT)
        self._log.close()
