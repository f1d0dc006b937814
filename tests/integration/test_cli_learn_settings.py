"""``dagscape learn`` in a folder that is there: what it goes on with, and what it refuses."""

from __future__ import annotations

import itertools
import json
import shutil
import warnings
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import dagscape as ds
from dagscape.cli.app import app
from dagscape.learning import steps


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "asia.csv"
    ds.load_network("asia").sample(400, seed=2).write(path)
    return path


BEFORE = {
    "--score": "bdeu",
    "--ess": "2",
    "--missing": "drop",
    "--discretize": "median",
    "--runs": "3",
    "--resamples": "3",
}


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """Return a folder with a table, and a folder that was learned from it."""
    folder = tmp_path_factory.mktemp("learned")
    frame = ds.load_network("asia").sample(400, seed=2).to_polars()
    first = pl.Series("asia", [None, *frame["asia"][1:].to_list()])
    number = pl.Series("number", [i / 7 for i in range(400)])
    frame.with_columns(first, number).write_csv(folder / "asia.csv")
    (folder / "k.toml").write_text('required = [["asia", "dysp"]]\n')
    words = ["learn", folder / "asia.csv", "--out", folder / "o", *itertools.chain(*BEFORE.items())]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ds.DataWarning)
        done = CliRunner().invoke(app, list(map(str, words)), catch_exceptions=False)
    assert done.exit_code == 0
    return folder


@pytest.mark.parametrize(
    ("options", "difference"),
    [
        (("--score", "aic"), "--score was 'bdeu(ess=2)' and is aic"),
        (("--score", "bdeu", "--ess", "10"), "--score was 'bdeu(ess=2)' and is 'bdeu(ess=10)'"),
        (("--max-parents", "3"), "--max-parents was not given and is 3"),
        (("--method", "ges"), "--method was auto and is ges"),
        (("--k", "0.5"), "--k was 0.8 and is 0.5"),
        (("--seed", "4"), "--seed was 0 and is 4"),
        (("--knowledge", "k.toml"), '--knowledge was not given and is {"required": [["asia", "'),
        (("--missing", "mode"), "--missing was drop and is mode"),
        (("--discretize", "width:3"), "--discretize was median and is width:3"),
        (("--leave-out", "xray"), '--leave-out was not given and is ["xray"]'),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
@pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
def test_another_option_is_named_with_its_old_and_new_value(
    run, tmp_path, learned, options, difference
):
    shutil.copytree(learned, tmp_path, dirs_exist_ok=True)
    words = ("learn", "asia.csv", "--out", "o")
    now = BEFORE | dict(zip(options[::2], options[1::2], strict=True))
    if now["--score"] == "aic":
        del now["--ess"]
    other = run(*words, *itertools.chain(*now.items()))
    assert other.exit_code == 2
    said = other.stderr.splitlines()[-1]
    assert f'"o" holds a run with other settings: {difference}' in said
    assert said.endswith("; name another --out, or remove that folder")


def test_another_table_is_told_by_its_name_and_size(run, table, tmp_path):
    run("learn", table, "--runs", "5", "--resamples", "3", "--out", "o")
    ds.load_network("asia").sample(401, seed=2).write(tmp_path / "b.csv")
    data = run("learn", "b.csv", "--out", "o")
    assert data.exit_code == 2
    was, now = "asia.csv (400 rows, 8 variables)", "b.csv (401 rows, 8 variables)"
    assert f"other settings: the table was {was} and is {now}; name another" in data.stderr
    ds.load_network("asia").sample(400, seed=3).write(table)
    assert "the content of the table has changed" in run("learn", table, "--out", "o").stderr


def test_a_setting_that_nobody_made_is_not_told_as_changed(run, tmp_path):
    """The prior of the default depends on the number of columns, and nobody named it."""
    rng = np.random.default_rng(0)
    words = ("learn", "t.csv", "--out", "o", "--runs", "0", "--resamples", "0")

    def write(columns: int) -> None:
        numbers = {f"x{i}": rng.normal(size=100) for i in range(columns)}
        pl.DataFrame(numbers).write_csv(tmp_path / "t.csv")

    write(3)
    three = ds.default_score(ds.read_data(tmp_path / "t.csv"))
    assert run(*words).exit_code == 0
    write(5)
    five = ds.default_score(ds.read_data(tmp_path / "t.csv"))
    assert three != five
    said = run(*words).stderr
    assert "neighbors" not in said
    was, now = (f"t.csv (100 rows, {n} variables)" for n in (3, 5))
    assert f"the table was {was} and is {now}" in said
    (tmp_path / "p").mkdir()
    first = ("learn", "t.csv", "--out", "p", "--runs", "0", "--resamples", "0")
    assert run(*first, "--score", "gaussian_bic").exit_code == 0
    said = run(*first).stderr
    assert f"--score was gaussian_bic and is '{five.base}'" in said


def test_a_folder_in_which_nothing_was_found_takes_any_settings(run, table, tmp_path, monkeypatch):
    def press(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(steps, "candidate_parents", press)
        assert run("learn", table, "--runs", "5", "--out", "o").exit_code == 130
    assert json.loads((tmp_path / "o" / "search.json").read_text())["result"] is None
    assert run("learn", table, "--runs", "5", "--out", "o", "--score", "aic").exit_code == 0
    assert run("learn", table, "--runs", "5", "--out", "o", "--score", "bic").exit_code == 2


def test_what_was_found_is_not_written_over_with_other_settings(run, table, tmp_path):
    run("learn", table, "--runs", "0", "--resamples", "3", "--out", "o")
    (tmp_path / "o" / "search.json").unlink()
    other = run("learn", table, "--runs", "0", "--out", "o", "--score", "aic")
    assert other.exit_code == 2
    assert "other settings: --score was fitted_dirichlet and is aic" in other.stderr


@pytest.mark.parametrize("content", ["", "{", "[]", '{"kind": "run"}', "\x00"])
def test_a_damaged_folder_is_refused(run, table, tmp_path, content):
    (tmp_path / "o").mkdir()
    (tmp_path / "o" / "run.json").write_text(content)
    result = run("learn", table, "--out", "o")
    assert result.exit_code == 2
    assert "is damaged or no file of dagscape learn" in result.stderr


def test_out_must_be_a_folder(run, table):
    result = run("learn", table, "--out", table)
    assert result.exit_code == 2
    assert "--out names a folder" in result.stderr
