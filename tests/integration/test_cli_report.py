"""``dagscape report`` and ``features --plot``: what they write and refuse."""

from __future__ import annotations

import shutil
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import dagscape as ds
from dagscape.cli.output import origin_of_call

FILES = ("asia.csv", "result.json", "runs.sqlite")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a table, a result and a store of runs on it."""
    folder = tmp_path_factory.mktemp("made")
    ds.load_network("asia").sample(500, seed=1).write(folder / "asia.csv")
    data = ds.read_data(folder / "asia.csv")
    ds.exact(data).save(folder / "result.json")
    ds.local_optima(data, runs=30, k=0.3, store=folder / "runs.sqlite")
    return folder


@pytest.fixture(autouse=True)
def _here(made: Path, tmp_path: Path) -> None:
    for name in FILES:
        shutil.copy(made / name, tmp_path)


class TestReport:
    def test_a_result_alone(self, run, tmp_path):
        done = run("report", "result.json")
        assert done.exit_code == 0, done.output
        assert done.stdout == ""
        assert "report.html: 8 variables" in done.stderr
        assert "<!DOCTYPE html>" in (tmp_path / "report.html").read_text("utf-8")

    def test_everything(self, run, tmp_path):
        words = ("--landscape", "runs.sqlite", "--data", "asia.csv", "--truth", "asia")
        done = run("report", "result.json", *words, "--title", "Asia", "-o", "a.html", "-q")
        assert (done.exit_code, done.output) == (0, "")
        expected = tmp_path / "expected.html"
        ds.load_result(tmp_path / "result.json").report(
            expected,
            landscape=ds.load_result(tmp_path / "runs.sqlite", ds.Landscape),
            data=ds.read_data(tmp_path / "asia.csv"),
            truth=ds.load_network("asia"),
            title="Asia",
            origin=origin_of_call("asia.csv"),
        )
        assert (tmp_path / "a.html").read_bytes() == expected.read_bytes()

    def test_a_truth_of_arcs(self, run, tmp_path):
        (tmp_path / "arcs.csv").write_text("from,to\nsmoke,lung\n", "utf-8")
        assert run("report", "result.json", "--truth", "arcs.csv").exit_code == 0

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["nothing.json"], 'no file "nothing.json"'),
            (["asia.csv"], "not JSON"),
            (["result.json", "-o", "nowhere/a.html"], 'there is no folder "nowhere"'),
            (["result.json", "--weigh-by", "visits"], "--weigh-by is for optima"),
            (["result.json", "--trim"], "--trim: only for a table; name it with --data"),
            (["result.json", "--landscape", "asia.csv"], "asia.csv"),
            (["result.json", "--truth", "alarm"], "the truth must have the same variables"),
            (
                ["result.json", "--landscape", "runs.sqlite", "--weigh-by", "sum"],
                'unknown weights "sum"',
            ),
        ],
    )
    def test_what_is_wrong_is_one_line(self, run, tmp_path, words, said):
        done = run("report", *words)
        assert done.exit_code == 2
        assert said in done.stderr
        assert done.stderr.count("\n") == 1
        assert not (tmp_path / "report.html").exists()


class TestPlot:
    def test_the_tradeoff_is_drawn(self, run, tmp_path):
        plain = run("features", "runs.sqlite")
        drawn = run("features", "runs.sqlite", "--plot", "out.svg")
        assert (drawn.exit_code, drawn.stdout) == (0, plain.stdout)
        tree = ElementTree.fromstring((tmp_path / "out.svg").read_text("utf-8"))
        words = {element.text for element in tree.iter() if element.tag.endswith("text")}
        assert {"false negatives", "false positives"} <= words
        level = ds.load_result(tmp_path / "runs.sqlite", ds.Landscape).threshold("edges")
        assert any(word and word.startswith(f"{level:g}: ") for word in words)
        before = (tmp_path / "out.svg").read_bytes()
        run("features", "runs.sqlite", "--plot", "out.svg")
        assert (tmp_path / "out.svg").read_bytes() == before

    @pytest.mark.parametrize("name", ["out.png", "out.pdf"])
    def test_other_forms(self, run, tmp_path, name):
        assert run("features", "runs.sqlite", "--kind", "paths", "--plot", name).exit_code == 0
        assert (tmp_path / name).stat().st_size > 1000

    @pytest.mark.parametrize(
        ("name", "said"),
        [("out.txt", "--plot writes .svg, .png, .pdf"), ("no/out.svg", 'no folder "no"')],
    )
    def test_what_cannot_be_drawn_is_said_first(self, run, name, said):
        done = run("features", "asia.csv", "--plot", name)
        assert done.exit_code == 2
        assert said in done.stderr
        assert done.stdout == ""

    def test_without_matplotlib_it_says_what_to_install(self, run, monkeypatch):
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        done = run("features", "asia.csv", "--plot", "out.svg")
        assert done.exit_code == 2
        assert 'pip install "dagscape[plot]"' in done.stderr


def test_a_folder_of_learn_has_its_page(run, tmp_path):
    ds.load_network("asia").sample(100, seed=1).write(tmp_path / "t.csv")
    run("learn", "t.csv", "--out", "l", "--runs", 0, "--resamples", 0)
    said = run("report", "l")
    assert said.exit_code == 2
    assert "l/report.html is its page; l/result.json makes another" in said.stderr
    assert run("report", "l/result.json").exit_code == 0
