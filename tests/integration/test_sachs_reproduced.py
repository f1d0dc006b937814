"""What the page says of Sachs' proteins is what the script finds; where the data set is at hand."""

import importlib
from pathlib import Path

import pytest

from data_sets import data_set

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("part", ["optima", "measured"])
def test_the_optima_of_the_page(part, monkeypatch):
    folder = data_set("interventions")
    monkeypatch.syspath_prepend(str(ROOT / "reproduce"))
    script = importlib.import_module("sachs")
    page = (ROOT / "docs" / "reproduce" / "sachs.md").read_text("utf-8")
    rows = [line for line in script.PARTS[part](folder) if "proven" in line]
    assert len(rows) == (8 if part == "optima" else 6)
    for row in rows:
        assert row in page, row


def test_the_optima_are_those_of_two_other_programs(monkeypatch):
    """Two dynamic programs that were written apart from this package found these scores."""
    folder = data_set("interventions")
    monkeypatch.syspath_prepend(str(ROOT / "reproduce"))
    script = importlib.import_module("sachs")
    found = "".join(script.optima(folder))
    for score in ("-31,696.938", "-36,433.842", "-31,341.884", "-36,084.614", "-34,507.979"):
        assert score in found
    assert "| used | BDeu, ess 1 | -31,696.9380 | proven | 16, 2, 0, 2, 8 |" in found
