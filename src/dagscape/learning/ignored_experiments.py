"""What the rows would have said if nobody had told which of them come from experiments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dagscape.words import counted, first_of

if TYPE_CHECKING:
    from dagscape.data.experiments import Experiments
    from dagscape.graphs import Mpdag
    from dagscape.results import Result

NAMED = 5
"""Edges of a kind that are named in a sentence."""
MOST_EXPERIMENTS = 12


@dataclass(frozen=True)
class IgnoredExperiments:
    """The network of a table with experiments beside that of the same rows taken as observed."""

    graph: Mpdag
    """What the experiments tell."""
    ignored: Result
    """What the same search finds if no row is taken to come from an experiment."""

    @cached_property
    def edges(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """Edges as they would have been found, by how they differ.

        "turned": the other way round. "open": without the direction that experiments tell.
        "directed": with one that they leave open. "extra" and "missing": joined, or not.
        """
        mine, other = _ends(self.graph), _ends(self.ignored.mpdag)
        found: dict[str, list[tuple[str, str]]] = {kind: [] for kind in WORDS}
        for pair in sorted(mine.keys() | other.keys()):
            kind = _kind(mine.get(pair, ()), other.get(pair, ()))
            if kind:
                shown = mine if kind in ("open", "missing") else other
                found[kind].append(shown[pair] or pair)
        return {kind: tuple(edges) for kind, edges in found.items()}

    @property
    def told(self) -> str:
        """The same in a sentence."""
        parts = [
            f"{counted(len(edges), 'edge')} {WORDS[kind]} ({_named(kind, edges)})"
            for kind, edges in self.edges.items()
            if edges
        ]
        if not parts:
            return "if they were ignored, the network would have the same edges and directions"
        return f"if they were ignored, the network would have {'; '.join(parts)}"

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "score": self.ignored.score,
            "arcs": [list(arc) for arc in self.ignored.dag.arcs],
            **{kind: [list(edge) for edge in edges] for kind, edges in self.edges.items()},
        }


WORDS = {
    "turned": "turned round",
    "open": "without a direction",
    "directed": "directed for no reason",
    "extra": "more",
    "missing": "less",
}
"""Kinds of edges in which the network of ignored experiments differs."""


def experiments_told(done: Experiments) -> str:
    """Return in a line which experiments there are, and how many rows each has."""
    each = [
        f"{name} {rows:,}{_targets(name, tuple(targets))}"
        for (name, targets), rows in zip(done.by_name.items(), done.sizes.tolist(), strict=True)
    ]
    return f"rows by {', '.join(done.columns)}: {first_of(each, MOST_EXPERIMENTS)}"


def _targets(name: str, targets: tuple[str, ...]) -> str:
    said = not targets or {*targets} == {part.strip() for part in name.split("+")}
    return "" if said else f" (sets {', '.join(targets)})"


def _named(kind: str, edges: tuple[tuple[str, str], ...]) -> str:
    between = " -> " if kind in ("turned", "directed", "open") else " - "
    return first_of([f"{a}{between}{b}" for a, b in edges], NAMED)


def _ends(graph: Mpdag) -> dict[tuple[str, str], tuple[str, str] | None]:
    """Return each edge by its ends, as it goes; None where that is open."""
    directed = {(min(arc), max(arc)): arc for arc in graph.directed}
    return directed | {(min(edge), max(edge)): None for edge in graph.undirected}


def _kind(mine: Sequence[str] | None, other: Sequence[str] | None) -> str:
    """Return how an edge differs, "" if it does not; () where there is none."""
    if mine == other:
        return ""
    if mine == ():
        return "extra"
    if other == ():
        return "missing"
    return "directed" if mine is None else "open" if other is None else "turned"
