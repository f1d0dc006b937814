"""Local scores from their textbook definitions, and the multinomial normalizer of the NML ones.

Every sum runs over all parent configurations and all child states, seen or not, so that nothing
here rests on an argument about which terms vanish. Natural logs; higher is better.

Sources
-------
BIC: Schwarz 1978. AIC: Akaike 1974. K2: Cooper and Herskovits 1992.
BDeu: Buntine 1991; Heckerman, Geiger and Chickering 1995.
fNML: Silander, Roos, Kontkanen and Myllymäki, PGM 2008.
qNML: Silander, Leppä-aho, Jääsaari and Roos, AISTATS 2018.
Normalizer and its convolution: Kontkanen and Myllymäki, Information Processing Letters 2007.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

EXACT_UP_TO = 60  # beyond this many rows the normalizer is a float: integers grow like n ** n


def local_score(
    codes: Sequence[Sequence[int]],
    arities: Sequence[int],
    child: int,
    parents: Sequence[int],
    score: str,
    ess: float = 1.0,
    weights: Sequence[float] | None = None,
) -> float:
    """Score ``child`` given ``parents``; ``codes`` are rows, ``weights`` how often each counts."""
    if score == "fitted":
        return fitted(codes, arities, [*parents, child], weights) - fitted(
            codes, arities, parents, weights
        )
    table = family_counts(codes, arities, child, parents, weights)
    return score_of_counts(table, score, ess)


def total_score(
    codes: Sequence[Sequence[int]],
    arities: Sequence[int],
    dag: Iterable[tuple[int, int]],
    score: str,
    ess: float = 1.0,
    weights: Sequence[float] | None = None,
) -> float:
    """Score a DAG, given as its arcs: the sum of its variables' local scores."""
    arcs = set(dag)
    return math.fsum(
        local_score(codes, arities, v, sorted(a for a, b in arcs if b == v), score, ess, weights)
        for v in range(len(arities))
    )


def score_of_counts(table: Sequence[Sequence[float]], score: str, ess: float = 1.0) -> float:
    """Score a table of counts: one row per parent configuration, one column per child state."""
    if score == "bdeu":
        return bdeu(table, ess)
    return SCORES[score](table)


def family_counts(
    codes: Sequence[Sequence[int]],
    arities: Sequence[int],
    child: int,
    parents: Sequence[int],
    weights: Sequence[float] | None = None,
) -> list[list[float]]:
    """Count N_jk for every parent configuration j (last parent fastest) and child state k."""
    counts: dict[tuple[int, ...], float] = {}
    for row, weight in zip(codes, [1] * len(codes) if weights is None else weights, strict=True):
        cell = (*(int(row[p]) for p in parents), int(row[child]))
        counts[cell] = counts.get(cell, 0) + weight
    configurations = itertools.product(*(range(arities[p]) for p in parents))
    return [[counts.get((*j, k), 0) for k in range(arities[child])] for j in configurations]


# --- the scores; r = number of columns, q = number of rows --------------------------------------


def loglik(table: Sequence[Sequence[float]]) -> float:
    """Σ_j Σ_k N_jk ln(N_jk / N_j), where 0 ln 0 = 0."""
    return math.fsum(
        n_jk * math.log(n_jk / math.fsum(row)) for row in table for n_jk in row if n_jk > 0
    )


def parameters(table: Sequence[Sequence[float]]) -> int:
    """(r - 1) q."""
    return (len(table[0]) - 1) * len(table)


def aic(table: Sequence[Sequence[float]]) -> float:
    """Log-likelihood less one for each parameter."""
    return loglik(table) - parameters(table)


def bic(table: Sequence[Sequence[float]]) -> float:
    """Log-likelihood less half of ln N for each parameter."""
    return loglik(table) - 0.5 * math.log(total(table)) * parameters(table)


def bdeu(table: Sequence[Sequence[float]], ess: float) -> float:
    """Dirichlet marginal likelihood with every hyperparameter ess / (r q)."""
    return dirichlet(table, ess / (len(table) * len(table[0])))


def k2(table: Sequence[Sequence[float]]) -> float:
    """Dirichlet marginal likelihood with every hyperparameter 1."""
    return dirichlet(table, 1.0)


def dirichlet(table: Sequence[Sequence[float]], alpha: float) -> float:
    """Π_j Γ(α_j) / Γ(α_j + N_j) Π_k Γ(α + N_jk) / Γ(α) with α_j = r α, in logs."""

    def factors() -> Iterator[float]:
        for row in table:
            alpha_j = alpha * len(row)
            yield math.lgamma(alpha_j) - math.lgamma(alpha_j + math.fsum(row))
            for n_jk in row:
                yield math.lgamma(alpha + n_jk) - math.lgamma(alpha)

    return math.fsum(factors())


