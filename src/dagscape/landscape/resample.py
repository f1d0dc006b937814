"""Tables drawn from the rows of another, with replacement: what might have been seen as well."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dagscape.data import Data

ONE_BY_ONE = 20_000_000
"""Rows up to which each is drawn; of more, stored once with how often they occur, numbers are."""


def drawn_rows(rows: int, seed: int, run: int) -> NDArray[np.intp]:
    """Return the rows of sample `run` of the seed: as many as there are, in their order."""
    rng = np.random.default_rng([seed, run])
    # Rows that are drawn twice come twice: bitmaps, the fastest way to count, have no weights.
    return np.sort(rng.integers(rows, size=rows))


def drawn_times(times: NDArray[np.int64], seed: int, run: int) -> NDArray[np.int64]:
    """Return how often rows that occur several times are in the sample.

    The sample is that of the same rows written out; above ``ONE_BY_ONE``, one as probable.
    """
    total = int(times.sum())
    if total > ONE_BY_ONE:
        rng = np.random.default_rng([seed, run])
        return rng.multinomial(total, times / total)
    places = np.searchsorted(np.cumsum(times), drawn_rows(total, seed, run), side="right")
    return np.bincount(places, minlength=len(times))


def resampled(data: Data, seed: int, run: int) -> Data:
    """Return a sample of the rows; states that were not drawn still count."""
    times = data.rows.times
    if times is not None:
        return data._with_times(drawn_times(times, seed, run))
    return data.take(drawn_rows(data.n_rows, seed, run))
