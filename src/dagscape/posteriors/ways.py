"""Ways to compute a posterior: sums over networks, or chains, on the data or on resamples."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dagscape import _core
from dagscape.control.budget import Budget
from dagscape.control.limits import TellShare
from dagscape.executors import Job, side_by_side, use_executor
from dagscape.landscape.resample import resampled
from dagscape.posteriors.chains import (
    Batch,
    ChainRun,
    chain_batch,
    kept_lists,
    pool,
    read_lists,
    run_chains,
)
from dagscape.posteriors.data_augmentation import augmented_batch
from dagscape.posteriors.estimates import Estimates
from dagscape.posteriors.exact_sums import (
    OutOfReachError,
    Reach,
    Sums,
    SumsStoppedError,
    add_up,
    fitting,
    out_of_reach,
    parent_sets,
    sum_over,
    weigh,
)
from dagscape.posteriors.pieces import Piece
from dagscape.posteriors.posterior import Posterior
from dagscape.posteriors.posterior_files import KIND, PosteriorStore
from dagscape.posteriors.save_and_load import about, settings
from dagscape.scores import free_numbers
from dagscape.targets import told

if TYPE_CHECKING:
    from dagscape.problem import Problem

ALONE = 14
"""From so many variables on, a table's sums use all threads, and one table is done at a time."""


