"""Cells without a value in a table that keeps them: how many, where, and which go together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dagscape.data.columns import Codes
from dagscape.data.refusals import called
from dagscape.errors import DataError, ParameterError
from dagscape.speech import choice, for_python
from dagscape.words import counted, first_of

if TYPE_CHECKING:
    from dagscape.data.data import Data


@dataclass(frozen=True, eq=False)
class MissingCells:
    """The missing cells of a table, which is true where there are any."""

    names: tuple[str, ...]
    arities: tuple[int, ...]
    codes: Codes
    """Rows by variables; the code of a missing cell is the number of the column's states."""

    @cached_property
    def mask(self) -> NDArray[np.bool_]:
        """Rows by variables: where a cell is missing."""
        mask = np.empty(self.codes.shape, dtype=np.bool_, order="F")
        for column, arity in enumerate(self.arities):
            np.equal(self.codes[:, column], arity, out=mask[:, column])
        mask.flags.writeable = False
        return mask

    @property
    def cells(self) -> int:
        """Number of missing cells."""
        return int(self.mask.sum())

    @property
    def share(self) -> float:
        """Share of all cells."""
        return self.cells / self.mask.size

    @property
    def rows(self) -> int:
        """Number of rows with a missing cell."""
        return int(self.mask.any(axis=1).sum())

    @property
    def empty_rows(self) -> int:
        """Number of rows without any value."""
        return int(self.mask.all(axis=1).sum())

    @property
    def columns(self) -> Mapping[str, int]:
        """Missing cells of each column that has some, in the order of the table."""
        counts = self.mask.sum(axis=0)
        return {x: int(n) for x, n in zip(self.names, counts, strict=True) if n}

    def together(self, most: int | None = None) -> list[dict[str, Any]]:
        """Return pairs of columns that go missing in the same rows more often than by chance.

        Rows of ``first``, ``second``, ``rows`` (both are missing), ``expected`` (by chance, if the
        two were independent) and ``correlation`` (of the two being missing), the highest first.

        Parameters
        ----------
        most
            The most pairs; all by default.
        """
        if most is not None and (isinstance(most, bool) or not isinstance(most, int) or most < 0):
            raise ParameterError(f"most must be a whole number from 0 up, got {most!r}")
        holed = np.flatnonzero(self.mask.any(axis=0))
        gaps = self.mask[:, holed].astype(np.float64)
        both, alone, n = gaps.T @ gaps, gaps.sum(axis=0), len(gaps)
        expected = np.outer(alone, alone) / n
        spread = np.sqrt(alone * (1 - alone / n))
        scale = np.outer(spread, spread)
        share = np.divide(both - expected, scale, out=np.zeros_like(both), where=scale > 0)
        found = [
            {
                "first": self.names[holed[i]],
                "second": self.names[holed[j]],
                "rows": round(both[i, j]),
                "expected": float(expected[i, j]),
                "correlation": float(share[i, j]),
            }
            for i, j in zip(*np.triu_indices(len(holed), 1), strict=True)
            if both[i, j] > expected[i, j]
        ]
        found.sort(key=lambda pair: -pair["correlation"])  # stable: ties in the table's order
        return found[:most]

    @cached_property
    def _any(self) -> bool:
        return any((self.codes[:, v] == arity).any() for v, arity in enumerate(self.arities))

    def __bool__(self) -> bool:
        return self._any

    def __repr__(self) -> str:
        if not self:
            return "no missing cells"
        shown = sorted(self.columns.items(), key=lambda pair: -pair[1])
        named = first_of([f'"{name}" ({cells:,})' for name, cells in shown], 5)
        return (
            f"{counted(self.cells, 'missing cell')} ({100 * self.share:.1f} %) in "
            f"{counted(self.rows, 'row')}: {named}"
        )


def refuse_gaps(data: Data) -> None:
    """Refuse a table with missing cells, in the name of the function that was called."""
    if not data.missing:
        return
    columns = data.missing.columns
    first = max(columns, key=lambda name: columns[name])
    where = f'"{first}"' + (f" and {len(columns) - 1:,} more" if len(columns) > 1 else "")
    name = called()
    caller = f"{name} needs" if name else "this needs"
    states = () if columns.keys() & data.numbers.keys() else ("state",)
    raise DataError(
        f"the table keeps {counted(data.missing.cells, 'missing cell')} (in {where}), but "
        f"{for_python(caller, 'this command needs')} a value in every cell; "
        f"choose {choice('missing', 'drop', 'mode', 'random', *states)}"
        + for_python("; or learn with ds.learn or ds.structural_em")
    )
