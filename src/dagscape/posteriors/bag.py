"""The bagged posterior: the mean of the posteriors of many tables drawn from the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dagscape import _core
from dagscape.control.budget import Budget
from dagscape.control.limits import TellShare
from dagscape.executors import side_by_side
from dagscape.landscape.resample import resampled
from dagscape.posteriors.chains import Batch, ChainRun, pool, read_lists, run_chains
from dagscape.posteriors.exact_sums import StoppedError, add_up, weigh
from dagscape.scores import free_numbers

if TYPE_CHECKING:
    from dagscape.problem import Problem

ALONE = 14
"""From so many variables on, a table's sums use all threads, and one table is done at a time."""


@dataclass(frozen=True)
class Resamples:
    """What the posteriors of all samples have in common, beside the problem."""

    drawn: int
    """Networks to draw from each."""
    patience: float
    """Seconds that the sums of each may take, by the estimate."""
    chains: ChainRun | None = None
    """The chains on each, where they take the place of sums."""

    def piece(
        self, problem: Problem, number: int, budget: Budget, tell: TellShare | None
    ) -> Batch | StoppedError:
        """Return the posterior of one sample of the rows, or why there is none."""
        sample = resampled(problem.data, budget.seed, number)
        scorer = _core.Scorer(problem.score.on(sample), budget.memory // 4, free_numbers(sample))
        constraints = problem.constraints()
        try:
            if self.chains is not None:
                return self._by_chains(scorer, constraints, self.chains, number, budget, tell)
            sums = add_up(scorer, constraints, budget, tell, patience=self.patience)
        except StoppedError as stopped:
            return stopped
        return Batch(sums.piece(number, sums.networks(self.drawn, budget.seed)), whole=True)

    def _by_chains(
        self,
        scorer: _core.Scorer,
        constraints: _core.Constraints,
        run: ChainRun,
        number: int,
        budget: Budget,
        tell: TellShare | None,
    ) -> Batch:
        parents = weigh(scorer, constraints, budget, tell)
        lists = read_lists(parents, budget)
        ran = run_chains(lists, run, range(run.chains), budget, tell, stream=number + 1)
        if not ran.pieces:
            raise StoppedError(ran.stopped)
        return Batch(pool(ran.pieces, number), whole=not ran.stopped)


def resample_batch(
    problem: Problem, resamples: Resamples, batch: Sequence[int], budget: Budget
) -> tuple[list[Batch], str]:
    """Do some samples, several at the same time where they are small."""
    found: list[Batch | StoppedError]
    if len(problem.variables) < ALONE or resamples.chains is not None:
        each = replace(budget, threads=1, memory=budget.memory // budget.threads, progress=None)
        found, stopped = side_by_side(
            lambda number, look: resamples.piece(problem, number, each, look),
            batch,
            budget,
            "chains of networks" if resamples.chains else "summing over networks",
        )
    else:
        found, stopped = [], ""
        tell = budget.telling("summing over networks")
        for place, number in enumerate(batch):
            share = None if tell is None else _part(tell, place, len(batch))
            found.append(resamples.piece(problem, number, budget, share))
            if isinstance(found[-1], StoppedError):
                break
    done = [each for each in found if isinstance(each, Batch)]
    reasons = [end.reason for end in found if isinstance(end, StoppedError)]
    if not all(each.whole for each in done):
        reasons.append("time")
    return done, stopped or next(iter(reasons), "")


def _part(tell: TellShare, place: int, pieces: int) -> TellShare:
    """Return what tells how far all pieces are, from the share of one that is done."""
    return lambda share: tell((place + share) / pieces)
