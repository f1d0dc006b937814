"""The rows that show what a cause does by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dagscape.errors import DataError

if TYPE_CHECKING:
    from dagscape.data import Data


def rows_about(table: Data, cause: str) -> Data:
    """Return the rows that show what the cause does by itself: nothing else was set in them."""
    done = table.rows.interventions
    if done is None:
        return table
    alone = np.array([{*targets} <= {cause} for targets in done.targets])
    rows = np.flatnonzero(alone[done.codes])
    if not len(rows):
        raise DataError(
            f'in every row something other than "{cause}" was set, so no row shows what it does by '
            "itself; add rows in which nothing else was set"
        )
    return table.part(rows, "interventions")
