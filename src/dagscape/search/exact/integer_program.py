"""Integer programming over candidate parent sets: branch and cut, on HiGHS.

One variable for each child and candidate set, 1 if the child has these parents; every child has
one set, and cuts keep the graph acyclic (Jaakkola, Sontag, Globerson and Meila, AISTATS 2010;
Bartlett and Cussens, Integer linear programming for the Bayesian network structure learning
problem, AIJ 2017). Cuts are clusters, found by exact search on the solution's support, and cuts on
few variables of whatever form (core/search/exact/integer_program), which close most of what
clusters leave open. Families take part when their reduced costs say so, and go for good when a
bound shows that no better network has them. Bounds are computed from the duals in the engine, never
taken from the solver, so they hold whatever its tolerances.

Where parent sets are many, it can go on from multipliers that were found without the solver
(:mod:`~dagscape.search.exact.multipliers`).
"""

from __future__ import annotations

import heapq
import itertools
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import numpy as np

from dagscape import _core
from dagscape.scores.base import SAME_SCORE
from dagscape.search.exact.known_cuts import ENOUGH, Cut, CutPool, KnownCuts
from dagscape.search.exact.part import Part, StoppedError

if TYPE_CHECKING:
    from dagscape.search.exact.linear_program import Numbers, Values

HULLS = {3: 3000, 4: 3000, 5: 1500, 6: 600, 7: 300}
"""How many sets of each size to look at when clusters are used up: larger ones take longer."""

ENOUGH_HULLS = 10
"""With more cuts than this from smaller sets, larger ones can wait."""

MANY_HULLS = {4: 20_000, 5: 20_000, 6: 5_000}
"""The same at the root where parent sets are many, beside clusters: these close little there."""

ENOUGH_OF_MANY = 40
CUTS_OF_A_SIZE = 200
CLUSTERS_BESIDE = 100

NEARLY_PRICED = 0.1
"""With so much of the gap missing for want of columns, cuts can be looked for all the same."""

Decision = tuple[int, int, bool]
"""Parent, child, and whether the arc is required; otherwise it is forbidden."""


def solve(
    part: Part,
    over: Callable[[], bool],
    watch: Callable[[], None] = lambda: None,
    begun: _core.DualBound | None = None,
    known: KnownCuts | None = None,
) -> dict[str, int | float]:
    """Close the gap of a part, or narrow it until it is over; return what was counted.

    Can be run beside others that share the gap. `watch` is called when the gap changed. `begun` are
    multipliers to go on from; `known` cuts are of these variables, by their places in the
    component.
    """
    search = BranchAndCut(part.component, part.gap, over, watch, begun, known)
    with suppress(StoppedError):
        search.run()
    return search.work()


