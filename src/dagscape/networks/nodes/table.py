"""A variable with states whose parents all have states: a table of probabilities.

And such a table alone: its shape, its rows and what a row may miss by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dagscape.errors import ParameterError
from dagscape.networks.nodes.node import Column, Floats, Node, axes_after, check_shape, row_of

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


class TableNode(Node):
    """P(x | parents) as an array: an axis for each parent, the variable's own states last."""

    __slots__ = ("_table",)
    kind = "table"
    continuous = False

    def __init__(self, table: Table) -> None:
        self._table = table

    @property
    def table(self) -> Table:
        """The probabilities, read-only."""
        return self._table

    @property
    def n_parameters(self) -> int:
        """(states - 1) times parent configurations."""
        return int(self._table.size - self._table.size // self._table.shape[-1])

    def check(self, x: str, states: int, parents: Mapping[str, int]) -> None:
        """Refuse parents with numbers, and another shape."""
        for parent, arity in parents.items():
            if not arity:
                raise ParameterError(
                    f'"{x}" has a table, and its parent "{parent}" holds numbers; give "{x}" a '
                    "SoftmaxNode"
                )
        check_shape(x, "the table", self._table, [*parents.values(), states], "states")

    def draw(self, parents: Sequence[Column], rows: int, rng: np.random.Generator) -> Column:
        """Draw states, one random number for each row."""
        return draw_states(self._table, parents, rng.random(rows))

    def log_density(self, values: Column, parents: Sequence[Column]) -> Floats:
        """Return ln P(value | parents)."""
        with np.errstate(divide="ignore"):
            found: Floats = np.log(self._table)[(*parents, values)]
        return found

    def reordered(self, order: Sequence[int], discrete: Sequence[bool]) -> TableNode:
        """Return the table for parents in another order."""
        axes, _ = axes_after(order, discrete)
        return TableNode(self._table.transpose(*axes, len(axes)))

    def values(self) -> dict[str, Any]:
        """Return all numbers in one list, the variable's own states fastest."""
        # 0 and 1 stand for 0.0 and 1.0: many tables hold little else.
        return {"table": [int(p) if p in (0.0, 1.0) else p for p in self._table.flat]}

    def _arrays(self) -> tuple[Any, ...]:
        return (self._table,)

    def __repr__(self) -> str:
        rows = self._table.size // self._table.shape[-1]
        each = f" in each of {rows:,} configurations" if rows > 1 else ""
        return f"<TableNode: probabilities of {self._table.shape[-1]:,} states{each}>"


def draw_states(
    table: Table, parents: Sequence[npt.NDArray[np.intp]], u: npt.NDArray[np.float64]
) -> npt.NDArray[np.intp]:
    """Return for each row the state whose stretch of the cumulated probabilities holds u."""
    shape = table.shape
    steps = np.cumsum(table.reshape(-1, shape[-1]), axis=1)
    steps /= steps[:, -1:]  # ends at exactly 1, and u < 1: a state of probability 0 is never drawn
    row = row_of(parents, shape[:-1])
    code = np.zeros(len(u), dtype=np.intp)
    for k in range(shape[-1] - 1):
        code += u >= steps[row, k]
    return code
