"""Structural EM from one start: completions and networks in turn (Friedman 1997)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dagscape import _core
from dagscape.data import Data
from dagscape.gaps.model import FamilyCounts, Incomplete, Model
from dagscape.gaps.stand_in_scores import ExpectedScore
from dagscape.graphs import Dag
from dagscape.landscape.bootstrap import search_by_name
from dagscape.networks.nodes.node import Floats
from dagscape.problem import Problem
from dagscape.results import Result
from dagscape.search import hill_climb

if TYPE_CHECKING:
    from dagscape.control.budget import Budget

SETTLED = 0.05
"""A gain of the objective, a natural log, that is not worth another step."""
STEPS_OF_TABLES = 10
"""Steps that only fit tables anew, before the next that looks for a network."""
FEW, MANY = 20, 200
"""Restarts of the climbs that look for a network: many only from the best of the starts, once few
find nothing."""
DRAWN = 10
"""Tables with drawn cells in which a better network is looked for, from the best of the starts."""
MOST_ROUNDS = 100
"""Looks for a network in one climb; none has been seen to need as many."""


@dataclass
class Trace:
    """How one start went on."""

    start: str
    objectives: list[float] = field(default_factory=list)
    """After each look for a network."""
    arcs: list[int] = field(default_factory=list)
    converged: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "start": self.start,
            "objectives": self.objectives,
            "arcs": self.arcs,
            "converged": self.converged,
        }


@dataclass(frozen=True)
class Point:
    """A network, what it makes of the gaps, and what it is worth."""

    model: Model
    counts: FamilyCounts
    objective: float
    """The score of what is observed: ln P(observed | network, its tables), less what the score
    takes off the likelihood of the completions."""

    @property
    def completions(self) -> _core.Completions:
        """How probable each completion of a row is."""
        return self.counts.completions


class StructuralEM:
    """Goes from network to network on one table."""

    def __init__(self, table: Incomplete, problem: Problem, budget: Budget) -> None:
        self._table = table
        self._problem = problem
        self._budget = budget
        self.best: Point | None = None
        """Of all that were looked at: what is left where a Ctrl-C ends it."""

    def stay(self, model: Model) -> Point | None:
        """Take a network as it is."""
        return self._point(model)

    def climb(self, model: Model, trace: Trace) -> Point | None:
        """Improve on a network until it stays the same; None if a limit came before that began."""
        here = self._point(model)
        return None if here is None else self._climb(here, trace, FEW)

    def climb_on(self, here: Point, trace: Trace) -> Point:
        """Improve on what a climb found, with many restarts; where they find more, all over."""
        while not self._budget.ended:
            before, here = here, self._climb(here, trace, MANY, rounds=1)
            if not self._gains(before, here):
                break
            here = self._climb(here, trace, FEW)
        return here

    def _climb(self, here: Point, trace: Trace, restarts: int, rounds: int = MOST_ROUNDS) -> Point:
        for number in range(rounds):
            if self._budget.ended:
                return here
            climbing = self._by_climbing(restarts, self._budget.seed + number)
            there = self._settled(self._moved(here, climbing))
            trace.objectives.append(there.objective)
            trace.arcs.append(len(there.model.dag.arcs))
            gained = self._gains(here, there)
            here = max(here, there, key=lambda point: point.objective)
            trace.converged = not gained and not self._budget.ended
            if not gained:
                return here
        return here

    def from_draws(self, here: Point, trace: Trace) -> Point:
        """Look in tables whose missing cells are drawn, and climb on from what they show.

        Expected counts are those that the present network expects, and favor it; a drawn table is
        as if nothing had been missing, and another one shows other networks.
        """
        seen = {here.model.dag.to_cpdag()}
        for number in range(DRAWN):
            if self._budget.ended:
                break
            dag = self._of_drawn(here, self._budget.seed + number)
            if dag.to_cpdag() in seen:
                continue
            seen.add(dag.to_cpdag())
            there = self.stay(self._table.fitted(dag, here.counts))
            if there is None:
                break
            there = self._settled(there)
            if self._gains(here, there):
                trace.objectives.append(there.objective)
                trace.arcs.append(len(dag.arcs))
                here = self.climb_on(self._climb(there, trace, FEW), trace)
                seen.add(here.model.dag.to_cpdag())
        trace.converged = not self._budget.ended
        return here

    def _of_drawn(self, here: Point, seed: int) -> Dag:
        """Return the network of one table with drawn cells, by climbing."""
        codes = np.array(here.completions.drawn(seed)).T
        names, data = self._table.names, self._table.filled
        drawn = Data.from_codes(codes[:, [names.index(x) for x in data.names]], data.states)
        limits = {**self._budget.words(), "progress": None, "seed": seed}
        found = hill_climb(
            replace(self._problem, data=drawn), start=here.model.dag, restarts=FEW, **limits
        )
        self._budget.end(found.stopped)
        return found.dag

    def look(self, search: str, here: Point, trace: Trace) -> tuple[Point, Result | None]:
        """Look with a search by name, and climb on from what it finds, until it finds no more."""
        found: Result | None = None

        def by_search(point: Point) -> Dag:
            nonlocal found
            limits = {**self._budget.words(0.5), "seed": self._budget.seed}
            if limits["time_limit"] is None:
                limits["time_limit"] = max(1.0, self._budget.seconds / 2)
            own = {"start": point.model.dag} if search == "exact" else {}
            found = search_by_name(search, self._completed(point), limits, **own)
            self._budget.end(found.stopped if found.stopped == "interrupt" else None)
            return found.dag

        while not self._budget.ended:
            there = self._moved(here, by_search)
            if there.model.dag == here.model.dag:
                break
            there = self._settled(there)
            if not self._gains(here, there):
                break
            here = self.climb_on(self._climb(there, trace, FEW), trace)
        return here, found

    def _gains(self, here: Point, there: Point) -> bool:
        return there.objective > here.objective + SETTLED

    def _settled(self, here: Point) -> Point:
        """Fit tables anew until they stay about the same."""
        for _ in range(STEPS_OF_TABLES):
            if self._budget.ended:
                break
            there = self._moved(here, lambda point: point.model.dag)
            gained = self._gains(here, there)
            here = max(here, there, key=lambda point: point.objective)
            if not gained:
                break
        return here

    def _moved(self, here: Point, look: Callable[[Point], Dag]) -> Point:
        """Return the next point: another network if it scores higher, and its tables."""
        dag = look(here)
        own = here.model.dag
        if dag != own and not self._expected(here.counts, dag) > self._expected(here.counts, own):
            dag = own
        model = self._table.fitted(dag, here.counts)
        return self._point(model) or here

    def _by_climbing(self, restarts: int, seed: int) -> Callable[[Point], Dag]:
        def climb(here: Point) -> Dag:
            limits = {**self._budget.words(), "progress": None, "seed": seed}
            start = here.model.dag
            found = hill_climb(self._completed(here), start=start, restarts=restarts, **limits)
            self._budget.end(found.stopped)
            return found.dag

        return climb

    def _point(self, model: Model) -> Point | None:
        completions = self._table.completions(model, self._budget.seed, self._budget)
        if completions is None:
            return None
        counts = FamilyCounts(completions)
        point = Point(model, counts, self._objective(model, counts))
        if self.best is None or point.objective > self.best.objective:
            self.best = point
        return point

    def _objective(self, model: Model, counts: FamilyCounts) -> float:
        taken = self._expected(counts, model.dag)
        likelihood = self._sum(counts, model.dag, log_likelihood)
        return float(counts.completions.log_likelihood + taken - likelihood)

    def _expected(self, counts: FamilyCounts, dag: Dag) -> float:
        """Return what a network scores on expected counts."""
        expected = self._score_of(counts)
        if not self._problem.score.equivalent:  # its sets are not all there is to a family
            scorer = _core.Scorer(expected.function(), 1 << 20)
            number = self._table.data.variables.number
            return math.fsum(
                scorer.local(number(x), [number(p) for p in dag.parents(x)]) for x in dag.names
            )
        prior = self._problem.score.prior.log_weights(len(dag.names))
        return self._sum(counts, dag, expected.of_counts) + math.fsum(
            prior[len(dag.parents(x))] for x in dag.names
        )

    def _sum(self, counts: FamilyCounts, dag: Dag, value: Callable[[Floats, int], float]) -> float:
        """Add up, over all families, a value of the counts of a set and of its variables."""
        number, terms = self._table.data.variables.number, []
        for x in dag.names:
            family = [*(number(p) for p in dag.parents(x)), number(x)]
            cells = counts(family)
            given = cells.reshape(-1, self._table.arities[family[-1]]).sum(axis=1)
            terms += [value(cells, len(family)), -value(given, len(family) - 1)]
        return math.fsum(terms)

    def _score_of(self, counts: FamilyCounts) -> ExpectedScore:
        return ExpectedScore(self._problem.score, counts.completions, self._table.rows)

    def _completed(self, here: Point) -> Problem:
        """Return the same question of the expected counts."""
        return replace(self._problem, data=self._table.filled, score=self._score_of(here.counts))


def log_likelihood(counts: Floats, _variables: int = 0) -> float:
    """Return the sum of n ln n."""
    seen = counts[counts > 0]
    return float((seen * np.log(seen)).sum())
