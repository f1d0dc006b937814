"""What cells were before they were cut or filled: what a table of states does not tell any more.

No score and no search asks. But whether chance is behind an edge depends on it: within an interval,
two columns may both follow the number that was cut; and two columns that were filled in the same
rows agree there for no other reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_CELLS = 10_000_000
"""Cells that are kept as they were, at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Before:
    """Columns as they were, by name."""

    numbers: Mapping[str, NDArray[np.float64]]
    """Of those that were cut; NaN where a cell was missing."""
    filled: Mapping[str, NDArray[np.bool_]]
    """Of those that were filled, which cells were."""

    def take(self, rows: NDArray[Any] | slice) -> Before:
        """Return what these rows were."""
        return Before(
            {name: values[rows] for name, values in self.numbers.items()},
            {name: cells[rows] for name, cells in self.filled.items()},
        )

    def of(self, names: Sequence[str]) -> Before:
        """Return what these columns were."""
        wanted = {*names}
        return Before(
            {name: values for name, values in self.numbers.items() if name in wanted},
            {name: cells for name, cells in self.filled.items() if name in wanted},
        )

    def also(self, later: Before) -> Before:
        """Return this, and what became of cells since then."""
        return Before({**self.numbers, **later.numbers}, {**self.filled, **later.filled})

    @property
    def known(self) -> Before | None:
        """The same, or None where nothing was changed, or more than is kept."""
        columns = [*self.numbers.values(), *self.filled.values()]
        return self if 0 < sum(map(len, columns)) <= MOST_CELLS else None
