"""Reading files: what is accepted, and the sentence for what is not."""

from __future__ import annotations

import functools
import gzip
import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagscape as ds
from dagscape.data import Data, read_data, read_rows, text_tables
from dagscape.data.cells import Spelling
from dagscape.data.columns import Levels
from dagscape.data.lines import BLOCK_BYTES, blocks, records
from dagscape.data.text_tables import Choice, read_text
from dagscape.errors import DataError, ParameterError
from data_sets import data_set

HEADER = b"a,b,c\n"
GOOD = b"1,x,u\n2,y,v\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty; its first line must name the columns"),
        (b"\n\n", "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (HEADER, "the table has no rows"),
        (b"a,b,c", "the table has no rows"),
        (HEADER + GOOD + b"1,x\n" + GOOD, "line 4 has 2 cells and the header has 3; fix the line"),
        (HEADER + GOOD + b"1\n" + GOOD, "line 4 has 1 cell and the header has 3"),
        (HEADER + GOOD + b"1,x,u,4\n", "line 4 has 4 cells and the header has 3"),
        (HEADER + GOOD + b"\n" + GOOD, "line 4 has 1 cell and the header has 3"),
        (HEADER + b'1,"x,u"\n' + GOOD, "line 2 has 2 cells and the header has 3"),
        (HEADER + b'1,"x\n\n,y",u\n1,x\n' + GOOD, "line 5 has 2 cells"),
        (HEADER + b'1,"x,",u\n1,x,u,v\n1,x\n', "line 3 has 4 cells"),
        (HEADER + GOOD + b'1,"x,u\n' + GOOD, "line 4: a quotation mark is open or out of place"),
        (HEADER + GOOD + b'1,"x"y,u\n', "line 4: a quotation mark is open or out of place"),
        (HEADER + GOOD + b'1,5" pipe,u\n' + GOOD, "line 4: a quotation mark is open or out of"),
        (HEADER + GOOD + b'1,x,5" pipe', "line 4: a quotation mark is open or out of"),
        (HEADER + GOOD + b'1,x," ,,""', "line 4: a quotation mark is open or out of"),
        (b'a,"b\n1,2\n', "line 1: a quotation mark is open or out of place"),
        (HEADER + GOOD + b"1,\xe9,u\n", r"line 4, byte 3: not UTF-8 \(byte 0xe9\); save the file"),
        (b"a,\xe9\n1,2\n", "line 1, byte 3: not UTF-8"),
        ("a,b\n1,2\n".encode("utf-16"), "it is text in UTF-16; save it as CSV in UTF-8"),
        ("a,b\n1,2\n".encode("utf-16-le"), "the file holds binary data, not text"),
        (b"a,b,a\n" + GOOD, 'columns 1 and 3 are both named "a"; rename one; the first line must'),
        (b",a,b\n" + GOOD, r"column 1 has no name; .*row.names=FALSE"),
        (b"a;b;c\n1;2;3\n", r'one column, named "a;b;c"; .* by semicolons: give separator=";"'),
        (b"a\tb\n1\t2\n", r'by tabs: give separator="\\t"'),
        (b"a|b\n1|2\n", r'by bars: give separator="\|"'),
        (b"k\n" + b"\n".join(b"id%d" % i for i in range(9)), 'column "k" has 9 states in 9 rows'),
        (b"PK\x03\x04rest", "not what its ending .csv says: it is a zip archive or a spreadsheet"),
        (b"PAR1rest", "not what its ending .csv says: it is Parquet; name it .parquet"),
        (b"ARROW1\x00\x00", "it is Arrow; name it .arrow"),
        (gzip.compress(HEADER + GOOD, mtime=0), "it is gzip; name it .gz"),
    ],
)
def test_unusable_text(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=rf'^in "t.csv": .*{message}'):
        read_data(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.parquet", HEADER + GOOD, "not what its ending .parquet says; if it is text, name it"),
        ("t.parquet", b"PAR1 and then nothing of the kind", "the file cannot be read"),
        ("t.parquet", b"", "not what its ending .parquet says"),
        ("t.arrow", HEADER + GOOD, "not what its ending .arrow says; if it is text, name it .csv"),
        ("t.arrow", b"ARROW1\x00\x00 and then nothing", "the file cannot be read"),
        ("t.arrow", b"PAR1", "it is Parquet; name it .parquet"),
        ("t.csv.gz", HEADER + GOOD, "not what its ending .gz says; if it is text, name it .csv"),
        ("t.csv.gz", gzip.compress(HEADER + GOOD, mtime=0)[:-9], "the file is damaged, cut short"),
        ("t.csv.gz", gzip.compress(b"", mtime=0), "the file is empty"),
        ("t.csv.gz", gzip.compress(b"PAR1", mtime=0), "it is Parquet; name it .parquet"),
        ("t.csv.zst", HEADER + GOOD, "not what its ending .zst says"),
        ("t.tsv", b"a,b\n1,2\n", r'by commas: give separator=","'),
        (
            "t.numbers",
            b"PK\x03\x04",
            r'"t.numbers" has an unknown ending; use .csv, .tsv, .tab \(al',
        ),
        ("t", HEADER + GOOD, "has an unknown ending"),
        ("t.parquet.gz", gzip.compress(b"x", mtime=0), "has an unknown ending"),
    ],
)
def test_files_that_are_not_what_they_say(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DataError, match=rf'^in "{name}": .*{message}'):
        read_data(path)


