"""Some rows of a large file in place of all, for a dry run: pieces from many places of it."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import polars as pl

import dagscape as ds
from dagscape.cli.reading import Reading
from dagscape.files.endings import PARQUET, TEXT
from dagscape.words import counted, duration

LARGE = 10_000_000
"""Bytes of a file above which some of its rows are read, and not all."""
PIECES = 20
PIECE_BYTES = 250_000
PIECE_ROWS = 1_000
CELL_SECONDS = {".parquet": 1e-7, ".pq": 1e-7} | dict.fromkeys(TEXT, 4e-7)
"""Seconds to read a cell, by the ending of the file. Measured: much depends on what cells hold."""


@dataclass(frozen=True)
class FilePart:
    """A table of some rows of a file."""

    table: ds.Data
    rows: int
    """How many rows the whole file has, more or less."""
    seconds: float
    """What it takes to read them all, roughly."""

    def __str__(self) -> str:
        read, all_rows = counted(self.table.n_rows, "row"), f"{self.rows:,}"
        return (
            f"From {read} out of about {all_rows}, taken from {PIECES} places of the file.\n"
            f"Reading all of them: about {duration(self.seconds)}."
        )


def part_of(path: Path, reading: Reading, seed: int) -> FilePart | None:
    """Read some rows of a large file; None where it is small, or where these cannot stand for it.

    Rows of series are not independent of their place, and what rows mean may stand in a file beside
    the table: then all are read.
    """
    ending = path.suffix.lower()
    if not path.is_file() or ending not in CELL_SECONDS or path.stat().st_size < LARGE:
        return None
    if reading.over_time or reading.interventions:
        return None
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder, f"part{ending}")
        try:
            share = _parquet_pieces(path, part) if ending in PARQUET else _text_pieces(path, part)
            table = reading.read(part, seed)
        except (ds.DagscapeError, pl.exceptions.PolarsError, OSError):
            return None  # the whole file shows what is wrong, if anything is
    rows = round(table.n_rows * share)
    return FilePart(table, rows, rows * table.n_variables * CELL_SECONDS[ending])


def _parquet_pieces(path: Path, part: Path) -> float:
    """Write rows from many places; return how many times as many the file has."""
    whole = pl.scan_parquet(path)
    rows: int = whole.select(pl.len()).collect().item()
    starts = {rows * piece // PIECES for piece in range(PIECES)}
    pieces = [whole.slice(start, PIECE_ROWS) for start in sorted(starts)]
    found = pl.concat(pl.collect_all(pieces))
    found.write_parquet(part)
    return rows / max(1, found.height)


def _text_pieces(path: Path, part: Path) -> float:
    """Write whole lines from many places; return how many times as many bytes the file has."""
    size = path.stat().st_size
    with open(path, "rb") as whole, open(part, "wb") as made:
        for piece in range(PIECES):
            whole.seek(size * piece // PIECES)
            read = whole.read(PIECE_BYTES)
            begin = read.find(b"\n") + 1 if piece else 0
            made.write(read[begin : read.rfind(b"\n") + 1])
        return size / max(1, made.tell())
