"""The step of learning that asks for the probabilities again, by other choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dagscape.claims.journal import Reason
from dagscape.control.limits import FINAL
from dagscape.errors import DagscapeError, ParameterError
from dagscape.learning.findings import Part
from dagscape.learning.plan import CHOICES, CHOICES_SHARE, SUMMED
from dagscape.learning.sensitivity import Kept, Pair, Sensitivity, joined
from dagscape.learning.variations import Variation, variations
from dagscape.posteriors.chains import CHAINS_EACH, ROUNDS_EACH
from dagscape.posteriors.make_posterior import posterior

if TYPE_CHECKING:
    from pathlib import Path

    from dagscape.problem import Problem

ROUNDS_WITH_GAPS = 100
"""Of each chain where cells are missing: enough to tell more than one half from less."""


class Varying(Part):
    """Asks the table itself by each other choice; what is done is kept in a file, if there is one.

    These probabilities stand beside others, so chains are as short as those of a resampled table.
    """

    def run(self, most: int | None, each: float, beside: Path | None) -> Sensitivity | None:
        """Return what could be had in time; None where nothing could, and the journal says why.

        Parameters
        ----------
        most
            Parents at most.
        each
            Seconds that it takes by one choice, about.
        beside
            The file that keeps it.
        """
        problem = self._problem.limited(most)
        kept = Kept(beside, problem.identity("choices", seed=self._budget.seed))
        asked = list(variations(problem))
        found: dict[Variation, dict[Pair, float]] = {}
        before = self._budget.seconds
        with self._findings.nothing_lost(CHOICES):
            for at, (variation, other) in enumerate(asked):
                known = kept.of(variation)
                if known is None:
                    known = self._probabilities(other, each, 1 / (len(asked) - at))
                    if known is None:
                        break
                    kept.keep(variation, known)
                found[variation] = known
        if self._journal.raised is not None or not found:
            if not any(step.name == CHOICES for step in self._journal.steps):
                why = self._findings.end() or Reason("table too slow", seconds=each)
                self._journal.leave_out(CHOICES, why)
            return None
        self._journal.note(
            CHOICES,
            Reason("varied", choices=[str(variation) for variation in found], asked=len(asked)),
            self._budget.seconds - before,
        )
        return Sensitivity(tuple(found), tuple(found.values()))

    def _probabilities(self, other: Problem, each: float, share: float) -> dict[Pair, float] | None:
        """Return how probable edges are by another choice; None if there is no time for that."""
        left = self._budget.left(CHOICES_SHARE * share)
        if self._findings.end() is not None or (left is not None and each > left):
            return None
        gaps = bool(self._data.missing)
        summed = self._problem.most_together <= SUMMED and not gaps
        limits = {**self._limits(CHOICES), "time_limit": left}
        try:
            found = posterior(
                other,
                method="exact" if summed else "mcmc",
                chains=None if summed else CHAINS_EACH,
                rounds=None if summed else ROUNDS_WITH_GAPS if gaps else ROUNDS_EACH,
                cluster=self._executor,
                **limits,
            )
        except ParameterError:
            raise
        except DagscapeError:  # time was over before
            return None
        if found.stopped in FINAL:
            self._budget.end(found.stopped)
        return None if found.stopped else joined(found)
