"""Files of Excel, SPSS, Stata and SAS, by extras; without these a sentence names them."""

from __future__ import annotations

import sys
import zipfile

import pandas as pd
import pytest

import dagscape as ds

FRAME = pd.DataFrame(
    {
        "sex": pd.Categorical(["m", "f"] * 10),
        "bp": [110.5 + i for i in range(19)] + [None],
        "at": pd.date_range("2024-01-01", periods=20),
    }
)
CELLS = [["id", "sex", "bp"], *([f"p{i}", "mf"[i % 2], 110.5 + i] for i in range(20))]
HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def write_sheet(path):
    """Write the least that a spreadsheet has."""
    rows = []
    for cells in CELLS:
        shown = "".join(
            f"<c><v>{cell}</v></c>"
            if isinstance(cell, float)
            else f'<c t="inlineStr"><is><t>{cell}</t></is></c>'
            for cell in cells
        )
        rows.append(f"<row>{shown}</row>")
    sheet = f'{HEAD}<worksheet xmlns="{MAIN}"><sheetData>{"".join(rows)}</sheetData></worksheet>'
    book = (
        f'{HEAD}<workbook xmlns="{MAIN}" xmlns:r="{KINDS}"><sheets>'
        '<sheet name="one" sheetId="1" r:id="r1"/></sheets></workbook>'
    )
    links = (
        f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
        'Type="{}" Target="{}"/></Relationships>'
    )
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("_rels/.rels", links.format(f"{KINDS}/officeDocument", "xl/workbook.xml"))
        file.writestr("xl/workbook.xml", book)
        worksheet = links.format(f"{KINDS}/worksheet", "worksheets/sheet1.xml")
        file.writestr("xl/_rels/workbook.xml.rels", worksheet)
        file.writestr("xl/worksheets/sheet1.xml", sheet)


def test_stata(tmp_path):
    FRAME.to_stata(tmp_path / "t.dta", write_index=False)
    data = ds.read_data(tmp_path / "t.dta", missing="keep", leave_out=["at"])
    assert data.states["sex"] == ("f", "m")
    assert list(data.numbers["bp"][:2]) == [110.5, 111.5]
    assert data.missing.cells == 1
    dated = ds.read_data(tmp_path / "t.dta", missing="keep", dates={"at": "weekday"})
    assert dated.arities["at.weekday"] == 7


def test_excel(tmp_path):
    pytest.importorskip("fastexcel")
    write_sheet(tmp_path / "t.xlsx")
    with pytest.warns(ds.DataWarning, match='left out: "id"'):
        data = ds.read_data(tmp_path / "t.xlsx", strict=False)
    assert data.names == ("sex", "bp")
    assert data.kinds["bp"] == "continuous"
    (tmp_path / "u.xlsx").write_bytes(b"PK\x03\x04")
    with pytest.raises(ds.DataError, match=r'"u.xlsx" cannot be read \('):
        ds.read_data(tmp_path / "u.xlsx")


def test_spss(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = pd.DataFrame({"sex": [1.0, 2.0] * 10, "bp": FRAME["bp"]})
    labels = {"sex": {1.0: "m", 2.0: "f"}}
    pyreadstat.write_sav(frame, tmp_path / "t.sav", variable_value_labels=labels)
    data = ds.read_data(tmp_path / "t.sav", missing="keep")
    assert set(data.states["sex"]) == {"m", "f"}
    assert data.missing.cells == 1


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [
        ("t.xlsx", "fastexcel", "excel"),
        ("t.SAV", "pyreadstat", "spss"),
        ("t.dta", "pandas", "stata"),
        ("t.sas7bdat", "pandas", "sas"),
    ],
)
def test_without_the_package_a_sentence_names_the_extra(
    tmp_path, monkeypatch, name, package, extra
):
    monkeypatch.setitem(sys.modules, package, None)
    (tmp_path / name).write_bytes(b"x")
    with pytest.raises(ds.DataError, match=rf'pip install "dagscape\[{extra}\]"'):
        ds.read_data(tmp_path / name)