class BranchAndCut:
    """The best network of a component, and bounds on all."""

    def __init__(
        self,
        component: _core.Component,
        gap: _core.Gap,
        over: Callable[[], bool],
        watch: Callable[[], None],
        begun: _core.DualBound | None = None,
        known: KnownCuts | None = None,
    ) -> None:
        self._component = component
        self._gap = gap
        self._over = over
        self._watch = watch
        self._begun = begun
        self._families = _core.Families(component) if begun is None else begun.families
        self._variables = self._families.variables
        self._hulls = _core.Hulls(self._families)
        self._pool = None if known is None else CutPool(self._families, known)
        from dagscape.search.exact.linear_program import (
            LinearProgram,  # and HiGHS, when it is needed
        )

        self._program = LinearProgram(self._families)
        self._counts = dict.fromkeys(("cuts", "hull_cuts", "lp_rounds", "nodes"), 0)
        if known is not None:
            self._counts["known_cuts"] = 0
        self._seconds = dict.fromkeys(("lp", "pricing", "separation", "rounding", "root"), 0.0)
        self._seed = 0

    def work(self) -> dict[str, int | float]:
        """Return counters, and the seconds that each part took."""
        return {
            **self._counts,
            "columns": len(self._program.columns) - self._variables,
            "simplex_steps": self._program.iterations,
            **{f"{stage}_seconds": seconds for stage, seconds in self._seconds.items()},
        }

    def run(self) -> None:
        """Close the gap; a StoppedError ends it before that."""
        if self._begun is None:
            self._program.add_columns(self._families.best(20))
        else:
            self._program.add_columns(self._begun.solution()[0])
            self._program.add_cuts(self._begun.cuts())
        if self._pool is not None:
            self._program.add_cuts(self._pool.first())
        with self._timed("root"):
            bound = self._bound(())
        tie = itertools.count()
        open_nodes: list[tuple[float, int, tuple[Decision, ...]]] = [(bound, next(tie), ())]
        while open_nodes:
            bound, _, decisions = heapq.heappop(open_nodes)
            if bound >= self._limit():
                break
            self._raise(bound)
            if decisions:
                bound = max(bound, self._bound(decisions))
                if bound >= self._limit():
                    continue
            self._counts["nodes"] += 1
            for decision in self._branches(decisions):
                heapq.heappush(open_nodes, (bound, next(tie), (*decisions, decision)))
        self._gap.raise_bound(self._gap.regret)
        self._watch()

    def binding_cuts(self) -> list[Cut]:
        """Return the cuts that hold up the last solution, as values."""
        program = self._program
        told = self._families.told(program.cuts[program.duals > 1e-9])
        return [
            (tuple(members), least, right, tuple(table)) for members, least, right, table in told
        ]

    def _limit(self) -> float:
        """Return the bound from which on a node holds nothing better."""
        # Without a network, more than all networks can have: then there is none.
        return min(self._gap.regret - SAME_SCORE, self._families.greatest_regret + 0.5)

    def _raise(self, bound: float) -> None:
        before = self._gap.bound
        self._gap.raise_bound(min(bound, self._gap.regret))
        if self._gap.bound > before:
            self._watch()

    def _bound(self, made: tuple[Decision, ...]) -> float:
        """Bound a node, with more columns and more cuts as long as they help."""
        program, families = self._program, self._families
        decisions = self._decisions(made)
        if decisions is None:
            return math.inf
        program.obey(decisions)
        bound = -math.inf
        values: list[float] = []
        while True:
            self._solve()
            limit = self._limit()
            value: float
            with self._timed("pricing"):
                value, entering = families.price(
                    program.cuts, program.duals, program.worth, decisions, limit, 20
                )
            bound = max(bound, value)
            if not made:
                self._raise(bound)
            if bound >= limit:
                return bound
            program.add_columns(entering)
            if len(entering) and (made or self._begun is None or self._lacks_columns(value)):
                continue
            if not made and not len(entering):
                program.remove_columns(families.drop(limit))
            self._round(10 if not made else 1)
            values.append(program.value)
            if bound >= self._limit() or self._stuck(values, root=not made):
                return bound
            with self._timed("separation"):
                cuts = self._separate(root=not made)
            if not len(cuts):
                if len(entering):
                    continue
                return bound
            program.remove_idle_cuts(10 if made or self._begun is None else 5)
            program.add_cuts(cuts)

    def _lacks_columns(self, bound: float) -> bool:
        """Tell whether the bound is far from the value of the program."""
        gap = self._gap.regret - self._program.value
        return self._program.value - bound > NEARLY_PRICED * gap

    def _stuck(self, values: list[float], *, root: bool) -> bool:
        """Tell whether cuts no longer pay."""
        rounds = 10 if root else 4
        if len(values) <= rounds:
            return False
        if not root and len(values) > 10:  # twice as many took twice the time on dense data
            return True
        return values[-1] - values[-1 - rounds] < 1e-3 * rounds * (self._limit() - values[-1])

    def _solve(self) -> None:
        with self._timed("lp"):
            self._check()
            if not self._program.solve(self._over):
                raise StoppedError
        self._counts["lp_rounds"] += 1

    def _check(self) -> None:
        if self._over():
            raise StoppedError

    def _separate(self, *, root: bool) -> Numbers:
        """Find cuts that the solution violates; harder ones when the easy ones are used up."""
        used = self._program.x > 1e-9
        columns, x = self._program.columns[used], self._program.x[used]
        found: list[Numbers] = []
        if self._pool is not None:
            found.append(self._pool.violated(columns, x))
            self._counts["known_cuts"] += len(found[-1])
            if len(found[-1]) >= ENOUGH:
                return found[-1]
        if root and self._begun is not None:
            coarse = self._coarse_cuts(columns, x)
            if len(coarse):
                return np.concatenate([*found, coarse])
        found.append(self._families.separate_packings(columns, x, 1e-3))
        for most_steps in (300, max(300, min(10_000, 500_000 // self._variables))):
            cuts, exhaustive = self._families.separate(
                columns, x, 1e-3, most_steps, 2 * self._variables
            )
            found.append(cuts)
            if len(cuts) or exhaustive:
                break
        self._counts["cuts"] += sum(map(len, found[self._pool is not None :]))
        if len(found[-1]) < 5:
            found += self._hull_cuts(columns, x, HULLS, 50, ENOUGH_HULLS)
        return np.concatenate(found)

    def _coarse_cuts(self, columns: Numbers, x: Values) -> Numbers:
        """Find cuts of all kinds that are violated by much: few of them, to keep programs small."""
        families = self._families
        found = [families.separate_packings(columns, x, 1e-2)]
        found.append(families.separate(columns, x, 1e-2, 300, CLUSTERS_BESIDE)[0])
        self._counts["cuts"] += sum(map(len, found))
        found += self._hull_cuts(columns, x, {3: 100_000}, CUTS_OF_A_SIZE, 0)
        found += self._hull_cuts(columns, x, MANY_HULLS, CUTS_OF_A_SIZE, ENOUGH_OF_MANY)
        return np.concatenate(found)

    def _hull_cuts(
        self, columns: Numbers, x: Values, most_sets: dict[int, int], most: int, enough: int
    ) -> list[Numbers]:
        """Find cuts on few variables; on more of them where there are not enough."""
        found: list[Numbers] = []
        for size, sets in most_sets.items():
            self._check()
            found.append(self._hulls.separate(columns, x, size, 1e-2, sets, most))
            self._counts["hull_cuts"] += len(found[-1])
            if sum(map(len, found)) > enough:
                break
        return found

    def _round(self, tries: int) -> None:
        """Look for networks near the solution."""
        with self._timed("rounding"):
            for attempt in range(tries):
                self._seed += 1
                network = self._families.round(
                    self._program.columns, self._program.x, 0.3 * (attempt > 0), self._seed
                )
                if self._gap.offer(network.regret, network.chosen):
                    _core.improve_order(self._component, network.order, self._seed, self._gap)
                    self._watch()

    def _decisions(self, made: tuple[Decision, ...]) -> _core.ArcDecisions | None:
        """Return decisions as the engine has them, None if no network obeys."""
        decisions = _core.ArcDecisions(self._variables)
        for parent, child, required in made:
            if not required:
                decisions.forbid(parent, child)
        for parent, child, required in made:
            if required and not decisions.require(parent, child):
                return None
        return decisions

    def _branches(self, made: tuple[Decision, ...]) -> list[Decision]:
        """Decide one more arc, both ways: the one that the solution is least sure of."""
        decisions = self._decisions(made)
        if decisions is None:
            return []
        families = self._families
        for columns, x in self._supports(decisions):
            parents, children, weights = families.arcs(columns, x)
            for at in np.argsort(np.abs(weights - 0.5), kind="stable"):
                parent, child = int(parents[at]), int(children[at])
                if not decisions.decided(parent, child):
                    return [(parent, child, True), (parent, child, False)]
        # One family is left for each child: the solution is a network, and was offered.
        return []

    def _supports(self, decisions: _core.ArcDecisions) -> Iterator[tuple[Numbers, Values]]:
        """Yield the families in the solution; then, if they leave no choice, all that obey."""
        yield self._program.columns, self._program.x
        kept = self._families.best(self._families.columns)
        kept = kept[self._families.obey(kept, decisions).astype(np.bool_)]
        yield kept, np.ones(len(kept))

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        begun = time.perf_counter()
        try:
            yield
        finally:
            self._seconds[stage] += time.perf_counter() - begun
