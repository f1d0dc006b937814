"""Parquet and Arrow files are read by another process: a damaged one cannot end this one."""

import os
import signal
import sys
from decimal import Decimal

import polars as pl
import pytest

import dagscape as ds
from dagscape.data import column_files, reader_process
from dagscape.data.messages import column_of
from dagscape.data.reader_process import Reader
from dagscape.data.text_tables import Choice
from dagscape.import_path import elsewhere
from limits import AMPLE, WAIT, wait_for

pytestmark = pytest.mark.slow

COLUMNS = {
    "word": ["a", "b", None, "a"] * 3,
    "whole": [1, 2, 3, None] * 3,
    "real": [1.5, None, 3.5, 1.5] * 3,
    "truth": [True, False] * 6,
    "level": pl.Series(["x", "y"] * 6, dtype=pl.Enum(["z", "y", "x"])),
}


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "table.parquet"
    pl.DataFrame(COLUMNS).write_parquet(file)
    return file


@pytest.fixture
def reader(monkeypatch):
    """A process of its own, for what `read_data` reads."""
    own = Reader()
    monkeypatch.setattr(column_files, "SHARED", own)
    yield own
    own.close()


def first_do(monkeypatch, statement: str) -> None:
    """Let processes that are started from now on do something before they read."""
    monkeypatch.setattr(
        reader_process, "_START", reader_process._START.replace("serve()", f"{statement}\nserve()")
    )


def instead_of_reading(monkeypatch, what: str) -> None:
    """Let processes that are started from now on do something else than read."""
    instead = f"import os; reader_process.typed_columns = lambda *_: {what}"
    first_do(monkeypatch, f"from dagscape.data import reader_process; {instead}")


def test_columns_are_what_this_process_would_read(path, reader):
    here = list(reader_process.typed_columns(path, Choice()))
    there = reader.columns(path, Choice())
    assert len(here) == len(there) == len(COLUMNS)
    for one, other in zip(here, there, strict=True):
        assert type(one) is type(other)
        for name in one.__slots__:
            mine, theirs = getattr(one, name), getattr(other, name)
            if hasattr(mine, "dtype"):
                assert mine.dtype == theirs.dtype
                assert mine.tobytes() == theirs.tobytes()
            else:
                assert mine == theirs


def test_one_process_reads_many_files(path, reader, monkeypatch):
    first_do(
        monkeypatch, f"from dagscape.data import reader_process as own; own.PATIENCE = {AMPLE}"
    )
    ds.read_data(path, columns=["word", "level"], missing="state")
    process = reader._process
    ds.read_data(path, columns=["truth"])
    with pytest.raises(
        ds.ParameterError, match='names "words", which is not a column; did you mean'
    ):
        ds.read_data(path, columns=["words"])
    assert reader._process is process


@pytest.mark.parametrize("entry", ["", os.curdir, "whole"])
def test_nothing_is_imported_from_the_current_folder(path, reader, monkeypatch, entry):
    for name in ("json", "types", "polars", "numpy", "sitecustomize"):
        (path.parent / f"{name}.py").write_text(f"open('{path.parent}/ran', 'w').write('{name}')")
    monkeypatch.chdir(path.parent)
    monkeypatch.setattr(sys, "path", [str(path.parent) if entry == "whole" else entry, *sys.path])
    assert ds.read_data("table.parquet", columns=["truth"]).n_rows == 12
    assert reader._process is not None
    assert not (path.parent / "ran").exists()


def test_it_imports_from_where_this_process_does(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    given = ["", str(tmp_path), "inner", str(tmp_path / "here"), f"..{os.sep}here"]
    assert elsewhere(given) == [str(tmp_path), str(tmp_path / "here" / "inner")]
    (tmp_path / "here").rmdir()
    assert elsewhere(given) == [str(tmp_path), str(tmp_path / "here")]


def test_a_process_that_went_away_is_replaced(path, reader):
    ds.read_data(path, columns=["truth"])
    os.kill(reader._process.pid, signal.SIGTERM)
    reader._process.wait()
    assert ds.read_data(path, columns=["truth"]).n_rows == 12


def test_it_does_not_wait_for_ever(path, reader, monkeypatch):
    first_do(monkeypatch, "from dagscape.data import reader_process as own; own.PATIENCE = 0.01")
    ds.read_data(path, columns=["truth"])
    assert reader._process.wait(timeout=WAIT) == 0
    assert ds.read_data(path, columns=["truth"]).n_rows == 12


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("os.abort()", "the file is damaged; write it again"),
        ("os._exit(0)", "the file is damaged; write it again"),
        ("os.kill(os.getpid(), 11)", "the file is damaged; write it again"),
        ("(x for x in ()).throw(BaseException('ah\\nbut'))", r"\(BaseException: ah\); write"),
        ("[1][2]", r"the file is damaged \(IndexError: list index out of range\); write it again"),
    ],
)
def test_what_ends_it_is_a_sentence_here(path, monkeypatch, what, said):
    instead_of_reading(monkeypatch, what)
    with pytest.raises(ds.DataError, match=said):
        ds.read_data(path)


