"""Two folders of learn side by side."""

from __future__ import annotations

import json
import shutil
from contextlib import chdir

import pytest
from typer.testing import CliRunner

import dagscape as ds
from dagscape.cli.app import app

FEW = ("--runs", 0, "--resamples", 2, "--quiet")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    net = ds.load_network("asia")
    with chdir(folder):
        for name, seed in (("old", 1), ("new", 2)):
            net.sample(300, seed=seed).write(f"{name}.csv")
            CliRunner().invoke(app, ["learn", f"{name}.csv", *map(str, FEW)])
    return folder


@pytest.fixture
def folders(made, tmp_path):
    return shutil.copytree(made, tmp_path, dirs_exist_ok=True)


def test_two_folders_are_compared_with_their_tables(run, folders):
    said = run("compare", "old-learned", "new-learned")
    assert (said.exit_code, said.stderr) == (0, "")
    told = json.loads(run("compare", "old-learned", "new-learned", "--json").stdout)
    tables = [ds.read_data(folders / f"{name}.csv") for name in ("old", "new")]
    learned = [ds.learn(table, runs=0, resamples=2) for table in tables]
    expected = ds.compare(*learned)
    assert told["shd"] == expected.graphs.shd
    assert told["scores"][0]["other"] == pytest.approx(expected.scores[0].other)
    assert {row["variable"]: row["p"] for row in told["drift"]["variables"]} == pytest.approx(
        {row.variable: row.p for row in expected.drift.rows}
    )
    assert said.stdout.startswith("First ")


def test_without_its_table_a_folder_says_what_it_knows(run, folders):
    (folders / "new.csv").unlink()
    said = run("compare", "old-learned", "new-learned")
    assert said.exit_code == 0
    assert "without its table" in said.stderr
    assert "a table is not at hand" in said.stdout


@pytest.mark.usefixtures("folders")
def test_graphs_are_compared_as_before(run):
    said = run("compare", "old-learned/network.json", "asia")
    assert said.stdout.startswith("structural Hamming distance")
    assert run("compare", "old-learned", "asia").stdout == said.stdout


def test_learning_again_says_what_changed_and_why(run, folders):
    net = ds.load_network("asia")
    drawn = net.sample(400, seed=5).to_pandas()
    drawn["dysp"] = net.sample(400, seed=6).to_pandas()["dysp"]
    ds.Data(drawn).write(folders / "later.csv")
    said = run("learn", "later.csv", "--since", "old-learned", *FEW)
    assert (said.exit_code, said.stderr) == (0, "")
    since = said.stdout[said.stdout.index("Since") :]
    assert "another distribution" in since
    assert "otherwise in the second table: dysp" in since
    noted = json.loads((folders / "later-learned" / "run.json").read_text("utf-8"))["since"]
    assert [row["variable"] for row in noted["drift"]["variables"] if row["drifted"]] == ["dysp"]
    assert noted["loss_of_a_row"]["new"] > noted["loss_of_a_row"]["own"]
    page = (folders / "later-learned" / "report.html").read_text("utf-8")
    assert "What changed" in page
    assert "the first network" in page


def test_learning_again_reads_the_table_as_before(run, tmp_path):
    (tmp_path / "old.csv").write_text("a;b\n" + "x;u\ny;v\n" * 30)
    (tmp_path / "new.csv").write_text("a;b\n" + "x;u\ny;v\n" * 40)
    run("learn", "old.csv", *FEW, "--separator", ";")
    said = run("learn", "new.csv", "--since", "old-learned", *FEW)
    assert said.exit_code == 0
    assert "read as the table of old-learned was: --separator ;" in said.stderr.replace("'", "")
    assert "begins with the rows of the first" in said.stdout.replace("\n           ", " ")


def test_what_cannot_be_compared_is_refused_before_the_work(run, folders):
    (folders / "other.csv").write_text("asia,tub\n" + "yes,no\nno,no\n" * 20)
    cases = {
        ("new.csv", "--since", "nothing"): "is not a folder of dagscape learn",
        ("new.csv", "--since", "new-learned"): "is the folder that would be filled",
        ("other.csv", "--since", "old-learned"): "both must have the same columns",
        ("new.csv", "--since", "old-learned", "--truth", "asia"): "give one of them",
    }
    for words, sentence in cases.items():
        said = run("learn", *words)
        assert said.exit_code == 2, words
        assert sentence in said.stderr, words
        assert len(said.stderr.splitlines()) == 1, words
    assert not (folders / "other-learned").exists()