@dataclass(frozen=True)
class ResampleSettings:
    """What the posteriors of all samples have in common, beside the problem."""

    drawn: int
    """Networks to draw from each."""
    patience: float
    """Seconds that the sums of each may take, by the estimate."""
    chains: ChainRun | None = None
    """The chains on each, where they take the place of sums."""

    def piece(
        self, problem: Problem, number: int, budget: Budget, tell: TellShare | None
    ) -> Batch | SumsStoppedError:
        """Return the posterior of one sample of the rows, or why there is none."""
        sample = resampled(problem.data, budget.seed, number)
        scorer = _core.Scorer(problem.score.on(sample), budget.memory // 4, free_numbers(sample))
        constraints = problem.constraints()
        try:
            if self.chains is not None:
                return self._by_chains(scorer, constraints, self.chains, number, budget, tell)
            sums = add_up(scorer, constraints, budget, tell, patience=self.patience)
        except SumsStoppedError as stopped:
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
            raise SumsStoppedError(ran.stopped)
        return Batch(pool(ran.pieces, number), whole=not ran.stopped)


def resample_batch(
    problem: Problem, resamples: ResampleSettings, batch: Sequence[int], budget: Budget
) -> tuple[list[Batch], str]:
    """Do some samples, several at the same time where they are small."""
    found: list[Batch | SumsStoppedError]
    if len(problem.variables) < ALONE or resamples.chains is not None:
        each = replace(
            budget, threads=1, memory=max(1, budget.memory // budget.threads), progress=None
        )
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
            if isinstance(found[-1], SumsStoppedError):
                break
    done = [each for each in found if isinstance(each, Batch)]
    reasons = [end.reason for end in found if isinstance(end, SumsStoppedError)]
    if not all(each.whole for each in done):
        reasons.append("time")
    return done, stopped or next(iter(reasons), "")


def _part(tell: TellShare, place: int, pieces: int) -> TellShare:
    """Return what tells how far all pieces are, from the share of one that is done."""
    return lambda share: tell((place + share) / pieces)


WEIGHED_PER_SECOND = 1e6
"""Parent sets that one thread of a common machine weighs, at least."""
WEIGHED_SHARE = 0.25
"""The share of the time in which that must be done, where nobody said how many parents."""
BYTES_EACH = 128
"""What a parent set takes, from when it is weighed until chains on several resamples read it."""
LOOK_SHARE = 0.1
"""The share of the time in which to look at the data whether resamples can be summed over."""
ROUNDS_TO_COUNT = 10
"""Rounds of a chain on a table with gaps, so many that something can be told."""
DRAWN_EACH = 200
"""Networks that are drawn from each resample, however many there are to be."""


@dataclass
class Weighing:
    """What networks are weighed for, on how many tables, and what that may use."""

    problem: Problem
    tables: int
    """Resamples; 0 for the data themselves."""
    store: str | os.PathLike[str] | None
    budget: Budget

    def kept(self, rounds: int) -> PosteriorStore:
        """Return what keeps the pieces; `rounds` of each chain, or 0."""
        # In memory nothing need be told from anything else.
        shared: dict[str, Any] = {"kind": KIND}
        if self.store is not None:
            seed, bagged = self.budget.seed, bool(self.tables)
            shared = self.problem.identity(KIND, **settings(seed, bagged, rounds))
        return PosteriorStore(self.store, shared, self.problem.variables.names)

    def estimates(
        self, pieces: Iterable[Piece], rounds: int = 0, sums: Sums | None = None
    ) -> Estimates:
        """Return what pieces say together."""
        return Estimates(
            self.problem.variables,
            self.problem,
            tuple(pieces),
            seed=self.budget.seed,
            asked=self.tables,
            rounds=rounds,
            sums=sums,
            data=self.problem.data,
            experiments=told(self.problem.settings.get("interventions")),
        )

    def posterior(self, estimates: Estimates, stopped: str | None = None) -> Posterior:
        """Return what was found."""
        return Posterior(
            estimates,
            fingerprint=self.problem.data.fingerprint,
            seconds=self.budget.seconds,
            stopped=stopped,
            notes=self.problem.data.notes,
        )


def weighable(budget: Budget, *, gaps: bool) -> float:
    """Return how many parent sets can be weighed within limits; with gaps they are weighed often.

    It depends on what was asked for alone, so that the same call asks the same question.
    """
    often = ROUNDS_TO_COUNT if gaps else 1
    in_time = budget.total * WEIGHED_SHARE * WEIGHED_PER_SECOND / often
    asked: float | None = budget.settings["max_memory"]
    return in_time if asked is None else min(in_time, asked / BYTES_EACH)


def by_sums(call: Weighing, budget: Budget, patience: float) -> Posterior:
    """Sum over the networks of the data, or of each resample; raise if that is out of reach.

    Where that budget ends and nothing is there yet, they are given up; `patience` is what one
    table's sums may take, by the estimate.
    """
    if call.tables:
        # What fits for the data will fit for samples of them; where all fits, nobody need look, and
        # nobody should where the look takes time that resamples need.
        n = len(call.problem.variables)
        if not Reach.of(budget, patience).allows([n]):
            if parent_sets(call.problem) / WEIGHED_PER_SECOND > LOOK_SHARE * budget.total:
                raise OutOfReachError(out_of_reach([n], budget))
            fitting(_weighed(call, budget, None), budget, patience)
        run = ResampleSettings(DRAWN_EACH, patience)
        return _bagged(call, run, budget.deadline)
    tell_share = budget.telling("summing over networks")
    first = tell_share and (lambda share: tell_share(share / 4))
    then = tell_share and (lambda share: tell_share((1 + 3 * share) / 4))
    weighed = _weighed(call, call.budget, first)  # which chains need too
    try:
        lists = fitting(weighed, budget, patience)
        if call.store is None:
            return call.posterior(_summed(call, sum_over(lists, budget, then)))
        with call.kept(0) as kept:  # which refuses a store of something else before it sums
            found = call.posterior(_summed(call, sum_over(lists, budget, then)))
            found._estimates.draw()
            kept.add(found._estimates.pieces)
            kept.tell("about", about(found))
            return found
    except SumsStoppedError as stopped:
        raise SumsStoppedError(stopped.reason, weighed) from None


def _weighed(call: Weighing, budget: Budget, tell_share: TellShare | None) -> _core.ParentLists:
    problem = call.problem
    return weigh(problem.scorer_within(budget.memory), problem.constraints(), budget, tell_share)


def _summed(call: Weighing, sums: Sums) -> Estimates:
    return call.estimates([sums.piece(-1, None)], sums=sums)


def by_chains(call: Weighing, run: ChainRun, lists: _core.ParentLists | None) -> Posterior:
    """Run chains on the data, or on each resample; `lists` of the data, if they were weighed."""
    if call.tables:
        each = ResampleSettings(DRAWN_EACH, math.inf, run)
        return _bagged(call, each, call.budget.deadline)
    try:
        if lists is not None:
            kept_lists.put(call.problem, read_lists(lists, call.budget))
        return _chained(call, run)
    finally:
        kept_lists.forget()


def _chained(call: Weighing, run: ChainRun) -> Posterior:
    """Run the chains that the store lacks; return what all that are there tell together."""
    work = augmented_batch if call.problem.data.missing else chain_batch
    job = Job.of(call.budget, work, {call.problem.mark: call.problem}, run)
    return _done(call, job, run.chains, "chain", run.rounds, call.budget.deadline)


def _bagged(call: Weighing, run: ResampleSettings, first_by: float | None) -> Posterior:
    """Do the resamples that the store lacks; return the mean over all that are there."""
    job = Job.of(call.budget, resample_batch, {call.problem.mark: call.problem}, run)
    rounds = 0 if run.chains is None else run.chains.rounds
    return _done(call, job, call.tables, "resample", rounds, first_by)


def _done(
    call: Weighing, job: Job, many: int, what: str, rounds: int, first_by: float | None
) -> Posterior:
    """Do what the store lacks; give up where none is done by the moment `first_by`."""
    cut_short: list[Piece] = []
    with call.kept(rounds) as kept, use_executor(call.budget) as executor:

        def keep(batch: list[Batch]) -> None:
            # Only what is whole is that of the seed; the rest counts now, and is done again then.
            kept.add(each.piece for each in batch if each.whole)
            cut_short.extend(each.piece for each in batch if not each.whole)

        for deadline in dict.fromkeys((first_by, call.budget.deadline)):
            tell_pieces = kept.telling(call.budget.progress, many, what)
            stopped = executor.do(job, kept.missing(many), keep, tell_pieces, deadline)
            if stopped != "time" or not kept.count(many):
                break
        pieces = kept.pieces(many)
        # Resamples whose chains time cut short are less than others, and more than nothing.
        if not call.tables or not pieces:
            pieces = sorted([*pieces, *cut_short], key=lambda piece: piece.number)
        if not pieces:
            raise SumsStoppedError(stopped)
        whole = kept.count(many) == many
        found = call.posterior(call.estimates(pieces, rounds), None if whole else stopped)
        kept.tell("about", about(found))
        return found