@pytest.mark.usefixtures("reader")
def test_columns_of_types_that_are_not_read_are_not_called_damaged(tmp_path):
    pa = pytest.importorskip("pyarrow")
    ends = pa.array([2, 4], pa.int32())
    wide = pa.array([Decimal("1.50"), Decimal("2.25")] * 2, pa.decimal256(50, 2))
    for name, column, said in (
        ("runs", pa.RunEndEncodedArray.from_arrays(ends, pa.array(["x", "y"])), "a column of a"),
        ("wide", wide, r'column "odd" holds values of type Decimal\(precision=50, scale=2\)'),
    ):
        table = pa.table({"odd": column, "plain": ["x", "y", "x", "y"]})
        file = tmp_path / f"{name}.arrow"
        with pa.OSFile(str(file), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        with pytest.raises(ds.DataError, match=said) as refused:
            ds.read_data(file)
        assert "damaged" not in str(refused.value)
    assert ds.read_data(file, columns=["plain"]).n_rows == 4


@pytest.mark.usefixtures("reader")
def test_too_little_memory_there_is_too_little_here(path, monkeypatch):
    instead_of_reading(monkeypatch, "[bytearray(1 << 62)]")
    with pytest.raises(MemoryError):
        ds.read_data(path)


def test_after_a_damaged_file_the_next_one_is_read(path, reader, monkeypatch):
    instead_of_reading(monkeypatch, "os.abort()")
    with pytest.raises(ds.DataError, match="damaged"):
        ds.read_data(path)
    monkeypatch.undo()
    monkeypatch.setattr(column_files, "SHARED", reader)
    assert ds.read_data(path, columns=["truth"]).n_rows == 12


def test_an_interrupt_ends_it_too(path, reader, monkeypatch):
    instead_of_reading(monkeypatch, "__import__('signal').pause()")
    process = reader._started()
    monkeypatch.setattr(reader_process, "receive", lambda _: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        ds.read_data(path)
    assert process.returncode is not None
    assert reader._process is None


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("executable", ["", "/no/such/python", sys.executable])
def test_where_no_process_can_be_started_this_one_reads(path, monkeypatch, executable):
    monkeypatch.setattr(sys, "executable", executable)
    monkeypatch.setattr(reader_process, "_START", "raise SystemExit")
    assert ds.read_data(path, columns=["truth"]).n_rows == 12
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(ds.DataError, match="write it again"):
        ds.read_data(path)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_has_one_of_its_own(path, reader):
    ds.read_data(path, columns=["truth"])
    if (child := os.fork()) == 0:  # pragma: no cover
        done = 1
        try:
            done = 0 if ds.read_data(path, columns=["truth"]).n_rows == 12 else 1
            reader.close()
        finally:
            os._exit(done)
    ended: list[tuple[int, int]] = []
    wait_for(lambda: ended.append(os.waitpid(child, os.WNOHANG)) or ended[-1] != (0, 0))
    assert ended[-1] == (child, 0)
    assert ds.read_data(path, columns=["truth"]).n_rows == 12


@pytest.mark.usefixtures("reader")
def test_more_rows_than_a_file_can_hold(path, monkeypatch):
    first_do(monkeypatch, "from dagscape.data import arrow_files as own; own._CELLS_AT_LEAST = 11")
    first_do(monkeypatch, "from dagscape.data import arrow_files as own; own._CELLS_PER_BYTE = 0")
    with pytest.raises(ds.DataError, match="that it has 12 rows, far too many for its size"):
        ds.read_data(path, columns=["truth"])


@pytest.mark.parametrize(
    "described",
    [
        {"type": "|O", "numbers": True, "name": "a", "whole": False},
        {"type": "|u1", "numbers": False, "name": "a", "labels": [], "kind": "x", "declared": True},
    ],
)
def test_an_answer_that_makes_no_sense_is_none(described):
    with pytest.raises(ValueError, match=r"\|O|beyond"):
        column_of(described, bytearray(b"\1" * 8))
