"""HITON-PC and the Markov blanket around it, as generalized local learning (GLL) has them.

A test is ``test(x, y, given)``, an ``Outcome`` of ``oracles.g2``: from data, or from a graph (see
``oracles.limit``). Two variables are independent where its p-value is above alpha. For a test that
was not done, ``unreliable`` says how to go on: "dependent", "independent", or "independent alone":
that where nothing is given, dependent else.

This is the semi-interleaved HITON-PC of the paper: only the variable added last is tested for
removal, until none is left to add; then every member is, in the order in which they came. So the
last of all is still there when those before it are tested. pyCausalFS
tests it alone first, as all others: ``last_alone``.

Source
------
Aliferis, Statnikov, Tsamardinos, Mani and Koutsoukos, Local Causal and Markov Blanket Induction for
Causal Discovery and Feature Selection for Classification, Part I, JMLR 2010.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from oracles.g2 import Outcome

Variables: TypeAlias = frozenset[int]
Test: TypeAlias = Callable[[int, int, Variables], Outcome]


class LocalTests:
    """What every constraint-based search here asks of the tests."""

    def __init__(
        self,
        test: Test,
        variables: Sequence[int],
        alpha: float = 0.05,
        max_conditioning: int = 5,
        *,
        unreliable: str = "dependent",
        strongest_by: str = "p",
        ranks: Sequence[int] | None = None,
    ) -> None:
        self.variables = tuple(variables)
        self.test = test
        self.alpha = alpha
        self.max_conditioning = max_conditioning
        self._unreliable = unreliable
        self._strongest_by = strongest_by
        self._rank = {v: i for i, v in enumerate(self.variables if ranks is None else ranks)}
        self.separators: dict[tuple[int, int], list[Variables]] = {}  # by target and variable
        self._kept: dict[int, tuple[int, ...]] = {}

    def independent(self, x: int, y: int, given: Variables = frozenset()) -> bool:
        """I(X, Y | Z)."""
        outcome = self.test(x, y, given)
        if not outcome.done:
            alone = self._unreliable == "independent alone" and not given
            return self._unreliable == "independent" or alone
        return outcome.log_p > math.log(self.alpha)

    def strength(self, x: int, y: int, given: Variables = frozenset()) -> tuple[float, float]:
        """Assoc(X; Y | Z), comparable: the smaller p-value is stronger, then the larger G²."""
        outcome = self.test(x, y, given)
        # Rounded, so that equal ones tie.
        p, statistic = -float(f"{outcome.log_p:.10g}"), float(f"{outcome.statistic:.10g}")
        return (p, statistic) if self._strongest_by == "p" else (statistic, p)

    def rank(self, x: int) -> int:
        """Return which of two that tie comes first."""
        return self._rank[x]

    def separates(self, t: int, x: int, members: Sequence[int]) -> bool:
        """∃ Z ⊆ members \\ {X} with I(X, T | Z); the first is kept, small ones first."""
        others = [v for v in members if v != x]
        found = [Z for Z in self.conditioning(others) if self.independent(x, t, Z)]
        if found:
            self.separators.setdefault((t, x), found)
        return bool(found)

    def conditioning(self, members: Sequence[int]) -> Iterator[Variables]:
        """Yield the subsets that may be conditioned on."""
        for size in range(min(self.max_conditioning, len(members)) + 1):
            yield from map(frozenset, itertools.combinations(members, size))

    # --- GLL-PC ---------------------------------------------------------------------------------

    def find_potential_neighbors(self, t: int) -> tuple[int, ...]:
        """GLL-PC without symmetry correction."""
        if t not in self._kept:
            self._kept[t] = tuple(self._potential_neighbors(t))
        return self._kept[t]

    def _potential_neighbors(self, t: int) -> list[int]:
        raise NotImplementedError

    def find_neighbors(self, t: int) -> Variables:
        """GLL-PC: keep X only if T is a potential neighbor of X, too."""
        potential = self.find_potential_neighbors(t)
        return frozenset(v for v in potential if t in self.find_potential_neighbors(v))

    # --- GLL-MB ---------------------------------------------------------------------------------

    def markov_blanket(self, t: int) -> Variables:
        """GLL-MB without its optional wrapper at the end.

        A spouse is X outside PC(T), in PC(Y) of some Y in PC(T), that depends on T given Z ∪ {Y},
        where Z separated X and T before: here the first set that did.
        """
        spouses = (
            x
            for x in self._candidates(t)
            for y in self._between(t, x)
            if not self.independent(x, t, self.separators_of(t, x)[0] | {y})
        )
        return self.find_neighbors(t).union(spouses)

    def bounds_of_blanket(self, t: int) -> tuple[Variables, Variables]:
        """Return what the blanket has and may have, whichever of the separating sets is taken.

        A test that was not done may be read either way.
        """
        least, most = set(self.find_neighbors(t)), set(self.find_neighbors(t))
        for x in self._candidates(t):
            by_separator = [
                [self.test(x, t, Z | {y}) for y in self._between(t, x)]
                for Z in self.separators_of(t, x)
            ]
            if all(any(map(self._dependent, tests)) for tests in by_separator):
                least.add(x)
            if any(not o.done or self._dependent(o) for tests in by_separator for o in tests):
                most.add(x)
        return frozenset(least), frozenset(most)

    def _candidates(self, t: int) -> Variables:
        neighbors = self.find_neighbors(t)
        return frozenset().union(*map(self.find_neighbors, neighbors)) - neighbors - {t}

    def _between(self, t: int, x: int) -> list[int]:
        return [y for y in self.find_neighbors(t) if x in self.find_neighbors(y)]

    def _dependent(self, outcome: Outcome) -> bool:
        return outcome.done and outcome.log_p <= math.log(self.alpha)

    def separators_of(self, t: int, x: int) -> list[Variables]:
        """Return what separated the two in the search for T, then in the one for X."""
        self.find_potential_neighbors(t)
        self.find_potential_neighbors(x)
        return self.separators.get((t, x), []) + self.separators.get((x, t), [])


class Hiton(LocalTests):
    """Semi-interleaved HITON-PC, and HITON-MB by way of it."""

    def __init__(self, *args: object, last_alone: bool = False, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self._last_alone = last_alone

    def _potential_neighbors(self, t: int) -> list[int]:
        # Inclusion, a and b: by association with T, those without any left out.
        waiting = [x for x in self.variables if x != t and not self.separates(t, x, [])]
        waiting.sort(key=lambda x: (*(-s for s in self.strength(x, t)), self.rank(x)))
        members: list[int] = []
        while waiting:
            members.append(waiting.pop(0))  # inclusion, c
            if (waiting or self._last_alone) and self.separates(t, members[-1], members):
                members.pop()  # elimination while some are waiting: the last one only
        for x in list(members):  # elimination when none is: each of them
            if self.separates(t, x, members):
                members.remove(x)
        return members
