"""A score whose function of sets is written in Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import dagscape as ds
from dagscape import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True)
class PythonScore(ds.Score):
    """Values of sets for a table of so many rows; variables are numbers in the order of names."""

    variables: int
    cases: float
    joint: Callable[[Sequence[int]], float]
    parameters: Callable[[Sequence[int]], float]
    given: Callable[[int, Sequence[int]], float] | None = None
    names = ("toy",)

    @property
    def equivalent(self) -> bool:
        """Whether equivalent networks score the same."""
        return self.given is None

    def function(
        self, _table: _core.Table, _counter: _core.Counter | None = None, _unit: float = 1.0
    ) -> _core.SetFunction:
        """Return what searches see."""
        return _core.PythonFunction(
            self.variables, self.cases, self.joint, self.parameters, self.given
        )

    def local(self, child: int, parents: Sequence[int]) -> float:
        """Return the score of a child, from the definition."""
        rest = sorted(parents)
        given = self.joint(rest) if self.given is None else self.given(child, rest)
        return self.joint(sorted([*rest, child])) - given
