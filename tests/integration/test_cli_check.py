"""``dagscape check``: what it says, its JSON, and the copy that it mends."""

from __future__ import annotations

import gzip
import json
import shlex

import pytest

import dagscape as ds

SEX, ASKED, SCORE = (" m", "f", "f"), ("yes", "no", "n/a", "no", "yes"), (1, 2, -9, 1, 2, 2, 2)
MESSY = "id;bmi;sex;asked;score\n" + "".join(
    f"P{i};{20 + i % 7},5;{SEX[i % 3]};{ASKED[i % 5]};{SCORE[i % 7]}\n" for i in range(60)
)


@pytest.fixture
def messy(tmp_path):
    (tmp_path / "messy.csv").write_text(MESSY, "utf-8")
    return tmp_path


def test_the_command_that_it_gives_runs(run, messy):
    said = run("check", "messy.csv").stdout.splitlines()
    assert said[0].startswith("60 rows, 5 columns: ")
    words = shlex.split(said[-1])
    assert words[:3] == ["dagscape", "learn", "messy.csv"]
    done = run("convert", "messy.csv", "read.parquet", *words[3:])
    assert done.exit_code == 0, done.stderr
    read = ds.read_data(messy / "read.parquet", missing="keep")
    assert set(read.names) == {"bmi", "sex", "asked", "score"}


@pytest.mark.usefixtures("messy")
def test_json_has_the_same(run):
    told = json.loads(run("check", "messy.csv", "--json").stdout)
    assert told["settings"]["separator"] == ";"
    assert told["command"] == run("check", "messy.csv").stdout.splitlines()[-1]
    assert {note["kind"] for each in told["problems"] for note in each["notes"]} >= {
        *("separator", "identifier", "decimal_commas", "blanks", "missing_words", "number_codes"),
        "gaps",
    }


def test_fix_mends_what_is_harmless_and_says_so(run, messy):
    done = run("check", "messy.csv", "--fix")
    assert "messy-fixed.csv has commas between cells, decimal points, no blanks" in done.stderr
    first = (messy / "messy-fixed.csv").read_text("utf-8").splitlines()[1:4]
    assert first == ["P0,20.5,m,yes,1", "P1,21.5,f,no,2", "P2,22.5,f,,-9"]
    assert "--separator" not in done.stdout
    assert "--na=-9 --leave-out id" in done.stdout
    assert (messy / "messy.csv").read_text("utf-8") == MESSY


def test_the_copy_keeps_all_of_the_name(run, messy):
    (messy / "messy.csv").rename(messy / "messy.2.csv")
    (messy / "my.table.csv.gz").write_bytes(gzip.compress(MESSY.encode()))
    assert run("check", "messy.2.csv", "--fix").exit_code == 0
    assert run("check", "my.table.csv.gz", "--fix").exit_code == 0
    assert (messy / "messy.2-fixed.csv").read_bytes() == (messy / "my.table-fixed.csv").read_bytes()


@pytest.mark.usefixtures("messy")
def test_learn_counts_what_keeps_it_from_reading_and_says_what_would_do(run):
    done = run("learn", "messy.csv", "--runs=0", "--resamples", 0, "--na", "none", "--strict")
    assert done.exit_code == 2
    assert "(7 problems: dagscape check messy.csv lists all problems at once; " in done.stderr
    assert len(done.stderr.splitlines()) == 1
    command = done.stderr.strip().removesuffix(")").split("this reads it: ")[1]
    words = shlex.split(command)
    assert words[:5] == ["dagscape", "learn", "messy.csv", "--runs=0", "--resamples"]
    assert words.count("--na") == 1
    assert "none,n/a,-9" in words
    assert run(*words[1:]).exit_code == 0


def test_learn_says_first_what_is_to_be_looked_at(run, tmp_path):
    asked = [ASKED[i // 3 % 5] for i in range(90)]
    rows = [f"{SEX[i % 3]},{asked[i]},{SCORE[i % 7]},A\n" for i in range(90)]
    (tmp_path / "mild.csv").write_text("sex,asked,score,site\n" + "".join(rows), "utf-8")
    quick = ("--strict", "--runs", "0", "--resamples", "0", "--out", "l")
    done = run("learn", "mild.csv", *quick)
    first, ready = done.stderr.splitlines()[:2]
    assert first == (
        "dagscape: 4 things to look at in the table: the same value in every row (site); blanks "
        "around states (sex); words for a missing value (asked); numbers that may stand for a "
        "missing value (score)"
    )
    command = ready.removeprefix("dagscape: to read it differently: ")
    assert command == (
        "dagscape learn mild.csv --runs 0 --resamples 0 --out l --na n/a,-9 --trim --strict "
        "--leave-out site"
    )
    # What is said at the start is not lost with the terminal.
    noted = json.loads((tmp_path / "l" / "run.json").read_text("utf-8"))
    assert noted["to_mend"] == [line.removeprefix("dagscape: ") for line in (first, ready)]
    assert {"number_codes", "blanks"} <= {note["kind"] for note in noted["notes"]}
    page = (tmp_path / "l" / "report.html").read_text("utf-8")
    assert "set apart from all its other numbers" in page
    mended = run(*shlex.split(command.replace("--out l", "--out m"))[1:])
    assert mended.exit_code == 0, mended.stderr
    assert "to look at" not in mended.stderr
    assert "to look at" not in run("learn", "mild.csv", *quick[:-1], "q", "--quiet").stderr
