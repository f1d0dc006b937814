"""Orders of rows in which subjects change places as wholes.

Rows of one subject are alike, and shuffled rows are not: many columns look more related than in any
of them. So a subject's rows take the places of another's, in their order; where it has fewer they
are repeated, where it has more the last are left out. Within strata, the rows that a subject has
there take the places of those that another has there, by one order of the subjects for all strata.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.intp]

SHUFFLES, LEAST_SHUFFLES, ROWS_SHUFFLED = 300, 50, 30_000_000
"""Orders that are looked at, of few rows and of very many."""


def orders_of(
    subjects: Places, strata: Places, rng: np.random.Generator | None = None
) -> Iterator[Places]:
    """Yield many random orders: for each place the row that comes there.

    Always the same ones, if it is not said by which numbers.
    """
    if not len(subjects):
        return
    sorted_rows = np.lexsort((subjects, strata))
    of_subject, of_stratum = subjects[sorted_rows], strata[sorted_rows]
    new = np.ones(len(sorted_rows), dtype=bool)
    new[1:] = (np.diff(of_subject) != 0) | (np.diff(of_stratum) != 0)
    starts = np.flatnonzero(new)
    sizes = np.diff(np.append(starts, len(sorted_rows)))
    block = np.repeat(np.arange(len(starts)), sizes)
    within = np.arange(len(sorted_rows)) - starts[block]
    rng = np.random.default_rng(0) if rng is None else rng
    count = min(SHUFFLES, max(LEAST_SHUFFLES, ROWS_SHUFFLED // len(subjects)))
    for _ in range(count):
        ranks = rng.random(int(subjects.max()) + 1)
        donor = np.lexsort((ranks[of_subject[starts]], of_stratum[starts]))[block]
        order = np.empty_like(sorted_rows)
        order[sorted_rows] = sorted_rows[starts[donor] + within % sizes[donor]]
        yield order
