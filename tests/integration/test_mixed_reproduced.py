"""reproduce/mixed.py in small: every way gives a network, and what is done is not done again."""

import importlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest

import dagscape as ds

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def script():
    return importlib.import_module("mixed")


@pytest.mark.parametrize("kind", ["gaussian", "nonlinear", "mixed"])
def test_every_way_finds_some_of_the_edges(script, kind):
    for way in script.ways_for(kind):
        found = script.answer({"kind": kind, "rows": 300, "seed": 0, "way": way})
        assert 0 < found["right"] <= found["edges"]
        assert found["right"] <= found["found"]
        assert found["shd"] >= found["edges"] - found["right"]


def test_cut_tables_have_states_alone(script):
    data = ds.random_network(6, kind="mixed", seed=0).sample(90, seed=0)
    made = script.cut(data)
    assert data.numbers
    assert not made.numbers
    assert all(made.arities[name] == script.CUTS for name in data.numbers)
    assert all(made.states[name] == data.states[name] for name in made.names if data.states[name])


def test_a_run_goes_on_from_its_store(script, tmp_path, monkeypatch, capsys):
    store, markdown, figure = (tmp_path / name for name in ("a.jsonl", "a.md", "a.svg"))
    monkeypatch.setattr(script, "QUICK_ROWS", (60,))
    words = ["mixed.py", "--quick", "--seeds", "1", "--store", str(store)]
    monkeypatch.setattr(sys, "argv", [*words, "--markdown", str(markdown), "--figure", str(figure)])
    script.main()
    lines = store.read_text("utf-8").splitlines()
    assert len(lines) == sum(len(script.ways_for(kind)) for kind in script.KINDS)
    assert json.loads(lines[0])["found"]["edges"] > 0
    assert "cut, bic" in markdown.read_text("utf-8")
    assert figure.read_text("utf-8").startswith("<?xml")
    told = capsys.readouterr().out
    monkeypatch.setattr(script, "answer", lambda asked: pytest.fail(f"{asked} is done again"))
    script.main()
    assert capsys.readouterr().out == told
    assert store.read_text("utf-8").splitlines() == lines


@pytest.fixture(scope="module")
def default():
    return importlib.import_module("mixed_default")


def test_scores_side_by_side(default, tmp_path, monkeypatch):
    monkeypatch.setattr(default, "ROWS", (60,))
    monkeypatch.setattr(default, "SIZES", ((4, 1.0),))
    markdown = tmp_path / "a.md"
    monkeypatch.setattr(sys, "argv", ["a.py", "--seeds", "2", "--markdown", str(markdown)])
    default.main()
    lines = [line for line in markdown.read_text("utf-8").splitlines() if "degree" in line]
    assert len(lines) == len(default.SCORES) * (len(default.KINDS) + 1)
    data = default.half_cut(ds.random_network(6, kind="gaussian", seed=0).sample(300, seed=0))
    assert sorted(data.kinds.values()) == ["continuous"] * 3 + ["discrete"] * 3
    assert set(data.arities.values()) - {0} == {3}


def test_chance_gives_the_default_no_odds(default, monkeypatch):
    """The bound that the page tells of, on fewer tables."""
    monkeypatch.setattr(default, "FEW_ROWS", (4, 8, 40))
    monkeypatch.setattr(default, "TABLES", 6)
    odds = {(kind, score): row for kind, score, *row in default.chance().rows}
    own = [row for (_, score), row in odds.items() if score == str(ds.RankBGe())]
    assert len(own) == 1 + len(default.STATES)
    assert all(float(cell) < 1.1 for row in own for cell in row)
    others = [row for (_, score), row in odds.items() if score == str(ds.BasisBIC(degree=2))]
    assert all(float(row[0]) > 100 for row in others)


def test_the_page_has_the_default_that_was_measured():
    """The score on the page is the one in the package."""
    page = (ROOT / "docs" / "reproduce" / "mixed.md").read_text("utf-8")
    data = ds.Data({"a": ["x", "y"] * 10, "b": np.random.default_rng(0).normal(size=20)})
    chosen = ds.default_score(data).base
    odds = [line.split("|")[3:-1] for line in page.splitlines() if f"| {chosen} |" in line]
    assert odds
    assert all(float(cell) <= 1 for row in odds for cell in row)
    assert f"So the default is **degree {chosen.degree}**" in page
