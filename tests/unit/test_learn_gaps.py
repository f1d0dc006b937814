"""Learning where cells are missing: structural EM, probabilities by drawn cells, and going on."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import dagscape as ds


def holed(whole: ds.Data, share: float) -> ds.Data:
    """Return the table with a share of its cells removed at random."""
    gaps = np.random.default_rng(11).random(whole.codes.shape) < share
    frame = {
        x: [
            None if gap else whole.states[x][code]
            for code, gap in zip(whole.codes[:, i], gaps[:, i], strict=True)
        ]
        for i, x in enumerate(whole.names)
    }
    return ds.Data(frame, missing="keep", states=dict(whole.states))


WHOLE = ds.load_network("asia").sample(500, seed=2)
DATA = holed(WHOLE, 0.15)


@pytest.fixture(autouse=True)
def short_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dagscape.learning.incomplete.ROUNDS", 10)


@pytest.mark.slow
def test_finds_a_network_and_its_probabilities(tmp_path: Path) -> None:
    r = ds.learn(DATA, method="hill_climb")
    assert r.method.startswith("structural EM (")
    assert {step.name: step.skipped for step in r.steps} == {
        "structural EM": False,
        "probabilities": False,
        "other choices": False,
        "stability": True,
        "local optima": True,
    }
    assert str(DATA.missing.cells) in str(r.steps[0].reason).replace(",", "")
    assert "8 chains through 8 tables each, in which missing cells were drawn" in str(r.steps[1])
    assert r.landscape is None
    assert r.network is not None
    assert r.network.dag == r.dag
    assert r.posterior is not None
    assert "score fitted_dirichlet" in r.posterior.claim
    assert r.posterior.max_parents == 3
    rows = {frozenset((row["from"], row["to"])): row for row in r.features().to_dicts()}
    assert rows[frozenset(("bronc", "dysp"))]["verdict"] == "near certain"
    assert r.consensus is not None
    r.report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "missing cells were kept" in page
    assert "cells are taken to be missing at random" in page
    with pytest.raises(ds.DataError, match=r"are drawn for each network of its .*effect\(r\.poste"):
        ds.effect(r, "bronc", "dysp")
    again = pickle.loads(pickle.dumps(r))
    assert again.network == r.network
    assert again.features().equals(r.features())


@pytest.mark.slow
def test_weighs_by_the_score_that_was_named() -> None:
    r = ds.learn(DATA, method="hill_climb", score="qnml")
    assert r.posterior is not None
    assert r.posterior.score_name == "qnml"
    none = ds.learn(DATA, method="hill_climb", score="aic")
    assert none.posterior is None
    assert "aic gives networks no probability" in str(none.steps[1])
    left_out = ds.learn(DATA, method="hill_climb", resamples=0)
    climbed = ds.structural_em(DATA, search="hill_climb")
    assert (left_out.posterior, left_out.score) == (None, climbed.score)


@pytest.mark.slow
def test_takes_frames_and_files_with_gaps(tmp_path: Path) -> None:
    DATA.write(tmp_path / "t.csv")
    by_file = ds.learn(tmp_path / "t.csv", method="hill_climb", resamples=0)
    by_frame = ds.structural_em(DATA.to_polars(), search="hill_climb")
    assert by_file.score == pytest.approx(by_frame.score)


def test_costs_can_be_asked_for() -> None:
    assert ds.estimate(DATA).fits


def test_refuses_what_it_cannot_do() -> None:
    with pytest.raises(ds.ParameterError, match="found is for tables without missing cells"):
        ds.learn(DATA, found=ds.hill_climb(WHOLE))
    with pytest.raises(ds.ParameterError, match="cluster is for tables without missing cells"):
        ds.learn(DATA, cluster="local:1")


@pytest.mark.slow
def test_goes_on_where_it_was_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "search.json"

    def interrupt(_: float | None, text: str) -> None:
        if text.startswith("probabilities"):
            raise KeyboardInterrupt

    asked = {"method": "hill_climb", "checkpoint": file}
    first = ds.learn(DATA, progress=interrupt, **asked)
    assert first.stopped == "interrupt"
    whole = ds.learn(DATA, method="hill_climb")
    assert first.dag == whole.dag

    def again(*_: object, **__: object) -> None:
        raise AssertionError("structural EM was done before")

    monkeypatch.setattr("dagscape.learning.incomplete.structural_em", again)
    second = ds.learn(DATA, **asked)
    third = ds.learn(DATA, **asked)
    for r in (second, third):
        assert (r.dag, r.score, r.network) == (whole.dag, whole.score, whole.network)
        assert r.stopped is None
        assert r.features().equals(whole.features())
        assert [step.name for step in r.steps] == [step.name for step in whole.steps]
        assert r.work["starts"] == whole.work["starts"]
    with pytest.raises(ds.ParameterError, match="is of another search"):
        ds.learn(DATA, method="hill_climb", checkpoint=file, max_parents=1)


@pytest.mark.slow
def test_searches_again_where_the_search_was_interrupted(tmp_path: Path) -> None:
    file = tmp_path / "search.json"

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    first = ds.learn(DATA, method="hill_climb", checkpoint=file, progress=interrupt)
    assert first.stopped == "interrupt"
    second = ds.learn(DATA, method="hill_climb", checkpoint=file)
    assert second.stopped is None
    assert second.score == ds.structural_em(DATA, search="hill_climb").score
