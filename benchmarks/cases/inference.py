"""Answers of networks: all marginals, and predictions for many rows."""

from __future__ import annotations

import numpy as np
import polars as pl

import dagscape as ds
from cases import Facts, Run, case


def _enter(network: str) -> None:
    def run_case(run: Run) -> Facts:
        net = ds.load_network(network)
        first = min(net.names)
        net.query_all()  # what the engine keeps of a network is made once
        found = run.timed(net.query_all, {first: net.states[first][0]})
        return {"remark": f"{len(found)} variables, {net.query_cost() / 1e6:.3g} MB"}

    run_case.__doc__ = f"All marginals of {network}, one variable given."
    case(f"marginals-{network}")(run_case)


for _network in ("alarm", "hailfinder", "barley"):
    _enter(_network)


@case("predict-alarm-million")
def complete(run: Run) -> Facts:
    """Predict a variable of alarm in a million complete rows."""
    net = ds.load_network("alarm")
    data = net.sample(1_000_000, seed=1)
    found = run.timed(net.predict_proba, data, "LVFAILURE", threads=run.threads)
    return {"remark": f"{len(found):,} rows"}


@case("predict-alarm-gaps")
def with_gaps(run: Run) -> Facts:
    """Predict a variable of alarm in 200,000 rows with a tenth of the cells missing."""
    net = ds.load_network("alarm")
    data = net.sample(200_000, seed=1)
    rng = np.random.default_rng(1)
    columns = {}
    for place, x in enumerate(data.names):
        cells = np.array(data.states[x], dtype=object)[data.codes[:, place]]
        cells[rng.random(data.n_rows) < 0.1] = None
        columns[x] = pl.Series(cells.tolist(), dtype=pl.String)
    found = run.timed(net.predict_proba, pl.DataFrame(columns), "HR", threads=run.threads)
    return {"remark": f"{len(found):,} rows"}
