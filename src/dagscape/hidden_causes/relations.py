"""How clearly two variables are related given others, and how a further variable changes that.

A variable tells of causes where it makes a difference: it parts two variables that are related, or
relates two that are apart. Each half of that is tested. *Related* asks for a likelihood ratio that
chance gives with a probability of e⁻¹⁰ at most: a margin in nats that needs no score and no count
of rows. *Apart* is more than a test that sees nothing, which few rows give as well: chance must
give as much with a probability of 0.2, and had a fraction of what is seen in the other half been
left, one would have seen more, but for one table in 20.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from dagscape import _core
from dagscape.scores.by_name import likelihood

if TYPE_CHECKING:
    from dagscape.data import Data

MARGIN = 10.0
"""Nats by which chance is ruled out where two variables are called related: -ln p."""
LEAST_P = 0.2
"""How probable it must be that chance alone gives as much where two are called apart."""
LEFT = 0.3
"""The fraction of a relation that would have been seen where nothing is."""
DEVIATIONS = 1.64
"""In 19 of 20 tables."""


class Relation(NamedTuple):
    """A likelihood-ratio test of two variables given others."""

    statistic: float
    freedom: float
    """Degrees of freedom that the rows leave; 0 where what is given determines one of the two."""
    log_p: float

    @property
    def related(self) -> bool:
        """Whether chance is ruled out by the margin."""
        return self.freedom > 0 and self.log_p <= -MARGIN

    def apart_beside(self, other: Relation, least_p: float = LEAST_P) -> bool:
        """Tell whether nothing is seen here where something is seen in the other test."""
        if self.freedom <= 0 or self.log_p < math.log(least_p) or not other.related:
            return False
        left = LEFT * max(0.0, other.statistic - other.freedom)
        # A noncentral chi-squared value has this mean and this variance.
        mean, variance = self.freedom + left, 2 * (self.freedom + 2 * left)
        return mean - self.statistic >= DEVIATIONS * math.sqrt(variance)


class Relations:
    """Tests of a table, by numbers of variables; each is done once."""

    def __init__(self, data: Data) -> None:
        self._likelihood = likelihood(data)
        self._done: dict[tuple[int, int, tuple[int, ...]], Relation] = {}

    def __call__(self, a: int, b: int, given: tuple[int, ...] = ()) -> Relation:
        """Test two variables given others."""
        key = (min(a, b), max(a, b), tuple(sorted(given)))
        if key not in self._done:
            self._done[key] = Relation(*_core.g2(self._likelihood, *key, True))
        return self._done[key]

    @property
    def tests(self) -> int:
        """How many were done."""
        return len(self._done)

    def relates(
        self, x: int, a: int, b: int, given: tuple[int, ...], least_p: float = LEAST_P
    ) -> bool:
        """Tell whether a and b are apart, and x makes them related.

        Then x is no cause of a, of b or of what is given (Claassen and Heskes, 2012).
        """
        return self(a, b, given).apart_beside(self(a, b, (*given, x)), least_p)

    def parts(self, x: int, a: int, b: int, given: tuple[int, ...]) -> bool:
        """Tell whether a and b are related, and x separates them, where none of the given can go.

        Then x, as each of these, is a cause of a or of b.
        """
        whole = (*given, x)
        if not self(a, b, whole).apart_beside(self(a, b, given)):
            return False
        return all(self(a, b, tuple(y for y in whole if y != z)).related for z in given)
