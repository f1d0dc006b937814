"""How often combinations of states occur: each row as often as it counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from dagscape.data.data import Data

Counts = NDArray[np.float64]


def counts_of(data: Data, names: Sequence[str]) -> Counts:
    """Return counts with an axis for each of these variables, which must have no gaps."""
    shape = tuple(data.arities[name] for name in names)
    columns = tuple(stored_codes(data, name) for name in names)
    counts = np.bincount(
        np.ravel_multi_index(columns, shape), data.rows.each, minlength=math.prod(shape)
    )
    return counts.astype(np.float64).reshape(shape)


def stored_codes(data: Data, name: str) -> NDArray[np.intp]:
    """Return the codes of a variable in the rows that are stored, however often each occurs."""
    codes = data._codes[:, data.variables.display_rank(data.variables.number(name))]
    return np.asarray(codes, dtype=np.intp)
