"""A dry run of a large file looks at some of its rows, and says of how many."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

import dagscape as ds
from dagscape.cli import part_of_file
from dagscape.cli.reading import WITH_GAPS
from dagscape.words import duration
from limits import AMPLE


@pytest.fixture(autouse=True)
def every_file_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LARGE", "LARGE_PACKED", "LARGE_CELLS"):
        monkeypatch.setattr(part_of_file, name, 0)
    monkeypatch.setattr(part_of_file, "LEAST_ROWS", 1)
    monkeypatch.setattr(part_of_file, "PIECE_BYTES", 500)
    monkeypatch.setattr(part_of_file, "PIECE_ROWS", 30)


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    number = pl.Series("number", [f"{i:06d}" for i in range(4000)])
    return ds.load_network("asia").sample(4000, seed=1).to_polars().with_columns(number)


@pytest.mark.parametrize("pieces", [1, 2, 7, 20])
@pytest.mark.parametrize("size", [500, 4000])
def test_pieces_are_whole_lines_from_all_over_the_file(tmp_path, rows, pieces, size):
    rows.head(size).write_csv(tmp_path / "all.csv")
    all_of_it, read = part_of_file._text_pieces(tmp_path / "all.csv", tmp_path / "part.csv", pieces)
    share = all_of_it / read
    lines = (tmp_path / "all.csv").read_text().splitlines()
    part = (tmp_path / "part.csv").read_text().splitlines()
    assert part[0] == lines[0]
    assert {*part} <= {*lines}
    assert share == pytest.approx(len(lines) / len(part), rel=0.1)
    numbers = [int(line.rpartition(",")[2]) for line in part[1:]]
    assert numbers == sorted({*numbers})
    assert len({number * pieces // size for number in numbers}) >= pieces - 1


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_a_dry_run_says_of_how_many_rows(run, tmp_path: Path, rows, ending: str) -> None:
    table = tmp_path / f"asia.{ending}"
    ds.Data(rows.drop("number")).write(table)
    said = run("learn", table, "--dry-run", "--time-limit", AMPLE)
    assert said.exit_code == 0
    first, second, *rest = said.stdout.splitlines()
    looked, about = (int(word.replace(",", "")) for word in re.findall(r"[\d,]*\d", first)[:2])
    assert looked < 1000
    assert about == pytest.approx(4000, rel=0.05)
    assert second.startswith("Reading all of them: about ")
    assert any(line.startswith("Scoring parent sets") for line in rest)
    assert not (tmp_path / "asia-learned").exists()


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow", "csv.gz"])
@pytest.mark.parametrize("files", [1, 3, 30])
def test_any_kind_of_table_is_looked_at_in_parts(tmp_path, monkeypatch, rows, ending, files):
    folder = tmp_path / "table"
    folder.mkdir()
    table = ds.Data(rows.drop("number"))
    for number in range(files):
        first, last = 4000 * number // files, 4000 * (number + 1) // files
        table.take(range(first, last)).write(folder / f"part-{number}.{ending}")
    only = next(folder.iterdir())
    part = part_of_file.part_of(only if files == 1 else folder, WITH_GAPS, 0)
    assert part is not None
    assert part.table.n_rows < 1200
    assert part.table.names == table.names
    # How well the rest is packed is judged by the first lines.
    assert part.rows == pytest.approx(4000, rel=0.7 if ending == "csv.gz" else 0.1)
    assert (
        str(part)
        .splitlines()[0]
        .endswith(
            "20 of 30 files." if files == 30 else "3 of 3 files." if files == 3 else "of the file."
        )
    )
    monkeypatch.setattr(part_of_file, "LARGE", 10**9)
    monkeypatch.setattr(part_of_file, "LARGE_PACKED", 10**9)
    monkeypatch.setattr(part_of_file, "LARGE_CELLS", 10**9)
    assert part_of_file.part_of(only, WITH_GAPS, 0) is None


def test_where_pieces_cannot_stand_for_the_file_all_of_it_is_read(run, tmp_path: Path) -> None:
    notes = [f"line {i}\nand {i % 3}" for i in range(400)]
    frame = pl.DataFrame({"a": ["x", "y"] * 200, "b": ["u", "v", "w", "u"] * 100, "c": notes})
    frame.write_csv(tmp_path / "t.csv")
    said = run("learn", tmp_path / "t.csv", "--dry-run", "--leave-out", "c")
    assert said.exit_code == 0
    assert "Scoring parent sets" in said.stdout
    (tmp_path / "broken.csv").write_text("a,b\n1,2\n3\n" * 100)
    broken = run("learn", tmp_path / "broken.csv", "--dry-run")
    assert broken.exit_code == 2
    assert "broken.csv" in broken.stderr
    assert "part.csv" not in broken.stderr


def test_rows_that_depend_on_their_place_are_all_read(tmp_path: Path, rows) -> None:
    rows.write_csv(tmp_path / "t.csv")
    over_time = WITH_GAPS.from_dict({"lags": "1"})
    assert part_of_file.part_of(tmp_path / "t.csv", over_time, 0) is None


def test_what_grows_with_the_rows_is_multiplied(rows) -> None:
    data = ds.Data(rows.drop("number"))
    once, own, twice = (
        ds.estimate(data, "parents", score="bdeu", max_parents=2, rows=rows)
        for rows in (4000, None, 8000)
    )
    assert once == own
    assert once.seconds is not None
    assert twice.seconds == pytest.approx(2 * once.seconds)
    assert twice.bytes == once.bytes + data.nbytes
    with pytest.raises(ds.ParameterError, match="rows"):
        ds.estimate(data, rows=0)


def test_reading_that_takes_longer_than_the_limit_is_told_at_once(run, tmp_path, monkeypatch, rows):
    (tmp_path / "t.csv").write_text("a,b\n1,2\n3\n" * 100)  # what cannot be read takes no time
    size = (tmp_path / "t.csv").stat().st_size
    monkeypatch.setattr(part_of_file, "BYTE", 10 * AMPLE / size)
    limited = ["learn", "t.csv", "--time-limit", AMPLE]
    assert run(*limited).stderr.startswith(
        f"dagscape: reading the table takes about {duration(10 * AMPLE)}, and the time limit is "
        f"{duration(AMPLE)}: little or nothing can be learned in it; --time-limit changes that\n"
    )
    for words in ([*limited, "--quiet"], ["learn", "t.csv", "--runs", "3"]):
        assert "reading the table takes" not in run(*words).stderr
    rows.write_parquet(tmp_path / "t.parquet")
    cells = rows.height * rows.width
    assert part_of_file.reading_seconds(tmp_path / "t.parquet") == pytest.approx(2e-8 * cells)
    assert part_of_file.reading_seconds(tmp_path / "nothing.csv") == 0
