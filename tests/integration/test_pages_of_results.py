"""Pages on the papers: every row of every table is one of the kept results."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    "astar-table-4-1.md",
    "features.md",
    "kes-table-1.md",
    "orders-tables.md",
    "sll-figures.md",
    "../explain/spouses.md",
)
"""Those on the five papers, and on what one of them says that does not hold."""

MIXED = ("../explain/trust.md", "accuracy.md", "../howto/effects.md")
"""These have tables of older measurements, too."""


@pytest.fixture
def pages(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "reproduce"))
    return importlib.import_module("pages")


def read(page):
    return (ROOT / "docs" / "reproduce" / page).read_text("utf-8")


@pytest.mark.parametrize("page", [*PAGES, *MIXED])
def test_a_page_is_what_the_results_make(pages, page):
    assert pages.rendered(read(page)) == read(page), "python reproduce/pages.py"


@pytest.mark.parametrize("page", PAGES)
def test_no_table_is_typed(pages, page):
    apart = pages.BLOCK.sub("", read(page))
    assert not [line for line in apart.splitlines() if line.startswith("|")]
    assert pages.BLOCK.search(read(page))


def test_every_result_has_a_command_and_a_place(pages):
    kept = {path.stem for path in pages.FOLDER.glob("*.json")}
    assert kept == set(pages.COMMANDS)
    texts = [page.read_text("utf-8") for page in pages.pages()]
    shown = {found[2] for text in texts for found in pages.BLOCK.finditer(text)}
    assert shown == kept
    for command in pages.COMMANDS.values():
        assert (ROOT / "reproduce" / f"{command.words.split()[0]}.py").is_file()


def test_a_table_says_who_made_it(pages, monkeypatch):
    """Whoever changes the version, or the engine, sees which results are older."""
    text = pages.rendered("<!-- results: kes-margins 1 -->\n<!-- end -->\n")
    stamp = pages.kept("kes-margins")["stamp"]
    assert f"dagscape {stamp['version']}, {stamp['date']}" in text
    assert "stale" not in pages.told("kes-margins")
    monkeypatch.setattr("dagscape.__version__", "9.9")
    assert "stale" in pages.told("kes-margins")
    monkeypatch.undo()
    monkeypatch.setattr(pages, "engine", lambda: "another")
    assert "not by this engine" in pages.told("kes-margins")


def test_what_a_script_keeps_is_what_it_shows(pages, monkeypatch, tmp_path):
    kept, shown = tmp_path / "kept.json", tmp_path / "shown.md"
    script = importlib.import_module("trap_margins")
    words = ["--steps", "2", "--seeds", "1", "--runs", "3"]
    given = ["--keep", str(kept), "--markdown", str(shown)]
    monkeypatch.setattr("sys.argv", ["trap_margins", *words, *given])
    assert script.main() == 0
    monkeypatch.setattr(importlib.import_module("_results"), "FOLDER", tmp_path)
    tables = [pages.table("kept", number).markdown() for number in (1, 2)]
    assert "\n\n".join(tables) == shown.read_text("utf-8").strip()
    assert len(re.findall(r"^\[", kept.read_text("utf-8"), re.MULTILINE)) > 4  # a line for each row


def test_figures_are_drawn_from_what_is_kept(pages, monkeypatch, tmp_path):
    """Those of the page, and no others."""
    for name, command in pages.COMMANDS.items():
        if command.figures and "drawn" in pages.kept(name):
            assert callable(importlib.import_module(command.words.split()[0]).drawn)
    pytest.importorskip("matplotlib")
    (tmp_path / "figure1.svg").write_text("old", "utf-8")
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    lines = [{"k": k, "scores": [-3.0, -2.0]} for k in (0.4, 0.8, 1.0)]
    monkeypatch.setattr(pages, "kept", lambda _: {"drawn": {"set": "all", "lines": lines}})
    pages.draw("kes-figure1", "kes_figure1", tmp_path)
    assert "<svg" in (tmp_path / "figure1.svg").read_text("utf-8")
