"""One component of a problem, what is known of it so far, and how its solvers are to run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dagscape import _core
from dagscape.control.budget import MOMENT, Budget
from dagscape.search.exact.known_cuts import KnownCuts


@dataclass
class Part:
    """Variables that must be solved together, and what was done about them."""

    component: _core.Component
    gap: _core.Gap = field(default_factory=_core.Gap)
    ran: list[str] = field(default_factory=list)
    work: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    stopped: str = ""

    @property
    def variables(self) -> int:
        """How many there are."""
        return len(self.component.variables)

    @property
    def sets(self) -> int:
        """How many candidate parent sets they have together."""
        return self.component.parents.sets

    def note(self, algorithm: str, facts: dict[str, Any]) -> None:
        """Keep what an algorithm counted, and what ended it."""
        if algorithm not in self.ran:
            self.ran.append(algorithm)
        self.stopped = facts.get("stopped", "")
        for name, count in facts.items():
            if isinstance(count, str):
                continue
            if name.endswith("bytes"):
                self.work[name] = max(self.work[name], count)
            else:
                self.work[name] += count


@dataclass(frozen=True)
class SolveOptions:
    """How to solve a component."""

    algorithm: str
    heuristic: str
    forced_moves: bool
    incumbent: bool
    seed: int
    order: list[int] | None = None
    """An order of all variables to begin with, if one is known."""
    known: KnownCuts | None = None
    """Cuts that proved much the same: then integer programming is the quickest."""


@dataclass(frozen=True)
class SolverRun:
    """What every solver gets beside the part: how to solve it, with what, and whom to tell."""

    options: SolveOptions
    budget: Budget
    tell: Callable[[float], None]

    def limits(self, most_bytes: int | None = None) -> dict[str, Any]:
        """Return limits as the engine takes them."""
        memory = self.budget.memory
        return {
            "seconds": self.budget.left(least=MOMENT),
            "max_bytes": memory if most_bytes is None else min(most_bytes, memory),
            "progress": self.tell,
        }

    @property
    def ended(self) -> bool:
        """Whether the search of all parts is over; lack of memory ends that of one part only."""
        if self.budget.over:
            self.budget.end("time")
        return self.budget.interrupted or self.budget.stopped is not None

    def end(self, stopped: str) -> None:
        """Note what ended a solver, if that ends all."""
        if stopped in ("time", "interrupt"):
            self.budget.end(stopped)


class StoppedError(Exception):
    """The gap is closed by somebody else, the time is over, or the caller wants no more."""


Solver = Callable[[Part, SolverRun], None]
"""Closes the gap of a part, or narrows it, and notes what it did."""
