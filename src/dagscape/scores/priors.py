"""Priors on the structure of networks: what is thought of a network before any row is seen.

Each gives a variable with k parents a log weight, by one function for all variables. So all of
them are the same for equivalent networks: turning a covered arc, which is how one such network
becomes another, swaps k and k + 1 parents between its two ends.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import Any, TypeAlias

from dagscape.errors import ParameterError
from dagscape.scores.named_choices import NamedChoice, Registry
from dagscape.speech import setting


@dataclass(frozen=True)
class Prior(NamedChoice):
    """A prior on structures: one of its subclasses, or its name, is what searches take.

    It can be written as data (:meth:`to_dict`), from which :func:`prior_from_dict` rebuilds it, and
    as text, ``str(prior)``, which is accepted wherever a name is: ``"edges(neighbors=3)"``.
    """

    def log_weights(self, variables: int) -> list[float]:
        """Return the log weight of a variable with 0, 1, ... parents, up to all the others."""
        raise TypeError(f"weights among {variables} variables are made by a subclass of Prior")


PRIORS: Registry[Prior] = Registry("prior")
"""Every name of a prior, with its class."""


@PRIORS.add
@dataclass(frozen=True)
class UniformPrior(Prior):
    """All networks are equally probable, which is what a score by itself assumes.

    Most networks on many variables are dense: alike does not mean sparse.
    """

    names = ("uniform",)

    def log_weights(self, variables: int) -> list[float]:
        """Return zeros."""
        return [0.0] * max(1, variables)


@PRIORS.add
@dataclass(frozen=True)
class FairPrior(Prior):
    """Weight 1 / C(n − 1, k) for each of the n variables with k parents.

    Parent sets of every size together weigh the same, and sets of one size share that evenly. It
    falls with the number of parents, steeply where variables are many, up to half of them; beyond
    that it rises again.

    Sources: Friedman and Koller, Machine Learning 2003; Eggeling, Viinikka, Vuoksenmaa and
    Koivisto, On structure priors for learning Bayesian networks, AISTATS 2019.
    """

    names = ("fair",)

    def log_weights(self, variables: int) -> list[float]:
        """Return −ln C(n − 1, k)."""
        n = max(1, variables) - 1
        return [
            math.lgamma(k + 1) + math.lgamma(n - k + 1) - math.lgamma(n + 1) for k in range(n + 1)
        ]


@PRIORS.add
@dataclass(frozen=True)
class EdgePrior(Prior):
    """Weight ω for every arc, so that a variable has about this many neighbors.

    P(G) ∝ ω^arcs over all networks, with ω = (p / 2) / (1 − p) and p = min(neighbors / (n − 1), ½):
    if pairs were independent, each would be joined with probability p. Acyclicity rules out some
    networks, dense ones above all, so that fewer neighbors are expected: :meth:`expected_neighbors`
    says how many.

    Parameters
    ----------
    neighbors
        About how many neighbors a variable is expected to have.
    """

    neighbors: float = 1.0
    names = ("edges",)

    def __post_init__(self) -> None:
        value, neighbors = self.neighbors, math.nan
        if isinstance(value, Real) and not isinstance(value, bool):
            with suppress(OverflowError):  # a whole number that no float holds
                neighbors = float(value)
        if not 0 < neighbors < math.inf:
            raise ParameterError(f"{setting('neighbors')} must be a positive number, got {value!r}")
        object.__setattr__(self, "neighbors", neighbors)

    def log_weights(self, variables: int) -> list[float]:
        """Return k ln ω."""
        odds = self._odds(variables)
        log_odds = math.log(odds.numerator) - math.log(odds.denominator)
        return [k * log_odds for k in range(max(1, variables))]

    def expected_neighbors(self, variables: int) -> float:
        """Return how many neighbors a variable has in the mean over all networks.

        Exact, by Robinson's recurrence over the sources of a network with a weight for each arc;
        its cost grows with the third power of the number of variables, and their digits.
        """
        odds = self._odds(variables)
        # Weights of all networks, and derivatives by ln ω: the sum of arcs times weight.
        totals, arcs = [Fraction(1)], [Fraction(0)]
        for n in range(1, variables + 1):
            total = count = Fraction(0)
            for k in range(1, n + 1):  # sources; arcs from them to the rest are free
                sign, free = (-1) ** (k + 1) * math.comb(n, k), k * (n - k)
                weight = sign * (1 + odds) ** free
                total += weight * totals[n - k]
                count += weight * (arcs[n - k] + free * odds / (1 + odds) * totals[n - k])
            totals.append(total)
            arcs.append(count)
        return float(2 * arcs[-1] / totals[-1] / variables) if variables else 0.0

    def _odds(self, variables: int) -> Fraction:
        """Return ω; a fraction, so that sums with signs keep all digits."""
        p = min(Fraction(self.neighbors) / max(1, variables - 1), Fraction(1, 2))
        return p / 2 / (1 - p)


PriorLike: TypeAlias = "Prior | str"


def as_prior(prior: PriorLike | None) -> Prior:
    """Return the prior that an object, a name or words such as "edges(neighbors=3)" stand for."""
    if prior is None:
        return UniformPrior()
    if isinstance(prior, str):
        return PRIORS.from_words(prior)
    if isinstance(prior, Prior):
        return prior
    raise ParameterError(f"a prior is a name or an object such as EdgePrior(), got {prior!r}")


def prior_from_dict(values: Mapping[str, Any]) -> Prior:
    """Return the prior that :meth:`Prior.to_dict` told.

    Examples
    --------
    >>> from dagscape.scores.priors import prior_from_dict
    >>> prior_from_dict({"name": "edges", "neighbors": 3})
    EdgePrior(neighbors=3.0)
    """
    return PRIORS.from_dict(values)
