"""The grid of accuracy: its counts of errors, its truths, and that a run goes on where it ended."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dagscape as ds

FOLDER = Path(__file__).parents[2] / "reproduce"


@pytest.fixture
def grid(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import _accuracy_truths
    import _accuracy_ways

    return _accuracy_truths, _accuracy_ways


def test_errors_are_those_of_compare(grid):
    _, ways = grid
    for seed in range(60):
        mine, true = (ds.random_network(8, neighbors=3, seed=2 * seed + i).dag for i in (0, 1))
        found = ways.errors(ways.Answer.of(mine.to_cpdag()), ways.Answer.of(true.to_cpdag()))
        expected = ds.compare(mine, true)
        assert found["shd"] == expected.shd == ds.shd(mine, true)
        assert (found["missed"], found["false"]) == (len(expected.missing), len(expected.extra))
        assert found["turned"] == len(expected.misdirected)
        assert found["right_arrows"] == pytest.approx(expected.arrow_recall * found["true_arrows"])


def test_tables_of_causes_are_as_published(grid):
    truths, _ = grid
    net = truths.TRUTHS["20 causes"].make(3)
    for x in net.names:
        one, parents = net.table(x)[..., 1], net.dag.parents(x)
        none = one[(0,) * len(parents)]
        if not parents:
            assert none == pytest.approx(0.03) or (net.dag.children(x) and 0.1 <= none <= 0.9)
            continue
        assert 0.01 <= none <= 0.1
        alone = [one[tuple(int(i == j) for j in range(len(parents)))] for i in range(len(parents))]
        assert all(0.4 <= p <= 0.9 for p in alone)
        for cell in np.ndindex(one.shape):
            if sum(cell) > 1:
                expected = min(0.95, sum(p for p, on in zip(alone, cell, strict=True) if on))
                assert one[cell] == pytest.approx(expected)


def test_graded_tables_move_one_way(grid):
    """Each parent moves the mean of its child's states up or down, whatever the others are."""
    truths, _ = grid
    net = truths.TRUTHS["25 graded"].make(1)
    for x in net.names:
        means = net.table(x) @ np.arange(net.arities[x])
        for axis in range(means.ndim):
            steps = np.diff(means, axis=axis)
            assert (steps > 0).all() or (steps < 0).all()


def test_a_run_goes_on_where_it_ended(tmp_path):
    file = tmp_path / "grid.jsonl"
    command = [sys.executable, str(FOLDER / "accuracy.py"), str(file), "--rows", "100"]
    command += ["--only", "asia", "10 dense", "--seeds", "1", "--workers", "1"]
    command += ["--ways", "bic, uniform", "bdeu 1, fair", "bootstrap of ges, bic, 0.5"]
    subprocess.run(command, check=True, capture_output=True, cwd=FOLDER)
    lines = file.read_text().splitlines(keepends=True)
    assert len(lines) == 6
    kept = [json.loads(line) for line in lines]
    file.write_text("".join(lines[:4]) + lines[4][:20])  # as a kill would leave it
    subprocess.run(command, check=True, capture_output=True, cwd=FOLDER)
    again = [json.loads(line) for line in file.read_text().splitlines()]
    for one in (*kept, *again):
        one.pop("seconds")
    assert again[:4] == kept[:4]
    assert sorted(again, key=str) == sorted(kept, key=str)
    asia = next(one for one in kept if one["truth"] == "asia" and one["way"] == "bic, uniform")
    data = ds.load_network("asia").sample(100, seed=0)
    assert asia["shd"] == ds.shd(ds.exact(data, score="bic").cpdag, ds.load_network("asia").dag)


def test_the_report_sums_and_compares(grid):
    sys.modules.pop("_accuracy_tables", None)
    import _accuracy_tables as told

    _, ways = grid
    records = []
    for truth, half in (("asia", 0), ("sachs", 1)):
        for number, way in enumerate(ways.OPTIMA):
            records.append(
                {
                    "truth": truth,
                    "rows": 100,
                    "seed": 0,
                    "way": way,
                    "edges": 10,
                    "right": 8,
                    "false": number,
                    "missed": 2,
                    "turned": 0,
                    "shd": number + 2 + half,
                    "arrows": 4,
                    "true_arrows": 5,
                    "right_arrows": 2,
                    "paths": 3,
                    "blankets": 6,
                    "heldout": -2.0 - number,
                    "proven": True,
                    "seconds": 3600 / (2 * len(ways.OPTIMA)),
                }
            )
    optima, per_size, per_truth, choice, cost = told.tables(records)
    assert cost.rows == [["optima", str(len(records)), "1.0"]]
    first = next(iter(ways.OPTIMA))
    assert per_size.rows[0] == [first, "5"]
    assert per_size.rows[-1] == ["the best of each table", "5"]
    assert optima.rows[0][:3] == [first, "5", "1.00"]
    assert optima.rows[1][1:4] == ["7", "1.40", "0.100"]
    assert per_truth.rows[0][:2] == ["asia, 100 rows", "10"]
    assert choice.rows[1][1:] == ["3", "4", "1.33", "+1.00 [+1.00, +1.00]"]
    incomplete = [r for r in records if r["way"] != first]
    assert told.tables(incomplete) == []
    again = [{**r, "seed": 1, "shd": r["shd"] + 1} for r in records if r["truth"] == "asia"]
    several, by_rows = told.tables([*records, *again])[4:6]
    assert several.title.startswith("Optima of several seeds on 2 tables")  # of asia alone
    assert several.rows[0][:2] == [first, "5"]
    assert by_rows.rows[0] == [first, "5"]
    assert told.tables([*records, *again])[0].rows == optima.rows  # the first seed alone


def test_the_published_design_is_told_with_its_error(grid):
    sys.modules.pop("_accuracy_tables", None)
    import _accuracy_tables as told

    truths, ways = grid
    truth = next(iter(truths.PUBLISHED))
    records = [
        {
            "truth": truth,
            "seed": seed,
            "way": way,
            "edges": 10,
            "right": 6 + seed,
            "false": 1,
            "turned": 2,
            "shd": 7,
        }
        for seed in (0, 2)
        for way in ways.PUBLISHED_WAYS
    ]
    table, _ = told.tables(records)
    assert len(table.rows) == len(ways.PUBLISHED_WAYS)
    assert table.rows[0][1:] == ["0.70 / 0.10", "0.60 / 0.20", "0.600", "0.100"]
    assert told.tables(records[:-1])[0].title.startswith(f"{truth}, 1 tables")


def test_the_rule_is_a_way_of_its_own(grid):
    _, ways = grid
    data = ds.load_network("asia").sample(250, seed=0)
    found = ways.WAYS[f"{ways.RULE}, edge"](data, 60.0, 0)
    score = ways.SCORES[ways.RULE](data)
    assert found.dag == ds.exact(data, score=score, prior=ds.EdgePrior(2)).dag
