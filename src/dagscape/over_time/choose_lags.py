"""How far back the past goes: the number of lags by which networks score highest.

All numbers of lags are compared on the same rows, those that have the longest past; else a longer
one would win or lose by the rows that it leaves out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dagscape.errors import DataError
from dagscape.notes import Note
from dagscape.search.exact import exact
from dagscape.speech import setting

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.over_time.make_series import SeriesTable

MOST_LAGS = 5
"""Steps back that are looked at where nobody said how many."""

ROWS_LEFT = 0.5
"""The share of the rows, at least, that must have the longest past."""

OTHERS = 2
"""Parents beside the nearest past of a variable itself."""

MOST_SETS = 20_000_000
"""Parent sets to score for one number of lags; with more, there is one parent less."""


def choose_lags(steps: SeriesTable, *, within_step: bool, own_past: bool) -> Data:
    """Return the table with the number of lags that scores highest, which its notes tell."""
    longest = _longest(steps)
    curve: dict[int, float] = {}
    for lag in range(1, longest + 1) if longest > 1 else ():
        lags = tuple(range(1, lag + 1))
        table = steps.lagged(lags, within_step=False, own_past=own_past, longest=longest)
        most = min(_parents(table, lag) + own_past, table.n_variables - 1)
        curve[lag] = exact(table, max_parents=most).score
    best = max(curve, key=lambda lag: (curve[lag], -lag), default=1)
    chosen = steps.lagged(tuple(range(1, best + 1)), within_step=within_step, own_past=own_past)
    return chosen._noting(
        [
            Note("lag_score", counts={"lag": lag, "chosen": int(lag == best)}, examples=(words,))
            for lag, words in ((lag, f"{score:,.2f}") for lag, score in curve.items())
        ]
    )


def _longest(steps: SeriesTable) -> int:
    """Return how far back can be looked: most rows must have that past, and some of each series."""
    codes, at = steps.order.codes, steps.order.steps
    longest = 0
    for lag in range(1, MOST_LAGS + 1):
        rows, _ = steps.with_past(lag)
        left = np.bincount(codes[rows], minlength=len(steps.order.labels))
        if not left.all() or len(rows) < ROWS_LEFT * len(at):
            break
        longest = lag
    if not longest:
        raise DataError(
            "too few rows have a row one step before them to choose how far back the past goes; "
            f"give {setting('lags')}"
        )
    return longest


def _parents(table: Data, lag: int) -> int:
    """Return how many parents there are to choose, beside the nearest past."""
    variables = table.n_variables / (lag + 1)
    columns = table.n_variables - variables
    return OTHERS if variables * columns**2 / 2 <= MOST_SETS else OTHERS - 1
