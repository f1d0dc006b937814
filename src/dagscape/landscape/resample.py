"""Tables drawn from the rows of another, with replacement: what might have been seen as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dagscape import _core
from dagscape.data import Data

if TYPE_CHECKING:
    from dagscape.variables import Variables


def drawn_rows(rows: int, seed: int, run: int) -> NDArray[np.intp]:
    """Return the rows of sample `run` of the seed: as many as there are, in their order."""
    rng = np.random.default_rng([seed, run])
    # Rows that are drawn twice come twice: bitmaps, the fastest way to count, have no weights.
    return np.sort(rng.integers(rows, size=rows))


def resampled(data: Data, seed: int, run: int) -> _core.Table:
    """Return a sample of the rows as the engine has it."""
    rows = drawn_rows(data.n_rows, seed, run)
    variables: Variables = data.variables
    columns = [data.codes[:, variables.display_rank(v)][rows] for v in range(data.n_variables)]
    return _core.Table(columns, [data.arities[name] for name in variables.in_engine_order()])


def resampled_data(data: Data, seed: int, run: int) -> Data:
    """Return the same sample as a table of its own; states that were not drawn still count."""
    return Data.from_codes(data.codes[drawn_rows(data.n_rows, seed, run)], data.states)
