"""No file that is written holds a formula, and every name comes back from our own."""

import csv
import io
import itertools
import random

import polars as pl
import pytest

import dagscape as ds
from dagscape.files.spreadsheets import guarded, guarded_frame, unguarded

FORMULAS = [
    "=1+1",
    "+A1",
    "-x",
    "@all",
    "\tx",
    "\rx",
    "=cmd|' /C calc'!A0",
    "-1-2",
    "+49 30 1",
    "--1",
    "＝1+1",
    '=a,b;"c"',
]
HARMLESS = ["-1", "+1", "-1.5e-3", "+.5", "-", "+", "=", "@", "a=b", "'", "'a", "''", "'-1", ""]
LOOKING_GUARDED = ["'=1+1", "''=1+1", "'@all", "'\tx"]


def is_formula_in_a_spreadsheet(cell: str) -> bool:
    """Say so from the definition: it begins like one, and is neither a number nor a lone sign."""
    if not cell.startswith(("=", "+", "-", "@", "\t", "\r")) or len(cell) == 1:
        return False
    try:
        float(cell)
    except ValueError:
        return True
    return cell[0] not in "+-" or not cell.isascii()


class TestCells:
    @pytest.mark.parametrize("cell", FORMULAS)
    def test_a_formula_gets_an_apostrophe(self, cell):
        assert guarded(cell) == f"'{cell}"

    @pytest.mark.parametrize("cell", HARMLESS)
    def test_what_is_no_formula_stays_as_it_is(self, cell):
        assert guarded(cell) == cell

    def test_every_set_of_cells_comes_back(self):
        rng = random.Random(3)
        short = map("".join, itertools.product("'=-@1a\t", repeat=3))
        cells = [*FORMULAS, *HARMLESS, *LOOKING_GUARDED, *short]
        for _ in range(500):
            some = rng.sample(cells, rng.randint(1, 20))
            written = [guarded(cell) for cell in some]
            assert not any(map(is_formula_in_a_spreadsheet, written))
            back = unguarded(dict.fromkeys(written))
            assert [back[cell] for cell in written] == some

    def test_a_column_that_others_wrote_stays_as_it_is(self):
        cells = ["=1+1", "'=1+1", "x"]
        assert unguarded(cells) == {cell: cell for cell in cells}

    def test_a_frame(self):
        frame = pl.DataFrame({"=a": ["=1", None, "b"], "-n": [-1, 2, 3]})
        assert guarded_frame(frame).to_dict(as_series=False) == {
            "'=a": ["'=1", None, "b"],
            "'-n": [-1, 2, 3],
        }


NAMES = [*FORMULAS, *LOOKING_GUARDED, "a"]
NAMES_OF_COLUMNS = [name for name in NAMES if name.strip()]


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz", ".parquet"])
def test_a_table_comes_back(tmp_path, ending):
    rng = random.Random(1)
    values = [name for name in NAMES if not name[1:].isdigit()]
    columns = {name: [*values, *values, *rng.choices(values, k=40)] for name in NAMES_OF_COLUMNS}
    data = ds.Data(columns)
    path = tmp_path / f"table{ending}"
    data.write(path)
    back = ds.read_data(path, states=data.states if ending != ".parquet" else None)
    assert back == data
    assert ds.read_data(path, columns=["=1+1"]).names == ("=1+1",)


@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_table_holds_no_formula(tmp_path, separator):
    path = tmp_path / ("table.csv" if separator == "," else "table.tsv")
    ds.Data(dict.fromkeys(NAMES_OF_COLUMNS, NAMES * 3)).write(path)
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.reader(file, delimiter=separator):
            assert not any(map(is_formula_in_a_spreadsheet, row))


def test_negative_numbers_are_written_as_they_are(tmp_path):
    path = tmp_path / "table.csv"
    ds.Data({"a": [-1, 0, -1, 0], "b": ["+", "-", "+", "-"]}).write(path)
    assert path.read_text() == "a,b\n-1,+\n0,-\n-1,+\n0,-\n"


def test_a_missing_value_may_look_like_a_formula(tmp_path):
    path = tmp_path / "table.csv"
    for cell in ("--none", "'--none"):
        path.write_text(f"a,b\nx,y\n{cell},z\nx,z\nx,y\n")
        data = ds.read_data(path, missing_values=["--none"], missing="state")
        assert data.states["a"] == ("x", "missing")


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_a_list_of_arcs_comes_back(tmp_path, ending):
    path = tmp_path / f"arcs{ending}"
    for graph in (
        ds.Dag(NAMES, list(itertools.pairwise(NAMES[:-2]))),
        ds.Dag(NAMES, list(itertools.pairwise(NAMES[:-2]))).to_cpdag(),
    ):
        ds.write_graph(graph, path)
        assert ds.read_graph(path) == graph
        rows = csv.reader(
            io.StringIO(path.read_bytes().decode(), newline=""),
            delimiter="," if ending == ".csv" else "\t",
        )
        assert not any(is_formula_in_a_spreadsheet(cell) for row in rows for cell in row)


def test_arcs_that_others_wrote_stay_as_they_are(tmp_path):
    path = tmp_path / "arcs.csv"
    path.write_text("from,to\n=a,'=a\n")
    assert ds.read_graph(path).names == ("=a", "'=a")


def test_a_number_with_its_interval_is_no_formula():
    for cell in ("-1.5 (-2.25 to -0.75)", "-1.5", "-1e+06 (-2e+06 to 3)", "-0.25 (-1 to .5)"):
        assert guarded(cell) == cell
    for cell in ("-1.5 (A1 to B2)", "-1.5 (1 to 2)+cmd", "-1 (2)", "-(1 to 2)"):
        assert guarded(cell) == "'" + cell
