"""Forecasts, networks of several steps, summary graphs: against recursion and exact answers."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest

import dagscape as ds
from dagscape.networks import GaussianNode, Network

STATES = {"x": ("a", "b"), "y": ("n", "m", "k"), "x[-1]": ("a", "b"), "y[-2]": ("n", "m", "k")}


def of_states(seed: int) -> Network:
    """Two series: x follows its own past and y two steps before; y follows x of its own step."""
    rng = np.random.default_rng(seed)
    arcs = [("x[-1]", "x"), ("y[-2]", "x"), ("x", "y"), ("x[-1]", "y")]
    dag = ds.Dag(["y", "x", "y[-2]", "x[-1]"], arcs)
    tables = {}
    for x in dag.names:
        shape = [len(STATES[p]) for p in dag.parents(x)]
        tables[x] = rng.dirichlet(np.ones(len(STATES[x])), size=shape or None)
    return Network(dag, STATES, tables)


def shares(found: pl.DataFrame, x: str, step: int) -> list[float]:
    return found.filter((pl.col("variable") == x) & (pl.col("step") == step))[
        "probability"
    ].to_list()


def by_hand(net: Network, history: dict[str, list[str]], steps: int, fixed: dict) -> dict:
    """Probabilities of all courses, added up."""
    found = {(x, t): np.zeros(len(STATES[x])) for x in "xy" for t in range(1, steps + 1)}
    codes = [(i, j) for i in range(2) for j in range(3)]
    past = {x: [STATES[x].index(v) for v in history[x]] for x in "xy"}
    order = {x: net.dag.parents(x) for x in "xy"}
    for course in itertools.product(codes, repeat=steps):
        series = {x: [*past[x], *(step[k] for step in course)] for k, x in enumerate("xy")}
        weight = 1.0
        for t in range(1, steps + 1):
            at = len(past["x"]) + t - 1
            for x in "xy":
                if (x, t) in fixed:
                    weight *= series[x][at] == fixed[x, t]
                    continue
                values = {
                    "x": series["x"][at],
                    "x[-1]": series["x"][at - 1],
                    "y[-2]": series["y"][at - 2],
                }
                row = tuple(values[p] for p in order[x])
                weight *= net.table(x)[row][series[x][at]]
        for t, step in enumerate(course, start=1):
            for k, x in enumerate("xy"):
                found[x, t][step[k]] += weight
    return found


def test_forecasts_of_states_are_sums_over_all_courses():
    history = {"x": ["a", "b"], "y": ["k", "n"]}
    for seed in range(4):
        net = of_states(seed)
        for do, fixed in (
            ({}, {}),
            ({"x": ["b", None]}, {("x", 1): 1}),
            ({"y": "m"}, {("y", t): 1 for t in (1, 2, 3)}),
        ):
            expected = by_hand(net, history, 3, fixed)
            found = net.forecast(history, 3, do=do, draws=40_000, seed=seed)
            several = net.unrolled(3)
            for (x, t), value in fixed.items():
                several = several.do({f"{x}[{t}]": STATES[x][value]})
            given = {"x[0]": "b", "y[0]": "n", "y[-1]": "k"}
            for (x, t), truth in expected.items():
                assert shares(found, x, t) == pytest.approx(truth, abs=0.02), (seed, x, t)
                asked = several.query(
                    f"{x}[{t}]", given={k: v for k, v in given.items() if k in several.names}
                )
                assert [asked[label] for label in STATES[x]] == pytest.approx(truth), (seed, x, t)


def test_forecasts_of_numbers_follow_the_recursion():
    dag = ds.Dag(
        ["v", "w", "hour", "v[-1]", "w[-1]"],
        [("v[-1]", "v"), ("w[-1]", "v"), ("w[-1]", "w"), ("hour", "w")],
    )
    nodes = {
        "v": GaussianNode(1.0, 0.5, [0.6, -0.4] if dag.parents("v")[0] == "v[-1]" else [-0.4, 0.6]),
        "w": GaussianNode([0.0, 2.0], [1.0, 1.0], [[0.5], [0.5]]),
        "hour": [0.5, 0.5],
        "v[-1]": GaussianNode(0.0, 1.0),
        "w[-1]": GaussianNode(0.0, 1.0),
    }
    net = Network(dag, {"hour": ["am", "pm"]}, nodes)
    history = {"v": [9.0, 2.0], "w": [7.5, 3.0]}
    ahead = {"hour": ["pm", "am", "pm"]}
    found = net.forecast(history, 3, ahead=ahead, draws=100_000, level=0.95)
    v, w, mean = 2.0, 3.0, []
    matrix, noise, spread = (
        np.array([[0.6, -0.4], [0.0, 0.5]]),
        np.diag([0.25, 1.0]),
        np.zeros((2, 2)),
    )
    for hour in ahead["hour"]:
        v, w = 1 + 0.6 * v - 0.4 * w, 0.5 * w + (2.0 if hour == "pm" else 0.0)
        spread = matrix @ spread @ matrix.T + noise
        mean.append((v, w, np.sqrt(np.diag(spread))))
    for step, (one, two, sd) in enumerate(mean, start=1):
        for x, expected, own in (("v", one, sd[0]), ("w", two, sd[1])):
            row = found.filter((pl.col("variable") == x) & (pl.col("step") == step)).row(
                0, named=True
            )
            assert row["mean"] == pytest.approx(expected, abs=0.03)
            assert row["lower"] == pytest.approx(expected - 1.96 * own, abs=0.06)
            assert row["upper"] == pytest.approx(expected + 1.96 * own, abs=0.06)
    set_ = net.forecast(history, 2, ahead=ahead, do={"w": [None, 4.0]})
    assert set_.filter(pl.col("variable") == "w")["upper"][1] == 4.0
    with pytest.raises(
        ds.ParameterError, match='"hour" is known ahead; ahead must say what it will'
    ):
        net.forecast(history, 3)
    with pytest.raises(ds.DataError, match="ahead has 3 rows for 4 steps"):
        net.forecast(history, 4, ahead=ahead)


def test_what_cannot_be_foretold_is_refused():
    net = of_states(0)
    with pytest.raises(
        ds.DataError, match="the history has 1 row, and the network looks 2 steps back"
    ):
        net.forecast({"x": ["a"], "y": ["k"]})
    with pytest.raises(ds.DataError, match='history has no column "y"'):
        net.forecast({"x": ["a", "b"]})
    with pytest.raises(ds.ParameterError, match='do names "z", which is no variable'):
        net.forecast({"x": ["a", "b"], "y": ["k", "k"]}, do={"z": 1})
    with pytest.raises(ds.DataError, match='"c" is not a state'):
        net.forecast({"x": ["a", "c"], "y": ["k", "k"]})
    with pytest.raises(ds.ParameterError, match="steps must be a whole number from 1"):
        net.forecast({"x": ["a", "b"], "y": ["k", "k"]}, 0)
    with pytest.raises(ds.ParameterError, match="the network has no column of the past"):
        ds.load_network("asia").forecast({"asia": ["yes"]})


def feedback(rows: int = 400, seed: int = 0, **more: float) -> dict[str, np.ndarray]:
    """Two series that drive each other, one step later."""
    rng = np.random.default_rng(seed)
    v, w = np.zeros(rows), np.zeros(rows)
    for t in range(2, rows):
        change = more.get("change", 0.0) if t > rows / 2 else 0.0
        v[t] = 0.5 * v[t - 1] - (0.4 + change) * w[t - 1] + rng.normal()
        w[t] = 0.5 * w[t - 1] + 0.4 * v[t - 1] + more.get("second", 0.0) * w[t - 2] + rng.normal()
    return {"v": v + more.get("trend", 0.0) * np.arange(rows), "w": w}


def test_the_summary_may_go_in_circles():
    found = ds.exact(ds.series(feedback(), lags=2))
    assert found.summary.arcs == (("v", "v"), ("v", "w"), ("w", "v"), ("w", "w"))
    assert found.summary.between == (("v", "w"), ("w", "v"))
    assert found.summary.lags["v", "w"] == (1,)
    assert found.summary.to_networkx().edges["w", "v"]["lags"] == [1]
    assert ds.exact(ds.load_network("asia").sample(200), score="bic").summary is None


@pytest.mark.slow
def test_assumptions_speak_where_they_fail_and_seldom_else():
    said = {"stays": 0, "trend": 0, "memory": 0}
    for seed in range(30):
        made = ds.series(feedback(seed=seed), lags=1)
        found = ds.learn(made, resamples=0)
        for each in found.assumptions:
            assert each.tested == 2
            said[each.kind] += not each.holds
    assert max(said.values()) <= 2, said
    for kind, more in (("stays", {"change": 0.9}), ("memory", {"second": -0.6})):
        made = ds.series(feedback(**more), lags=1)
        failed = {each.kind: each.fails for each in ds.learn(made, resamples=0).assumptions}
        assert failed[kind], kind
    rng = np.random.default_rng(1)
    drift = {
        "x": (rng.random(400) < np.linspace(0.1, 0.9, 400)).astype(int),
        "y": rng.integers(2, size=400),
    }
    learned = ds.learn(ds.series(drift, lags=1), resamples=0)
    failed = {each.kind: each for each in learned.assumptions}
    assert failed["trend"].fails == ("x",)
    assert "no trend is left beside the parents: not in x, which goes up" in str(failed["trend"])
    assert failed["stays"].fails == ("x",)


def test_forecasts_are_scored_on_steps_that_were_not_seen():
    columns = feedback(300)
    made = ds.series(columns, lags=1)
    found = {row["variable"]: row for row in ds.forecast_scores(made, share=0.25).to_dicts()}
    cut = made.n_rows - round(0.25 * made.n_rows)
    for x in ("v", "w"):
        past = np.column_stack([np.ones(299), columns["v"][:-1], columns["w"][:-1]])
        now = columns[x][1:]
        weights = np.linalg.lstsq(past[:cut], now[:cut], rcond=None)[0]
        expected = {
            "autoregression": ((past[cut:] @ weights - now[cut:]) ** 2).mean(),
            "same_as_before": ((columns[x][:-1][cut:] - now[cut:]) ** 2).mean(),
            "average": ((now[:cut].mean() - now[cut:]) ** 2).mean(),
        }
        assert found[x]["loss"] == "squared error"
        for name, loss in expected.items():
            assert found[x][name] == pytest.approx(loss), (x, name)
        assert found[x]["network"] == pytest.approx(expected["autoregression"], rel=0.05)
    states = {x: np.where(values > 0, "up", "down") for x, values in columns.items()}
    rows = ds.forecast_scores(ds.series(states, lags=1), max_parents=2).to_dicts()
    assert [row["loss"] for row in rows] == ["wrong", "wrong"]
    assert all(0 <= row["network"] <= 0.5 and row["autoregression"] is None for row in rows)
    with pytest.raises(ds.DataError, match="forecasts are scored on tables of series"):
        ds.forecast_scores({"a": [0, 1] * 20, "b": [0, 1] * 20})