def fitted(
    codes: Sequence[Sequence[int]],
    arities: Sequence[int],
    members: Sequence[int],
    weights: Sequence[float] | None = None,
) -> float:
    """ln P(cases of a set | Dirichlet) with the sample size, of a grid, that makes it largest."""
    cells = [[0.0] * math.prod(arities[v] for v in members)]
    for row, weight in zip(codes, [1] * len(codes) if weights is None else weights, strict=True):
        cell = 0
        for v in members:
            cell = cell * arities[v] + int(row[v])
        cells[0][cell] += weight
    sizes = [0.5, 1, 2, 4, 8, 16, 32, 64] + ([256, 1024] if len(members) < 2 else [])
    values = [bdeu(cells, size) for size in sizes]
    if len(members) < 2:  # an infinite size: all states equally probable
        values.append(-total(cells) * math.log(len(cells[0])))
    return max(values)


def fnml(table: Sequence[Sequence[float]]) -> float:
    """Each configuration's child values coded by NML of their own: LL - Σ_j ln C(N_j, r)."""
    return loglik(table) - math.fsum(
        log_normalizer(whole(math.fsum(row)), len(row)) for row in table
    )


def qnml(table: Sequence[Sequence[float]]) -> float:
    """NML of child and parents as one variable (r q states) over NML of the parents (q states)."""
    family = [[n_jk for row in table for n_jk in row]]
    parents = [[math.fsum(row) for row in table]]
    return nml(family) - nml(parents)


def nml(table: Sequence[Sequence[float]]) -> float:
    """ln P_NML of a single multinomial variable: its log-likelihood less ln C(N, K)."""
    return loglik(table) - log_normalizer(whole(total(table)), len(table[0]))


SCORES: dict[str, Callable[[Sequence[Sequence[float]]], float]] = {
    "loglik": loglik,
    "aic": aic,
    "bic": bic,
    "k2": k2,
    "fnml": fnml,
    "qnml": qnml,
}


def total(table: Sequence[Sequence[float]]) -> float:
    """N, the weight of all rows."""
    return math.fsum(math.fsum(row) for row in table)


def whole(count: float) -> int:
    """Return a count as an integer: C(n, K) is a sum over data sets of n rows."""
    if count != int(count):
        raise ValueError(f"the normalizer needs a whole number of rows, got {count}")
    return int(count)


# --- the normalizer C(n, K): the maximum likelihood, summed over all data sets of n rows --------


def normalizer_by_definition(n: int, K: int) -> Fraction:
    """Σ over h_1 + ... + h_K = n of n! / Π h_k! · Π (h_k / n)^h_k, exactly."""
    value = Fraction(0)
    for h in compositions(n, K):
        ways = math.factorial(n)
        for h_k in h:
            ways //= math.factorial(h_k)
        value += ways * math.prod((Fraction(h_k, n) ** h_k for h_k in h if h_k), start=Fraction(1))
    return value


def compositions(n: int, K: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to write n as an ordered sum of K numbers from 0."""
    if K == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in compositions(n - first, K - 1):
            yield (first, *rest)


def exact_normalizer(n: int, K: int) -> Fraction:
    """C(n, K1 + K2) = Σ_h binom(n, h) (h/n)^h ((n-h)/n)^(n-h) C(h, K1) C(n-h, K2), halving K."""
    return Fraction(_scaled_normalizer(n, K), n**n)


def log_normalizer(n: int, K: int) -> float:
    """ln C(n, K); C(0, K) = 1, the one empty data set."""
    if n <= EXACT_UP_TO:
        # The logarithm of a quotient of integers too large for a float.
        return math.log(_scaled_normalizer(n, K)) - math.log(n**n)
    return _log_coefficient(n, K) - _log_coefficient(n, 1)


@cache
def _scaled_normalizer(n: int, K: int) -> int:
    """n^n C(n, K), a whole number, so that the convolution needs no fractions."""
    if K == 1:
        return int(n**n)
    low, high = K // 2, K - K // 2
    return sum(
        math.comb(n, h) * _scaled_normalizer(h, low) * _scaled_normalizer(n - h, high)
        for h in range(n + 1)
    )


@cache
def _log_coefficient(n: int, K: int) -> float:
    """ln(n^n C(n, K) / n!): in this form the convolution is a plain product of power series."""
    if K == 1:
        return (n * math.log(n) if n else 0.0) - math.lgamma(n + 1)
    low, high = K // 2, K - K // 2
    terms = [_log_coefficient(h, low) + _log_coefficient(n - h, high) for h in range(n + 1)]
    largest = max(terms)
    return largest + math.log(math.fsum(math.exp(term - largest) for term in terms))
