"""A Markov blanket, member by member."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dagscape.regression import Slope
from dagscape.results import Result


@dataclass(frozen=True, slots=True)
class BlanketMember:
    """A member of a Markov blanket."""

    name: str
    role: str | None
    """What it is to the target: "parent" or "child", where all networks that the data cannot tell
    apart agree; "parent or child", where they do not; "spouse", another parent of a child; "none",
    where the network does without it; None, if a limit came first."""
    through: tuple[str, ...]
    """For a spouse, the children in common."""
    support: float | None
    """How much lower the best score is without it in the blanket; None, if a limit came first."""


@dataclass(frozen=True, slots=True, repr=False)
class Blanket:
    """The Markov blanket of a variable, member by member, those of the most support first.

    A frame library makes a table of it: ``polars.DataFrame(blanket.members)``.
    """

    target: str
    members: tuple[BlanketMember, ...]
    network: Result | None
    """The network around the target that roles are read from; None, if a limit came first."""
    method: str
    """How the members were found."""
    score_name: str
    """The score of support, in words."""
    stopped: str | None
    """What ended it early: "time", "memory" or "interrupt"; or None."""
    seconds: float
    slopes: Mapping[str, tuple[Slope, ...]] = field(default_factory=dict)
    """By member: how the child of target and member rises with the other in :attr:`network`, its
    other parents held fixed. Empty unless the two are joined and the child is of numbers."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the members."""
        return tuple(member.name for member in self.members)

    def __repr__(self) -> str:
        said = f"<Blanket of {self.target!r}: {', '.join(map(_said, self.members)) or 'empty'}"
        return said + (f"; stopped by {self.stopped}>" if self.stopped else ">")


def _said(member: BlanketMember) -> str:
    if member.role is None:
        return member.name
    support = "" if member.support is None else f" {member.support:.1f}"
    return f"{member.name} ({member.role}{support})"
