"""Columns of numbers on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import dagscape as ds
from dagscape.regression import regress
from limits import AMPLE


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    smoker = rng.integers(0, 2, 300)
    bmi = rng.normal(25, 4, 300)
    pressure = 90 + 1.5 * bmi + 4 * smoker + rng.normal(0, 4, 300)
    path = tmp_path / "clinic.csv"
    frame = {"smoker": smoker, "bmi": bmi, "pressure": pressure, "age": rng.integers(20, 70, 300)}
    pl.DataFrame(frame).write_csv(path)
    return path


def test_what_columns_are_taken_for_is_told(run, clinic):
    out = str(clinic.with_suffix(".parquet"))
    said = run("convert", str(clinic), out).stderr
    assert 'taken as continuous: "bmi", "pressure" (decimal numbers); "age" (whole' in said
    assert "to have states instead, give --discrete bmi" in said
    assert ds.read_data(out).kinds["age"] == "continuous"


def test_kinds_are_options(run, clinic):
    out = str(clinic.with_suffix(".parquet"))
    done = run("convert", str(clinic), out, "--discrete", "age", "--continuous", "smoker")
    assert done.exit_code == 0
    read = ds.read_data(out, kinds={"smoker": "continuous"})
    assert read.kinds == {
        "smoker": "continuous",
        "bmi": "continuous",
        "pressure": "continuous",
        "age": "discrete",
    }
    for words, said in (
        (
            ["--discrete", "aeg"],
            '--continuous or --discrete names "aeg", which is not a column; did',
        ),
        (["--discrete", "age", "--continuous", "age"], "in both --continuous and --discrete"),
        (["--discrete", "bmi"], 'column "bmi" has 300 states in 300 rows'),
    ):
        wrong = run("convert", str(clinic), out, *words)
        assert wrong.exit_code == 2
        assert said in wrong.stderr


def test_a_score_of_states_names_column_and_choices(run, clinic):
    wrong = run("exact", str(clinic), "--score", "bdeu")
    assert wrong.exit_code == 2
    assert 'column "bmi" holds numbers, and bdeu(ess=1) scores states' in wrong.stderr
    assert "--discretize bmi=quantile:3" in wrong.stderr
    assert "--discrete bmi" not in wrong.stderr  # it has no two values that are the same


def test_learn_picks_a_score_by_the_kinds_of_columns(run, clinic):
    done = run("learn", str(clinic), "--runs", "5", "--time-limit", AMPLE)
    assert done.exit_code == 0
    assert "rank_bge(degree=1), prior edges" in done.stdout
    assert "3 continuous, others 2 states" in done.stdout
    folder = clinic.parent / "clinic-learned"
    found = ds.load_result(folder / "result.json")
    assert {frozenset(arc) for arc in found.dag.arcs} == {
        frozenset(("bmi", "pressure")),
        frozenset(("smoker", "pressure")),
    }
    assert (folder / "report.html").exists()
    assert not (folder / "network.bif").exists()
    network = ds.read_network(folder / "network.json")
    assert network.dag == found.dag
    assert network == ds.fit(found.dag, ds.read_data(clinic))
    assert "network.json" in done.stdout
    assert "network.bif" not in done.stdout


def test_numbers_that_no_line_can_hold_leave_the_rest_of_the_folder(run, tmp_path):
    rng = np.random.default_rng(1)
    x = rng.normal(size=200)
    y = (x + 0.1 * rng.normal(size=200)) * 1e300
    lines = [f"{a * 1e-300!r},{b!r}" for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    table = tmp_path / "far.csv"
    table.write_text("\n".join(["x,y", *lines]))
    done = run("learn", str(table), "--runs", "2", "--time-limit", AMPLE)
    assert done.exit_code == 0, done.stderr
    assert "network.json was not written: the slope of" in done.stderr
    assert (tmp_path / "far-learned" / "report.html").exists()
    assert not (tmp_path / "far-learned" / "network.json").exists()


def test_found_networks_with_numbers_are_written(run, clinic):
    of_one = ["blanket", "--target", "pressure"]
    for command in (["exact", "--score", "basis_bic(degree=1)"], of_one):
        target = clinic.parent / f"{command[0]}.json"
        done = run(command[0], str(clinic), *command[1:], "--output", str(target))
        assert done.exit_code == 0, done.stderr
        kinds = ds.read_network(target).kinds
        assert kinds["pressure"] == "continuous"
        assert kinds["smoker"] == "discrete"
    refused = run("exact", str(clinic), "--score", "basis_bic", "--output", "found.bif")
    assert refused.exit_code == 2
    assert "holds numbers, and BIF files have tables of states alone" in refused.stderr
    assert "--discretize" in refused.stderr


def test_rows_are_drawn_from_a_network_with_numbers(run, tmp_path):
    net = ds.random_network(5, kind="mixed", neighbors=3, seed=1)
    net.write(tmp_path / "net.json")
    done = run(
        "sample", str(tmp_path / "net.json"), "-n", "50", "--seed", "3",
        "-o", str(tmp_path / "rows.csv"),
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert ds.read_data(tmp_path / "rows.csv") == net.sample(50, seed=3)


@pytest.fixture
def fitted(tmp_path: Path, clinic: Path) -> Path:
    dag = ds.Dag(
        ["smoker", "bmi", "pressure", "age"], [("smoker", "pressure"), ("bmi", "pressure")]
    )
    path = tmp_path / "clinic.json"
    ds.fit(dag, ds.read_data(clinic)).write(path)
    return path


def test_a_network_with_numbers_is_asked(run, fitted):
    net = ds.read_network(fitted)
    done = run("query", str(fitted), "pressure", "--given", "bmi=30", "--given", "smoker=1")
    assert done.exit_code == 0, done.stderr
    found = net.query("pressure", {"bmi": 30.0, "smoker": "1"})
    head, line = done.stdout.splitlines()
    assert head.split("\t") == ["variable", "mean", "sd", "2.5 %", "97.5 %"]
    low, high = found.interval()
    numbers = [f"{number:.6g}" for number in (found.mean, found.sd, low, high)]
    assert line.split("\t") == ["pressure", *numbers]
    told = run("query", str(fitted), "smoker", "--given", "pressure=150", "--json").stdout
    assert json.loads(told)["probabilities"][1]["probability"] == pytest.approx(
        net.query("smoker", {"pressure": 150.0})["1"]
    )
    wrong = run("query", str(fitted), "--most-probable")
    assert wrong.exit_code == 2
    assert "--most-probable is for networks of states alone" in wrong.stderr
    done = run("query", str(fitted), "--do", "bmi=30")
    assert "pressure\t" in done.stdout
    assert "smoker\t0\t" in done.stdout
    wrong = run("query", str(fitted), "pressure", "--given", "bmi=high")
    assert '"bmi" holds numbers; --given must be NAME=NUMBER, got "high"\n' in wrong.stderr
    wrong = run("query", str(fitted), "pressure", "--do", "bmi=30,5")
    assert 'got "30,5"; with a decimal point: 30.5' in wrong.stderr


def test_numbers_are_predicted(run, fitted, clinic):
    net = ds.read_network(fitted)
    done = run("predict", str(fitted), str(clinic), "--target", "pressure")
    assert done.exit_code == 0, done.stderr
    head, first, *_ = done.stdout.splitlines()
    assert head == "row,pressure"
    assert float(first.split(",")[1]) == pytest.approx(net.predict(clinic, "pressure")[0])
    told = run("predict", str(fitted), str(clinic), "--target", "smoker", "--json").stdout
    assert json.loads(told)["rows"][0]["probabilities"]["1"] == pytest.approx(
        net.predict_proba(clinic, "smoker")[0, 1]
    )
    told = run("predict", str(fitted), str(clinic), "--target", "bmi", "--json").stdout
    assert json.loads(told)["rows"][0]["prediction"] == pytest.approx(net.predict(clinic, "bmi")[0])


@pytest.mark.parametrize("target", ["pressure", "smoker"])
def test_rows_and_columns_may_lack_what_matters(run, fitted, clinic, target):
    net, frame = ds.read_network(fitted), pl.read_csv(clinic)
    holes = frame.with_row_index().with_columns(
        bmi=pl.when(pl.col("index") % 7 == 3).then(None).otherwise(pl.col("bmi"))
    )
    assert "bmi" in net.dag.markov_blanket(target)
    for name, table in (("holes", holes), ("lacking", holes.drop("bmi"))):
        path = clinic.with_name(f"{name}.csv")
        table.write_csv(path)
        expected = net.predict(path, target)
        done = run("predict", str(fitted), str(path), "--target", target)
        assert done.exit_code == 0, done.stderr
        found = [line.split(",")[1] for line in done.stdout.splitlines()[1:]]
        assert len(found) == 300
        if target == "smoker":
            assert found == list(expected)
        else:
            assert [*map(float, found)] == pytest.approx(expected)
        told = json.loads(
            run("predict", str(fitted), str(path), "--target", target, "--json").stdout
        )
        assert [str(row["prediction"]) for row in told["rows"]] == [*map(str, expected)]


def test_other_commands_take_numbers(run, clinic):
    for words in (
        ["exact", "--score", "conditional_gaussian"],
        ["exact", "--score", "basis_bic(degree=2)"],
        ["posterior"],
        ["optima", "--runs", "5", "--score", "basis_bic"],
        ["blanket", "--all", "--method", "hiton"],
    ):
        done = run(words[0], str(clinic), *words[1:])
        assert done.exit_code == 0, (words, done.stderr)
        assert "pressure" in done.stdout or words[0] == "optima"


def test_learn_names_relations_that_are_no_lines_and_the_option(run, tmp_path):
    rng = np.random.default_rng(5)
    dose = rng.uniform(-2, 2, 300)
    path = tmp_path / "doses.csv"
    frame = {"dose": dose, "answer": dose**2 + 0.3 * rng.normal(size=300)}
    pl.DataFrame(frame).write_csv(path)
    settings = ("--runs", "0", "--resamples", "0", "--quiet")
    said = " ".join(run("learn", str(path), *settings).stdout.split())
    assert "clearly not a line: answer by dose (not joined)" in said
    assert "--score 'basis_bic(degree=3)' sees curves too" in said
    folder = tmp_path / "doses-learned"
    noted = json.loads((folder / "run.json").read_text("utf-8"))["not_linear"]
    assert [(one["child"], one["parent"]) for one in noted] == [("answer", "dose")]
    other = ("--score", "basis_bic(degree=3)", "--out", str(tmp_path / "other"))
    seen = run("learn", str(path), *settings, *other).stdout
    assert "1 arc" in seen
    assert "not a line" not in seen


def test_blankets_tell_slopes(run, clinic):
    found = run("blanket", str(clinic), "--target", "pressure", "--quiet")
    rows = [line.split("\t") for line in found.stdout.splitlines()]
    assert rows[0] == ["target", "member", "role", "through", "support", "slope"]
    data = ds.read_data(clinic)
    fitted = regress(data, "pressure", ["smoker", "bmi"])
    wanted = {s.parent: f"{s.value:.4g} ({s.lower:.4g} to {s.upper:.4g})" for s in fitted.slopes}
    slopes = {row[1]: row[5] for row in rows[1:]}
    assert slopes == {"bmi": wanted["bmi"], "smoker": f"1: {wanted['smoker']}"}
    run("learn", str(clinic), "--runs", "0", "--resamples", "0", "--quiet")
    learned = str(clinic.parent / "clinic-learned")
    own = run("blanket", str(clinic), "--target", "pressure", "--of", learned)
    assert wanted["bmi"] in own.stdout
    told = json.loads(run("blanket", str(clinic), "--target", "bmi", "--json", "--quiet").stdout)
    (slope,) = told["blankets"][0]["members"][0]["slopes"]
    assert slope["parent"] in ("bmi", "pressure")


def test_blankets_of_states_have_no_column_of_slopes(run, tmp_path):
    path = tmp_path / "asia.csv"
    ds.load_network("asia").sample(300, seed=0).write(path)
    found = run("blanket", str(path), "--all", "--quiet")
    assert found.stdout.splitlines()[0].split("\t")[-1] == "support"
