"""Where parameters differ between groups, and the network that would take them to be the same.

With ``groups=`` one structure has parameters of each group's own: its score is the sum of those of
the groups. Whether a variable depends on its parents in the same way everywhere is told by the
score of its family: that sum, less the score with one set of parameters for all rows. A score that
is fitted to what it scores would find groups that are alike different, or leave it open; see
:func:`comparable`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dagscape.learning.otherwise import differences
from dagscape.scores.contexts import comparable
from dagscape.scoring import local_score
from dagscape.words import counted, first_of

if TYPE_CHECKING:
    from dagscape.graphs import Mpdag
    from dagscape.problem import Problem
    from dagscape.results import Result

CLEAR = 3.0
"""Nats that tell: a factor of 20 in odds."""


NAMED = 8
"""Families, groups and edges that are named in a sentence."""
VERDICTS = {
    "differs": "parameters differ between groups",
    "same": "the same parameters in all are more probable",
    "open": "the rows leave open whether parameters differ",
}


@dataclass(frozen=True)
class GroupedFamily:
    """A variable with its parents, and what is said for parameters of each group's own."""

    child: str
    parents: tuple[str, ...]
    evidence: float
    """Nats by which the rows are more probable with them than with one set for all."""

    @property
    def verdict(self) -> str:
        """That in a word: "differs", "same" or "open"."""
        if abs(self.evidence) < CLEAR:
            return "open"
        return "differs" if self.evidence > 0 else "same"

    def __str__(self) -> str:
        given = f" | {', '.join(self.parents)}" if self.parents else ""
        return f"{self.child}{given} {self.evidence:+.1f}"

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        evidence = round(self.evidence, 6)
        parents = list(self.parents)
        return {
            "child": self.child,
            "parents": parents,
            "evidence": evidence,
            "verdict": self.verdict,
        }


@dataclass(frozen=True)
class Groups:
    """What learning says of groups of rows with parameters of their own."""

    column: str
    sizes: Mapping[str, int]
    """The rows of each group."""
    families: tuple[GroupedFamily, ...]
    """Of the network, those that differ most first."""
    pooled: Result | None
    """What the same search finds if parameters are the same in all groups; None where there was no
    time for it."""

    def differences(self, graph: Mpdag) -> tuple[str, ...]:
        """Return in words in which edges the pooled network is another than this graph."""
        return () if self.pooled is None else differences(graph, self.pooled.mpdag)

    def told(self, graph: Mpdag) -> list[str]:
        """Return the same in words, beside a graph that has parameters of each group's own."""
        sizes = first_of([f"{label} {rows:,}" for label, rows in self.sizes.items()], NAMED)
        lines = [f"rows by {self.column}: {sizes}"]
        for verdict, said in VERDICTS.items():
            named = [str(family) for family in self.families if family.verdict == verdict]
            if named:
                lines.append(f"{said} (by nats): {first_of(named, NAMED)}")
        if self.pooled is not None:
            arcs, other = counted(len(self.pooled.dag.arcs), "arc"), self.differences(graph)
            differs = f"differs: {first_of(other, NAMED)}" if other else "has the same edges"
            lines.append(f"with the same parameters in all, the network has {arcs}, and {differs}")
        return lines

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        pooled = self.pooled
        return {
            "column": self.column,
            "sizes": dict(self.sizes),
            "families": [family.to_dict() for family in self.families],
            "pooled": None
            if pooled is None
            else {"score": pooled.score, "arcs": [list(arc) for arc in pooled.dag.arcs]},
        }


def groups_of(problem: Problem, result: Result, pooled: Result | None) -> Groups | None:
    """Return what is known of the groups, where rows are in some."""
    groups = problem.data.rows.groups
    if groups is None:
        return None
    together = problem.data.pooled
    score = comparable(problem.score.base, problem.data)
    families = []
    for child in result.dag.names:
        parents = result.dag.parents(child)
        own, all_ = (
            local_score(data, child, parents, score=score) for data in (problem.data, together)
        )
        families.append(GroupedFamily(child, tuple(parents), own - all_))
    families.sort(key=lambda family: (-family.evidence, family.child))
    sizes = {label: int((groups.codes == at).sum()) for at, label in enumerate(groups.labels)}
    return Groups(groups.column, sizes, tuple(families), pooled)
