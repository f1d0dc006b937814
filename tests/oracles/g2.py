"""The G² test of conditional independence, from the textbook, and the tail of chi-square.

The statistic is a triple loop over the cells of the table; the tail is the finite sum that whole
degrees of freedom give, all of whose terms are positive. Natural logs.

Degrees of freedom have two rules here. ``plain`` is (r_x - 1)(r_y - 1) times the number of states
of the given variables together. ``adjusted`` takes a zero for structural where its row or column is
empty: for each configuration of the given variables, (states of x that occur - 1)(states of y that
occur - 1), summed. R's bnlearn (tests "mi" and "mi-adf"), pgmpy and causal-learn use these.

Sources
-------
G²: Spirtes, Glymour and Scheines, Causation, Prediction, and Search, 2000; Tsamardinos, Brown and
Aliferis, Machine Learning 2006. Tail: Abramowitz and Stegun 26.4.4, 26.4.5 and 7.1.14.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Strata = dict[tuple[int, ...], list[list[int]]]  # by configuration: counts by state of x, of y


@dataclass(frozen=True)
class Outcome:
    """What a test found; one that was not done says nothing."""

    statistic: float
    degrees: int
    log_p: float
    done: bool = True

    @property
    def p(self) -> float:
        return math.exp(self.log_p)


def strata(
    codes: Sequence[Sequence[int]],
    arities: Sequence[int],
    x: int,
    y: int,
    given: Iterable[int] = (),
) -> Strata:
    """Return the table of x and y for every configuration of ``given``, seen or not."""
    given = sorted(given)
    seen = Counter((tuple(row[z] for z in given), row[x], row[y]) for row in codes)
    return {
        z: [[seen[z, a, b] for b in range(arities[y])] for a in range(arities[x])]
        for z in itertools.product(*(range(arities[v]) for v in given))
    }


def statistic(tables: Strata) -> float:
    """2 Σ_z Σ_x Σ_y N_xyz ln(N_xyz N_z / (N_xz N_yz)), where 0 ln 0 = 0."""
    terms = []
    for table in tables.values():
        total = sum(map(sum, table))
        for a, row in enumerate(table):
            for b, n in enumerate(row):
                if n:
                    expected_of_square = sum(row) * sum(other[b] for other in table)
                    terms.append(2 * table[a][b] * math.log(n * total / expected_of_square))
    return max(0.0, math.fsum(terms))  # rounding may leave a little less than nothing


def plain(tables: Strata) -> int:
    """(r_x - 1)(r_y - 1) Π r_z."""
    first = next(iter(tables.values()))
    return (len(first) - 1) * (len(first[0]) - 1) * len(tables)


def adjusted(tables: Strata) -> int:
    """Σ_z (rows that are not empty - 1)(columns that are not empty - 1)."""
    degrees = 0
    for table in tables.values():
        rows = sum(any(row) for row in table)
        columns = sum(any(column) for column in zip(*table, strict=True))
        degrees += max(0, rows - 1) * max(0, columns - 1)
    return degrees


DEGREES: dict[str, Callable[[Strata], int]] = {"plain": plain, "adjusted": adjusted}


def outcome(
    codes: Sequence[Sequence[int]],
    arities: Sequence[int],
    x: int,
    y: int,
    given: Iterable[int] = (),
    degrees: str = "adjusted",
    rows_per_cell: float = 0.0,
) -> Outcome:
    """Test whether x and y are independent; not done with fewer rows per cell on average.

    No degrees of freedom: nothing could differ, and the p-value is 1.
    """
    given = frozenset(given)
    cells = math.prod(arities[v] for v in (x, y, *given))
    if len(codes) < rows_per_cell * cells:
        return Outcome(0.0, 0, 0.0, done=False)
    tables = strata(codes, arities, x, y, given)
    value, freedom = statistic(tables), DEGREES[degrees](tables)
    return Outcome(value, freedom, log_tail(value, freedom))


# --- the tail of chi-square ---------------------------------------------------------------------


def tail(x: float, degrees: int) -> float:
    """Return the probability that chi-square exceeds x."""
    return math.exp(log_tail(x, degrees))


def log_tail(x: float, degrees: int) -> float:
    """Return its logarithm, exact also where the probability itself would be 0.

    With h = x/2: e^-h Σ_{i < k/2} h^i / i! for even k, and for odd k
    erfc(√h) + e^-h Σ_{i < (k-1)/2} h^(i + 1/2) / Γ(i + 3/2).
    """
    if x <= 0 or degrees == 0:
        return 0.0
    h = x / 2
    odd = degrees % 2
    powers = [i + 0.5 * odd for i in range(degrees // 2)]
    logs = [power * math.log(h) - h - math.lgamma(power + 1) for power in powers]
    if odd:
        logs.append(log_erfc(math.sqrt(h)))
    largest = max(logs)
    return min(0.0, largest + math.log(math.fsum(math.exp(log - largest) for log in logs)))


def log_erfc(z: float) -> float:
    """Return ln erfc(z) for z >= 0; far out by the continued fraction, from its end."""
    if z < 5:
        return math.log(math.erfc(z))
    fraction = z
    for k in range(200, 0, -1):
        fraction = z + k / 2 / fraction
    return -z * z - math.log(fraction) - 0.5 * math.log(math.pi)
