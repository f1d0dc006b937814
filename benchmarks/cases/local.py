"""Local learning: the neighbors and blankets of all variables, beside the true ones."""

from __future__ import annotations

import csv
from collections import defaultdict
from typing import Any

import dagscape as ds
from cases import Facts, Run, case

MMHC = {"Alarm5": 1, "Child10": 4, "HailFinder": 1}
"""Networks of the MMHC supplement, and which of its samples of 5,000 rows to take."""

METHODS: dict[str, dict[str, Any]] = {
    "default": {},
    "sll": {"method": "sll", "score": "bic"},
    "sll-bdeu": {"method": "sll", "score": "bdeu"},
    "sll-data-order": {"method": "sll", "score": "bic", "order": "data"},
    "hiton": {"method": "hiton", "degrees": "declared"},
    "hiton-adjusted": {"method": "hiton"},
    "mmpc": {"method": "mmpc", "degrees": "declared"},
}


def _alarm(run: Run) -> tuple[ds.Data, ds.Dag]:
    return run.read("bnlearn/alarm.csv.gz").head(5000), ds.load_network("alarm").dag


def _mmhc(run: Run, name: str) -> tuple[ds.Data, ds.Dag]:
    """Read a sample with the states that the network has, seen or not."""
    states: dict[str, dict[str, list[str]]] = defaultdict(dict)
    with run.path("mmhc/arities.csv").open(encoding="ascii") as lines:
        for line in csv.DictReader(lines):
            states[line["network"]][line["variable"]] = [str(s) for s in range(int(line["states"]))]
    data = ds.read_data(
        run.path(f"mmhc/{name}_s5000_v{MMHC[name]}.csv.gz"), states=dict(states[name])
    )
    if name == "HailFinder":
        # Its published graph numbers the variables otherwise than the data do: it scores below the
        # empty one. The embedded network has them in the order of the columns.
        true = ds.load_network("hailfinder").dag
        numbered = dict(zip(true.names, data.names, strict=True))
        return data, ds.Dag(data.names, [(numbered[a], numbered[b]) for a, b in true.arcs])
    with run.path(f"mmhc/{name}_graph.csv").open(encoding="ascii") as lines:
        arcs = [(line["parent"], line["child"]) for line in csv.DictReader(lines)]
    return data, ds.Dag(data.names, arcs)


def _enter(name: str, method: str) -> None:
    """Enter a case: blankets are timed, which takes their neighbors too."""

    def learn(run: Run) -> Facts:
        data, truth = _alarm(run) if name == "alarm" else _mmhc(run, name)
        ask = METHODS[method]
        blankets = run.timed(ds.markov_blanket, data, threads=run.threads, **ask)
        around = ds.neighbors(data, threads=run.threads, **ask)
        near, far = ds.slhd(around, truth), ds.slhd(blankets, truth, of="blankets")
        return {
            "variables": data.n_variables,
            "rows": data.n_rows,
            "slhd_neighbors": near,
            "slhd_blankets": far,
            "stopped": blankets.stopped,
            "work": dict(blankets.work),
            "sets_counted": blankets.work["sets_counted"],
            "remark": f"SLHD {near} for neighbors, {far} for blankets",
        }

    learn.__doc__ = f"All blankets of {name}, 5,000 rows, {method}."
    case(f"local-{name.lower()}-{method}", threads=(1,))(learn)


for _name in ("alarm", *MMHC):
    for _method in METHODS:
        _enter(_name, _method)
