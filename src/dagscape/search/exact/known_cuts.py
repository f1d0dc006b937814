"""Cuts that other tables on the same variables gave.

A cut is what every network obeys, whatever the table. So what one table needed for its proof may
serve another that is much like it: a sample of its rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dagscape import _core

if TYPE_CHECKING:
    from dagscape.graphs import Dag
    from dagscape.search.exact.linear_program import Numbers, Values

Cut = tuple[tuple[int, ...], int, float, tuple[float, ...]]
"""Members, by number; how many of them as parents exclude a family; right side; table of
coefficients, empty for a cluster."""

ENOUGH = 5
"""With so many known cuts violated, none is searched for."""

MOST = 100
"""The most known cuts that enter at once: the most violated."""

VIOLATED = 1e-3
"""By how much, at least."""


@dataclass(frozen=True)
class KnownCuts:
    """Cuts to begin with, and others that enter where a solution violates them."""

    first: tuple[Cut, ...]
    others: tuple[Cut, ...]

    def within(self, variables: Sequence[int]) -> KnownCuts:
        """Return those on some of the variables alone, which are numbered by their places."""
        place = {variable: at for at, variable in enumerate(variables)}
        return KnownCuts(_renumbered(self.first, place), _renumbered(self.others, place))


@dataclass(frozen=True)
class Beginning:
    """What an exact search of a table much like this one leaves for this one."""

    dag: Dag
    known: KnownCuts | None


class CutPool:
    """Known cuts, with numbers among the families of one table."""

    def __init__(self, families: _core.Families, known: KnownCuts) -> None:
        self._families = families
        self._known = known
        self._others = families.tell(list(known.others))

    def first(self) -> Numbers:
        """Return the cuts to begin with."""
        return self._families.tell(list(self._known.first))

    def violated(self, columns: Numbers, x: Values) -> Numbers:
        """Return known cuts that a solution violates, the most violated ones.

        They have numbers of their own: a program forgets cuts that it no longer needs.
        """
        families = self._families
        starts, at, values = families.entries(self._others, columns)
        cut = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(values))))
        left = np.bincount(cut, weights=values * x[at], minlength=len(starts))
        lacks = families.right(self._others) - left
        found = np.argsort(-lacks, kind="stable")[: min(MOST, int((lacks > VIOLATED).sum()))]
        return families.tell([self._known.others[cut] for cut in found])


def united(groups: Iterable[Iterable[Cut]]) -> tuple[Cut, ...]:
    """Return all cuts, each once, in the order in which they come first."""
    return tuple(dict.fromkeys(cut for group in groups for cut in group))


def renumbered(cuts: Iterable[Cut], numbers: Sequence[int]) -> tuple[Cut, ...]:
    """Return cuts of a component as those of the whole; `numbers` are its variables, ascending."""
    return _renumbered(cuts, dict(enumerate(numbers)))


def _renumbered(cuts: Iterable[Cut], numbers: dict[int, int]) -> tuple[Cut, ...]:
    return tuple(
        (tuple(numbers[member] for member in members), least, right, table)
        for members, least, right, table in cuts
        if all(member in numbers for member in members)
    )
