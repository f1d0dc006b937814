"""What the table itself says and what tables drawn from its rows say, each counting half.

The posterior of the table is too sure of itself where its assumptions fail; that of resampled
tables is not sure enough, and chance looks stronger in it. On known networks their mean is nearer
to how often such claims are true than either is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dagscape.posteriors.agreement import Agreement, Measure
from dagscape.posteriors.classes import ProbableClass, by_share
from dagscape.posteriors.consensus import PairStates
from dagscape.posteriors.estimates import MOST_CLASSES, Estimates
from dagscape.posteriors.pieces import Estimate, Networks, Table, mixed
from dagscape.posteriors.posterior import Posterior
from dagscape.posteriors.probable_features import FeaturePart


class Halves(Estimates):
    """Two posteriors as one: whatever is asked, it gives the mean of their answers."""

    def __init__(self, plain: Estimates, resampled: Estimates) -> None:
        super().__init__(
            resampled.variables,
            resampled.terms,
            resampled.pieces,
            seed=resampled.seed,
            asked=resampled.asked,
            rounds=resampled.rounds,
            data=resampled.data,
            experiments=resampled.experiments,
        )
        self.plain, self.resampled = plain, resampled

    @property
    def dropped(self) -> float:
        """The most that networks left out of the sums of either weigh."""
        return max(self.plain.dropped, self.resampled.dropped)

    @property
    def agreement(self) -> Agreement | None:
        """How far chains on the table itself agree; None where there are none."""
        return self.plain.agreement

    def draw(self) -> None:
        """Draw networks, if that has not been done."""
        self.plain.draw()

    def prepare(self, kind: str) -> None:
        """Make sure that both can tell a kind of feature."""
        self.plain.prepare(kind)
        self.resampled.prepare(kind)

    def estimate(self, part: FeaturePart) -> Estimate:
        """Return the mean, and what holds 95 % of the resampled tables and the table itself."""
        plain, resampled = self.plain.estimate(part), self.resampled.estimate(part)
        return Estimate(
            (plain.probability + resampled.probability) / 2,
            np.minimum(resampled.lower, plain.probability),
            np.maximum(resampled.upper, plain.probability),
        )

    def error(self, part: FeaturePart) -> Table:
        """Return by how much the mean may be off: the errors of both are independent."""
        both: Table = np.hypot(self.plain.error(part), self.resampled.error(part)) / 2
        return both

    @property
    def arcs(self) -> Table:
        """The probability of each arc."""
        return (self.plain.arcs + self.resampled.arcs) / 2

    @cached_property
    def networks(self) -> Networks:
        """The networks of both, with their shares."""
        return mixed([self.plain.networks, self.resampled.networks])

    @cached_property
    def states(self) -> PairStates:
        """How probable each kind of edge is, for each pair of variables."""
        plain, resampled = self.plain.states, self.resampled.states
        return PairStates(
            (plain.absent + resampled.absent) / 2,
            (plain.directed + resampled.directed) / 2,
            (plain.undirected + resampled.undirected) / 2,
        )

    @cached_property
    def classes(self) -> tuple[ProbableClass, ...]:
        """The classes of these networks, the most probable first."""
        if self.kept_classes or self.data is None:
            return tuple(self.kept_classes)
        classes = self.networks.classes.most_frequent(MOST_CLASSES)
        return by_share(self.weighed(classes), classes, self.dropped, self.variables)

    @property
    def most_networks(self) -> int | None:
        """How many networks can be drawn, half of them from each; None for any number."""
        some = [
            x for x in (self.plain.most_networks, self.resampled.most_networks) if x is not None
        ]
        return 2 * min(some) if some else None

    def sample(self, count: int, seed: int) -> list[bytes]:
        """Return networks, half of them from each, in a random order."""
        first = self.plain.sample((count + 1) // 2, seed)
        drawn = [*first, *self.resampled.sample(count // 2, seed)] if count > 1 else first
        return [drawn[at] for at in np.random.default_rng(seed).permutation(len(drawn))]

    def error_of_mean(self, measure: Measure) -> NDArray[np.float64]:
        """Return by how much a mean over networks may be off."""
        parts: Sequence[Estimates] = (self.plain, self.resampled)
        both: NDArray[np.float64] = np.hypot(*(part.error_of_mean(measure) for part in parts)) / 2
        return both


def half_and_half(plain: Posterior, resampled: Posterior) -> Posterior:
    """Return the mean of the posterior of a table and the bagged one of the same table."""
    return Posterior(
        Halves(plain._estimates, resampled._estimates),
        fingerprint=resampled._fingerprint,
        seconds=plain.seconds + resampled.seconds,
        stopped=resampled.stopped or plain.stopped,
        notes=resampled.notes,
        halves=(plain, resampled),
    )
