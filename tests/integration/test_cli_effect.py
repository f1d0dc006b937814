"""``dagscape effect``: the package's answer, from tables and from what was kept."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest

import dagscape as ds


@pytest.fixture
def table(tmp_path):
    ds.load_network("asia").sample(600, seed=1).write(tmp_path / "asia.csv")
    return ds.read_data(tmp_path / "asia.csv")


def test_from_a_table(run, table):
    shown = run("effect", "asia.csv", "smoke", "dysp", "--networks", 200, "--seed", 4)
    expected = ds.effect(ds.posterior(table, seed=4), "smoke", "dysp", networks=200, seed=4)
    rows = [line.split("\t") for line in shown.stdout.splitlines()]
    assert rows[0][:5] == ["do(smoke)", "dysp", "probability", "lower", "upper"]
    assert rows[0][5:] == ["adjusted", "adjusted_lower", "adjusted_upper"]
    assert [row[2] for row in rows[1:]] == [f"{p:.6f}" for p in expected.mean.ravel()]
    assert "right if the arcs are causes" in shown.stderr
    assert f"no effect at all: probability {expected.no_effect:.3f}" in shown.stderr
    told = json.loads(run("effect", "asia.csv", "smoke", "dysp", "--json").stdout)
    assert told["cause"] == "smoke"
    assert told["notes"] == []


def test_rows_that_depend_on_each_other_are_told_of(run, tmp_path):
    few = ("--runs", 0, "--resamples", 2, "--rows-independent")
    walk = [f"{'xy'[i // 20 % 2]},{'uv'[i // 25 % 2]},{'pq'[i // 30 % 2]}" for i in range(300)]
    (tmp_path / "walk.csv").write_text("\n".join(["a,b,c", *walk, ""]))
    run("learn", "walk.csv", "--out", "walk", *few[:4])
    for command in (("effect", "walk", "a", "b"), ("posterior", "walk/posterior.sqlite")):
        assert "rows seem to depend on each other" in run(*command).stderr
    run("learn", "walk.csv", "--out", "walk", *few)
    for command in (("effect", "walk", "a", "b"), ("posterior", "walk/posterior.sqlite")):
        assert "rows seem to depend" not in run(*command).stderr


def test_of_numbers_it_is_a_slope(run, tmp_path):
    ds.random_network(4, neighbors=2, kind="gaussian", seed=1).sample(200, seed=1).write(
        tmp_path / "numbers.csv"
    )
    table = ds.read_data(tmp_path / "numbers.csv")
    cause, outcome = table.names[:2]
    expected = ds.effect(ds.posterior(table), cause, outcome, networks=200)
    shown = run("effect", "numbers.csv", cause, outcome, "--networks", 200)
    heads, row = (line.split("\t") for line in shown.stdout.splitlines())
    assert heads[:5] == ["cause", "outcome", "slope", "lower", "upper"]
    ends = (expected.mean, expected.lower, expected.upper)
    assert row[:5] == [cause, outcome, *(f"{end:.6g}" for end in ends)]
    assert "all relations are treated as lines" in shown.stderr


def follow(run, said, word):
    """Run the command that advice names after a word, up to the next semicolon or its end."""
    command = said.split(f"{word}: dagscape ", 1)[1]
    first, _, then = command.partition(" and then dagscape ")
    done = [run(*shlex.split(each)) for each in (first, then) if each]
    assert [each.exit_code for each in done] == [0] * len(done), done[-1].stderr
    return done[-1]


def test_of_both_kinds_from_a_table_and_from_its_folder(run, tmp_path):
    rows = [["xy"[i % 2], f"{i * 0.37 % 5:.2f}", str(i * 7 % 30)] for i in range(90)]
    text = "\n".join(",".join(row) for row in [["a", "my b", "whole"], *rows])
    (tmp_path / "t.csv").write_text(text)
    run("learn", "t.csv", "--runs=0", "--resamples=3", "--out", "l", "-q")
    for source in ("t.csv", "l"):
        shown = run("effect", source, "a", "my b", "--networks", 100)
        heads, *cells = (line.split("\t") for line in shown.stdout.splitlines())
        assert heads[:4] == ["do(a)", "mean", "lower", "upper"]
        assert [row[0] for row in cells] == ["x", "y"]
        shown = run("effect", source, "whole", "a", "--networks", 100)
        heads, *cells = (line.split("\t") for line in shown.stdout.splitlines())
        assert heads[2:4] == ["state", "slope"]
        assert [row[2] for row in cells] == ["x", "y"]
        assert "adjusted for " in shown.stderr


def test_of_a_table_with_gaps_and_of_its_folder_cells_are_drawn(run, tmp_path):
    rng = np.random.default_rng(0)
    rows = [["xy"[i % 2], "hl"[int(rng.random() < 0.3 + 0.4 * (i % 2))]] for i in range(80)]
    text = "\n".join(",".join(row) for row in [["a", "b"], *rows, ["", "h"], ["x", ""], ["y", ""]])
    (tmp_path / "t.csv").write_text(text)
    run("learn", "t.csv", "--runs=0", "--out", "l", "-q")
    for source in ("t.csv", "l"):
        shown = run("effect", source, "a", "b", "--networks", 100)
        assert shown.exit_code == 0, shown.stderr
        assert shown.stdout.startswith("do(a)\tb\tprobability")
        assert "cells are taken to be missing at random" in shown.stderr


@pytest.mark.parametrize("complete", [True, False])
def test_of_a_folder_with_gaps_it_names_what_answers(run, tmp_path, complete):
    rows = ["a,b,c"]
    for i in range(60):
        cells = ["xy"[i % 2], "lohi"[2 * (i // 30) :][:2], "pq"[i // 15 % 2]]
        if not complete or i < 5:
            cells[i % 3] = ""
        rows.append(",".join(cells))
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    run("learn", "t.csv", "--missing", "keep", "--runs=0", "--resamples=0", "--out", "l", "-q")
    refused = run("effect", "l", "a", "b")
    assert refused.exit_code != 0
    assert "a network without probabilities needs a value in every cell" in refused.stderr
    answered = follow(run, refused.stderr, "answer")
    assert answered.stdout.startswith("do(a)\tb\tprobability")
    assert "cells are taken to be missing at random" in answered.stderr  # all rows count
    (tmp_path / "tiers.toml").write_text('tiers = [["a"], ["b", "c"]]')
    words = ("--missing", "keep", "--runs=0", "--resamples=0", "--knowledge", "tiers.toml")
    run("learn", "t.csv", *words, "--out", "known", "-q")
    assert "to be given again, by --knowledge" in run("effect", "known", "a", "b").stderr


@pytest.mark.usefixtures("table")
def test_a_wrong_name_is_told_before_anything_takes_long(run, monkeypatch):
    def never(*_args, **_options):
        raise AssertionError("the posterior was computed first")

    monkeypatch.setattr(ds, "posterior", never)
    said = run("effect", "asia.csv", "smokes", "dysp")
    assert 'unknown variable "smokes"' in said.stderr


def test_score_and_prior_are_those_of_the_options(run, table):
    shown = run("effect", "asia.csv", "smoke", "dysp", "--networks", 100, "--ess", 10)
    own = ds.posterior(table, score=ds.BDeu(10), prior=ds.EdgePrior())
    expected = ds.effect(own, "smoke", "dysp", networks=100)
    rows = [line.split("\t") for line in shown.stdout.splitlines()]
    assert [row[2] for row in rows[1:]] == [f"{p:.6f}" for p in expected.mean.ravel()]
    assert "score bdeu(ess=10); prior edges(neighbors=1)" in shown.stderr


@pytest.mark.usefixtures("table")
def test_knowledge_settles_it(run, tmp_path):
    (tmp_path / "tiers.toml").write_text('tiers = [["smoke"], ["lung", "bronc"], ["dysp"]]\n')
    free = run("effect", "asia.csv", "smoke", "dysp", "--networks", 200)
    known = run(
        "effect", "asia.csv", "smoke", "dysp", "--networks", 200, "--knowledge", "tiers.toml"
    )
    assert "leave the effect open" in free.stderr
    assert known.exit_code == 0
    assert "that obey your knowledge" in known.stderr


@pytest.mark.usefixtures("table")
def test_from_a_saved_posterior_and_a_learned_folder(run):
    run("posterior", "asia.csv", "--save", "p.sqlite")
    shown = run("effect", "p.sqlite", "smoke", "dysp", "--data", "asia.csv", "--networks", 100)
    assert shown.exit_code == 0
    run("learn", "asia.csv", "--out", "learned", "--runs", 0, "--score", "bic", "--resamples", 0)
    shown = run("effect", "learned", "smoke", "dysp", "--data", "asia.csv", "--networks", 50)
    assert shown.exit_code == 0
    assert "smoke may be caused by nothing, or by " in shown.stderr
    assert shown.stdout.splitlines()[1].split("\t")[2] == ""
    settled = run("effect", "p.sqlite", "smoke", "dysp", "--data", "asia.csv", "--score", "bic")
    assert settled.exit_code == 2
    assert '--score: only for tables; "p.sqlite" is made already' in settled.stderr
    read = run("effect", "learned", "smoke", "dysp", "--missing", "drop", "--trim")
    assert read.exit_code == 2
    assert '--missing, --trim: only for tables; "learned" is made already' in read.stderr
    refused = run("effect", "p.sqlite", "smoke", "dysp")
    assert refused.exit_code == 2
    assert '"p.sqlite" has no table; name the one it was made from with --data' in refused.stderr


@pytest.mark.usefixtures("table")
def test_a_learned_folder_has_its_posterior_and_finds_its_table(run, tmp_path):
    run("learn", "asia.csv", "--out", "learned", "--runs", 0, "--resamples", 4)
    shown = run("effect", "learned", "smoke", "dysp", "--networks", 100)
    assert shown.exit_code == 0, shown.stderr
    kept = ds.load_result(tmp_path / "learned" / "posterior.sqlite", ds.Posterior)
    assert kept.resamples == 4
    data = ds.read_data(tmp_path / "asia.csv")
    expected = ds.effect(kept, "smoke", "dysp", data=data, networks=100)
    rows = [line.split("\t") for line in shown.stdout.splitlines()]
    assert [row[2] for row in rows[1:]] == [f"{p:.6f}" for p in expected.mean.ravel()]
    text = (tmp_path / "asia.csv").read_text("utf-8").splitlines()
    (tmp_path / "asia.csv").write_text("\n".join(text[:-1]), "utf-8")
    assert "is not the table that" in run("effect", "learned", "smoke", "dysp").stderr
    (tmp_path / "asia.csv").unlink()
    gone = run("effect", "learned", "smoke", "dysp")
    assert gone.exit_code == 2
    assert '"learned" was made from "asia.csv", which is neither beside it nor here' in gone.stderr


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["asia.csv", "smokes", "dysp"], 'unknown variable "smokes"; did you mean "smoke"?'),
        (["asia.csv", "smoke", "smoke"], "cause and outcome must be two variables"),
        (["asia.csv", "smoke", "dysp", "--data", "asia.csv"], "--data goes with a posterior"),
        (["asia.csv", "smoke", "dysp", "--level", "2"], "level must be between 0 and 1"),
        (["nothing.csv", "smoke", "dysp"], 'there is no file "nothing.csv"'),
        ([".", "smoke", "dysp"], '"." is not a folder of dagscape learn'),
    ],
)
def test_mistakes(run, words, said):
    found = run("effect", *words)
    assert found.exit_code == 2
    assert said in found.stderr


def test_causes_may_be_hidden(run, tmp_path):
    ds.load_network("asia").sample(2000, seed=0).write(tmp_path / "asia.csv")
    run("learn", "asia.csv", "--runs", "0", "--resamples", "2", "--out", "l", "-q")
    told = run("effect", "l", "bronc", "dysp", "--hidden")
    assert told.exit_code == 0, told.stderr
    assert "P(dysp | do(bronc))" in told.stdout
    assert "to explain away the effect of yes rather than no, a hidden cause must" in told.stdout
    found = json.loads(run("effect", "l", "bronc", "dysp", "--hidden", "--json").stdout)
    assert found["identified"] is False
    assert set(found["strength"]) == {"no", "yes"}
    back = json.loads(run("effect", "l", "dysp", "asia", "--hidden", "--json").stdout)
    assert (back["identified"], back["strength"]) == (True, None)
    refused = run("effect", "asia.csv", "bronc", "dysp", "--hidden")
    assert "--hidden needs a folder of dagscape learn" in refused.stderr
