"""What the page is told of columns of numbers."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest

import dagscape as ds
from dagscape.regression import regress
from dagscape.report import page_numbers
from dagscape.report.content import content
from dagscape.report.report import page


def table(rows=400):
    rng = np.random.default_rng(0)
    g = rng.choice(["no", "yes"], rows)
    x = rng.normal(10, 2, rows)
    y = 3 * x + 5 * (g == "yes") + rng.normal(size=rows)
    c = (x - 10) ** 2 + 0.3 * rng.normal(size=rows)
    return {"g": g, "x": x, "y": y, "c": c}


def shown(frame, **settings):
    data = ds.Data(frame)
    learned = ds.learn(data, score="basis_bic(degree=1)", runs=0, resamples=0, **settings)
    return data, content(learned, data=data)


def points(text):
    return np.frombuffer(base64.b64decode(text), "<u2")


@pytest.mark.slow
def test_how_values_lie():
    frame = table()
    frame["x"][0] = 1e6  # which would squeeze all others together
    data, told = shown(frame)
    about = told["variables"][data.names.index("x")]["numbers"]
    rest = frame["x"][1:]
    assert about["beyond"] == 1
    assert about["most"] == 1e6
    assert about["range"] == pytest.approx([rest.min(), rest.max()])
    assert about["bars"] == np.histogram(rest, page_numbers.BINS)[0].tolist()
    # The area under the density is that of the bars.
    curve = np.array(about["curve"])
    area = (curve[1:] + curve[:-1]).sum() / 2 * page_numbers.BINS / (page_numbers.CURVE - 1)
    assert area == pytest.approx(399, rel=0.01)
    steps = points(about["points"])
    assert steps[0] == page_numbers.STEPS + 1
    low, high = about["range"]
    assert low + (high - low) * steps[1:] / page_numbers.STEPS == pytest.approx(rest, abs=1e-3)


def test_lines_boxes_and_bends():
    frame = table()
    data, told = shown(frame)
    at = {name: i for i, name in enumerate(data.names)}
    dag = ds.learn(data, score="basis_bic(degree=1)", runs=0, resamples=0).dag
    line = told["variables"][at["y"]]["line"]
    wanted = regress(data, "y", dag.parents("y"))
    assert [row[0] for row in line["slopes"]] == [at[s.parent] for s in wanted.slopes]
    assert [row[3] for row in line["slopes"]] == pytest.approx(
        [s.value for s in wanted.slopes], rel=1e-5
    )
    boxes = {(of, by): rows for of, by, _, rows in told["numbers"]["boxes"]}
    for code, state in enumerate(["no", "yes"]):
        own = frame["y"][frame["g"] == state]
        box = boxes[at["y"], at["g"]][code]
        assert box[:2] == [code, len(own)]
        assert box[3:6] == pytest.approx(np.quantile(own, [0.25, 0.5, 0.75]), rel=1e-4)
        assert box[7] == pytest.approx(own.mean(), rel=1e-4)
    bent = [bend for bend in told["numbers"]["bent"] if set(bend["ends"]) == {at["c"], at["x"]}]
    (bend,) = bent
    assert len(bend["means"]) == page_numbers.TENTHS
    assert (min(at["c"], at["x"]), max(at["c"], at["x"])) in [tuple(p[:2]) for p in told["pairs"]]


@pytest.mark.slow
def test_the_page_of_a_large_table_stays_small(monkeypatch):
    monkeypatch.setattr(page_numbers, "MOST_CELLS", 4000)
    monkeypatch.setattr(page_numbers, "ALL_POINTS", 400)
    data, told = shown(table(3000))
    assert told["numbers"]["described"] == 1000
    assert told["numbers"]["points"] == 100
    assert told["rows"] == 3000
    for name, about in zip(data.names, told["variables"], strict=True):
        text = about["numbers"]["points"] if name in data.numbers else about["points"]
        assert len(points(text)) == 100


@pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
def test_odd_columns_make_a_page():
    rng = np.random.default_rng(1)
    x = rng.normal(size=60)
    frame = {
        "x": x,
        "copy": x,
        "huge": rng.normal(size=60) * 1e300,
        "wide": np.where(x > 0, 1.7e308, -1.7e308) * rng.random(60),
        "still": np.full(60, 0.5),
        "spike": np.where(np.arange(60) < 50, 1.25, x),
        "many": rng.integers(0, 15, 60).astype(str),
    }
    with np.errstate(all="raise", under="ignore"):
        _, told = shown(frame, max_parents=2)
    assert json.loads(json.dumps(told, allow_nan=False)) is not None
    assert "<script" in page(told)


def test_states_alone_need_none_of_it():
    data = ds.load_network("asia").sample(100, seed=0)
    assert content(ds.learn(data, runs=0, resamples=0), data=data)["numbers"] is None


@pytest.mark.slow
def test_two_columns_of_states_are_counted():
    frame = table()
    rng = np.random.default_rng(1)
    frame["h"] = np.where(rng.random(400) < 0.8, frame["g"], "yes")
    frame["many"] = [f"s{i % 20}" for i in range(400)]
    data, told = shown(frame, knowledge=ds.Knowledge(required=[("g", "h"), ("many", "h")]))
    ((a, b, counts),) = told["numbers"]["crossed"]  # many has too many states for a picture
    assert {data.names[a], data.names[b]} == {"g", "h"}
    for i, first in enumerate(data.states[data.names[a]]):
        for j, second in enumerate(data.states[data.names[b]]):
            rows = (frame[data.names[a]] == first) & (frame[data.names[b]] == second)
            assert counts[i][j] == rows.sum()


@pytest.mark.slow
def test_tables_of_states_below_states_alone():
    frame = table()
    frame["h"] = np.where(np.random.default_rng(1).random(400) < 0.8, frame["g"], "yes")
    known = ds.Knowledge(required=[("g", "h"), ("x", "g")])
    data, told = shown(frame, knowledge=known)
    about = dict(zip(data.names, told["variables"], strict=True))
    assert "table" not in about["g"]  # a softmax
    net = ds.fit(ds.Dag(["g", "h"], [("g", "h")]), data.select(["g", "h"]))
    assert about["h"]["table"] == pytest.approx(net.table("h"), abs=1e-5)
    assert "table" not in about["x"]
