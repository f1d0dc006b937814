"""What ``dagscape optima`` and ``features`` refuse."""

from __future__ import annotations

import sqlite3

import pytest

from limits import AMPLE
from shown_optima import refused

BOTH = [
    (["--k", "2"], "--k must be between 0 and 1, got 2.0"),
    (["--runs", "0"], "Invalid value for '--runs'"),
    (["--max-parents", "20"], "--max-parents must be between 0 and 19 (variables - 1), got 20"),
    (["--time-limit", "0"], "--time-limit must be a positive number of seconds, got 0.0"),
    (["--threads", "0"], "--threads must be a positive whole number, got 0"),
    (["--seed", "9999999999999999999"], "--seed must be a whole number from 0"),
    (["--neighborhood", "near"], 'unknown neighborhood "near"'),
    (["--score", "k2"], "needs a score that equivalent networks share, unlike k2"),
    (["--score", "bdue"], 'unknown score "bdue"'),
    (["--score", "bdeu", "--ess", "0"], "--ess must be a positive number, got 0.0"),
    (["--score", "bic", "--ess", "2"], "--ess is a parameter of bdeu"),
    (["--store", "no/where.sqlite"], '/no" to keep runs in'),
    (["--store", "folder.bif"], '"folder.bif" is a folder'),
]
BAD = [
    *[("optima", "child.csv", *case) for case in BOTH],
    *[("features", "child.csv", *case) for case in BOTH],
    (
        "optima",
        "child.csv",
        ["--prove", "0"],
        "--prove must be a positive number of seconds, got 0",
    ),
    ("optima", "child.csv", ["-o", "out.txt"], '"out.txt" has no ending of a network file'),
    ("optima", "child.csv", ["-o", "no/x.bif"], 'there is no folder "no"'),
    ("optima", "child.csv", ["-o", "folder.bif"], '"folder.bif" is a folder'),
    ("optima", "child.csv", ["-o", "x.json", "--store", "x.json"], "-o and --store both name"),
    ("optima", "nowhere.csv", [], "nowhere.csv"),
    ("features", "nowhere.csv", [], "nowhere.csv"),
    ("features", "nowhere.sqlite", [], "there is no file"),
    ("features", "fake.sqlite", [], "is not a store of runs, or a damaged one"),
    ("features", "other.sqlite", [], "is a SQLite file of some other program"),
    ("features", "child.csv", ["--kind", "edgs"], 'unknown kind of feature "edgs"'),
    ("features", "child.csv", ["--weigh-by", "visit"], 'unknown weights "visit"'),
    ("features", "child.csv", ["--threshold", "2"], "--threshold must be between 0 and 1, or auto"),
    ("features", "child.csv", ["--threshold", "nan"], 'or auto, got "nan"'),
    ("features", "child.csv", ["--threshold", "low"], 'or auto, got "low"'),
    ("features", "child.csv", ["--fp-weight", "-1"], "--fp-weight must be a number from 0 up"),
    ("features", "child.csv", ["--fn-weight", "inf"], "--fn-weight must be a number from 0 up"),
    ("features", "child.csv", ["--reference", "asia"], "that the data lack"),
    ("features", "child.csv", ["--reference", "nobody"], 'no network is called "nobody"'),
    ("features", "child.csv", ["--reference", "arcs.csv"], "nobody"),
    (
        "features",
        "child.csv",
        ["--method", "boots"],
        'unknown --method "boots"; choose optima, boo',
    ),
    ("features", "child.csv", ["--search", "ges"], "--search is for --method bootstrap"),
    ("features", "child.csv", ["--method", "bootstrap", "--k", "0.5"], "--k is for kes"),
    (
        "features",
        "child.csv",
        ["--method", "bootstrap", "--neighborhood", "exact"],
        "--neighborhood is for --method optima",
    ),
    (
        "features",
        "child.csv",
        ["--method", "bootstrap", "--search", "hill"],
        'unknown method "hill"',
    ),
    (
        "features",
        "child.csv",
        ["--method", "bootstrap", "--weigh-by", "score"],
        'unknown weights "score"',
    ),
]


@pytest.mark.parametrize(
    ("command", "source", "words", "said"), BAD, ids=lambda value: str(value)[:40]
)
@pytest.mark.usefixtures("table")
def test_bad_input_is_one_line_and_exit_code_2(run, tmp_path, command, source, words, said):
    (tmp_path / "folder.bif").mkdir()
    (tmp_path / "fake.sqlite").write_text("a,b\n1,2\n")
    (tmp_path / "arcs.csv").write_text("from,to\nnobody,Age\n")
    with sqlite3.connect(tmp_path / "other.sqlite") as other:
        other.execute("CREATE TABLE t (a)")
    other.close()
    before = {path.name for path in tmp_path.iterdir()}
    refused(run(command, source, *words), said)
    assert {path.name for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    "words",
    [
        *[["--runs", "9"], ["--k", "0.5"], ["--seed", "0"], ["--score", "bic"], ["--ess", "1"]],
        *[["--max-parents", "3"], ["--neighborhood", "auto"], ["--time-limit", AMPLE]],
        *[["--threads", "1"], ["--store", "x.db"], ["--method", "optima"], ["--search", "ges"]],
        *[["--missing", "error"], ["--discretize", "mean"], ["--separator", ","]],
    ],
    ids=lambda words: words[0],
)
def test_runs_that_are_done_take_no_options(run, store, words):
    said = f'{words[0]}: only for tables; "{store}" holds runs that are done'
    refused(run("features", store, *words), said)


@pytest.mark.parametrize("words", [["--kind", "edgs"], ["--reference", "asia"]])
def test_a_bad_question_is_known_before_the_work(run, table, tmp_path, words):
    result = run("features", table, "--store", "new.sqlite", *words)
    assert result.exit_code == 2
    assert not (tmp_path / "new.sqlite").exists()
