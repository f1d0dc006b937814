"""The linear relaxation that integer programming solves again and again, on HiGHS."""

from __future__ import annotations

from collections.abc import Callable

import highspy
import numpy as np
from numpy.typing import NDArray

from dagscape import _core

Numbers = NDArray[np.uint32]
Values = NDArray[np.float64]

PATIENCE = 0.3
"""Seconds that the solver may take before somebody looks whether to stop."""


class LinearProgram:
    """Some of the families and some of the cuts; both come and go.

    Rows are the children, which have one family each, then the cuts. After :meth:`solve`, `x` are
    the weights of the families in `columns`, `worth` the duals of the children and `duals` those of
    `cuts`.
    """

    def __init__(self, families: _core.Families) -> None:
        self._families = families
        self._children = families.variables
        self._idle: NDArray[np.int32] = np.empty(0, np.int32)
        self._open: NDArray[np.bool_] = np.empty(0, np.bool_)
        self.columns: Numbers = np.empty(0, np.uint32)
        self.cuts: Numbers = np.empty(0, np.uint32)
        self.x: Values = np.empty(0)
        self.worth: Values = np.empty(0)
        self.duals: Values = np.empty(0)
        self.value = 0.0
        self.iterations = 0
        self._highs = highspy.Highs()  # type: ignore[no-untyped-call]
        set_option = self._highs.setOptionValue
        set_option("output_flag", False)
        set_option("presolve", "off")  # what was solved before is the better start
        set_option("solver", "simplex")
        set_option("threads", 1)
        set_option("primal_feasibility_tolerance", 1e-9)
        set_option("dual_feasibility_tolerance", 1e-9)
        one = np.ones(self._children)
        nothing = np.zeros(self._children, np.int32)
        self._highs.addRows(
            self._children, one, one, 0, nothing, np.empty(0, np.int32), np.empty(0)
        )
        # A stand-in costs more than all families of a network can.
        self._dearest = families.greatest_regret + 1
        self.add_columns(
            np.arange(families.columns, families.columns + self._children, dtype=np.uint32)
        )

    def add_columns(self, columns: Numbers) -> None:
        """Let families take part."""
        count = len(columns)
        if not count:
            return
        self._families.enter(columns)
        starts, at, values = self._families.entries(self.cuts, columns)
        cut = np.repeat(np.arange(len(self.cuts)), np.diff(np.append(starts, len(values))))
        # Entries come row by row and are wanted column by column.
        column = np.concatenate([np.arange(count), at])
        row = np.concatenate([self._families.children(columns), self._children + cut])
        order = np.argsort(column, kind="stable")
        self._highs.addCols(
            count,
            np.minimum(self._families.regrets(columns), self._dearest),
            np.zeros(count),
            np.full(count, highspy.kHighsInf),
            len(column),
            np.searchsorted(column[order], np.arange(count)).astype(np.int32),
            row[order].astype(np.int32),
            np.concatenate([np.ones(count), values])[order],
        )
        self.columns = np.concatenate([self.columns, columns])
        self.x = np.concatenate([self.x, np.zeros(count)])
        self._open = np.concatenate([self._open, np.ones(count, np.bool_)])

    def remove_columns(self, columns: Numbers) -> None:
        """Take families out."""
        out = np.flatnonzero(np.isin(self.columns, columns)).astype(np.int32)
        if not len(out):
            return
        self._highs.deleteCols(len(out), out)
        self.columns = np.delete(self.columns, out)
        self.x = np.delete(self.x, out)
        self._open = np.delete(self._open, out)

    def add_cuts(self, cuts: Numbers) -> None:
        """Add these cuts."""
        if not len(cuts):
            return
        starts, at, values = self._families.entries(cuts, self.columns)
        infinite = np.full(len(cuts), highspy.kHighsInf)
        right = self._families.right(cuts)
        self._highs.addRows(len(cuts), right, infinite, len(values), starts, at, values)
        self.cuts = np.concatenate([self.cuts, cuts])
        self.duals = np.concatenate([self.duals, np.zeros(len(cuts))])
        self._idle = np.concatenate([self._idle, np.zeros(len(cuts), np.int32)])

    def remove_idle_cuts(self, rounds: int) -> None:
        """Take out, and forget, cuts that did nothing for so many rounds."""
        out = np.flatnonzero(self._idle >= rounds)
        if len(out) < 10:
            return
        self._highs.deleteRows(len(out), (out + self._children).astype(np.int32))
        self._families.forget(self.cuts[out])
        self.cuts = np.delete(self.cuts, out)
        self.duals = np.delete(self.duals, out)
        self._idle = np.delete(self._idle, out)

    def obey(self, decisions: _core.ArcDecisions) -> None:
        """Rule out families that do not obey, and no others."""
        obey = self._families.obey(self.columns, decisions).astype(np.bool_)
        changed = np.flatnonzero(obey != self._open).astype(np.int32)
        if len(changed):
            upper = np.where(obey[changed], highspy.kHighsInf, 0.0)
            self._highs.changeColsBounds(len(changed), changed, np.zeros(len(changed)), upper)
        self._open = obey

    def solve(self, stop: Callable[[], bool]) -> bool:
        """Solve it; tell whether it was solved before somebody wanted it to stop."""
        highs = self._highs
        status = highspy.HighsModelStatus
        fresh = False
        while True:
            highs.setOptionValue("time_limit", highs.getRunTime() + PATIENCE)
            highs.run()
            self.iterations += max(0, highs.getInfo().simplex_iteration_count)
            found = highs.getModelStatus()
            if found == status.kOptimal:
                break
            if stop():
                return False
            if found == status.kTimeLimit:
                continue
            if fresh:
                return False
            highs.clearSolver()
            fresh = True
        solution = highs.getSolution()
        duals = np.array(solution.row_dual)
        self.x = np.array(solution.col_value)
        self.worth = duals[: self._children].copy()
        self.duals = duals[self._children :].copy()
        self.value = highs.getInfo().objective_function_value
        self._idle = np.where(self.duals > 1e-9, 0, self._idle + 1).astype(np.int32)
        return True
