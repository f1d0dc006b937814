"""What has been found of a posterior: by sums at once, by drawn networks once it is asked for."""

from __future__ import annotations

import decimal
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dagscape import _core
from dagscape.errors import ParameterError
from dagscape.posteriors.agreement import Agreement, Measure, agreement, error_of_mean
from dagscape.posteriors.classes import (
    ClassWeight,
    ProbableClass,
    by_chains,
    by_share,
    most_probable,
    weigh_classes,
)
from dagscape.posteriors.consensus import PairStates
from dagscape.posteriors.exact_sums import DRAWN, Sums
from dagscape.posteriors.pieces import Estimate, Networks, Piece, Table, merged
from dagscape.posteriors.probable_features import KINDS, FeaturePart, estimate_of, needs_networks
from dagscape.problem import Terms
from dagscape.scores import scorer
from dagscape.targets import Targets, kinds_in
from dagscape.variables import Variables

if TYPE_CHECKING:
    from dagscape.data import Data

NOTHING = (
    "this posterior has no networks: a limit came before any could be weighed; make it again with "
    "more time or memory, or fewer parents"
)
MOST_CLASSES = 1000
"""Of chains, so many classes are ranked: there may be nearly as many as networks were kept."""


@dataclass(eq=False)
class Estimates:
    """The posteriors of one table or of many resamples, and what can still be asked of them."""

    variables: Variables
    terms: Terms
    pieces: tuple[Piece, ...]
    """One for the data, one for each chain on them, or one for each resample that is done."""
    seed: int
    asked: int = 0
    """How many resamples were asked for; 0 for the posterior of the data."""
    rounds: int = 0
    """How many each chain was to have, where chains took the place of sums."""
    sums: Sums | None = None
    """What any number of networks can be drawn from; not kept for resamples, nor in files."""
    data: Data | None = None
    """None where it was read from a file."""
    kept_classes: Sequence[ProbableClass] = ()
    """Those of the file it was read from."""
    kept_prior_total: float | None = None
    experiments: Mapping[str, Targets] = field(default_factory=dict)
    """What each experiment made of which variables, by name; that tells directions."""

    def __post_init__(self) -> None:
        self.pieces = tuple(map(self._of_kinds, self.pieces))

    def _of_kinds(self, piece: Piece) -> Piece:
        """Let networks know which directions experiments tell."""
        if not self.experiments or piece.networks is None:
            return piece
        names = self.variables.in_engine_order()
        kinds = tuple(kinds_in(list(self.experiments.values()), names))
        return replace(piece, networks=replace(piece.networks, kinds=kinds))

    @property
    def tables(self) -> int:
        """Of how many resampled tables it is the mean; 0 for the posterior of the data."""
        return len(self.pieces) if self.asked else 0

    @property
    def empty(self) -> bool:
        """Whether a limit came before there was any probability."""
        return not self.pieces

    @property
    def dropped(self) -> float:
        """The most that networks left out of the sums can weigh, relative to those in them."""
        return max((piece.dropped for piece in self.pieces), default=0.0)

    @property
    def sampled(self) -> bool:
        """Whether chains took the place of sums."""
        return self.rounds > 0

    @property
    def agreement(self) -> Agreement | None:
        """How far chains on the data agree; None where there are none."""
        return self._agreement

    @cached_property
    def _agreement(self) -> Agreement | None:
        if self.empty or any(piece.chain is None for piece in self.pieces):
            return None
        return agreement(self.variables, self.pieces)

    def prepare(self, kind: str) -> None:
        """Make sure that what the sums do not tell can be counted."""
        if kind == "ancestors" and self.sums is not None:
            piece = self.pieces[0]
            if np.isnan(piece.ancestors).any():
                self.pieces = (replace(piece, ancestors=self.sums.ancestors()),)
        parts = KINDS[kind].values()
        if any(needs_networks(part, piece) for part in parts for piece in self.pieces):
            self.draw()

    def estimate(self, part: FeaturePart) -> Estimate:
        """Return the probability of a feature for all pairs."""
        if self.empty:
            none = self.arcs
            return Estimate(none, np.zeros_like(none), np.ones_like(none))
        return estimate_of(part, self.pieces)

    def error(self, part: FeaturePart) -> Table:
        """Return by how much that may be off, since tables and networks were drawn."""
        found = self.estimate(part)
        if self.tables:
            return (found.upper - found.lower) / (2 * math.sqrt(self.tables))
        reach: Table = np.maximum(found.upper - found.probability, found.probability - found.lower)
        return reach

    @property
    def arcs(self) -> Table:
        """The probability of each arc."""
        if self.empty:
            return np.full((len(self.variables),) * 2, np.nan)
        mean: Table = np.mean([piece.arcs for piece in self.pieces], axis=0)
        return mean

    def draw(self) -> None:
        """Draw networks, if that has not been done."""
        if self.sums is not None and self.pieces[0].networks is None:
            networks = self.sums.networks(DRAWN, self.seed)
            self.pieces = (self._of_kinds(replace(self.pieces[0], networks=networks)),)

    @cached_property
    def networks(self) -> Networks:
        """All networks, or those drawn from each table, with their shares."""
        if self.empty:
            raise ParameterError(NOTHING)
        self.draw()
        return merged([piece.networks for piece in self.pieces if piece.networks is not None])

    @cached_property
    def states(self) -> PairStates:
        """How probable each kind of edge is, for each pair of variables."""
        return PairStates.of(self.networks.classes).given(self.arcs)

    @property
    def most_networks(self) -> int | None:
        """How many networks can be drawn; None for any number."""
        if self.empty:
            return 0
        return None if self.sums is not None else self.networks.drawn or None

    def sample(self, count: int, seed: int) -> list[bytes]:
        """Return networks by their probability: drawn now, or those that were drawn before."""
        if self.sums is not None:
            return self.sums.draw(count, seed)
        return self.networks.draw(count, np.random.default_rng(seed))

    def error_of_mean(self, measure: Measure) -> NDArray[np.float64]:
        """Return by how much a mean over networks may be off, 19 times in 20."""
        self.draw()
        tables = [piece.networks for piece in self.pieces if piece.networks is not None]
        return error_of_mean(tables, measure, chain=self.sampled)

    @cached_property
    def classes(self) -> tuple[ProbableClass, ...]:
        """The classes of these networks, the most probable first."""
        if self.kept_classes or self.data is None or self.empty:
            return tuple(self.kept_classes)
        classes = self.networks.classes
        if self.agreement is not None and self.agreement.completed:
            known: dict[bytes, float | None] = dict.fromkeys(
                classes.most_frequent(MOST_CLASSES).codes
            )
            return by_chains(known, self._classes_of_chains(), self.variables)
        weighed = self.weighed(classes.most_frequent(MOST_CLASSES) if self.sampled else classes)
        if self.agreement is not None:
            scores = {each.code: each.log_best for each in weighed}
            return by_chains(scores, self._classes_of_chains(), self.variables)
        if self.asked:
            return by_share(weighed, classes, self.dropped, self.variables)
        return most_probable(
            weighed, self.pieces[0], all_=not self.networks.drawn, variables=self.variables
        )

    def weighed(self, classes: Networks) -> list[ClassWeight]:
        """Return classes with their weights on the data."""
        if self.data is None:
            raise ParameterError("classes are weighed on the data, and there are none")
        on_data = scorer(self.data, self.terms.score)
        constraints = self.terms.constraints_among(self.variables)
        return list(weigh_classes(on_data, constraints, classes))

    def _classes_of_chains(self) -> list[Networks]:
        return [piece.networks.classes for piece in self.pieces if piece.networks is not None]

    @cached_property
    def prior_total(self) -> float | None:
        """The log of the sum of the prior over all networks of the scope; None if not known."""
        known = self.kept_prior_total is not None or self.sampled
        if known or not self.terms.score.base.marginal:
            return self.kept_prior_total
        whole = self.sums is not None and self.sums.whole
        lists = self.sums.lists if self.sums is not None and whole else None
        return log_prior_total(self.terms, len(self.variables), lists)

    @property
    def log_evidence(self) -> float | None:
        """The log of the probability of the rows; None where there is none, or it is not known."""
        if self.asked or self.empty or not self.terms.score.base.marginal:
            return None
        total, summed = self.prior_total, self.pieces[0].log_total
        return None if total is None or summed is None else summed - total


