"""Every public parameter with values that it cannot mean."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import dagscape as ds
from dagscape.learning import Chance
from dagscape.learning.sensitivity import Sensitivity
from dagscape.misfits import Fit
from dagscape.networks import GaussianNode, SoftmaxNode
from dagscape.posteriors import touched
from dagscape.regression import regress
from documented import documented, thing


class Odd:
    """What no parameter takes."""

    def __repr__(self) -> str:
        return "<odd>"


WRONG: dict[str, Any] = {
    "None": None,
    "true": True,
    "empty": "",
    "word": "x",
    "half a character": "a\ud800",
    "line end and NUL": "a\n\0",
    "bytes": b"x",
    "-1": -1,
    "0": 0,
    "1.5": 1.5,
    "10**30": 10**30,
    "2**63": 2**63,
    "nan": math.nan,
    "inf": math.inf,
    "-1e308": -1e308,
    "1e308": 1e308,
    "list": [],
    "numbers": [3, None],
    "words": ["x", "x"],
    "pairs": [("A", "x"), ("B",)],
    "dict": {},
    "keys": {3: None, "x": object},
    "array": np.zeros((2, 2)),
    "odd": Odd(),
    "data frame of odd": {"A": [Odd(), None]},
}


PUBLIC = {
    name.rpartition(".")[2]: thing(name)
    for name in documented()
    if not name.startswith("sklearn")  # it has tests of its own
}
"""What users call and meet, by name."""

MADE_BY_USERS = (
    *("Data", "Dag", "Cpdag", "Mpdag", "Knowledge", "Network", "GaussianNode", "SoftmaxNode"),
    *(
        name
        for name, kind in PUBLIC.items()
        if isinstance(kind, type) and issubclass(kind, ds.Score | ds.Prior)
        if not inspect.isabstract(kind)
    ),
)
"""Of the public classes, those that are called; others are made by functions."""

OURS = (
    *("from_codes", "from_columns", "belong_to", "know", "with_lists"),
    *("Knowledge.check", "NearOptimal.count", "NearOptimal.index", "LocalSets.get"),
    *("Distribution.get", "Sensitivity.band", "Data.part", "with_reasons"),
    *("Knowledge.directs", "Interventions.read", "Data.group", "Groups.differences", "Groups.told"),
)
"""Methods that are not for users, or that every sequence has."""

FOR_THE_ENGINE = (ds.Problem, ds.Score, ds.Prior, GaussianNode, SoftmaxNode)
"""Classes whose methods are for searches and networks, which know what they ask."""

QUICK = {
    "runs": 1,
    "resamples": 1,
    "folds": 2,
    "restarts": 1,
    "variables": 3,
    "generations": 1,
}
"""Settings with which nothing takes long, where a function has them."""


class Right(NamedTuple):
    """What is called, with arguments that are right."""

    call: Callable[..., Any]
    arguments: dict[str, Any]


def calls(folder: Path) -> dict[str, Right]:
    """Return all that users call, on tables with few rows; what they read is in a folder."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 24)
    codes = {"A": a, "B": (a + (rng.random(24) < 0.2)) % 2, "C": rng.integers(0, 2, 24)}
    data = ds.Data({name: [f"s{code}" for code in column] for name, column in codes.items()})
    numbers = ds.Data({"X": rng.normal(size=24), "Y": rng.normal(size=24), "S": ["p", "q"] * 12})
    plane = ds.Data({"X": rng.normal(size=24), "Y": rng.normal(size=24)})
    series = ds.series(data.select(["A", "B"]).to_pandas(), lags=1)
    set_in_half = {**data.to_polars().to_dict(as_series=False), "what": ["", "A"] * 12}
    experiments = ds.Data(set_in_half, interventions=ds.Interventions(column="what"))
    dag = ds.Dag(["A", "B", "C"], [("A", "B")])
    line = ds.Dag(["S", "X", "Y"], [("X", "Y")])
    net = ds.fit(dag, data)
    data.write(folder / "table.csv")
    for name in ("net.bif", "net.xmlbif", "net.json"):
        net.write(folder / name)
    ds.write_graph(dag, folder / "g.graphml")
    (folder / "arcs.csv").write_text("from,to\nA,B\n")
    (folder / "set.toml").write_text('column = "A"\n')
    (folder / "known.toml").write_text('forbidden = [["A", "B"]]\n')
    objects = {
        "data": data,
        "dag": dag,
        "cpdag": dag.to_cpdag(),
        "net": net,
        "number_net": ds.fit(line, numbers),
        "step_net": ds.fit(ds.exact(series).dag, series),
        "learned": ds.learn(data, score="bdeu", runs=2, resamples=2),
        "landscape": ds.local_optima(data, runs=2, store=folder / "runs.sqlite"),
        "posterior": ds.posterior(data),
        "lists": ds.candidate_parents(data),
        "near": ds.near_optimal(data, within=1.0),
        "knowledge": ds.Knowledge(forbidden=[("A", "B")]),
        "bootstrap": ds.bootstrap(data, runs=2),
        "sets": ds.neighbors(data),
        "validation": ds.cross_validate(data, "A", folds=2),
        "check": ds.check({"A": ["x ", "y"] * 5}),
    }
    objects |= {
        "effect": ds.effect(objects["posterior"], "A", "B"),
        "hidden_effect": ds.effect(objects["learned"], "A", "B", hidden=True),
        "slope_effect": ds.effect(ds.posterior(plane), "X", "Y"),
        "consensus": objects["posterior"].consensus(),
        "exact": ds.exact(data),
        "scope": objects["learned"].scope,
        "chance": Chance(tables=1, resamples=2, edges={0.5: 1.0}, most=0.6),
        "choice": objects["posterior"].pair_choices(dag.to_cpdag(), [("A", "B")])[0],
        "distribution": net.query("A"),
        "number_distribution": objects["number_net"].query("Y"),
        "regression": regress(numbers, "Y", ["X"]),
        "examination": ds.examine(dag, data),
        "pag_examination": ds.examine(dag.to_pag(), data),
        "pag": dag.to_pag(),
        "comparison": ds.compare(objects["learned"], ds.exact(data)),
        "hidden": ds.hidden(data, resamples=1),
        "sensitivity": Sensitivity((), ()),
        "fit": Fit((), (), 1, 24, 3),
        "acts": touched(experiments),
        "left_out": ds.leave_one_experiment_out(experiments, "exact"),
        "gaps": ds.Data({"A": ["x", None, "y"] * 4, "B": ["p", None] * 6}, missing="keep").missing,
    }
    objects["learned"].save(folder / "result.json")
    objects["posterior"].save(folder / "posterior.json")
    objects["lists"].write(folder / "lists.jkl")
    common: dict[str, Any] = {
        "data": data,
        "table": data,
        "rows": data,
        "frame": {"A": ["x", "y"] * 3},
        "dag": dag,
        "graph": dag,
        "a": dag,
        "b": dag,
        "found": dag,
        "truth": dag,
        "net": net,
        "names": ["A", "B", "C"],
        "child": "A",
        "target": "A",
        "x": "A",
        "y": "B",
        "name": "A",
        "cause": "A",
        "outcome": "B",
        "of": objects["posterior"],
        "parents": ["B"],
        "score": "bic",
        "variables": 3,
        "within": 1.0,
        "copies": 2,
        "states": net.states,
        "tables": {name: net.table(name) for name in net.names},
        "mean": 0.0,
        "sd": 1.0,
        "path": folder / "out.json",
        "arcs": [("A", "B")],
        "n": 2,
        "count": 2,
        "test": data,
        "targets": "A",
        "pairs": [("A", "B")],
        "value": 1,
        "parent": "A",
        "after": "s1",
        "before": "s0",
        "other": objects["knowledge"],
        "model": None,
        "bn": None,
        "reason": "chance",
        "intercepts": [0.0, 1.0],
        "slopes": [[1.0, 2.0]],
        "values": {"name": "bic"},
        "experiments": {"run": ["A"]},
        "history": {"A": ["s0", "s1"], "B": ["s1", "s0"]},
        "steps": 1,
    }
    own: dict[str, dict[str, Any]] = {
        "read_data": {"path": folder / "table.csv"},
        "read_interventions": {"path": folder / "set.toml"},
        "join_experiments": {
            "tables": {name: objects["data"].to_pandas() for name in ("seen", "hose")},
            "targets": {"hose": ["A"]},
        },
        "forecast_scores": {"data": series},
        "leave_one_experiment_out": {"data": experiments},
        "touched": {"data": experiments},
        "read_rows": {"path": folder / "table.csv"},
        "read_edges": {"path": folder / "arcs.csv"},
        "read_graph": {"path": folder / "g.graphml"},
        "write_graph": {"path": folder / "out.graphml"},
        "read_knowledge": {"path": folder / "known.toml"},
        "load_network": {"name": "asia"},
        "read_bif": {"path": folder / "net.bif"},
        "read_network": {"path": folder / "net.json"},
        "read_parents": {"path": folder / "lists.jkl"},
        "load_result": {"path": folder / "result.json", "kind": ds.Result},
        "edge_slopes": {"data": numbers, "dag": line, "one": "X", "other": "Y"},
        "regress": {"data": numbers, "child": "Y", "parents": ["X"]},
        "data.take": {"rows": [0, 1]},
        "dag.d_separated": {"a": "A", "b": "B"},
        "dag.from_networkx": {"graph": dag.to_networkx()},
        "cpdag.from_networkx": {"graph": dag.to_cpdag().to_networkx()},
        "net.do": {"states": {"A": "s0"}},
        "number_net.do": {"states": {"S": "p"}},
        "slope_effect.by_structure": {"before": 0.0, "after": 1.0},
        "initial_order": {"parents": objects["lists"]},
        "learned.rows_to_settle": {"a": "A", "b": "B"},
        "slope_effect.difference": {"before": 0.0, "after": 1.0},
        "bootstrap.confident": {"kind": "skeleton"},
        "consensus.from_networkx": {"graph": dag.to_cpdag().to_networkx()},
        "number_distribution.quantile": {"share": 0.5},
        "regression.of": {"parent": "X"},
        "hidden.share": {"a": "A", "b": "B"},
        "pag.edge": {"a": "A", "b": "B"},
        "pag.m_separated": {"a": "A", "b": "B"},
        "learned.with_arc": {"a": "A", "b": "C"},
        "learned.without_arc": dict(zip("ab", objects["learned"].dag.arcs[0], strict=True)),
        "learned.consensus_at": {"balance": 0.5},
        "learned.reversed": dict(zip("ab", objects["learned"].dag.arcs[0], strict=True)),
        "check.write": {"path": folder / "out.csv"},
        "exact.report": {"path": folder / "out.html"},
        "scope.from_dict": {"values": objects["scope"].to_dict()},
        "chance.at": {"probability": 0.5},
        "choice.of": {"state": "absent"},
        "posterior.probability": {"a": "A", "b": "B"},
        "posterior.pair_choices": {"graph": dag.to_cpdag()},
        "knowledge.from_dict": {"values": objects["knowledge"].to_dict()},
        "knowledge.orient": {"graph": dag.to_cpdag()},
        "data.write": {"path": folder / "out.csv"},
        "net.write": {"path": folder / "out.bif"},
        "net.write_bif": {"path": folder / "out.bif"},
        "lists.write": {"path": folder / "out.jkl"},
        "learned.report": {"path": folder / "out.html"},
        "posterior.report": {"path": folder / "out.html"},
        "prior_from_dict": {"values": {"name": "uniform"}},
        "ScoreFunction": {"name": "mine", "function": max, "equivalent": False, "of": "families"},
    }
    callables = {
        name: thing
        for name, thing in PUBLIC.items()
        if inspect.isfunction(thing) or name in MADE_BY_USERS
    }
    for owner, one in objects.items():
        for name in dir(type(one)):
            ours = name.startswith("_") or {name, f"{type(one).__name__}.{name}"} & {*OURS}
            if not ours and callable(getattr(type(one), name)):
                callables[f"{owner}.{name}"] = getattr(one, name)
    of_numbers = {"data": numbers, "rows": numbers, "target": "Y", "targets": "Y", "x": "Y"}
    of_numbers |= {"dag": line, "names": ["S", "X", "Y"]}
    for name in callables:
        if name.startswith("number_net."):
            own[name] = of_numbers | own.get(name, {})
    return {
        name: Right(call, _arguments(call, common | own.get(name, {})))
        for name, call in callables.items()
    }


