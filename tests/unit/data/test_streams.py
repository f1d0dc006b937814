"""Tables that come in parts are the tables that they are parts of."""

import contextlib
import pathlib
import re
import sys
import warnings

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pytest

import dagscape as ds
from dagscape.data import rows_read, streams

LEVELS = pl.Enum(["low", "high", "never"])
MIXED = '"x" holds numbers in one part of the table and words in another'


class Stream:
    """What has nothing but the Arrow C stream interface."""

    def __init__(self, reader):
        self.reader = reader

    def __arrow_c_stream__(self, requested_schema=None):
        return self.reader.__arrow_c_stream__(requested_schema)


def drawn(rng, rows):
    """Return a frame of columns of every kind, some with gaps, some whose states come late."""
    gaps = rng.random(rows) < 0.1
    words = np.sort(rng.choice(["a", "b", "c", "é"], rows))  # the last states come at the end
    return pl.DataFrame(
        {
            "word": pl.Series(words).set(pl.Series(gaps), None),
            "level": pl.Series(
                rng.choice(["low", "high"], rows), dtype=pl.Enum(["low", "high", "never"])
            ),
            "flag": rng.random(rows) < 0.5,
            "few": rng.integers(0, 4, rows),
            "many": pl.Series(rng.permutation(rows)).set(pl.Series(np.roll(gaps, 7)), None),
            "number": pl.Series(rng.normal(size=rows)).set(pl.Series(np.roll(gaps, 3)), None),
            "late": pl.Series([None] * (rows // 2) + list(rng.integers(0, 2, rows - rows // 2))),
        }
    )


def reader_of(frame, rows):
    table = frame.to_arrow()
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=rows))


@pytest.mark.slow
def test_any_parts_make_the_whole_table(monkeypatch):
    for seed in range(40):
        rng = np.random.default_rng(seed)
        frame = drawn(rng, int(rng.integers(60, 300)))
        whole = ds.Data(frame, missing="keep")
        monkeypatch.setattr(streams, "ROWS_AT_ONCE", int(rng.integers(1, 100)))
        batch = int(rng.integers(1, 80))
        sources = {
            "reader": reader_of(frame, batch),
            "stream": Stream(reader_of(frame, batch)),
            "lazy": frame.lazy(),
            "dataset": pyarrow.dataset.dataset(frame.to_arrow()),
        }
        for name, source in sources.items():
            data = ds.Data(source, missing="keep")
            assert data == whole, (seed, name)
            assert data.states == whole.states, (seed, name)
            assert data.notes == whole.notes, (seed, name)


@pytest.mark.slow
def test_frames_of_dask_are_read_by_partition():
    pytest.importorskip("dask.dataframe")
    import dask.dataframe as dd

    data = ds.load_network("asia").sample(300, seed=1)
    assert ds.Data(dd.from_pandas(data.to_pandas(), npartitions=4)) == data


def test_without_pyarrow_polars_reads_a_stream(monkeypatch):
    frame = drawn(np.random.default_rng(1), 100)
    stream = Stream(reader_of(frame, 30))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert ds.Data(stream, missing="keep") == ds.Data(frame, missing="keep")


def test_settings_and_roles_hold_for_streams_as_for_frames():
    counted = pl.DataFrame({"x": ["a", "b", "a"], "y": ["u", "v", "v"], "n": [3, 4, 2]})
    whole = ds.Data(counted, weights="n")
    assert ds.Data(counted.lazy(), weights="n") == whole
    assert ds.Data(reader_of(counted, 2), weights="n").n_rows == 9


def test_a_stream_that_breaks_off_gives_nothing(monkeypatch):
    frame = drawn(np.random.default_rng(2), 90)
    monkeypatch.setattr(streams, "ROWS_AT_ONCE", 30)

    def batches():
        yield from frame.to_arrow().to_batches(max_chunksize=30)[:2]
        raise OSError("connection lost")

    broken = pa.RecordBatchReader.from_batches(frame.to_arrow().schema, batches())
    with pytest.raises(ds.DataError, match=r"after 60 rows .*connection lost.*; nothing is taken"):
        ds.Data(broken)


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ([{"x": [0, 1]}, {"y": [0, 1]}], 'same columns, and "x" this part has not'),
        ([{"x": [0, 1]}, {"x": [0, 1], "a": [0, 1]}], 'and "a" those before it have not'),
        (
            [{"x": [0, 1]}, {"x": ["u", "v"]}],
            '"x" holds numbers in one part of the table and words',
        ),
        (
            [{"x": [0.5, 1]}, {"x": ["u", "v"]}],
            '"x" holds numbers in one part of the table and words',
        ),
    ],
)
def test_parts_of_several_tables_are_refused(tmp_path, parts, sentence):
    for number, part in enumerate(parts):
        pl.DataFrame(part).write_parquet(tmp_path / f"part-{number}.parquet")
    with pytest.raises(ds.DataError, match=re.escape(sentence)):
        ds.read_data(tmp_path)


