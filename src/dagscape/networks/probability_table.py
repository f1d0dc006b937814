"""One conditional probability table: its shape, its rows and what a row may miss by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dagscape.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

Table = npt.NDArray[np.float64]

# Files print rounded decimals. The published networks miss 1 by 3e-7 at most (seven digits); a row
# typed with four decimals misses it by 5e-5 per state, so ten states may miss by 5e-4.
ROW_TOLERANCE = 5e-4
# Below this a row counts as exact and is kept bit for bit: writing and reading changes nothing.
EXACT = 1e-12
# Beyond this a table is refused before memory is asked for: 100 million cells are 0.8 GB.
MAX_CELLS = 100_000_000
# Parents of two states and more are few by then; others add axes alone, of which NumPy 1 has 32.
MAX_PARENTS = 31


def checked_table(
    variable: str, values: npt.ArrayLike, shape: Sequence[int], parents: Sequence[str]
) -> Table:
    """Return a read-only copy whose rows sum to 1.

    Rows that miss 1 by no more than rounding does are rescaled, so that what is sampled, summed
    and reported is one distribution.
    """
    try:
        table = np.array(values, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise ParameterError(f'the table of "{variable}" must hold numbers only') from None
    if table.shape != tuple(shape):
        axes = ", ".join([*parents, variable])
        raise ParameterError(
            f'the table of "{variable}" must have shape {tuple(shape)} (states of {axes}), '
            f"got {table.shape}"
        )
    if not np.all(table >= 0) or not np.all(np.isfinite(table)):
        wrong = table[~((table >= 0) & np.isfinite(table))].flat[0]
        raise ParameterError(
            f'the table of "{variable}" must hold probabilities, got {float(wrong)}'
        )
    sums = table.sum(axis=-1, keepdims=True)
    miss = np.abs(sums - 1.0)
    if np.any(miss > ROW_TOLERANCE):
        row = np.unravel_index(int(miss.argmax()), miss.shape)
        where = f" (row {tuple(int(i) for i in row[:-1])} of its parents' states)"
        raise ParameterError(
            f'the probabilities of "{variable}"{where if parents else ""} must sum to 1, '
            f"got {float(sums[row]):.6g}"
        )
    np.divide(table, sums, out=table, where=miss > EXACT)
    table.setflags(write=False)
    return table


def refuse_huge(variable: str, shape: Sequence[int]) -> None:
    """Raise before a table that cannot be meant is allocated."""
    if len(shape) - 1 > MAX_PARENTS:
        raise ParameterError(
            f'"{variable}" has {len(shape) - 1} parents; a table is for {MAX_PARENTS} at most'
        )
    cells = 1
    for size in shape:
        cells *= size
    if cells > MAX_CELLS:
        raise ParameterError(
            f'the table of "{variable}" would have {cells} cells (at most {MAX_CELLS}); '
            "give it fewer parents or join states"
        )
