"""tigramite: networks over time alone."""

from __future__ import annotations

from typing import Any

from benchmarks.compare.peers import by_series
from benchmarks.compare.table import Table

NAME = "tigramite"
PACKAGE = "tigramite"


def prepare(table: Table) -> Any:
    """Give one array of steps for each series."""
    import tigramite.independence_tests.parcorr
    import tigramite.pcmci  # noqa: F401

    return by_series(table)


def series(data: Any, lags: int) -> list[list[Any]]:
    """Search by PCMCI+ with partial correlations, from one step back."""
    from tigramite.data_processing import DataFrame
    from tigramite.independence_tests.parcorr import ParCorr
    from tigramite.pcmci import PCMCI

    names, parts = data
    if len(parts) > 1:
        frame = DataFrame(dict(enumerate(parts)), var_names=names, analysis_mode="multiple")
    else:
        frame = DataFrame(parts[0], var_names=names)
    search = PCMCI(dataframe=frame, cond_ind_test=ParCorr(), verbosity=0)
    found = search.run_pcmciplus(tau_min=1, tau_max=lags)
    graph, values = found["graph"], found["val_matrix"]
    return [
        [a, b, lag, abs(float(values[i, j, lag])), graph[i, j, lag] == "-->"]
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        for lag in range(1, lags + 1)
        if a != b
    ]
