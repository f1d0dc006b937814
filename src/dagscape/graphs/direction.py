"""Why an edge has a direction in all networks that a graph stands for."""

from __future__ import annotations

from dataclasses import dataclass

REASONS = ("structure", "experiments", "knowledge", "implied")


@dataclass(frozen=True)
class Direction:
    """Why an edge is directed; ``str(direction)`` says it in words."""

    reason: str
    """"structure": v-structures and what follows from them, which observed rows tell.
    "experiments": some set one end and not the other. "knowledge": the user knows. "implied": it
    follows from directions of the last two kinds."""
    experiments: tuple[str, ...] = ()
    """Those that tell it."""

    def __str__(self) -> str:
        if self.reason == "experiments":
            named = ", ".join(self.experiments[:3])
            more = len(self.experiments) - 3
            return f"experiments: {named}{f' and {more} more' if more > 0 else ''}"
        words = {
            "structure": "v-structures",
            "knowledge": "knowledge",
            "implied": "follows from other directions",
        }
        return words[self.reason]
