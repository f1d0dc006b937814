"""A table that comes in parts is the table, to the last code: states, gaps, notes, weights."""

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import dagscape as ds
from dagscape.data import arrow_files, seen_file, streams
from dagscape.data.streams import Growing
from dagscape.data.text_tables import Choice

LEVELS = ["low", "high", "never"]


def with_gaps(rng, values):
    return pl.Series(values).set(pl.Series(rng.random(len(values)) < rng.choice([0, 0.2])), None)


def drawn(rng, rows):
    """Return a frame with some columns of every kind; some states come late or not at all."""
    words = [f"w{number}" for number in range(int(rng.integers(1, 9)))]
    late = np.where(np.arange(rows) < rows * rng.random(), "a", "b")
    kinds = {
        "word": lambda: rng.choice(words, rows),
        "sorted": lambda: np.sort(rng.choice(words, rows)),
        "late": lambda: late,
        "level": lambda: pl.Series(
            rng.choice(["lo", "hi"], rows), dtype=pl.Enum(["lo", "hi", "no"])
        ),
        "flag": lambda: rng.random(rows) < 0.5,
        "few": lambda: rng.integers(0, 4, rows),
        "whole": lambda: rng.integers(0, 3, rows).astype(float),
        "many": lambda: rng.integers(0, 60, rows),
        "count": lambda: rng.permutation(rows),
        "number": lambda: rng.normal(size=rows),
        "rounded": lambda: np.round(rng.normal(size=rows), 1),
        "empty": lambda: pl.Series([None] * (rows - 1) + ["x"]),
    }
    chosen = rng.permutation(list(kinds))[: int(rng.integers(1, len(kinds) + 1))]
    return pl.DataFrame({name: with_gaps(rng, kinds[name]()) for name in chosen})


def cuts(rng, rows):
    """Return slices of random lengths, some of them empty."""
    marks = np.sort(rng.integers(0, rows + 1, int(rng.integers(0, 9))))
    return [(a, b - a) for a, b in zip([0, *marks], [*marks, rows], strict=True)]


def parts_of(rng, frame):
    return [frame.slice(start, length) for start, length in cuts(rng, frame.height)]


def stream_of(parts):
    schema = parts[0].to_arrow().schema
    return pa.RecordBatchReader.from_batches(
        schema, [batch for part in parts for batch in part.to_arrow().to_batches()]
    )


def read(source, **settings):
    """Return a table, or why there is none."""
    try:
        data = ds.Data(source, missing="keep", **settings)
    except ds.DataError as error:
        return str(error)
    return data, data.states, data.notes, data.kinds


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
def test_batches_of_any_size_make_the_table(monkeypatch):
    refused = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        frame = drawn(rng, int(rng.integers(8, 150)))
        settings = {"strict": bool(rng.integers(0, 2))}
        if rng.random() < 0.3:
            frame = frame.with_columns(times=pl.Series(rng.integers(0, 5, frame.height) + 1))
            settings["weights"] = "times"
        whole = read(frame, **settings)
        refused += isinstance(whole, str)
        monkeypatch.setattr(streams, "ROWS_AT_ONCE", int(rng.integers(1, 60)))
        for source in (stream_of(parts_of(rng, frame)), frame.lazy()):
            assert read(source, **settings) == whole, seed
    assert refused < 150


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
def test_rows_of_a_file_come_in_any_number(monkeypatch, tmp_path):
    """As the process that reads files sends them: some rows of one column after the other."""
    for seed in range(100):
        rng = np.random.default_rng(seed)
        frame = drawn(rng, int(rng.integers(8, 150)))
        file = tmp_path / "table.parquet"
        frame.write_parquet(file, row_group_size=int(rng.integers(1, 100)))
        monkeypatch.setattr(arrow_files, "ROWS_AT_ONCE", int(rng.integers(1, 60)))
        monkeypatch.setattr(arrow_files, "CELLS_AT_ONCE", int(rng.integers(1, 200)))
        growing = Growing()
        for piece in arrow_files.typed_columns(file, Choice()):
            growing.add_piece(piece)
        columns = growing.finish()
        assert [column.name for column in columns] == frame.columns
        try:
            made = ds.Data._of_columns(columns, {"missing": "keep"})
        except ds.DataError as error:
            made = str(error)
        try:
            whole = ds.Data(frame, missing="keep")
        except ds.DataError as error:
            whole = str(error)
        assert made == whole, seed
        if isinstance(made, ds.Data):
            assert (made.states, made.notes) == (whole.states, whole.notes), seed


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow"])
@pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
def test_files_of_any_length_make_the_table(tmp_path, ending):
    for seed in range(25):
        rng = np.random.default_rng(seed)
        frame = drawn(rng, int(rng.integers(30, 200)))
        folder = tmp_path / str(seed)
        folder.mkdir()
        write = {"csv": "write_csv", "parquet": "write_parquet", "arrow": "write_ipc"}[ending]
        for number, part in enumerate(parts_of(rng, frame)):
            if part.height or ending != "csv":
                getattr(part, write)(folder / f"part-{number}.{ending}")
        getattr(frame, write)(tmp_path / f"whole-{seed}.{ending}")
        answers = []
        for path in (folder, tmp_path / f"whole-{seed}.{ending}"):
            try:
                data = ds.read_data(path, missing="keep")
                answers.append((data, data.states, data.notes))
            except ds.DataError as error:
                answers.append(str(error).partition(": ")[2])
        assert answers[0] == answers[1], seed