def test_a_zip_archive_named_csv(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "t.csv", "w") as archive:
        archive.writestr("t.csv", "a,b\n1,2\n")
    with pytest.raises(DataError, match="zip archive"):
        read_data(tmp_path / "t.csv")


def test_files_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "alarm.csv").write_bytes(HEADER + GOOD)
    with pytest.raises(
        DataError, match=r'there is no file ".*alram.csv"; did you mean "alarm.csv"\?'
    ):
        read_data(tmp_path / "alram.csv")
    with pytest.raises(DataError, match=r'there is no file ".*qqq.zip"$'):
        read_data(tmp_path / "qqq.zip")
    with pytest.raises(DataError, match=r'there is no folder ".*nowhere", and so no file "a.csv"'):
        read_data(tmp_path / "nowhere" / "a.csv")
    with pytest.raises(DataError, match=r'" is a folder; give the name of a file in it'):
        read_rows(tmp_path)
    with pytest.raises(ParameterError, match="path must be the name of a file, got 3"):
        read_data(3)  # type: ignore[arg-type]


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(HEADER + GOOD)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(DataError, match=r'^cannot read ".*t.csv": Permission denied$'):
        read_data(path)


@pytest.mark.slow
@given(st.text(alphabet=st.sampled_from(list('ab,,""\n\n\r 1')), min_size=1, max_size=14))
@settings(derandomize=True, deadline=None, max_examples=300)
def test_text_is_read_right_or_refused(body: str) -> None:
    """The fast reader agrees with the strict one about every text, good or bad."""
    text = "h,k\n" + body
    try:
        rows = [record.cells for record in records(text.rstrip("\r\n"), ",")][1:]
    except DataError:
        rows = []
    if not rows or any(len(row) != 2 for row in rows):
        with pytest.raises(DataError):
            _read_rows(text)
    else:
        assert _read_rows(text) == rows


