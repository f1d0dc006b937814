"""Rankings of edges, neighbors and blankets against a truth."""

import numpy as np
import pytest
from benchmarks.compare.datasets import DataSets
from benchmarks.compare.graphs import around
from benchmarks.compare.job import Setup
from benchmarks.compare.ranking import average_precision, rank
from benchmarks.compare.resample import resampled, shares
from benchmarks.compare.tasks import accuracy, confidence, neighbors
from hypothesis import given
from hypothesis import strategies as st

import dagscape as ds


def test_average_precision_by_hand():
    # Ranks 1 and 3 are edges: half of them at precision 1, half at 2/3.
    assert average_precision(np.array([0.9, 0.8, 0.7, 0.1]), np.array([1, 0, 1, 0])) == (
        pytest.approx(0.5 + 0.5 * 2 / 3)
    )
    # All tied: one threshold, at which the precision is the share of edges.
    assert average_precision(np.ones(4), np.array([1, 0, 1, 0])) == pytest.approx(0.5)


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=12))
def test_average_precision_by_definition(pairs):
    strength, edge = np.array([s for s, _ in pairs]), np.array([e for _, e in pairs])
    if not edge.any():
        return
    total, before = 0.0, 0.0
    for threshold in sorted(set(strength), reverse=True):
        kept = edge[strength >= threshold]
        recall = kept.sum() / edge.sum()
        total += (recall - before) * kept.mean()
        before = recall
    assert average_precision(strength, edge) == pytest.approx(total)


def test_rank():
    facts = rank("abc", [("b", "a", 1.0), ("a", "c", 0.5)], [("a", "b"), ("b", "c")])
    assert facts["brier"] == pytest.approx((0 + 0.25 + 1) / 3)
    assert facts["precision"] == pytest.approx(0.5 + 0.5 * 2 / 3)


def test_around_is_that_of_the_package():
    dag = ds.load_network("alarm").dag
    for blankets, of in ((False, dag.neighbors), (True, dag.markov_blanket)):
        found = around(dag.names, dag.arcs, blankets=blankets)
        assert found == {name: set(of(name)) for name in dag.names}


def test_shares():
    graphs = iter([[("a", "b")], [("b", "a"), ("b", "c")]])
    found = shares(iter([0, 1]), lambda _: {"arcs": next(graphs), "undirected": []})
    assert found == [["a", "b", 1.0], ["b", "c", 0.5]]


def test_samples_have_rows_of_the_frame():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": range(5)}, index=list("vwxyz"))
    one, other = resampled(frame, 2)
    assert len(one) == len(other) == 5
    assert set(one["a"]) <= set(range(5))
    assert not one.equals(other)


def test_sections():
    done = {"status": "done", "cpu_seconds": 1.0, "grown_mb": 1.0, "limit": 9.0}
    over = {"status": "over", "limit": 9.0}
    records = [
        {"case": "alarm-1000", "tool": "dagscape", **done, "precision": 0.9, "brier": 0.02},
        {"case": "alarm-1000", "tool": "pyagrum", **done, "precision": 0.95, "brier": 0.03},
        {"case": "alarm-1000", "tool": "pgmpy", **over},
        {"case": "alarm-1000 landscape", "tool": "dagscape", **done, "precision": 0.8, "brier": 0},
    ]
    page = confidence.section(records)
    assert "| 0.859 (published) |" in page
    assert "| over 9 |" in page
    assert "A peer is ahead in average precision**: pyAgrum on alarm-1000, 0.9500" in page
    records = [
        {"case": "child-500 blankets", "tool": "dagscape", **done, "wrong": 4},
        {"case": "child-500 blankets", "tool": "pgmpy", **done, "wrong": 4},
        {"case": "child-500 blankets hiton", "tool": "dagscape", **done, "wrong": 2},
    ]
    page = neighbors.section(records)
    assert "|  | dagscape | HITON | 1 | 1.0 | 2 |" in page
    assert "No peer is ahead" in page


def test_accuracy_has_errors_and_names_who_is_ahead(tmp_path):
    data = DataSets(tmp_path, None)
    job = next(iter(accuracy.jobs(Setup(quick=True, seed=1, tools=("dagscape",), real=False))))
    truth = data[job.data].truth
    whole = accuracy.judge(job, {"arcs": [list(arc) for arc in truth], "undirected": []}, data)
    assert whole == {"shd": 0, "f1": 1.0}
    half = [list(arc) for arc in truth[: len(truth) // 2]]
    missed = accuracy.judge(job, {"arcs": half, "undirected": []}, data)
    assert missed["f1"] == pytest.approx(2 * len(half) / (len(half) + len(truth)))
    done = {"status": "done", "cpu_seconds": 1.0, "grown_mb": 1.0, "limit": 9.0, "score": -3.0}
    records = [
        {"case": "child-500", "tool": tool, **done, "shd": shd, "f1": f1}
        for tool, shd, f1 in (
            *(("dagscape", 4, 0.9), ("dagscape", 6, 0.8)),
            *(("pgmpy", 2, 0.7), ("pgmpy", 2, 0.7)),
        )
    ]
    page = accuracy.section(records)
    assert "| dagscape | `ds.learn`, all by default | 2 | 5.0 ± 1.0 | 0.850 ± 0.050 |" in page
    assert "**A peer is ahead in SHD**: pgmpy on child-500, 2 against 5." in page
    assert "CPU" not in page
    other = [{**r, "variant": "another search", "shd": 1} for r in records if r["tool"] == "pgmpy"]
    page = accuracy.section([*records, *other])
    assert "|  | pgmpy | another search | 2 | 1.0 ± 0.0 | 0.700 ± 0.000 |" in page
    assert "By their other searches: **A peer is ahead in SHD**: pgmpy on child-500, 1 " in page


def test_samples_of_several_seeds_differ(tmp_path):
    data = DataSets(tmp_path, None)
    one, other = (data[f"asia-50-seed{seed}"] for seed in (0, 1))
    assert (one.table.codes != other.table.codes).any()
    assert one.truth == other.truth
    assert (one.table.codes == data["asia-50"].table.codes).all()
