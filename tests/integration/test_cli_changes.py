"""Two folders of learn side by side."""

from __future__ import annotations

import json

import pytest

import dagscape as ds

FEW = ("--runs", 0, "--resamples", 2, "--quiet")


@pytest.fixture
def folders(run, tmp_path):
    net = ds.load_network("asia")
    for name, seed in (("old", 1), ("new", 2)):
        net.sample(300, seed=seed).write(tmp_path / f"{name}.csv")
        run("learn", f"{name}.csv", *FEW)
    return tmp_path


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
