"""The series that other tools are compared on, and how their answers are judged."""

from __future__ import annotations

from itertools import product

import pytest
from benchmarks.compare.datasets import DataSets, drawn_series
from benchmarks.compare.job import Job, Setup
from benchmarks.compare.peers import by_series, load_peer
from benchmarks.compare.tasks.series import SIMULATED, jobs, judge


@pytest.fixture
def sets(tmp_path):
    return DataSets(tmp_path, None)


def job(data, tool="dagscape"):
    return Job("series", data, tool, "series", data, options={"lags": 2})


def test_series_are_the_same_in_every_run_and_follow_their_arcs():
    first, again = drawn_series(5, 400, 1), drawn_series(5, 400, 1)
    assert first.truth == again.truth != drawn_series(5, 400, 2).truth
    assert (first.table.numbers == again.table.numbers).all()
    assert first.table.numbers.shape == (400, 5)
    assert all(a.split("[")[0] != b for a, b in first.truth)


def test_the_truth_itself_has_all_marks(sets):
    name = f"{SIMULATED[0]}-seed0"
    truth = {*sets[name].truth}
    said = [
        [a, b, lag, float((f"{a}[-{lag}]", b) in truth), (f"{a}[-{lag}]", b) in truth]
        for a, b in product(sets[name].table.names, repeat=2)
        for lag in (1, 2)
    ]
    assert judge(job(name), said, sets) == {"precision": 1.0, "f1": 1.0}
    nothing = judge(job(name), [], sets)
    assert nothing["f1"] == 0
    assert nothing["precision"] == pytest.approx(len(truth) / (5 * 4 * 2))


def test_dagscape_is_asked_and_is_right(sets):
    name = "series-5-400-seed0"
    ready = load_peer("dagscape").prepare(sets[name].table)
    marks = judge(job(name), load_peer("dagscape").series(ready, lags=2), sets)
    assert marks["precision"] > 0.95
    assert marks["f1"] > 0.9


@pytest.mark.parametrize("tool", ["tigramite", "statsmodels"])
def test_peers_are_asked(sets, tool):
    pytest.importorskip(tool)
    name = "series-5-400-seed0"
    peer = load_peer(tool)
    assert judge(job(name), peer.series(peer.prepare(sets[name].table), lags=2), sets)["f1"] > 0.5


def test_several_series_are_apart_for_tools_that_want_arrays(tmp_path):
    (tmp_path / "series").mkdir()
    rows = [f"{who},{who + t / 10},{t}" for who in (1, 2) for t in range(3)]
    text = "\n".join(["series,G1,G2", *rows]) + "\n"
    (tmp_path / "series" / "dream4-10-1.csv").write_text(text)
    (tmp_path / "series" / "dream4-10-1-truth.tsv").write_text("G1\tG2\t1\nG2\tG1\t0\n")
    sets = DataSets(tmp_path, tmp_path)
    names, parts = by_series(sets["dream4-1"].table)
    assert names == ["G1", "G2"]
    assert [part.tolist() for part in parts][1] == [[2.0, 0.0], [2.1, 1.0], [2.2, 2.0]]
    one = Job("series", "dream4", "dagscape", "series", "dream4-1", options={"lags": 1})
    assert judge(one, [["G1", "G2", 1, 0.9, True]], sets) == {"precision": 1.0, "f1": 1.0}
    asked = jobs(Setup(quick=False, seed=1, tools=("dagscape",), real=True))
    assert {each.data for each in asked} >= {"dream4-1", "dream4-5"}
