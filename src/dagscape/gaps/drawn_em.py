"""Structural EM where cells are drawn: several completed tables and one network, in turn.

For tables with numbers. Parameters and cells of each table are drawn given the network; a search
looks for a network of a higher mean score over the tables; and so on, until what is gained is no
more than other draws would change. Source: Friedman, The Bayesian structural EM algorithm, UAI
1998; Wei and Tanner, A Monte Carlo implementation of the EM algorithm, JASA 1990.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from dagscape.errors import ParameterError
from dagscape.gaps.drawn_tables import Columns, DrawnTables
from dagscape.gaps.em import SETTLED, Trace
from dagscape.gaps.stand_in_scores import MeanScore
from dagscape.graphs import Dag
from dagscape.landscape.bootstrap import search_by_name
from dagscape.networks import Network, fit
from dagscape.search import hill_climb
from dagscape.speech import choice

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.data import Data
    from dagscape.problem import Problem
    from dagscape.results import Result
    from dagscape.scores import Score

TABLES, FEWEST_TABLES = 10, 3
"""Completed tables that are drawn side by side, and how few they are where each is large."""
MOST_CELLS = 5e7
"""Cells of all of them together, unless they are so few already."""
RESTARTS = 5
"""Of the climbs that look for a network."""
LEAST_ROUNDS, MOST_ROUNDS = 4, 30
"""Rounds of one start: cells that are missing side by side need some to agree with each other."""
LAST_ROUNDS = 3
"""Looks with a search by name."""


@dataclass(frozen=True)
class End:
    """Where a start ended: a network, and the tables that were drawn from it."""

    dag: Dag
    tables: tuple[Columns, ...]


def check_lines(score: Score) -> None:
    """Refuse a score of numbers that sees curves: what is drawn are lines."""
    if score.base.of_numbers and not score.base.linear:
        raise ParameterError(
            f"{score.base} sees curves, and missing cells are drawn by lines; choose "
            f"{choice('score', f'{score.base.names[0]}(degree=1)')}"
        )


class DrawnEM:
    """Goes from network to network on one table."""

    def __init__(self, problem: Problem, budget: Budget) -> None:
        self._draws = DrawnTables(problem.data, problem.score)
        self._problem = problem
        self._budget = budget
        cells = self._draws.data.n_rows * self._draws.data.n_variables
        self._count = int(min(TABLES, max(FEWEST_TABLES, MOST_CELLS // cells)))
        self._seen: End | None = None

    @property
    def rows(self) -> int:
        """Rows that have a value."""
        return self._draws.data.n_rows

    @property
    def count(self) -> int:
        """Tables that are drawn side by side."""
        return self._count

    def climb(self, start: int, trace: Trace) -> End:
        """Begin with columns that are filled from their own values, and go on until it settles."""
        streams = self._streams(start)
        here = self._begun(streams)
        for number in range(MOST_ROUNDS):
            if number and self._budget.ended:
                return here
            here = self._drawn(here, streams)
            scored = self.scored(here.tables)
            seed = self._budget.seed + number
            found = hill_climb(
                self._completed(scored),
                start=here.dag,
                restarts=RESTARTS,
                **{**self._budget.words(), "progress": None, "seed": seed},
            )
            self._budget.end(found.stopped)
            old, new = (np.array(each) for each in scored.totals([here.dag, found.dag]))
            trace.objectives.append(float(max(new.mean(), old.mean())))
            trace.arcs.append(len(found.dag.arcs))
            error = float((new - old).std(ddof=1)) / self._count**0.5
            settled = (new - old).mean() <= max(SETTLED, error)
            here = replace(here, dag=found.dag if new.mean() > old.mean() else here.dag)
            self._seen = here
            if settled and number + 1 >= LEAST_ROUNDS:
                trace.converged = not self._budget.ended
                return here
        return here

    def best(self, ends: list[End]) -> End:
        """Return the end whose network scores highest on the tables of all.

        After a Ctrl-C there may be none yet: then it is what was seen last.
        """
        if not ends:
            return self._seen or self._begun(self._streams(0))
        if len(ends) == 1:
            return ends[0]
        scored = self.scored(tuple(table for end in ends for table in end.tables))
        means = [float(np.mean(each)) for each in scored.totals([end.dag for end in ends])]
        return ends[int(np.argmax(means))]

    def look(self, search: str, here: End, trace: Trace) -> tuple[End, Result | None]:
        """Look with a search by name, and draw on from what it finds, until it finds no more."""
        found: Result | None = None
        streams = self._streams(-1)
        for _ in range(LAST_ROUNDS):
            if self._budget.ended:
                break
            limits = {**self._budget.words(0.5), "seed": self._budget.seed}
            if limits["time_limit"] is None:
                limits["time_limit"] = max(1.0, self._budget.seconds / 2)
            scored = self.scored(here.tables)
            own = {"start": here.dag} if search == "exact" else {}
            found = search_by_name(search, self._completed(scored), limits, **own)
            self._budget.end(found.stopped if found.stopped == "interrupt" else None)
            old, new = (float(np.mean(each)) for each in scored.totals([here.dag, found.dag]))
            trace.objectives.append(max(old, new))
            trace.arcs.append(len(found.dag.arcs))
            if new <= old + SETTLED:
                trace.converged = not self._budget.ended
                break
            here = replace(here, dag=found.dag)
            if not self._budget.ended:
                here = self._drawn(here, streams)
        return here, found

    def score_of(self, end: End) -> float:
        """Return what a network scores, the mean over its tables."""
        return float(np.mean(self.scored(end.tables).totals([end.dag])[0]))

    def scored(self, tables: tuple[Columns, ...]) -> MeanScore:
        """Return the mean of the score over tables."""
        made = tuple(self._draws.table(columns) for columns in tables)
        return MeanScore(self._problem.score, made)

    def network(self, end: End) -> Network:
        """Return the network with what is fitted to the rows of all its tables."""
        names, states = self._draws.data.names, self._draws.data.states
        rows = {x: np.concatenate([table[x] for table in end.tables]) for x in names}
        return fit(end.dag, self._draws.data.from_columns(rows, states))

    def _streams(self, start: int) -> list[np.random.Generator]:
        seeds = ([self._budget.seed, start + 1, i] for i in range(self._count))
        return [np.random.default_rng(seed) for seed in seeds]

    def _begun(self, streams: list[np.random.Generator]) -> End:
        """Return the network without arcs but those required, and columns filled by themselves."""
        known = self._problem.knowledge
        bare = Dag(self._problem.data.names, () if known is None else known.required)
        return End(bare, tuple(self._draws.start(rng) for rng in streams))

    def _drawn(self, end: End, streams: list[np.random.Generator]) -> End:
        pairs = zip(end.tables, streams, strict=True)
        return End(end.dag, tuple(self._draws.drawn(end.dag, table, rng) for table, rng in pairs))

    def _completed(self, scored: MeanScore) -> Problem:
        """Return the same question of the drawn tables."""
        whole: Data = scored.tables[0]
        return replace(self._problem, data=whole, score=scored)
