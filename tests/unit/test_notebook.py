"""Notebooks are made of pages, whose code and output are tested."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from make_notebook import BLOCK, notebook

PAGES = [
    page.with_suffix(".md") for page in Path(__file__).parents[2].joinpath("docs").rglob("*.ipynb")
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_notebook_has_the_code_of_its_page(page):
    text = page.read_text("utf-8")
    kept = page.with_suffix(".ipynb").read_text("utf-8")
    assert kept == notebook(text), f"python tools/make_notebook.py {page}"
    cells = json.loads(kept)["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert code == [block.strip("\n") for block in BLOCK.findall(text)]
    for source in code:
        compile(source, page.name, "exec")
    words = "".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    assert "<!-- output -->" not in words


def test_there_is_one():
    assert PAGES
