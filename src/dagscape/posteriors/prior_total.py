"""The probability of the rows under all networks together: the evidence."""

from __future__ import annotations

import decimal
import math
from decimal import Decimal
from typing import TYPE_CHECKING

from dagscape import _core

if TYPE_CHECKING:
    from dagscape.problem import Terms

WIDE = decimal.Context(prec=50, Emin=-(10**12), Emax=10**12)


def log_prior_total(terms: Terms, variables: int, lists: _core.ParentLists | None) -> float | None:
    """Return the log of the sum of the prior over all networks of the scope; None if unknown.

    Without knowledge variables are alike, and a recurrence over their number does. With it the
    prior is summed over as the posterior is, which needs the lists of all parent sets.
    """
    weights = terms.score.prior.log_weights(variables)
    if terms.scope.knowledge is None:
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
