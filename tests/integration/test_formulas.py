"""Commands write no formulas: what they send to stdout or a file, a spreadsheet may open."""

import csv
import io

import pytest

import dagscape as ds

NAMES = ["=1+1", "-x", "@all", "+y"]


@pytest.fixture
def table(tmp_path):
    """A table whose columns depend on each other, so that there are arcs between odd names."""
    rows = ds.load_network("asia").sample(400, seed=1)
    columns = (
        rows.to_polars()
        .select("smoke", "lung", "either", "bronc")
        .rename(dict(zip(("smoke", "lung", "either", "bronc"), NAMES, strict=True)))
    )
    path = tmp_path / "table.parquet"
    ds.Data(columns).write(path)
    return path


@pytest.mark.parametrize(
    "words",
    [
        ["exact", "TABLE"],
        ["features", "TABLE", "--runs", "5"],
        ["blanket", "TABLE", "--target", "=1+1"],
        ["score", "TABLE", "arcs.tsv", "--by-variable"],
    ],
    ids=lambda words: words[0],
)
def test_what_goes_to_stdout(run, tmp_path, table, words):
    ds.write_graph(ds.Dag(NAMES, [("=1+1", "-x")]), tmp_path / "arcs.tsv")
    result = run(*(str(table) if word == "TABLE" else word for word in words))
    assert result.exit_code == 0
    cells = [cell for row in csv.reader(io.StringIO(result.stdout), delimiter="\t") for cell in row]
    assert any(cell.startswith(("'=", "'-", "'@", "'+")) for cell in cells)
    assert not any(cell.startswith(tuple(NAMES)) for cell in cells)


def test_arcs_on_stdout_are_read_back(run, tmp_path, table):
    (tmp_path / "arcs.tsv").write_text(run("exact", table).stdout)
    assert ds.read_graph(tmp_path / "arcs.tsv").arcs == ds.exact(ds.read_data(table)).dag.arcs


@pytest.mark.parametrize("name", ["edges.csv", "agreement.csv"])
def test_tables_of_learning(run, tmp_path, table, name):
    words = ("--runs", "5", "--resamples", "3", "--quiet")
    assert run("learn", table, "--out", "out", *words).exit_code == 0
    with (tmp_path / "out" / name).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["from"] for row in rows if row["from"]} <= {f"'{name}" for name in NAMES}
    assert any(row["from"] for row in rows)
