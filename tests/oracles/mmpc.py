"""Max-min parents and children, as published for MMHC.

Source
------
Tsamardinos, Brown and Aliferis, The Max-Min Hill-Climbing Bayesian Network Structure Learning
Algorithm, Machine Learning 2006, Algorithms 1 (without symmetry correction) and 2 (with it).
"""

from __future__ import annotations

from collections.abc import Sequence

from oracles.hiton import LocalTests


class Mmpc(LocalTests):
    """MMPC, and the blanket by way of it (MMMB, as GLL-MB)."""

    def _potential_neighbors(self, t: int) -> list[int]:
        members: list[int] = []  # CPC
        while found := self._max_min_heuristic(t, members):  # Phase I
            members.append(found[0])
        for x in list(members):  # Phase II
            if self.separates(t, x, members):
                members.remove(x)
        return members

    def _max_min_heuristic(self, t: int, members: Sequence[int]) -> list[int]:
        """Return the variable whose least association given any subset is greatest, if any has."""
        open_ = [x for x in self.variables if x != t and x not in members]
        dependent = [x for x in open_ if not self.separates(t, x, members)]
        dependent.sort(key=lambda x: (*(-s for s in self._min_assoc(t, x, members)), self.rank(x)))
        return dependent[:1]

    def _min_assoc(self, t: int, x: int, members: Sequence[int]) -> tuple[float, float]:
        outcomes = [Z for Z in self.conditioning(members) if self.test(x, t, Z).done]
        return min((self.strength(x, t, Z) for Z in outcomes), default=(0.0, 0.0))
