"""A score that is a class and nothing else is known to commands, files, stores and the page."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest
from typer.testing import CliRunner

import dagscape as ds
from dagscape import _core
from dagscape.cli.app import app
from dagscape.report.content import content

WORDS = "halved(ess=3, share=0.25)"
SAME = ds.BDeu(ess=0.75)
"""What the toy comes to with these parameters."""


@dataclass(frozen=True)
class Halved(ds.Score):
    """A toy: BDeu with a share of its sample size."""

    ess: float = 2.0
    share: float = 0.5
    names = ("halved", "toy")

    def _engine(self, _cases):
        return _core.Bdeu(self.ess * self.share)


@pytest.fixture(autouse=True)
def added(monkeypatch):
    """Add the toy as a module would, for one test."""
    monkeypatch.setattr(ds.SCORES, "_kinds", dict(ds.SCORES))
    ds.SCORES.add(Halved)


@pytest.fixture
def data():
    return ds.load_network("asia").sample(300, seed=1)


@pytest.fixture
def run(monkeypatch, tmp_path, data):
    monkeypatch.chdir(tmp_path)
    data.write(tmp_path / "t.csv")

    def call(*words):
        result = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
        assert result.exit_code == 0, result.stderr
        return result.stdout

    return call


def test_searches_take_it_by_name(data):
    found = ds.exact(data, score=WORDS)
    assert found.score == pytest.approx(ds.exact(data, score=SAME).score)
    assert found.score_kind == Halved(3.0, 0.25)
    assert found.score_name == WORDS


def test_result_files_keep_it(data, tmp_path):
    for search in (ds.exact, ds.order_search, ds.hill_climb, ds.ges, ds.sll_c, ds.sll_g):
        found = search(data, score=Halved(3.0, 0.25))
        found.save(tmp_path / "r.json")
        assert ds.load_result(tmp_path / "r.json") == found
        kept = json.loads((tmp_path / "r.json").read_text())["score_kind"]
        assert kept == {"name": "halved", "ess": 3.0, "share": 0.25}


def test_files_of_parent_sets_keep_it(data, tmp_path):
    ds.candidate_parents(data, score=WORDS, max_parents=2).write(tmp_path / "p.pss")
    parents = ds.read_parents(tmp_path / "p.pss")
    assert parents.score_kind == Halved(3.0, 0.25)
    assert ds.exact(parents).score_kind == Halved(3.0, 0.25)


def test_stores_keep_it(data, tmp_path):
    for make in (ds.local_optima, ds.bootstrap):
        store = tmp_path / f"{make.__name__}.sqlite"
        first = make(data, score=WORDS, runs=5, store=store)
        assert first.score_kind == Halved(3.0, 0.25)
        assert make(data, score=WORDS, runs=5, store=store).runs == 5
        with pytest.raises(ds.ParameterError, match="holds runs with score"):
            make(data, score="halved(ess=3)", runs=5, store=store)
    assert ds.load_result(tmp_path / "local_optima.sqlite").score_kind == Halved(3.0, 0.25)


def test_the_page_computes_with_it(data):
    found = ds.exact(data, score=WORDS)
    shown = content(found, data=data, landscape=ds.local_optima(data, score=WORDS, runs=5))
    changes = [pair[6] for pair in shown["pairs"]]
    same = ds.exact(data, score=SAME)
    expected = content(same, data=data, landscape=ds.local_optima(data, score=SAME, runs=5))
    assert changes == pytest.approx([pair[6] for pair in expected["pairs"]])
    assert None not in changes
    assert shown["models"]["score_name"] == shown["result"]["score_name"] == WORDS
    assert shown["result"]["odds"] is False  # it does not say so of itself
    assert expected["result"]["odds"] is True


def test_commands_take_it(run):
    arcs = "asia"
    total = float(run("score", "t.csv", arcs, "--score", WORDS))
    assert total == pytest.approx(float(run("score", "t.csv", arcs, "--score", "bdeu(ess=0.75)")))
    assert total == float(run("score", "t.csv", arcs, "--score", "toy(share=0.25)", "--ess", 3))
    said = json.loads(run("exact", "t.csv", "--score", WORDS, "--json"))
    assert (said["score_name"], said["score_kind"]["share"]) == (WORDS, 0.25)


@pytest.mark.slow
def test_learning_goes_on_with_it(run):
    words = ("learn", "t.csv", "--score", WORDS, "--out", "found", "--runs")
    run(*words, 3)
    run(*words, 6)
    run("features", "found/runs.sqlite")
    run("report", "found/result.json", "--landscape", "found/runs.sqlite", "--data", "t.csv")


def test_a_result_with_a_score_that_is_not_there_is_still_read(data, tmp_path, monkeypatch):
    ds.exact(data, score=WORDS).save(tmp_path / "r.json")
    kinds = {name: kind for name, kind in ds.SCORES.items() if kind is not Halved}
    monkeypatch.setattr(ds.SCORES, "_kinds", kinds)
    found = ds.load_result(tmp_path / "r.json")
    assert (found.score_kind, found.score_name) == (None, WORDS)
    assert all(pair[6] is None for pair in content(found, data=data)["pairs"])


class TestFiles:
    def test_damaged_ones_are_refused(self, data, tmp_path):
        kept = ds.ges(data).to_dict()
        for damaged in ("bic", 3, {"name": "bdeu", "ess": -1}, {"name": "bic", "ess": 1}, [], {}):
            (tmp_path / "r.json").write_text(json.dumps(kept | {"score_kind": damaged}))
            with pytest.raises(ds.FileFormatError):
                ds.load_result(tmp_path / "r.json")
