"""How far to trust what was found: probabilities, stability, near ties, edges by chance.

Three words with one meaning each. *Probability*: of an edge, or of its direction, given the rows;
half by the posterior of the table, half by those of resampled ones where there is time for these.
*Stability*: the share of resampled tables on which the search finds it. *Agreement*
(:mod:`dagscape.learning.steps`): the share of the local optima that have it, which tells how hard
the search was.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dagscape.arguments import file_path
from dagscape.claims.journal import Reason
from dagscape.control.budget import Budget
from dagscape.control.limits import FINAL, use_count
from dagscape.errors import DagscapeError, GraphError, ParameterError
from dagscape.landscape import Bootstrap, bootstrap
from dagscape.landscape.bootstrap import resample_widely
from dagscape.landscape.wide_samples import keep_candidates, kept_candidates
from dagscape.learning.chance import Chance, by_chance
from dagscape.learning.findings import LearningPart
from dagscape.learning.plan import (
    BESIDE_CHAINS,
    BESIDE_ROUNDS,
    CHANCE,
    CHANCE_SHARE,
    LEAST,
    LEAST_RESAMPLES,
    NEAR,
    NEAR_SHARE,
    NEAR_TIES,
    NEAR_WITHIN,
    PLAIN_SHARE,
    PROBABILITIES,
    PROBABILITY_SHARE,
    RESAMPLES,
    STABILITY,
    STABILITY_ALONE_SHARE,
    STABILITY_SHARE,
    SUMMED,
    near_parents,
    no_probabilities,
    posterior_seconds,
    probable_parents,
    resample_seconds,
)
from dagscape.learning.sensitivity import Varying
from dagscape.posteriors.halves import half_and_half
from dagscape.posteriors.make_posterior import posterior
from dagscape.posteriors.posterior import Posterior
from dagscape.results import Result
from dagscape.search.near import NearOptimal, near_optimal
from dagscape.search.order import MOST_LISTED

if TYPE_CHECKING:
    from dagscape.graphs import Dag, Mpdag
    from dagscape.knowledge import Knowledge
    from dagscape.learning.sensitivity import Sensitivity
    from dagscape.search.wide import Candidates


@dataclass(frozen=True)
class Resamples:
    """How many tables are drawn from the rows, how many are shuffled, and where all is kept."""

    number: int
    shuffled: int
    beside: Path | None
    """The file whose neighbors keep what is done."""

    @classmethod
    def of(
        cls, resamples: int | None, null: int, checkpoint: str | os.PathLike[str] | None
    ) -> Resamples:
        """Take the user's words; refuse what is wrong with them."""
        number = RESAMPLES if resamples is None else use_count("resamples", resamples)
        path = None if checkpoint is None else file_path(checkpoint, "checkpoint")
        return cls(number, use_count("null", null), path)

    def store(self, of: str, ending: str = "sqlite") -> Path | None:
        """Return the file that keeps tables that are done."""
        return self.beside and self.beside.with_name(f"{self.beside.stem}-{of}.{ending}")


@dataclass
class TrustFacts:
    """What is known of how far to trust the network; what could not be had is None."""

    posterior: Posterior | None = None
    sensitivity: Sensitivity | None = None
    """How probable edges are by other choices."""
    stability: Bootstrap | None = None
    near: NearOptimal | None = None
    chance: Chance | None = None
    consensus: Mpdag | None = None
    """The graph of least expected error, with the directions that knowledge gives."""


