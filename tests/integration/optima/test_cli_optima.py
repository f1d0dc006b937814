"""``dagscape optima``: what it shows, proves and writes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import dagscape as ds
from dagscape.cli.long_work import with_rate
from limits import AMPLE, NO_TIME
from shown_optima import COLUMNS, FEW, rows
from terminal import shown_in_terminal


def test_optima_are_shown_best_first(run, table, landscape):
    result = run("optima", table, *FEW)
    assert result.exit_code == 0
    shown = rows(result.stdout)
    assert list(shown[0]) == COLUMNS
    assert len(landscape.optima) > 20
    assert len(shown) == 20
    for row, optimum in zip(shown, landscape.optima, strict=False):
        assert float(row["score"]) == optimum.score
        assert float(row["difference"]) == optimum.score - landscape.best.score
        assert (int(row["visits"]), int(row["first_run"])) == (optimum.visits, optimum.first_run)
        assert int(row["edges"]) == len(optimum.cpdag.directed) + len(optimum.cpdag.undirected)


def test_all_of_them_can_be_shown(run, table, landscape):
    result = run("optima", table, *FEW, "--all")
    assert len(rows(result.stdout)) == len(landscape.optima)
    assert sum(int(row["visits"]) for row in rows(result.stdout)) == 60
    assert "--all" not in result.stderr


def test_the_summary(run, table, landscape):
    outcome, shown = run("optima", table, *FEW).stderr.splitlines()
    best = landscape.best
    met = f"met by {best.visits} run{'' if best.visits == 1 else 's'}"
    expected = (
        f"dagscape: 60 runs ended at {len(landscape.optima)} different optima; "
        f"best {landscape.score_name} {best.score:.4f}, {met} (k=0.5; "
    )
    assert re.fullmatch(re.escape(expected) + r"\d+\.\d s\)", outcome)
    many = len(landscape.optima)
    assert shown == f"dagscape: the best 20 of {many} optima are shown; --all shows all"


def test_one_run_is_one_optimum(run, table):
    result = run("optima", table, "--runs", "1")
    assert len(rows(result.stdout)) == 1
    assert "dagscape: 1 run ended at 1 optimum; best " in result.stderr
    assert ", met by 1 run (" in result.stderr


def test_options_reach_the_search(run, table):
    words = ("--k", "0.3", "--runs", "12", "--seed", "7", "--score", "bdeu", "--ess", "4")
    limits = ("--max-parents", "2", "--neighborhood", "exact", "--threads", "1")
    said = json.loads(
        run("optima", table, "--json", "--all", *words, *limits, "--time-limit", AMPLE).stdout
    )
    expected = ds.local_optima(
        ds.read_data(table),
        k=0.3,
        runs=12,
        seed=7,
        score=ds.BDeu(ess=4),
        max_parents=2,
        neighborhood="exact",
    )
    assert (said["runs"], said["asked"], said["k"], said["seed"]) == (12, 12, 0.3, 7)
    assert (said["score"], said["max_parents"]) == (expected.score_name, 2)
    assert (said["neighborhood"], said["sampled"], said["stopped"]) == ("exact", 0, None)
    assert said["work"] == dict(expected.work)
    assert said["distinct"] == len(expected.optima) == len(said["optima"])
    assert (said["gap"], said["proof"], said["store"]) == (None, None, None)
    for optimum, own in zip(said["optima"], expected.optima, strict=True):
        assert (optimum["score"], optimum["visits"]) == (own.score, own.visits)
        assert {tuple(arc) for arc in optimum["directed"]} == set(own.cpdag.directed)
        assert {tuple(edge) for edge in optimum["undirected"]} == set(own.cpdag.undirected)


def test_neighbors_may_be_drawn(run, tmp_path):
    ds.load_network("asia").sample(200, seed=1).write(tmp_path / "asia.csv")
    result = run("optima", "asia.csv", "--runs", "5", "--neighborhood", "sampled")
    assert result.exit_code == 0
    assert "(k=0.8; neighbors drawn in 5 runs; " in result.stderr


@pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
def test_options_of_the_table_are_obeyed(run, tmp_path):
    (tmp_path / "odd.csv").write_text("a;b\n1;0.5\n2;1.5\n1;\n2;3.5\n1;0.7\n2;2.5\n")
    words = ("--separator", ";", "--missing", "drop", "--discretize", "median")
    said = json.loads(run("optima", "odd.csv", "--json", "--runs", "2", *words).stdout)
    data = ds.read_data("odd.csv", separator=";", missing="drop", discretize="median")
    assert said["optima"][0]["score"] == ds.local_optima(data, runs=2).best.score
    assert run("features", "odd.csv", "--runs", "2", *words).exit_code == 0


@pytest.mark.parametrize("name", ["best.bif", "best.json", "best.xml.gz"])
def test_the_best_is_fitted_to_the_table(run, table, tmp_path, landscape, name):
    result = run("optima", table, *FEW, "-o", name)
    assert result.exit_code == 0
    assert f" in {name}, met by " in result.stderr
    network = ds.read_network(tmp_path / name)
    assert network.dag.to_cpdag() == landscape.best.cpdag
    assert ds.score(ds.read_data(table), network.dag) == pytest.approx(landscape.best.score)


def test_a_file_that_fails_does_not_cost_the_optima(run, table, monkeypatch):
    write = ds.Network.write

    def fail(network, path):
        if path == Path("best.bif"):
            raise ds.ParameterError("the disk is full")
        write(network, path)

    monkeypatch.setattr(ds.Network, "write", fail)
    result = run("optima", table, *FEW, "-o", "best.bif")
    assert result.exit_code == 2
    assert len(rows(result.stdout)) == 20
    assert result.stderr.splitlines()[-1] == "dagscape: the disk is full"


def test_the_gap_to_the_best_network(run, tmp_path):
    data = ds.load_network("asia").sample(500, seed=3)
    data.write(tmp_path / "asia.csv")
    result = run("optima", "asia.csv", "--runs", "50", "--prove", AMPLE, "--json")
    said = json.loads(result.stdout)
    best = ds.exact(data)
    assert said["proof"]["optimal"]
    assert said["proof"]["score"] == pytest.approx(best.score)
    gap = best.score - said["optima"][0]["score"]
    assert said["gap"] == pytest.approx(gap, abs=1e-6)
    words = "no network scores higher" if gap < 1e-6 else "the best network scores"
    assert f"dagscape: proven: {words}" in result.stderr


def test_a_gap_that_is_there(run, tmp_path):
    # Each step is greedy, and an exclusive or has nothing to offer to the first one.
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 200))
    ds.Data({"a": a, "b": b, "c": a ^ b}).write(tmp_path / "xor.csv")
    result = run("optima", "xor.csv", "--runs", "5", "--prove", AMPLE, "--max-parents", "2")
    said = r"dagscape: proven: the best (network|of networks with .*) scores \d+\.\d{4} higher"
    assert re.search(said, result.stderr)


def test_a_proof_that_finds_no_time(run, table):
    result = run("optima", table, *FEW, "--prove", NO_TIME, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["proof"]["stopped"] == "time"
    assert re.search(r"dagscape: (nothing is|not) proven", result.stderr)
    assert "stopped by the time limit after " in result.stderr


def test_the_speed_is_of_the_runs_of_this_time():
    said: list[str] = []
    times = iter([100.0, 100.1, 102.0, 104.0])
    told = with_rate(lambda _, text: said.append(text), 1000, lambda: next(times))
    assert told is not None
    for share in (0.9, 0.91, 0.92, 0.901):
        told(share, "runs")
    assert said == ["runs", "runs", "runs, 10 a second", "runs, 0.25 a second"]
    assert with_rate(None, 5) is None


def test_a_terminal_gets_a_line_of_progress_and_an_aligned_table(table, tmp_path):
    progress = r"[\d,]+ of 1,000,000,000,000 runs, [\d,]+ different ends, [\d,]+ a second"
    code, text, _ = shown_in_terminal(
        ["optima", table, "--runs", 10**12, "--time-limit", AMPLE, "--threads", "1"],
        tmp_path,
        [progress, "to the time limit"],
        stdout=True,
    )
    assert code == 130
    table_text = text[text.index("first run") :]
    assert re.search(r"-\d,\d{3}\.\d{4} +0\.0000 +\d+ +\d+ +\d+", table_text)
