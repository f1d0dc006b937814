"""Every notebook runs from beginning to end, and shows drawings and pages: `make long`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import dagscape as ds

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs").rglob("*.ipynb"))

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    paths = [str(Path(ds.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    book = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(book, timeout=None, resources=resources).execute()  # raises its errors
    shown = [
        output["data"]
        for cell in book.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "execute_result"
    ]
    html = "".join(data.get("text/html", "") for data in shown)
    assert all("text/plain" in data for data in shown)
    assert path.stem == "gallery" or "<svg" in html
    if "r.show(" in json.dumps(book):
        assert "<iframe" in html


def test_there_is_one_for_each_kind_of_user():
    readme = (NOTEBOOKS[0].parents[2] / "README.md").read_text("utf-8")
    for kind in ("survey", "frame", "methods"):
        assert f"docs/tutorial/{kind}.md" in readme
