"""README's first screen: its picture is drawn again, its figures are those of the comparison."""

from __future__ import annotations

import re
from pathlib import Path

import first_picture
import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_picture_is_what_is_drawn_today(tmp_path):
    first_picture.draw(tmp_path / "asia.svg")
    kept = ROOT / first_picture.PICTURE
    assert f"]({first_picture.PICTURE.as_posix()})" in README
    assert (tmp_path / "asia.svg").read_text("utf-8") == kept.read_text("utf-8"), (
        f"python tools/first_picture.py {first_picture.PICTURE}"
    )


@pytest.mark.parametrize(
    ("tool", "method"),
    [
        ("dagscape", "`ds.learn`, all by default"),
        ("pyAgrum", "hill climbing, BIC"),
        ("pgmpy", "hill climbing, BIC"),
        ("PyBNesian", "hill climbing, BIC"),
    ],
)
def test_the_line_to_remember_is_that_of_the_comparison(tool, method):
    page = (ROOT / "docs" / "compare.md").read_text("utf-8")
    rows = page[page.index("| alarm-500 |") :]
    found = re.search(rf"\| {tool} \| {re.escape(method)} \| \d \| ([\d.]+) ±", rows)
    line = README[README.index("**One line to remember**") :].split("\n\n")[0]
    assert found is not None
    assert re.search(rf"(^|\D){re.escape(found[1])}(\D|$)", line), (tool, found[1])


def test_what_is_to_be_cited_is_this_version():
    cited = (ROOT / "CITATION.cff").read_text("utf-8")
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    version = re.search(r'^version = "(.*)"$', project, re.MULTILINE)
    assert version is not None
    assert f"\nversion: {version[1]}\n" in cited
