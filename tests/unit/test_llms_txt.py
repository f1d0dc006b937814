"""What agents read first names pages that are there."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_its_pages_are_there():
    text = (DOCS / "llms.txt").read_text("utf-8")
    assert text.startswith("# dagscape\n\n> ")
    pages = re.findall(r"\]\(([^)]+)\)", text)
    assert len(pages) > 10
    assert [page for page in pages if not (DOCS / page).is_file()] == []
