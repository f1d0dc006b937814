"""The data of the page: by name, under a version; and what the page says it is of."""

from __future__ import annotations

import json
import re

import pytest

import dagscape as ds
from dagscape.report.content import FORMAT, PAIR, VERSION, by_columns, origin_of


def rows_of(table):
    """Return rows by the format's own rule: what is the same stands once."""
    columns = table["columns"]
    return [
        table["same"] | {name: column[i] for name, column in columns.items()}
        for i in range(table["rows"])
    ]


def data_of(path):
    text = path.read_text("utf-8")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    return json.loads(found[1])


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [{"a": 1, "b": None}],
        [{"a": 1, "b": None, "c": True}, {"a": 2, "b": None, "c": 1}],
        [{"a": [1], "b": 0.5}, {"a": [1], "b": 0.25}],
    ],
)
def test_columns_hold_what_rows_held(rows):
    assert rows_of(by_columns(rows)) == rows
    told = rows_of(by_columns(rows))
    assert [{k: type(v) for k, v in row.items()} for row in told] == [
        {k: type(v) for k, v in row.items()} for row in rows
    ]


def test_a_page_holds_its_data_by_name(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    data = ds.load_network("asia").sample(200, seed=1)
    found = ds.hill_climb(data, restarts=0)
    found.report(tmp_path / "page.html", data=data, origin={"file": "asia.csv"})
    shown = data_of(tmp_path / "page.html")
    assert (shown["format"], shown["format_version"]) == (FORMAT, VERSION)
    assert shown["origin"] == {"file": "asia.csv", "date": "1970-01-02"}
    names = shown["names"]
    pairs = rows_of(shown["pairs"])
    assert all(sorted(pair) == sorted(PAIR) for pair in pairs)
    ends = [
        (names[p["a"]], names[p["b"]])[:: 1 if p["arc"] == 1 else -1] for p in pairs if p["arc"]
    ]
    assert sorted(ends) == sorted(found.dag.arcs)


def test_an_origin_of_other_names_is_refused():
    with pytest.raises(ds.ParameterError, match='unknown origin "path"; choose file, command'):
        origin_of({"path": "/home"})
