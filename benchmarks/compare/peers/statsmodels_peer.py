"""statsmodels: a vector autoregression, equation by equation, since series may be several."""

from __future__ import annotations

from typing import Any

import numpy as np
from benchmarks.compare.peers import by_series
from benchmarks.compare.table import Table

NAME = "statsmodels"
PACKAGE = "statsmodels"
CLEAR = 0.05


def prepare(table: Table) -> Any:
    """Give one array of steps for each series."""
    import statsmodels.api  # noqa: F401

    return by_series(table)


def series(data: Any, lags: int) -> list[list[Any]]:
    """Regress each series on the past of all."""
    import statsmodels.api as sm

    names, parts = data
    now = np.concatenate([part[lags:] for part in parts])
    past = np.concatenate(
        [
            np.hstack([part[lags - lag : len(part) - lag] for lag in range(1, lags + 1)])
            for part in parts
        ]
    )
    found = []
    for j, b in enumerate(names):
        fitted = sm.OLS(now[:, j], sm.add_constant(past)).fit()
        for lag in range(1, lags + 1):
            for i, a in enumerate(names):
                at = 1 + (lag - 1) * len(names) + i
                clear = bool(fitted.pvalues[at] < CLEAR)
                if a != b:
                    found.append([a, b, lag, abs(float(fitted.tvalues[at])), clear])
    return found
