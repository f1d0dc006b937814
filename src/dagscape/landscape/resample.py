"""Tables drawn from the rows of another, with replacement: what might have been seen as well."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dagscape.data import Data


def drawn_rows(rows: int, seed: int, run: int) -> NDArray[np.intp]:
    """Return the rows of sample `run` of the seed: as many as there are, in their order."""
    rng = np.random.default_rng([seed, run])
    # Rows that are drawn twice come twice: bitmaps, the fastest way to count, have no weights.
    return np.sort(rng.integers(rows, size=rows))


def resampled(data: Data, seed: int, run: int) -> Data:
    """Return a sample of the rows; states that were not drawn still count."""
    return data.take(drawn_rows(data.n_rows, seed, run))
