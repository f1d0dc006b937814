"""Networks that other programs open: from every command that writes one."""

from __future__ import annotations

import csv

import pytest

import dagscape as ds

SMOKER = ("no", '"yes, often"', '"yes, often"')
TABLE = "body mass,smoker\n" + "".join(
    f"{20 + i % 13 + (i % 7) / 10},{SMOKER[i % 3]}\n" for i in range(80)
)
CUT = ("--discretize", "body mass=25,27.9")
STATES = {"body_mass": ("up_to_25", "from_25_to_27_9", "above_27_9"), "smoker": ("no", "yes_often")}


@pytest.fixture(autouse=True)
def table(tmp_path):
    (tmp_path / "t.csv").write_text(TABLE, "utf-8")


def renamed_in(path):
    with path.open(encoding="utf-8", newline="") as file:
        return {(row["variable"], row["state"]): row["became"] for row in csv.DictReader(file)}


@pytest.mark.parametrize(
    ("words", "file", "of"),
    [
        (("learn", "t.csv", "--runs", 0, "--resamples", 0, "--out", "."), "network.bif", "network"),
        (("exact", "t.csv", "-o", "best.bif"), "best.bif", "best"),
        (("exact", "t.csv", "-o", "best.xdsl"), "best.xdsl", "best"),
        (("optima", "t.csv", "--runs", 5, "-o", "best.bifxml"), "best.bifxml", "best"),
    ],
)
def test_names_are_made_safe_and_said(run, tmp_path, words, file, of):
    done = run(*words, *CUT)
    assert done.exit_code == 0, done.stderr
    assert dict(ds.read_network(tmp_path / file).states) == STATES
    became = renamed_in(tmp_path / f"{of}-names.csv")
    assert became["body mass", ""] == "body_mass"
    assert became["smoker", "yes, often"] == "yes_often"
    assert 'made safe for other readers, such as "body mass" (body_mass)' in done.stderr
    assert f"{of}-names.csv lists them" in done.stderr


def test_json_keeps_the_names(run, tmp_path):
    run("learn", "t.csv", "--runs", 0, "--resamples", 0, "--out", "l", *CUT)
    states = ds.read_network(tmp_path / "l" / "network.json").states
    assert states["smoker"] == ("no", "yes, often")


def test_names_that_are_safe_need_no_table(run, tmp_path):
    ds.load_network("asia").sample(100, seed=0).write(tmp_path / "asia.csv")
    done = run("exact", "asia.csv", "-o", "asia.bif")
    assert "made safe" not in done.stderr
    assert not (tmp_path / "asia-names.csv").exists()
