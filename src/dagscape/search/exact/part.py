"""One component of a problem, and what is known of it so far."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from dagscape import _core


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

    def note(self, algorithm: str, facts: dict[str, Any]) -> None:
        """Keep what an algorithm counted, and what ended it."""
        self.ran.append(algorithm)
        self.stopped = facts.pop("stopped", "")
        for name, count in facts.items():
            if name.endswith("bytes"):
                self.work[name] = max(self.work[name], count)
            else:
                self.work[name] += count
