"""Tables that end in the middle, or whose parts are of several tables: a sentence, and no table."""

import re
import sys

import polars as pl
import pyarrow as pa
import pytest

import dagscape as ds
from dagscape.data import streams


@pytest.fixture(scope="module")
def data():
    return ds.load_network("asia").sample(300, seed=1)


def write_parts(folder, data, ending):
    folder.mkdir()
    for number in range(3):
        part = data.take(range(100 * number, 100 * number + 100))
        part.write(folder / f"part-{number}.{ending}")
    return folder / f"part-2.{ending}"


ZSTD = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
SENTENCES = {
    "parquet": "the file cannot be read",
    "arrow": "the file cannot be read",
    "csv": "the file seems to be cut short: fetch or write it again",
    "csv.gz": "the file is damaged, cut short",
    "csv.zst": "the file is damaged, cut short",
}


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("ending", SENTENCES)
def test_a_file_that_ends_in_the_middle(tmp_path, data, ending, strict):
    if ending == "csv.zst":
        pytest.importorskip(ZSTD, reason="the zstd module is not installed")
    last = write_parts(tmp_path / "table", data, ending)
    whole = ds.read_data(last.parent)
    content = last.read_bytes()
    last.write_bytes(content[: len(content) * 2 // 3])
    with pytest.raises(ds.DataError, match=SENTENCES[ending]) as error:
        ds.read_data(last.parent, strict=strict)
    assert last.name in str(error.value)  # which of the files it is
    last.write_bytes(content)
    assert ds.read_data(last.parent, strict=strict) == whole  # and the next one is read


def test_a_command_says_the_same_and_makes_no_folder(run, tmp_path, data):
    last = write_parts(tmp_path / "table", data, "parquet")
    last.write_bytes(last.read_bytes()[:-100])
    end = run("learn", "table", "--out", "out")
    assert end.exit_code == 2
    assert re.fullmatch(r'dagscape: in "part-2.parquet": the file cannot be read .*\n', end.stderr)
    assert not (tmp_path / "out").exists()


def test_a_stream_that_raises(monkeypatch, data):
    monkeypatch.setattr(streams, "ROWS_AT_ONCE", 100)
    whole = data.to_polars().to_arrow()

    def rows():
        yield from whole.to_batches(max_chunksize=100)[:2]
        raise RuntimeError("the query was canceled")

    for strict in (True, False):
        broken = pa.RecordBatchReader.from_batches(whole.schema, rows())
        with pytest.raises(
            ds.DataError, match=r"after 200 rows .*was canceled.*; nothing is taken"
        ):
            ds.Data(broken, strict=strict)


def test_a_lazy_frame_of_a_broken_file(tmp_path, data):
    last = write_parts(tmp_path / "table", data, "parquet")
    last.write_bytes(last.read_bytes()[:-100])
    lazy = pl.scan_parquet(tmp_path / "table" / "*.parquet")
    with pytest.raises(ds.DataError, match="nothing is taken from a part of it"):
        ds.Data(lazy)


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_a_file_with_other_columns_is_named(tmp_path, data, ending):
    last = write_parts(tmp_path / "table", data, ending)
    whole = ds.read_data(last.parent)
    data.select(data.names[:-1]).write(last)
    sentence = f'in "{last.name}": all parts must have the same columns, and "{data.names[-1]}"'
    with pytest.raises(ds.DataError, match=re.escape(sentence)):
        ds.read_data(last.parent)
    data.select(data.names[::-1]).take(range(200, 300)).write(last)  # in another order they may be
    assert ds.read_data(last.parent) == whole


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_a_state_of_the_last_part_is_a_state(tmp_path, data, ending):
    last = write_parts(tmp_path / "table", data, ending)
    late = data.to_polars().tail(100).with_columns(asia=pl.lit("perhaps"))
    late.write_csv(last) if ending == "csv" else late.write_parquet(last)
    read = ds.read_data(last.parent)
    assert set(read.states["asia"]) == {"no", "yes", "perhaps"}
    assert read.counts("asia")["perhaps"] == 100
    with pytest.raises(ds.DataError, match=r'"perhaps" in row 201, which is not among'):
        ds.read_data(last.parent, states={"asia": ["no", "yes"]})
