"""The posterior of a table with gaps: chains that draw networks and missing cells in turn."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dagscape import _core
from dagscape.control.budget import Budget
from dagscape.executors import EndedError, side_by_side
from dagscape.gaps.cell_sampler import cells_of
from dagscape.posteriors.chains import (
    FORGOTTEN,
    KEPT,
    STARTS,
    Batch,
    ChainRun,
    Lists,
    read_lists,
    start_of,
)
from dagscape.posteriors.exact_sums import TOGETHER, Fitting, SumsStoppedError, sum_over, weigh
from dagscape.posteriors.pieces import Chain, Networks, Piece, Table

if TYPE_CHECKING:
    from dagscape.problem import Problem

ROUNDS = 500
"""Rounds of a chain: networks are drawn given a completed table, then its missing cells anew."""

MOVES = 50
"""Rounds of moves on each completed table, where sums over all its networks would take long."""

SWEEPS = 2
"""How often cells are drawn in a round: that takes less than weighing all parent sets anew."""


@dataclass(frozen=True)
class TablePosterior:
    """What one completed table tells."""

    arcs: Table
    ancestors: Table
    codes: list[bytes]
    """Networks drawn given the table. The last one is where the chain goes on."""
    log_weight: float


class Augmentation:
    """One chain: a completed table and a network, each drawn given the other."""

    def __init__(self, problem: Problem, run: ChainRun, number: int, budget: Budget) -> None:
        self._problem = problem
        self._run = run
        self._number = number
        self._budget = budget
        self._kind = STARTS[number % len(STARTS)]
        self._rng = np.random.default_rng([budget.seed, number])
        self._cells = cells_of(problem.data, problem.score)
        self._parents: list[list[int]] | None = None
        self._kept_each = max(1, KEPT // max(1, run.rounds - run.forgotten))
        self.stopped = ""
        """What ended it before all rounds were done: "time" or "memory"."""

    def go(self, look: Callable[[float], object]) -> Batch | None:
        """Do all rounds, or those that there is time for; None if not even one was done."""
        done: list[TablePosterior] = []
        try:
            columns = self._cells.start(self._kind, self._problem, self._rng, self._budget)
            while columns is not None and len(done) < self._run.rounds and not self._budget.over:
                look(len(done) / self._run.rounds)
                done.append(self._network(columns))
                columns = self._swept(columns)
        except SumsStoppedError as ended:  # what is done counts
            self.stopped = ended.reason
        except EndedError:
            self.stopped = "time"
        counted = done[int(FORGOTTEN * len(done)) :]
        whole = len(done) == self._run.rounds
        if not whole and not self.stopped:
            self.stopped = "time" if self._budget.over else "memory"
        return Batch(self._piece(done[0], counted), whole) if counted else None

    def _swept(self, columns: Any) -> Any | None:
        """Draw parameters and cells anew, given the network."""
        for _ in range(SWEEPS):
            drawn = self._cells.drawn(self._parents or [], columns, self._rng, self._budget)
            if drawn is None:
                return None
            columns = drawn
        return columns

    def _network(self, columns: Any) -> TablePosterior:
        """Draw networks given a completed table."""
        table = self._cells.data(columns)
        scorer = _core.Scorer(self._problem.score.on(table), self._budget.memory // 4)
        lists = weigh(scorer, self._problem.constraints(), self._budget, None)
        seed = int(self._rng.integers(1 << 62))
        summed = table.n_variables <= TOGETHER
        seen = self._by_sums(lists, seed) if summed else self._by_moves(lists, seed)
        self._parents = _parents(table.n_variables, seen.codes[-1])
        return seen

    def _by_sums(self, lists: _core.ParentLists, seed: int) -> TablePosterior:
        sums = sum_over(Fitting(lists, 0.0), self._budget)
        codes = sums.draw(self._kept_each, seed)
        return TablePosterior(
            sums.engine.arcs(), sums.engine.ancestors(), codes, sums.engine.log_total
        )

    def _by_moves(self, parents: _core.ParentLists, seed: int) -> TablePosterior:
        lists = read_lists(parents, self._budget)
        found, stopped = _core.run_chains(
            lists.chains,
            [self._place(lists)],
            [0],
            MOVES,
            0,
            self._kept_each,
            seed,
            1,
            seconds=self._budget.left(),
        )
        facts = found[0]
        if facts is None or not facts["whole"]:
            raise SumsStoppedError(stopped or "time")
        codes = _core.network_codes(parents, facts["kept"])
        weights = facts["log_weights"]
        return TablePosterior(facts["arcs"], facts["ancestors"], codes, float(weights[-1]))

    def _place(self, lists: Lists) -> list[int]:
        """Return where the chain is, by places in the lists of the table at hand."""
        if self._parents is None:
            return start_of(lists, self._number, self._budget.seed, self._budget)[1]
        return _core.chain_places(lists.chains, self._parents)

    def _piece(self, first: TablePosterior, counted: Sequence[TablePosterior]) -> Piece:
        codes = [code for seen in counted for code in seen.codes]
        return Piece(
            number=self._number,
            log_total=None,
            dropped=0.0,
            arcs=_mean([seen.arcs for seen in counted]),
            ancestors=_mean([seen.ancestors for seen in counted]),
            networks=Networks.from_draws(len(self._problem.variables), codes),
            rounding=0.0,
            components=(),
            chain=Chain(
                self._kind,
                len(counted),
                first.log_weight,
                max(seen.log_weight for seen in counted),
                completed=True,
            ),
        )


def _mean(tables: Sequence[Table]) -> Table:
    mean: Table = np.clip(np.mean(tables, axis=0), 0.0, 1.0)  # rounding
    return mean


def _parents(variables: int, code: bytes) -> list[list[int]]:
    parents: list[list[int]] = [[] for _ in range(variables)]
    for a, b in _core.decode_graph(variables, code).directed:
        parents[b].append(a)
    return [sorted(above) for above in parents]


def augmented_batch(
    problem: Problem, run: ChainRun, batch: Sequence[int], budget: Budget
) -> tuple[list[Batch], str]:
    """Run some of the chains on a table with gaps, each on a thread of its own."""
    memory = max(1, budget.memory // budget.threads)

    def do(number: int, look: Callable[[float], None]) -> tuple[Batch | None, str]:
        left = budget.left()
        # Chains that come later must have their time too.
        waves = math.ceil(max(1, run.chains - number) / budget.threads)
        deadline = None if left is None else time.monotonic() + left / waves
        own = Budget(deadline, memory, 1, seed=budget.seed)
        chain = Augmentation(problem, run, number, own)
        return chain.go(look), chain.stopped

    # Each minds its own time, and what it has by then counts.
    ended, stopped = side_by_side(
        do, batch, replace(budget, deadline=None), "drawing cells and networks"
    )
    reasons = [why for _, why in ended if why]
    if not stopped and (reasons or len(ended) < len(batch)):
        stopped = next(iter(reasons), "time")
    return [each for each, _ in ended if each is not None], stopped
