"""``dagscape features``: what it shows."""

from __future__ import annotations

import json

import numpy as np
import pytest

import dagscape as ds
from shown_optima import FEW, KINDS, rows, typed


@pytest.mark.parametrize("kind", KINDS)
def test_features_of_a_store_and_of_data(run, table, store, landscape, kind):
    from_store = run("features", store, "--kind", kind)
    assert from_store.exit_code == 0
    assert rows(from_store.stdout) == typed(landscape.features(kind, frame="dict"))
    from_data = run("features", table, *FEW, "--kind", kind)
    assert from_data.stdout == from_store.stdout
    with_both = run("features", table, *FEW, "--kind", kind, "--store", store)
    assert with_both.stdout == from_store.stdout


@pytest.mark.parametrize("weights", ["optima", "visits", "score"])
def test_weights(run, store, landscape, weights):
    result = run("features", store, "--weigh-by", weights)
    assert rows(result.stdout) == typed(landscape.features("edges", weights=weights, frame="dict"))


@pytest.mark.parametrize("kind", KINDS)
def test_the_threshold_is_said(run, store, landscape, kind):
    outcome, said = run("features", store, "--kind", kind).stderr.splitlines()
    many, best = len(landscape.optima), landscape.best.score
    assert (
        outcome
        == f"dagscape: {many} optima of 60 runs (k=0.5), best {landscape.score_name} {best:.4f}"
    )
    t = landscape.threshold(kind)
    row = landscape.tradeoff(kind, thresholds=[t], frame="dict")
    counts = f"{row['tp'][0]} tp, {row['fp'][0]} fp, {row['fn'][0]} fn"
    assert said == (
        f"dagscape: threshold {t:g} for {kind} has the least fp + fn: {counts} against the best "
        "optimum"
    )


def test_a_threshold_drops_the_rest(run, store, landscape):
    result = run("features", store, "--threshold", "0.9")
    assert rows(result.stdout) == typed(landscape.confident("edges", 0.9, frame="dict"))
    assert "dagscape: threshold 0.9 for edges" in result.stderr
    chosen = run("features", store, "--threshold", "auto")
    assert rows(chosen.stdout) == typed(landscape.confident("edges", frame="dict"))
    assert len(rows(chosen.stdout)) < len(rows(run("features", store).stdout))
    assert "; " in run("features", store, "--threshold", "0").stderr.splitlines()[1]


def test_mistakes_can_be_weighted(run, store, landscape):
    result = run("features", store, "--fp-weight", "5", "--fn-weight", "0.5")
    t = landscape.threshold("edges", 5, 0.5)
    assert f"threshold {t:g} for edges has the least 5 fp + 0.5 fn: " in result.stderr


def test_tradeoff(run, store, landscape):
    result = run("features", store, "--kind", "paths", "--tradeoff")
    assert rows(result.stdout) == typed(landscape.tradeoff("paths", frame="dict"))
    said = json.loads(run("features", store, "--kind", "paths", "--tradeoff", "--json").stdout)
    assert [row["threshold"] for row in said["tradeoff"]] == [r / 20 for r in range(1, 21)]
    assert "features" not in said


@pytest.mark.parametrize("given", ["child", "truth.csv", "truth.bif"])
def test_a_reference(run, store, landscape, tmp_path, given):
    network = ds.load_network("child")
    network.write(tmp_path / "truth.bif")
    arcs = "".join(f"{a},{b}\n" for a, b in network.dag.arcs)
    (tmp_path / "truth.csv").write_text(f"from,to\n{arcs}")
    result = run("features", store, "--reference", given)
    expected = landscape.features("edges", reference=network, frame="dict")
    assert rows(result.stdout) == typed(expected)
    t = landscape.threshold("edges", reference=network)
    assert f"threshold {t:g} for edges has the least fp + fn: " in result.stderr
    assert result.stderr.endswith(f" fn against {given}\n")
    tradeoff = run("features", store, "--reference", given, "--tradeoff")
    assert rows(tradeoff.stdout) == typed(landscape.tradeoff("edges", network, frame="dict"))


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        ([], {}),
        (["--search", "kes", "--k", "0.6"], {"method": "kes", "k": 0.6}),
        (
            ["--score", "bdeu", "--ess", "2", "--max-parents", "2", "--seed", "4"],
            {"score": ds.BDeu(ess=2), "max_parents": 2, "seed": 4},
        ),
    ],
    ids=["ges", "kes", "settings"],
)
def test_bootstrap(run, table, words, settings):
    result = run(
        "features", table, "--method", "bootstrap", "--runs", "8", "--threads", "1", *words
    )
    expected = ds.bootstrap(ds.read_data(table), runs=8, **settings)
    assert rows(result.stdout) == typed(expected.features("edges", frame="dict"))
    assert " on 8 samples of the rows (" in result.stderr
    assert " fn against the network of the data\n" in result.stderr


def test_features_as_json(run, table, store, landscape):
    said = json.loads(run("features", store, "--json", "--threshold", "0.5").stdout)
    assert said["features"] == landscape.confident("edges", 0.5, frame="polars").to_dicts()
    assert (said["kind"], said["method"], said["weights"]) == ("edges", "optima", "optima")
    assert (said["runs"], said["distinct"]) == (60, len(landscape.optima))
    assert (said["threshold"], said["best_threshold"]) == (0.5, landscape.threshold("edges"))
    row = landscape.tradeoff("edges", thresholds=[0.5], frame="dict")
    assert [[said[name]] for name in ("tp", "fp", "fn")] == [row[n] for n in ("tp", "fp", "fn")]
    words = ("--method", "bootstrap", "--runs", "4", "--json", "--reference", "child")
    said = json.loads(run("features", table, *words).stdout)
    assert (said["method"], said["weights"], said["reference"]) == ("bootstrap", "visits", "child")


def test_odd_names_come_back(run, tmp_path):
    coins = np.random.default_rng(1).integers(0, 2, 200)
    ds.Data({'a\t"b"': coins, "c\nd": coins}).write(tmp_path / "odd.csv")
    (row,) = rows(run("features", "odd.csv", "--runs", "2").stdout)
    assert (row["from"], row["to"]) == ('a\t"b"', "c\nd")


def test_a_store_needs_no_ending(run, store, tmp_path):
    expected = run("features", store).stdout
    store.rename(tmp_path / "runs")
    assert run("features", "runs").stdout == expected


def test_warnings_of_the_table_come_last(run, tmp_path):
    (tmp_path / "constant.csv").write_text("a,b\n1,x\n1,y\n1,x\n")
    for command in ("optima", "features"):
        result = run(command, "constant.csv", "--runs", "2")
        assert 'column "a"' in result.stderr.splitlines()[-1]
        assert run(command, "constant.csv", "--runs", "2", "--quiet").stderr == ""


@pytest.mark.parametrize("command", ["optima", "features"])
def test_help_shows_an_example(run, command):
    assert f"Example: dagscape {command} " in " ".join(run(command, "--help").stdout.split())
