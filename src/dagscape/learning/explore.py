"""The last step of learning: local optima around the network, in the time that is left."""

from __future__ import annotations

import os
from typing import NamedTuple

from dagscape import _core
from dagscape.claims.journal import Reason
from dagscape.control.limits import FINAL
from dagscape.executors import Executor, InProcess
from dagscape.landscape import Landscape, local_optima
from dagscape.learning.findings import Candidate, Part
from dagscape.learning.plan import LEAST, OPTIMA, RUNS, no_run
from dagscape.same_score import higher


class Runs(NamedTuple):
    """How many runs there are to be, how they go, and where they are kept."""

    number: int | None
    k: float
    store: str | os.PathLike[str] | None
    unlimited: bool
    """Whether the number counts, however long it takes."""


class Exploration(Part):
    """Looks for local optima; the best of them may be the best network known."""

    def run(self, runs: Runs) -> Landscape | None:
        """Return the landscape; None where there is none, and the journal says why."""
        reason = self._hindrance(runs)
        if reason is not None:
            self._journal.leave_out(OPTIMA, reason)
            return None
        landscape: Landscape | None = None
        with self._findings.nothing_lost(OPTIMA):
            limits = self._limits(OPTIMA)
            if runs.unlimited:
                limits["time_limit"] = None
            landscape = local_optima(
                self._problem,
                k=runs.k,
                runs=RUNS if runs.number is None else runs.number,
                cluster=self._explorers(),
                store=runs.store,
                **limits,
            )
        if landscape is None:
            return None
        if landscape.stopped in FINAL:
            self._budget.end(landscape.stopped)
        if not landscape.runs:
            self._journal.leave_out(OPTIMA, self._interruption() or Reason("no run done"))
            return None
        self._take(landscape, runs.k)
        return landscape

    def _interruption(self) -> Reason | None:
        return self._findings.end() if self._budget.interrupted else None

    def _take(self, landscape: Landscape, k: float) -> None:
        best, findings = landscape.best, self._findings
        self._journal.note(
            OPTIMA,
            Reason("runs ended", runs=landscape.runs, optima=len(landscape.optima)),
            landscape.seconds,
            score=best.score,
        )
        if findings.best is not None and higher(best.score, findings.best.score):
            findings.best = Candidate(best.dag, best.score, f"kes, k={k:g}")
            if findings.scope.candidates_only and findings.proven:
                # The bound is about networks of certain sets, and this is none of them.
                findings.bound = None

    def _hindrance(self, runs: Runs) -> Reason | None:
        """Return why there will be no landscape, if so."""
        if runs.number == 0:
            return Reason("no runs asked for")
        if self._budget.interrupted:
            return self._findings.end()
        if self._problem.targets:
            return Reason("experiments")
        if self._problem.knowledge is not None:
            return Reason("knowledge" if self._problem.users_knowledge else "order in time")
        if not self._problem.score.equivalent:
            return Reason("not equivalent", score=str(self._problem.score))
        if self._budget.over and not runs.unlimited and runs.store is None:
            return Reason("no time left")
        if self._executor.scattered:  # on machines that are not known here
            return None
        left = None if runs.unlimited else self._budget.left(least=LEAST)
        return no_run(self._data.n_variables, left, self._budget.memory)

    def _explorers(self) -> Executor:
        """Return what does runs: of threads, no more than have room."""
        if self._executor.scattered:
            return self._executor
        room = self._budget.memory // _core.class_search_bytes(self._data.n_variables)
        return InProcess(max(1, min(self._budget.threads, room)))