def _read_rows(text: str) -> list[list[str]]:
    columns = read_text(io.BytesIO(text.encode()), ",", Spelling(), Choice())
    if columns[0].n_rows == 0:
        raise DataError("no rows")
    levels = [column for column in columns if isinstance(column, Levels)]
    return [[c.labels[c.codes[row]] for c in levels] for row in range(levels[0].n_rows)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"separator": ";;"}, "separator must be one ASCII character, got ';;'"),
        ({"separator": '"'}, "separator must be one ASCII character"),
        ({"columns": "a"}, "columns must be a list of names, got 'a'"),
        ({"columns": []}, "columns must name at least one column, each once"),
        ({"columns": ["a", "a"]}, "columns must name at least one column, each once"),
        (
            {"columns": ["a", "longname"]},
            '"longname", which is not a column; did you mean "long_name"',
        ),
        ({"missing_values": "NA"}, "missing_values must be a list of strings, got 'NA'"),
        ({"missing": "no"}, "missing must be one of"),
        ({"states": {"q": ["1"]}}, 'states names "q", which is not a column'),
    ],
)
def test_wrong_options(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,long_name\n1,2\n2,1\n")
    with pytest.raises(ParameterError, match=message):
        read_data(path, **options)


TABLE = Data({"a": [1, 2, 1, 2], "b": ["x", "y", "x", "x"]})


@pytest.mark.parametrize(
    "content",
    [
        "a,b\n1,x\n2,y\n1,x\n2,x\n",
        "a,b\n1,x\n2,y\n1,x\n2,x",
        "a,b\n1,x\n2,y\n1,x\n2,x\n\n\n",
        "a,b\r\n1,x\r\n2,y\r\n1,x\r\n2,x\r\n",
        "a,b\r\n1,x\r\n2,y\r\n1,x\r\n2,x\r\n\r\n",
        '\ufeffa,b\n1,x\n"2",y\n1,"x"\n2,x\n',
        '"a","b"\n"1","x"\n"2","y"\n"1","x"\n"2","x"\n',
    ],
)
def test_usable_text(tmp_path: Path, content: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content.encode())
    assert read_data(path) == TABLE
    assert read_data(str(path)) == TABLE
    (tmp_path / "t.txt").write_bytes(content.replace(",", ";").encode())
    assert read_data(tmp_path / "t.txt", separator=";") == TABLE
    (tmp_path / "T.CSV.GZ").write_bytes(gzip.compress(content.encode()))
    assert read_data(tmp_path / "T.CSV.GZ") == TABLE


@pytest.mark.slow
def test_columns_to_read(tmp_path: Path) -> None:
    columns = {"id": list("abcdefgh"), "a": [1, 2, 1, 2] * 2, "b": ["x", "y", "x", "x"] * 2}
    frame = pl.DataFrame(columns)
    frame.write_csv(tmp_path / "t.csv")
    frame.write_parquet(tmp_path / "t.parquet")
    frame.write_ipc(tmp_path / "t[1]*.arrow")
    for file in tmp_path.iterdir():
        data = read_data(file, columns=["b", "a"])
        assert data.head(4) == TABLE
        assert data.names == ("b", "a")
        with pytest.raises(DataError, match=r'column "id" has 8 states in 8 rows'):
            read_data(file)


def test_blank_lines_of_a_lone_column_are_cells(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a\nx\n\ny\n\n")
    data = read_data(path, missing="state")
    assert data.codes[:, 0].tolist() == [0, 2, 1, 2]


def test_a_quoted_name_may_hold_any_mark(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('"a;b"\nx\ny\n')
    assert read_data(path).names == ("a;b",)


def test_labels_are_kept_as_written(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    lines = ("a,b,c", "01, x,\ufeffu", "1,x,u", "+2,x ,u", "01,x,\ufeffu", "1, x,u", "+2,x ,u", "")
    path.write_text("\n".join(lines), "utf-8")
    data = read_data(path)
    assert data.states == {"a": ("01", "1", "+2"), "b": (" x", "x", "x "), "c": ("u", "\ufeffu")}


@pytest.mark.slow
def test_many_blocks(tmp_path: Path) -> None:
    """Labels that first appear late, quoted line breaks on the seams, and a bad line at the end."""
    rng = np.random.default_rng(0)
    n = 240_000
    cells = np.where(np.arange(n) < n // 2, "early", "late, with\na break")
    numbers = rng.integers(0, 300, n)
    numbers[-1] = 300
    frame = pl.DataFrame({"s": cells, "i": numbers, "t": ["x" * 5, "y" * 6] * (n // 2)})
    path = tmp_path / "t.csv"
    frame.write_csv(path)
    assert path.stat().st_size > 2 * BLOCK_BYTES
    assert read_data(path) == Data(frame)
    assert read_data(path).numbers["i"].tolist() == numbers.tolist()
    data = read_data(path, kinds={"i": "discrete"})
    assert data == Data(frame, kinds={"i": "discrete"})
    assert data.codes.dtype == np.uint16
    assert data.arities == {"s": 2, "i": 301, "t": 2}
    lines = path.read_text().count("\n")
    with path.open("a") as file:
        file.write("early,1\n")
    with pytest.raises(DataError, match=f"line {lines + 1} has 2 cells and the header has 3"):
        read_data(path)


@pytest.mark.parametrize("size", range(1, 40))
def test_blocks_end_between_records(tmp_path: Path, size: int) -> None:
    text = 'a,b\n1,"x\n,""\ny"\n\n"",2\r\n"q\n",3\n4,5\n\n\n'
    path = tmp_path / "t"
    path.write_text(text, newline="")
    with path.open("rb") as stream:
        found = list(blocks(stream, size))
    assert "".join(block.data.decode() for block in found) == text
    for block in found:
        before = text.encode().index(block.data) if block.data.strip() else None
        if before is not None:
            assert block.line == 1 + text[:before].count("\n")
        assert block.data.count(b'"') % 2 == 0
    whole = [record.cells for record in records(text, ",")]
    parts = [r.cells for block in found for r in records(block.data.decode(), ",", block.line)]
    assert parts == whole


def test_an_open_quotation_mark_does_not_swallow_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dagscape.data.lines.LONGEST_RECORD", 100)
    path = tmp_path / "t"
    path.write_text('a,b\n1,2\n1,"2\n' + "1,2\n" * 100)
    with path.open("rb") as stream, pytest.raises(DataError, match="line 3: the quotation mark op"):
        list(blocks(stream, 16))


def test_alarm() -> None:
    path = data_set("bnlearn/alarm.csv.gz")
    data = read_data(path)
    assert (data.n_rows, data.n_variables) == (20_000, 37)
    assert sorted(set(data.arities.values())) == [2, 3, 4]
    assert data == Data(pl.read_csv(path, infer_schema=False))


@pytest.mark.parametrize("few", [0, 100, 10**9])
def test_blocks_of_few_and_many_rows_read_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    """Cells are encoded in two ways, by the rows of a block; blocks of both kinds may mix."""
    rng = np.random.default_rng(0)
    cells = {
        "few": rng.choice(["b", "a", "NA"], 500),
        "late": ["x"] * 400 + ["y"] * 50 + ["z"] * 50,
        "numbers": rng.integers(0, 30, 500),
    }
    path = tmp_path / "t.csv"
    pl.DataFrame(cells).write_csv(path)
    read = read_data(path, missing="state")
    monkeypatch.setattr(text_tables, "FEW_ROWS", few)
    # Blocks of more than a hundred rows, and a shorter one.
    monkeypatch.setattr(text_tables, "blocks", functools.partial(blocks, size=1500))
    again = read_data(path, missing="state")
    assert again.states == read.states
    assert again.fingerprint == read.fingerprint


def test_numbers_that_outgrow_states_in_short_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_tables, "MAX_STATES", 50)
    path = tmp_path / "t.csv"
    pl.DataFrame({"x": [i / 8 for i in range(200)]}).write_csv(path)
    assert read_data(path, discretize="median").arities == {"x": 2}


def test_wide_tables_ask_little_of_polars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call for each column of each block would be most of the time with 20,000 columns."""
    made = []

    class Counted(pl.Enum):
        def __init__(self, *arguments: Any) -> None:
            made.append(arguments)
            super().__init__(*arguments)

    monkeypatch.setattr(pl, "Enum", Counted)
    path = tmp_path / "t.csv"
    pl.DataFrame({f"v{i}": ["a", "b", "a"] for i in range(300)}).write_csv(path)
    assert read_data(path).n_variables == 300
    assert not made


def test_an_error_about_separators_does_not_repeat_a_long_header(tmp_path):
    names = [f"column{i}" for i in range(60)]
    (tmp_path / "t.csv").write_text(f"{';'.join(names)}\n{';'.join('12' * 30)}\n")
    with pytest.raises(DataError, match="separated by semicolons") as error:
        read_data(tmp_path / "t.csv")
    assert 'named "column0;column1;' in str(error.value)
    assert "column9" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("t.dta", r'"t.dta" cannot be read \(.*\); save the table as CSV$'),
        ("t.sas7bdat", r'"t.sas7bdat" cannot be read \(.*\); save the table as CSV$'),
        ("t.rds", r"file of R, and these are not read here.*row.names = FALSE"),
    ],
)
def test_files_of_other_programs(tmp_path: Path, name: str, how: str) -> None:
    (tmp_path / name).write_bytes(b"$FL2")
    with pytest.raises(DataError, match=how):
        read_data(tmp_path / name)


class TestOldMacs:
    """Their lines end with a carriage return alone."""

    TEXT = "a,b\nx,1\ny,2\nx,1\ny,2\n"

    def test_they_are_read_as_any_other(self, tmp_path, monkeypatch):
        usual, old = tmp_path / "usual.csv", tmp_path / "old.csv"
        usual.write_text(self.TEXT)
        old.write_bytes(self.TEXT.replace("\n", "\r").encode())
        assert read_data(old).fingerprint == read_data(usual).fingerprint
        assert str(ds.check(old)) == str(ds.check(usual)).replace("usual", "old")
        monkeypatch.setattr(blocks, "__defaults__", (7,))  # bytes that are read at once
        assert read_data(old).fingerprint == read_data(usual).fingerprint

    def test_line_ends_of_two_kinds(self, tmp_path):
        for mixed in ("a,b\rx,1\ry,2\nx,1\n", "a,b\rx,1\r\ny,2\r\n"):
            (tmp_path / "two.csv").write_bytes(mixed.encode())
            with pytest.raises(DataError, match="line 1: a carriage return stands alone"):
                read_data(tmp_path / "two.csv")


def test_a_mended_copy_never_takes_the_place_of_the_table(tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_text("a,b\n x,1\ny,2\n")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link.csv").symlink_to("a.csv")
    found = ds.check("a.csv")
    for name in ("a.csv", tmp_path / "a.csv", "link.csv"):
        with pytest.raises(ParameterError, match=r"is the table itself.*; name another file"):
            found.write(name)
    assert (tmp_path / "a.csv").read_text() == "a,b\n x,1\ny,2\n"
    found.write("b.csv")
    assert (tmp_path / "b.csv").read_text() == "a,b\nx,1\ny,2\n"
