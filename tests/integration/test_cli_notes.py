"""What commands tell of a table: what is lost and cut, what is odd; to people and as data."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import dagscape as ds

ROWS = 200
LOSS = "warning: 60 of 200 rows (30 %) had a missing value and were dropped; 140 are left"
UNCUT = 'warning: column "age" has numbers in 196 cells and other values in 4: "n/a", "."; so it'

COMMANDS = {
    "learn": ("--strict", "--runs", "5", "--resamples", "3"),
    "exact": (),
    "optima": ("--runs", "5"),
    "features": ("--runs", "5"),
    "blanket": ("--target", "b"),
    "parents": ("-o", "out.jkl"),
    "score": ("arcs.csv",),
}


@pytest.fixture
def table(tmp_path):
    """Write a table: a third of its rows have gaps, numbers have other values among them."""
    lines = ["a,b,sm,age,kg"]
    for i in range(ROWS):
        a = "" if i % 10 < 3 else "xy"[i // 3 % 2]
        age = ("n/a", "n/a", ".", "n/a")[i] if i < 4 else f"{20 + i % 25}.5"
        smokes = ("yes", "yes ", "no", "unknown")[i % 4]
        lines.append(f"{a},{'uv'[i // 5 % 2]},{smokes},{age},{60 + i % 40}.25")
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "arcs.csv").write_text("from,to\na,b\n")
    return ("t.csv", "--missing", "drop", "--discretize", "quantile:3")


def words(command, table):
    name, *options = table
    first, *more = COMMANDS[command] or ("",)
    if command == "score":
        return [command, name, first, *options]
    return [command, name, *options, *([first, *more] if first else [])]


@pytest.mark.parametrize("command", COMMANDS)
def test_losses_are_loud_and_come_first(run, table, command):
    said = run(*words(command, table)).stderr.splitlines()
    assert said[0].startswith(f'dagscape: {LOSS}; missing most often: "a" (60 of 200 cells)')
    assert "(--leave-out) or choose --missing mode, random or state" in said[0]
    assert said[1].startswith(f"dagscape: {UNCUT}")
    rest = "\n".join(said[2:])
    assert "warning:" not in rest  # said once
    assert 'cut into states: "kg" (3 states by quantile: <=' in rest
    assert 'column "sm" has a state "unknown" (' in rest
    assert 'a state "yes " (' in rest
    assert "missing_values" not in "\n".join(said)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "score"])
def test_losses_are_said_even_with_quiet(run, table, command):
    said = run(*words(command, table), "--quiet").stderr.splitlines()
    assert [line.partition("warning: ")[1] for line in said] == ["warning: ", "warning: "]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
def test_json_has_every_note(run, table, command):
    content = json.loads(run(*words(command, table), "--json").stdout)
    data = ds.read_data("t.csv", missing="drop", discretize=("quantile", 3))
    notes = ds.learn(data, runs=0, resamples=0).notes if command == "learn" else data.notes
    assert content["notes"] == [note.to_dict() for note in notes]
    assert content["notes"][0]["counts"] == {"rows": 200, "dropped": 60}


@pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
def test_learn_tells_on_the_screen_in_its_folder_and_on_the_page(run, table, tmp_path):
    few = ("--runs", "3", "--resamples", "3")
    shown = run("learn", *table, "--strict", *few, "--out", "found").stdout
    assert "60 of 200 rows (30 %) had a missing value" in shown
    data = ds.read_data("t.csv", missing="drop", discretize=("quantile", 3))
    notes = [note.to_dict() for note in data.notes]
    for name in ("run.json", "result.json"):
        noted = json.loads((tmp_path / "found" / name).read_text())["notes"]
        assert noted[: len(notes)] == notes
    page = (tmp_path / "found" / "report.html").read_text()
    assert "60 of 200 rows (30 %) had a missing value" in page
    run("report", "found/result.json", "-o", "alone.html")  # no table needed
    assert "60 of 200 rows (30 %) had a missing value" in (tmp_path / "alone.html").read_text()


def test_a_result_that_went_to_stdout_can_be_read(run, table, tmp_path):
    (tmp_path / "r.json").write_text(run("exact", *table, "--json").stdout)
    assert ds.load_result(tmp_path / "r.json").notes[0].loud


def test_convert_and_report_tell_too(run, table):
    assert LOSS in run("convert", table[0], "out.parquet", *table[1:]).stderr
    run("exact", *table, "--save", "r.json")
    assert LOSS in run("report", "r.json", "--data", *table, "-q").stderr


def test_features_of_a_store_know_no_table(run, table):
    run("optima", *table, "--runs", "3", "--store", "runs.sqlite")
    assert json.loads(run("features", "runs.sqlite", "--json").stdout)["notes"] is None


def test_a_rule_by_name_says_what_stands_in_its_way(run, table):
    result = run("exact", table[0], "--missing", "drop", "--discretize", "age=quantile:3")
    (line,) = result.stderr.splitlines()
    assert 'column "age" has numbers in 196 cells and other values in 4: "n/a", "."' in line
    assert line.endswith("missing, leave the cells empty or add them to --na")


def test_rows_that_depend_on_each_other_are_told_until_that_is_answered(run, tmp_path):
    chance = np.random.default_rng(1)
    codes = chance.integers(2, size=(300, 4))
    for row in range(1, 300):
        codes[row] = np.where(chance.random(4) < 0.9, codes[row - 1], codes[row])
    codes[:, 1] = np.where(chance.random(300) < 0.9, codes[:, 0], codes[:, 1])
    ds.Data({f"c{i}": codes[:, i] for i in range(4)}).write(tmp_path / "t.csv")
    learn = ("learn", "t.csv", "--runs", "0", "--resamples", "4")
    told = run(*learn)
    words = " ".join(told.stdout.split())
    assert "are alike in " in words
    assert "keep one row for each subject, or rows far apart in time" in words
    assert "sorted by something that is not in the table), give --rows-independent" in words
    assert "called open: the rows seem to depend on each other" in words
    assert "would settle it" not in words
    assert "0 near certain (from 0.95), 0 likely (from 0.7)" in words
    folder = tmp_path / "t-learned"
    edges = pl.read_csv(folder / "edges.csv")
    assert set(edges["verdict"]) <= {"open", "unlikely"}
    assert "rows" in set(edges["reason"])
    noted = json.loads((folder / "run.json").read_text("utf-8"))
    (note,) = [note for note in noted["notes"] if note["kind"] == "neighbors_alike"]
    assert note["level"] == "loud"
    assert set(note["counts"]) == {"distance", "cells", "alike", "expected"}
    assert "rows that follow each other" in (folder / "report.html").read_text("utf-8")
    # The advice can be followed in the same folder, where all files say it then.
    answered = run(*learn, "--rows-independent")
    assert "depend on each other" not in answered.stdout
    edges = pl.read_csv(folder / "edges.csv")
    assert "near certain" in set(edges["verdict"])
    noted = json.loads((folder / "run.json").read_text("utf-8"))
    assert noted["source"]["rows_independent"] is True
    assert not [note for note in noted["notes"] if note["kind"] == "neighbors_alike"]
    assert "rows that follow each other" not in (folder / "report.html").read_text("utf-8")
