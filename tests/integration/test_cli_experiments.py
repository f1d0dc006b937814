"""``dagscape experiments``: the ranking, from a table, a folder or a posterior; and leaving out."""

import csv
import io
import json

import numpy as np
import pytest
from typer.testing import CliRunner

import dagscape as ds
from answers import check_answer
from dagscape.cli.app import app


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a chain a -> b -> c, seen, and with an experiment on c in half."""
    made = tmp_path_factory.mktemp("experiments")
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 400)
    b = a ^ (rng.random(400) < 0.15)
    c = np.where(np.arange(400) % 2, rng.integers(0, 2, 400), b ^ (rng.random(400) < 0.15))
    what = np.where(np.arange(400) % 2, "c", "")
    with open(made / "t.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["a", "b", "c", "what"])
        rows.writerows(zip(a, b, c, what, strict=True))
    return made


def run(*words):
    done = CliRunner().invoke(app, ["experiments", *map(str, words)])
    if "--json" in words and not done.exit_code:
        check_answer("experiments", done.stdout)
    return done


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def test_the_ranking_is_that_of_the_posterior(folder):
    done = run(folder / "t.csv", "--interventions", "what")
    assert done.exit_code == 0, done.stderr
    data = ds.read_data(folder / "t.csv", interventions=ds.Interventions(column="what"))
    expected = ds.posterior(data).next_experiments(frame="dict")
    rows = rows_of(done.stdout)
    assert [row["variable"] for row in rows] == expected["variable"]
    found = [float(row["expected_settled"]) for row in rows]
    assert found == pytest.approx(expected["expected_settled"])
    assert {"a", "b"} == {row["variable"] for row in rows[:2]}  # c has been done
    assert f"of the edges, {expected['open'][0]:.2f} are expected" in done.stderr
    told = json.loads(run(folder / "t.csv", "--interventions", "what", "--json", "-q").stdout)
    assert [each["variable"] for each in told["experiments"]] == expected["variable"]


def test_a_folder_and_a_kept_posterior_answer_alike(folder, tmp_path):
    kept = tmp_path / "p.sqlite"
    data = ds.read_data(folder / "t.csv", interventions=ds.Interventions(column="what"))
    P = ds.posterior(data)
    P.save(kept)
    done = run(kept, "-q")
    assert done.exit_code == 0, done.stderr
    assert [row["variable"] for row in rows_of(done.stdout)] == list(
        P.next_experiments()["variable"]
    )
    (tmp_path / "learned").mkdir()
    kept.rename(tmp_path / "learned" / "posterior.sqlite")
    assert run(tmp_path / "learned", "-q").stdout == done.stdout
    refused = run(tmp_path / "learned", "--left-out")
    assert refused.exit_code == 2
    assert "--left-out: only for tables" in refused.stderr


def test_experiments_are_left_out_on_demand(folder):
    words = (folder / "t.csv", "--interventions", "what", "--left-out", "--score", "bic")
    done = run(*words)
    assert done.exit_code == 0, done.stderr
    data = ds.read_data(folder / "t.csv", interventions=ds.Interventions(column="what"))
    expected = ds.leave_one_experiment_out(data, score="bic")
    rows = rows_of(done.stdout)
    assert [row["experiment"] for row in rows] == ["none", "c"]
    assert [row["observed"] == "" for row in rows] == [True, False]
    found = [float(row["learned"]) for row in rows]
    assert found == pytest.approx(expected.by_experiment(frame="dict")["learned"])
    assert "lower is better; over all rows: learned" in done.stderr
    told = json.loads(run(*words, "--json", "-q").stdout)
    assert told["log_loss"]["learned"] == pytest.approx(expected.log_loss["learned"])
    refused = run(folder / "t.csv", "--left-out", "--leave-out", "what")
    assert "name the column: --interventions" in refused.stderr


def test_what_experiments_act_on_is_told(folder):
    words = (folder / "t.csv", "--interventions", "what", "--touched", "--score", "bdeu")
    done = run(*words)
    assert done.exit_code == 0, done.stderr
    rows = {(row["experiment"], row["variable"]): row for row in rows_of(done.stdout)}
    assert {*rows} == {("c", "a"), ("c", "b"), ("c", "c")}
    assert float(rows["c", "c"]["probability"]) > 0.8
    assert [rows["c", x]["stated"] for x in "abc"] == ["no", "no", "yes"]
    assert "compared with none" in done.stderr
    told = json.loads(run(*words, "--json", "-q").stdout)
    assert told["reference"] == "none"
    refused = run(*words, "--left-out")
    assert "ask one of them" in refused.stderr


def test_a_query_shows_the_experiments_own_rows(folder, monkeypatch):
    monkeypatch.chdir(folder)
    words = ["learn", "t.csv", "--interventions", "what", "--out", "L", "--runs", "0"]
    made = CliRunner().invoke(app, [*words, "--resamples", "2"])
    assert made.exit_code == 0, made.stderr
    assert "Experiment rows by what: none 200, c 200" in made.stdout
    done = CliRunner().invoke(app, ["query", "L", "b", "--do", "c=1"])
    assert done.exit_code == 0, done.stderr
    data = ds.read_data("t.csv", interventions=ds.Interventions(column="what"))
    here = (data.rows.interventions.codes == 1) & (data.column("c") == 1)
    share = (data.column("b")[here] == 1).mean()
    assert "rows in which c was set" in done.stderr
    assert f"1 {share:.3f} [" in done.stderr
    assert f"(c, {here.sum()} rows)" in done.stderr
    for other in (["--do", "a=1"], ["--do", "c=1", "--given", "a=0"], []):
        done = CliRunner().invoke(app, ["query", "L", "b", *other])
        assert done.exit_code == 0, done.stderr
        assert "was set" not in done.stderr
    (folder / "t.csv").rename(folder / "moved.csv")
    done = CliRunner().invoke(app, ["query", "L", "b", "--do", "c=1"])
    assert done.exit_code == 0
    assert "was set" not in done.stderr
    (folder / "moved.csv").rename(folder / "t.csv")


def test_a_variable_that_was_set_in_every_row_is_learned_from_and_told(tmp_path):
    rows = ["a,b,what", *(f"{i % 2},{i // 2 % 2},b" for i in range(40))]
    (tmp_path / "t.csv").write_text("\n".join(rows), "utf-8")
    words = ["learn", tmp_path / "t.csv", "--interventions", "what", "--out", tmp_path / "out"]
    done = CliRunner().invoke(app, [*map(str, words)])
    assert done.exit_code == 0, done.output
    assert "to look at in the table: " in done.stderr
    assert "variables set in every row (b)" in done.stderr
