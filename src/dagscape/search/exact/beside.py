"""Integer programming beside another search of the same component."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from dagscape.control.budget import Budget
from dagscape.search.exact import ilp
from dagscape.search.exact.known_cuts import KnownCuts
from dagscape.search.exact.part import Part


class Beside:
    """Integer programming in a thread of its own, so that this one can look out for Ctrl-C."""

    def __init__(
        self, problem: Part, budget: Budget, threads: int, seed: int, known: KnownCuts | None = None
    ) -> None:
        self._problem = problem
        self._budget = budget
        self._threads = threads
        self._seed = seed
        self._known = None if known is None else known.within(problem.component.variables)
        self._leave = threading.Event()
        self._facts: dict[str, Any] = {}
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="dagscape-ilp")

    def __enter__(self) -> Beside:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._leave.set()
        self._thread.join()
        if self._error is not None:
            raise self._error
        stopped = self._problem.stopped
        self._problem.note("ilp", self._facts)
        self._problem.stopped = stopped

    def wait(self, tell: Callable[[float], None]) -> str:
        """Wait until it is done; return what ended it early, or nothing."""
        try:
            while self._thread.is_alive():
                self._thread.join(0.05)
                tell(0.0)
        except KeyboardInterrupt:
            return "interrupt"
        return "time" if self._budget.over and not self._problem.gap.closed else ""

    def _run(self) -> None:
        problem = self._problem
        try:
            self._facts = ilp.solve(
                problem.component,
                problem.gap,
                deadline=self._budget.deadline,
                threads=self._threads,
                memory=self._budget.memory,
                stop=lambda: self._leave.is_set() or problem.gap.closed,
                seed=self._seed,
                known=self._known,
            )
        except BaseException as error:
            self._error = error