def _arguments(call: Callable[..., Any], right: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments that are needed, and those that make it quick."""
    needed = [
        name
        for name, taken in inspect.signature(call).parameters.items()
        if taken.default is taken.empty and taken.kind in NAMED
    ]
    quick = [name for name in QUICK if name in inspect.signature(call).parameters]
    return {**{name: QUICK[name] for name in quick}, **{name: right[name] for name in needed}}


def methods() -> dict[str, Callable[..., Any]]:
    """Return the methods of public classes that are told something, by their names."""
    found = {}
    for name, kind in PUBLIC.items():
        if not isinstance(kind, type) or issubclass(kind, (*FOR_THE_ENGINE, BaseException)):
            continue
        for method in dir(kind):
            call = getattr(inspect.getattr_static(kind, method), "__func__", getattr(kind, method))
            ours = method.startswith("_") or {method, f"{name}.{method}"} & {"from_dict", *OURS}
            if (
                not ours
                and inspect.isfunction(call)
                and len(inspect.signature(call).parameters) > 1
            ):
                found[f"{name}.{method}"] = call
    return found


NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def wrong_calls(right: Right) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield calls with one wrong value each, and what is wrong."""
    for name, taken in inspect.signature(right.call).parameters.items():
        for words, value in WRONG.items() if taken.kind in NAMED else ():
            yield f"{name}={words}", partial(right.call, **(right.arguments | {name: value}))
