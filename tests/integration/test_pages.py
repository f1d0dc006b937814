"""What README and the documentation show must be so: their code is run, and its output compared."""

from __future__ import annotations

import ast
import doctest
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

import pytest
import run_pages as tool

import dagscape as ds
from documented import documented, thing

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "CONTRIBUTING.md", "benchmarks/README.md"]
PAGES += sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md"))
BLOCKS = [(page, block) for page in PAGES for block in tool.blocks_of(ROOT / page)]
RUN = sorted({page for page, block in BLOCKS if block.language in tool.RUN and not block.skipped})
LARGE = sorted({page for page, block in BLOCKS if block.mark == "fewer"})
SKIPPED = {f"{page}:{block.line}": block for page, block in BLOCKS if block.skipped}


@pytest.mark.parametrize("page", RUN)
def test_what_a_page_shows_is_so(page, tmp_path):
    ran = tool.run_page(ROOT / page, tmp_path, fewer=True)
    assert not ran.wrong, "\n".join(said for _, _, said in ran.wrong)


@pytest.mark.long
@pytest.mark.parametrize("page", LARGE)
def test_with_its_own_numbers(page, tmp_path):
    tool.run_page(ROOT / page, tmp_path)


@pytest.mark.parametrize("picture", sorted((ROOT / "docs").rglob("*.svg")), ids=lambda p: p.name)
def test_a_picture_is_whole(picture):
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")


@pytest.mark.parametrize("where", SKIPPED)
def test_code_that_is_not_run_here(where):
    block = SKIPPED[where]
    if block.language == "python":
        ast.parse(block.code)
    pytest.skip(f"{where}: {block.skipped}")


def test_readme_begins_with_two_commands():
    first = next(block for page, block in BLOCKS if page == "README.md")
    assert [line.split("#")[0].strip() for line in first.code.splitlines()] == [
        "make demo",
        "make test",
    ]


def test_the_reference_has_every_public_name_once():
    named = documented()
    assert Counter(name for name in named if "." not in name) == Counter(ds.__all__)
    assert len({*named}) == len(named)


@pytest.mark.parametrize("name", documented())
def test_examples_in_docstrings(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in doctest.DocTestFinder().find(thing(name), name):
        assert runner.run(test).failed == 0
