"""Make a notebook of a page: its text and its Python blocks, in order.

python tools/make_notebook.py docs/tutorial/gallery.md    # writes gallery.ipynb beside it
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

BLOCK = re.compile(r"^```python\n(.*?)^```\n", re.M | re.S)
OUTPUT = re.compile(r"^<!-- output -->\n```text\n.*?^```\n", re.M | re.S)
LINK = re.compile(r"^\{download\}.*\n", re.M)


def notebook(page: str) -> str:
    """Return the notebook of a page as a file; what blocks print is for who runs it to see."""
    text = LINK.sub("", OUTPUT.sub("", page))
    parts = BLOCK.split(text)  # text and code in turn
    cells = [_cell("code" if i % 2 else "markdown", part) for i, part in enumerate(parts)]
    content = {
        "cells": [cell for cell in cells if cell["source"]],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 4,
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _cell(kind: str, text: str) -> dict[str, object]:
    tight = re.sub(r"\n{3,}", "\n\n", text.strip("\n"))
    cell: dict[str, object] = {"cell_type": kind, "metadata": {}}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return cell | {"source": tight.splitlines(keepends=True)}


def main() -> None:
    """Write the notebook of each page that is named."""
    for name in sys.argv[1:]:
        page = Path(name)
        page.with_suffix(".ipynb").write_text(notebook(page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