def test_too_many_states_in_all_parts_together(monkeypatch):
    monkeypatch.setattr("dagscape.data.join_columns.MAX_STATES", 50)
    words = pl.DataFrame({"x": [f"w{number}" for number in range(60)]})
    monkeypatch.setattr(streams, "ROWS_AT_ONCE", 30)
    with pytest.raises(ds.DataError, match="at least 60 states"):
        ds.Data(reader_of(words, 30))
    numbers = pl.DataFrame({"x": [*range(60)] * 3})
    assert ds.Data(reader_of(numbers, 30)).kinds["x"] == "continuous"


@pytest.mark.parametrize("ending", ["parquet", "arrow", "csv", "tsv.gz"])
def test_a_folder_of_files_is_one_table(tmp_path, ending):
    data = ds.load_network("asia").sample(1200, seed=3)
    for number in range(12):  # part-2 comes before part-10
        data.take(range(100 * number, 100 * number + 100)).write(
            tmp_path / f"part-{number}.{ending}"
        )
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / ".hidden").touch()
    # Text declares no states, so that the whole in one file is what the parts are compared with.
    one = tmp_path.with_name(f"whole-of-{tmp_path.name}.{ending}")
    data.write(one)
    whole = ds.read_data(one)
    assert ds.read_data(tmp_path) == whole
    assert ds.read_data(tmp_path / f"*.{ending}") == whole


def test_folders_that_are_no_table_are_refused(tmp_path):
    with pytest.raises(ds.DataError, match=r"is a folder and has no files; .* or a pattern"):
        ds.read_data(tmp_path)
    with pytest.raises(ds.DataError, match="no file is named like"):
        ds.read_data(tmp_path / "*.parquet")
    data = ds.load_network("asia").sample(50, seed=1)
    data.write(tmp_path / "a.csv")
    data.write(tmp_path / "b.parquet")
    with pytest.raises(ds.DataError, match=r"tables of several formats \(.csv, .parquet\)"):
        ds.read_data(tmp_path)
    (tmp_path / "b.parquet").rename(tmp_path / "b.html")
    with pytest.raises(ds.DataError, match=r'also has "b.html", which is no table'):
        ds.read_data(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ds.DataWarning)
        assert ds.read_data(tmp_path / "a.*").n_rows == 50


def test_a_file_whose_name_looks_like_a_pattern_is_itself(tmp_path):
    data = ds.load_network("asia").sample(50, seed=1)
    data.write(tmp_path / "a[1].csv")
    data.write(tmp_path / "a1.csv")
    assert ds.read_data(tmp_path / "a[1].csv").n_rows == 50


def told_of(monkeypatch, source, **settings):
    """Read a table; return what its progress says, every time."""
    monkeypatch.setattr(rows_read, "SECONDS", 0.0)
    told = []
    if isinstance(source, pathlib.Path):
        data = ds.read_data(source, progress=lambda *words: told.append(words), **settings)
    else:
        data = ds.Data(source, progress=lambda *words: told.append(words), **settings)
    return data, told


@pytest.mark.parametrize("strict", [True, False])
def test_reading_says_how_far_it_is(monkeypatch, tmp_path, strict):
    data = ds.load_network("asia").sample(400, seed=1)
    for number in range(4):
        data.take(range(100 * number, 100 * number + 100)).write(tmp_path / f"{number}.csv")
    _, told = told_of(monkeypatch, tmp_path, strict=strict)
    shares = {text: share for share, text in told}  # a file ends with a block of its own
    for part in (1, 2, 3, 4):
        assert shares[f"{100 * part} rows read"] == pytest.approx(
            part / 4, abs=0.02
        )  # but for names
    assert list(shares.values()) == sorted(shares.values())


def test_rows_of_parquet_and_of_streams_are_told(monkeypatch, tmp_path):
    data = ds.load_network("asia").sample(400, seed=1)
    data.write(tmp_path / "one.parquet")
    _, told = told_of(monkeypatch, tmp_path / "one.parquet")
    assert set(told) == {(1.0, "400 rows read")}
    monkeypatch.setattr(streams, "ROWS_AT_ONCE", 150)
    _, told = told_of(monkeypatch, reader_of(data.to_polars(), 50))
    assert told == [(None, "150 rows read"), (None, "300 rows read"), (None, "400 rows read")]


def test_a_bar_shows_how_far_reading_is(monkeypatch, tmp_path):
    shown = []

    @contextlib.contextmanager
    def bar(_limit):
        yield lambda *words: shown.append(words)

    monkeypatch.setattr(rows_read, "SECONDS", 0.0)
    monkeypatch.setattr("dagscape.control.progress.bar", bar)
    ds.load_network("asia").sample(400, seed=1).write(tmp_path / "one.csv")
    ds.read_data(tmp_path / "one.csv", progress=True)
    assert shown[-1][1] == "400 rows read"
    with pytest.raises(ds.ParameterError, match="progress must be a function of two arguments"):
        ds.read_data(tmp_path / "one.csv", progress=3)


def test_ctrl_c_ends_reading(monkeypatch, tmp_path):
    """The process beside is ended with it, and the next table is read by another."""
    monkeypatch.setattr(rows_read, "SECONDS", 0.0)
    file = tmp_path / "one.parquet"
    data = ds.load_network("asia").sample(400, seed=1)
    data.write(file)

    def press(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ds.read_data(file, progress=press)
    assert ds.read_data(file) == data