class Trust(LearningPart):
    """Does these steps, each in its share of the time that is left."""

    def run(self, resamples: Resamples) -> TrustFacts:
        """Return all that can be had; the journal says what was left out, and why."""
        found = TrustFacts()
        if not resamples.number:
            self._journal.leave_out(PROBABILITIES, Reason("no resamples asked for"))
            return found
        dag = self._findings.network.dag
        most = self._in_time(probable_parents(self._problem, dag), dag)
        hindrance = no_probabilities(self._problem, dag, most)
        if hindrance is None and not self._at_once(most):
            hindrance = self._end(resamples)
        if hindrance is not None:
            self._journal.leave_out(PROBABILITIES, hindrance)
        else:
            found.posterior = self._probabilities(resamples, most)
            found.consensus = consensus_of(found.posterior, self._problem.knowledge)
        if found.posterior is not None and not self._budget.interrupted:
            each = resample_seconds(self._problem.limited(most), self._budget.threads)
            varying = Varying(self._findings, self._executor)
            kept = resamples.store("choices", "json")
            asked = self._problem.limited(most)
            found.sensitivity = varying.run(asked, each, kept, at_once=self._at_once(most))
        if (hindrance := self._end(resamples)) is None:
            found.stability = self._stability(resamples, most)
        else:
            self._journal.leave_out(STABILITY, hindrance)
        if self._findings.optimal and self._end(resamples) is None:
            found.near = self._near_ties(most)
        if resamples.shuffled:
            found.chance = self._by_chance(resamples, most, found.posterior)
        return found

    def _end(self, resamples: Resamples) -> Reason | None:
        """Return why no further step is begun; what is kept in files is read in any case."""
        ended = self._findings.end()
        kept = resamples.beside is not None and not self._budget.interrupted
        return None if kept else ended

    def _at_once(self, most: int | None) -> bool:
        """Tell whether the table is so small that its own posterior takes no time to speak of.

        Then it is had even where no time is left.
        """
        if self._budget.interrupted or self._problem.most_together > SUMMED:
            return False
        return resample_seconds(self._problem.limited(most), self._budget.threads) <= LEAST

    def _left(self, share: float) -> float | None:
        return self._budget.left(share, LEAST)

    def _in_time(self, most: int | None, dag: Dag) -> int | None:
        """Return the most parents, at most these, with which there is time for probabilities.

        None fewer than the network has, nor than were asked for.
        """
        left = self._left(1.0)
        asked = self._problem.max_parents is not None
        if most is None or left is None or asked or self._at_once(most):
            return most
        own = max((len(dag.parents(name)) for name in dag.names), default=0)
        sizes = range(most, max(own, 1) - 1, -1)
        threads = self._budget.threads
        for seconds, share in (
            (resample_seconds, PROBABILITY_SHARE / LEAST_RESAMPLES),
            (posterior_seconds, PLAIN_SHARE),
        ):
            for size in sizes:
                if seconds(self._problem.limited(size), threads) <= share * left:
                    return size
        return most

    # --- probabilities --------------------------------------------------------------------------

    def _probabilities(self, resamples: Resamples, most: int | None) -> Posterior | None:
        """Return the mean of the bagged posterior and that of the table itself.

        Where too few resampled tables can be done in time, the latter takes the place of both.
        """
        left = self._left(PROBABILITY_SHARE)
        each = resample_seconds(self._problem.limited(most), self._budget.threads)
        bagged: Posterior | None = None
        at_once = self._at_once(most)
        ended = at_once and self._end(resamples) is not None
        if not ended and (left is None or LEAST_RESAMPLES * each <= left):
            bagged = self._posterior(left, most, resamples, resamples.number)
        few = bagged is None or bagged.resamples < min(LEAST_RESAMPLES, resamples.number)
        plain: Posterior | None = None
        left = None if at_once else self._left(PLAIN_SHARE)
        own = posterior_seconds(self._problem.limited(most), self._budget.threads)
        if at_once or (self._end(resamples) is None and (left is None or own <= left)):
            plain = self._posterior(left, most, resamples, 0, beside=not few)
        if bagged is not None and plain is not None and not few:
            found: Posterior | None = half_and_half(plain, bagged)
        else:
            found = plain or bagged if few else bagged
        if found is None:
            if not any(step.name == PROBABILITIES for step in self._journal.steps):
                self._journal.leave_out(PROBABILITIES, self._findings.end() or _too_slow(each))
            return None
        self._journal.note(
            PROBABILITIES,
            Reason(
                "probabilities",
                resamples=found.resamples,
                max_parents=found.max_parents,
                both=bool(found.plain and found.resampled),
            ),
            found.seconds,
            **({"stopped": found.stopped} if found.stopped else {}),
        )
        return found

    def _posterior(
        self,
        seconds: float | None,
        most: int | None,
        resamples: Resamples,
        number: int,
        *,
        beside: bool = False,
    ) -> Posterior | None:
        """Return the posterior; one that only stands beside another need not be as exact."""
        found: Posterior | None = None
        summed = self._problem.most_together <= SUMMED
        short = beside and not summed
        with self._findings.nothing_lost(PROBABILITIES):
            try:
                found = posterior(
                    self._problem.limited(most),
                    method="exact" if summed else "mcmc",
                    resamples=number,
                    chains=BESIDE_CHAINS if short else None,
                    rounds=BESIDE_ROUNDS if short else None,
                    cluster=self._executor,
                    store=resamples.store("posterior" if number else "posterior-plain"),
                    **{**self._limits(PROBABILITIES), "time_limit": seconds},
                )
            except ParameterError:
                raise
            except DagscapeError:  # time was over before one table was done
                return None
        if found is not None and found.stopped in FINAL:
            self._budget.end(found.stopped)
        return None if found is None or found.empty else found

    # --- the rest -------------------------------------------------------------------------------

    def _stability(self, resamples: Resamples, most: int | None) -> Bootstrap | None:
        """Resample the search: over orders where sets can be listed, else as it went itself."""
        found: Bootstrap | None = None
        wide = self._data.n_variables > MOST_LISTED
        listed = not wide and most is not None
        alone = any(step.name == PROBABILITIES and step.skipped for step in self._journal.steps)
        share = STABILITY_ALONE_SHARE if alone else STABILITY_SHARE
        limits = self._limits(STABILITY, share)
        runs, store = 2 * resamples.number, resamples.store("stability")
        with self._findings.nothing_lost(STABILITY):
            if wide and (candidates := self._candidates(resamples)) is not None:
                whole = Result(**self._findings.facts())
                budget = Budget.of(**limits, cluster=self._executor)
                found = resample_widely(self._problem, whole, candidates, runs, store, budget)
            else:
                found = bootstrap(
                    self._problem.limited(most) if listed else self._problem,
                    method="order" if listed else "wide" if wide else "hill_climb",
                    runs=runs,
                    cluster=self._executor,
                    store=store,
                    start=self._findings.network.dag if wide else None,
                    **limits,
                )
        if found is None:
            return None
        if found.stopped in FINAL:
            self._budget.end(found.stopped)
        if not found.runs:
            self._journal.leave_out(STABILITY, self._findings.end() or Reason("no run done"))
            return None
        self._journal.note(
            STABILITY,
            Reason("samples searched", samples=found.runs, method=found.method),
            found.seconds,
            **({"stopped": found.stopped} if found.stopped else {}),
        )
        return found

    def _candidates(self, resamples: Resamples) -> Candidates | None:
        """Return what the wide search kept, in this call or in one that was interrupted."""
        found, path = self._findings.candidates, resamples.store("candidates", "json.gz")
        if path is None:
            return found
        if found is None:
            return kept_candidates(path, self._problem)
        keep_candidates(path, self._problem, found)
        return found

    def _near_ties(self, most: int | None) -> NearOptimal | None:
        """List what scores nearly as high as the optimum that was proven."""
        found: NearOptimal | None = None
        with self._findings.nothing_lost(NEAR), self._told_why(NEAR):
            proven = self._findings.scope.max_parents
            found = near_optimal(
                self._problem.limited(near_parents(self._data.n_variables, proven, most)),
                within=NEAR_WITHIN,
                limit=NEAR_TIES,
                **self._limits(NEAR, NEAR_SHARE),
            )
        if found is None:
            return None
        if found.stopped in FINAL:
            self._budget.end(found.stopped)
        if not len(found):
            self._journal.leave_out(NEAR, self._findings.end() or Reason("no time left"))
            return None
        self._journal.note(NEAR, Reason("near ties", words=str(found.claim)), found.seconds)
        return found

    @contextmanager
    def _told_why(self, step: str) -> Iterator[None]:
        """Take what a step says it cannot do for the reason why it is left out."""
        try:
            yield
        except ParameterError as error:
            self._journal.leave_out(step, Reason("out of reach", words=str(error)))

    def _by_chance(
        self, resamples: Resamples, most: int | None, known: Posterior | None
    ) -> Chance | None:
        """Do the same on tables whose columns were shuffled, so that no edge is there."""
        if known is None or self._data.numbers:
            why = Reason("nothing to compare" if known is None else "numbers in the way")
            self._journal.leave_out(CHANCE, why)
            return None
        if (ended := self._findings.end()) is not None:
            self._journal.leave_out(CHANCE, ended)
            return None
        found: Chance | None = None
        with self._findings.nothing_lost(CHANCE):
            part = self._budget.part(CHANCE_SHARE, self._journal.telling(CHANCE))
            found = by_chance(
                self._problem.limited(most), resamples.shuffled, known.resamples, part
            )
        if found is None or not found.tables:
            self._journal.leave_out(CHANCE, self._findings.end() or Reason("no run done"))
            return None
        self._journal.note(CHANCE, Reason("shuffled", tables=found.tables), found.seconds)
        return found


def _too_slow(seconds: float) -> Reason:
    return Reason("table too slow", seconds=seconds)


def consensus_of(
    known: Posterior | None, knowledge: Knowledge | None, balance: float = 0.5
) -> Mpdag | None:
    """Return the graph of least expected error, with the directions that knowledge gives."""
    if known is None:
        return None
    nearest = known.consensus(balance)
    if knowledge is None:
        return nearest
    try:
        return knowledge.orient(nearest)
    except GraphError:  # it is near to networks that obey, and need not be one
        return nearest
