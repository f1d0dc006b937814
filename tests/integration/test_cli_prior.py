"""--prior, beside --score, in every command that scores structures."""

import json

import pytest

import dagscape as ds


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "asia.csv"
    ds.load_network("asia").sample(200, seed=3).write(path)
    return path


COMMANDS = {
    "exact": ("exact", "TABLE", "--json"),
    "optima": ("optima", "TABLE", "--runs", "5", "--json"),
    "features": ("features", "TABLE", "--runs", "5", "--json"),
    "parents": ("parents", "TABLE", "-o", "p.jkl", "--json"),
    "score": ("score", "TABLE", "asia", "--json"),
    "blanket": ("blanket", "TABLE", "--target", "smoke", "--json"),
    "learn": ("learn", "TABLE", "--out", "learned", "--runs", "5", "--json"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_prior_is_used_and_named(run, table, command):
    words = [str(table) if word == "TABLE" else word for word in COMMANDS[command]]
    shown = run(*words, "--score", "bdeu", "--prior", "edges(neighbors=1)")
    assert shown.exit_code == 0, shown.stderr
    assert "edges(neighbors=1)" in shown.stdout
    json.loads(shown.stdout)


def test_the_score_is_the_sum(run, table):
    data = ds.read_data(table)
    asia = ds.load_network("asia").dag
    for prior in ("uniform", "fair", "edges(neighbors=3)"):
        shown = run("score", table, "asia", "--score", "qnml", "--prior", prior)
        assert float(shown.stdout) == pytest.approx(ds.score(data, asia, score="qnml", prior=prior))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_wrong_prior_gets_a_sentence(run, table, command):
    words = [str(table) if word == "TABLE" else word for word in COMMANDS[command]]
    shown = run(*words, "--prior", "fare")
    assert shown.exit_code != 0
    assert 'unknown prior "fare"; did you mean "fair"?' in shown.stderr


def test_sets_that_are_scored_take_no_prior(run, table):
    run("parents", table, "-o", "p.jkl")
    shown = run("exact", "p.jkl", "--prior", "fair")
    assert shown.exit_code != 0
    assert "--prior" in shown.stderr


def test_a_folder_with_another_prior_is_not_gone_on_from(run, table):
    assert run("learn", table, "--out", "learned", "--runs", 0, "--prior", "fair").exit_code == 0
    again = run("learn", table, "--out", "learned", "--runs", 0)
    assert again.exit_code != 0
    assert "--prior was fair and is 'edges(neighbors=1)'" in again.stderr