# The probability of the rows under all networks together.

WIDE = decimal.Context(prec=50, Emin=-(10**12), Emax=10**12)


def log_prior_total(terms: Terms, variables: int, lists: _core.ParentLists | None) -> float | None:
    """Return the log of the sum of the prior over all networks of the scope; None if unknown.

    Without knowledge variables are alike, and a recurrence over their number does. With it the
    prior is summed over as the posterior is, which needs the lists of all parent sets.
    """
    weights = terms.score.prior.log_weights(variables)
    if terms.knowledge is None and terms.pairs is None:
        return log_total_by_size(variables, weights, terms.max_parents)
    if lists is None:
        return None
    sums, stopped = _core.exact_posterior(_core.weighted_by_size(lists, weights), True, 1)
    return None if stopped else sums.log_total


def log_total_by_size(variables: int, log_weights: list[float], max_parents: int | None) -> float:
    """Return the log of the sum over all networks of the product of f(parents of a variable).

    With a(m) the weight of all parent sets among m variables, F(n) = Σ_k (−1)^(k+1) C(n, k) F(n−k)
    a(n−k)^k, by the sets of k sinks (Robinson 1973).
    """
    weights = [WIDE.exp(Decimal(w)) for w in log_weights]
    most = variables - 1 if max_parents is None else max_parents
    among = []
    for m in range(variables):
        terms = (
            WIDE.multiply(Decimal(math.comb(m, k)), weights[k]) for k in range(min(m, most) + 1)
        )
        total = Decimal(0)
        for term in terms:
            total = WIDE.add(total, term)
        among.append(total)
    totals = [Decimal(1)]
    for n in range(1, variables + 1):
        total = Decimal(0)
        for k in range(1, n + 1):
            sinks = WIDE.multiply(Decimal(math.comb(n, k)), WIDE.power(among[n - k], k))
            total = WIDE.add(total, (-1) ** (k + 1) * WIDE.multiply(totals[n - k], sinks))
        totals.append(total)
    return float(WIDE.ln(totals[-1]))