def messy(rng, rows):
    """Return a frame of text as people type it: blanks, words for gaps, codes, bounds, commas."""
    cells = {
        "word": ["yes", " yes", "no", "NA", "?", "missing"],
        "code": ["1", "2", "3", "-9", ""],
        "comma": ["1,5", "2,25", "0,1", "7,0", "NA"],
        "bound": ["<0.3", "0.4", "0.55", "1.2", "3"],
        "date": ["2020-01-03", "2021-05-06", "2022-07-01"],
        "blank": [" a", "a", "b ", ""],
    }
    frame = {name: rng.choice(own, rows) for name, own in cells.items()}
    frame["measured"] = [f"{value:.3f}" for value in rng.normal(size=rows)]
    frame["name"] = [f"id{number}" for number in rng.permutation(rows)]
    chosen = rng.permutation(list(frame))[: int(rng.integers(1, len(frame) + 1))]
    return pl.DataFrame({name: frame[name] for name in chosen})


def mended(path, **settings):
    try:
        data = ds.read_data(path, strict=False, **settings)
    except (ds.DataError, ds.ParameterError) as error:
        return str(error)
    return data, data.states, data.notes, data.names


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
def test_a_file_that_was_looked_at_need_not_be_read_again(monkeypatch, tmp_path):
    refused, taken, take = 0, [], seen_file.SeenFile.take

    def counting(*words):
        found = take(*words)
        taken.append(found is not None)
        return found

    for seed in range(200):
        rng = np.random.default_rng(seed)
        frame = messy(rng, int(rng.integers(5, 120)))
        ending = rng.choice(["csv", "parquet"], p=[0.8, 0.2])
        file = tmp_path / f"table.{ending}"
        frame.write_csv(file) if ending == "csv" else frame.write_parquet(file)
        every = {
            "missing_values": [["", "NA", "?"], ["-9"], ["", "NA", "-9"]][rng.integers(0, 3)],
            "trim": True,
            "decimal": ",",
            "bounds": rng.choice(["text", "half", "limit"]),
            "dates": "days+month",
            "columns": list(rng.permutation(frame.columns)[:3]),
            "leave_out": [frame.columns[-1]],
            "missing": "mode",
        }
        given = {name: value for name, value in every.items() if rng.random() < 0.2}
        monkeypatch.setattr("dagscape.data.text_tables.MAX_STATES", int(rng.choice([30, 65536])))
        monkeypatch.setattr(seen_file.SeenFile, "take", counting)
        once = mended(file, **given)
        monkeypatch.setattr(seen_file.SeenFile, "take", lambda *_: None)
        assert mended(file, **given) == once, (seed, given)
        refused += isinstance(once, str)
    assert refused < 100 < sum(taken) < len(taken)
