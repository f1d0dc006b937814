"""Some rows of a large table in place of all, for a dry run: pieces from many places of it."""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

import dagscape as ds
from dagscape.cli.reading import Reading
from dagscape.data.formats import split_ending
from dagscape.data.many_files import files_of
from dagscape.files.compression import open_binary
from dagscape.files.endings import ARROW, PARQUET, TEXT
from dagscape.words import counted, duration

LARGE, LARGE_PACKED = 10_000_000, 1_000_000
"""Bytes of text, plain or packed, above which some of its rows are read, and not all."""
LARGE_CELLS = 2_000_000
"""The same of cells, where files say how many they have."""
PIECES = 20
PIECE_BYTES = 250_000
PIECE_ROWS = 1_000
CELLS = 1_000_000
"""Cells that are read at most, as long as each piece has a few rows."""
LEAST_ROWS = 25
_TYPED, _TEXT, _PACKED = (2e-8, 1.5e-7), (3e-8, 7e-7), (5e-8, 7.5e-7)
"""Seconds to read a cell of states, and one of numbers. Measured: the latter are sorted."""
STARTING = 0.3
"""Seconds that any table takes."""
BYTE = 1e-8
"""Seconds to read a byte of text. Measured: half of it for states, 2.3 times it for numbers."""


@dataclass(frozen=True)
class Part:
    """A table of some rows of a file, or of several."""

    table: ds.Data
    rows: int
    """How many rows there are in all, more or less."""
    seconds: float
    """What it takes to read them all, roughly."""
    places: str

    def __str__(self) -> str:
        read, all_rows = counted(self.table.n_rows, "row"), f"{self.rows:,}"
        return (
            f"From {read} out of about {all_rows}, taken from {self.places}.\n"
            f"Reading all of them: about {duration(self.seconds)}."
        )


@dataclass(frozen=True)
class _Format:
    """How pieces are taken of files of a kind, and what reading them takes."""

    take: Callable[[Path, Path, int], tuple[float, float] | None]
    """Writes so many pieces of a file to another; returns how much the file has, and how much these
    are, in rows or bytes. None where the file is small."""
    large: int
    """Bytes of all files above which pieces are taken."""
    seconds: tuple[float, float]
    places: str = f"{PIECES} places"


def part_of(path: Path, reading: Reading, seed: int) -> Part | None:
    """Read some rows of a large table; None where it is small, or where these cannot stand for it.

    Rows of series are not independent of their place, and what rows mean may stand in a file beside
    the table: then all are read.
    """
    if reading.over_time or reading.interventions:
        return None
    try:
        files = files_of(path)
    except ds.DagscapeError:
        return None  # whoever reads it has a sentence for that
    (ending, packed), *others = {split_ending(file) for file in files}
    kind = _format(ending, packed, separated=reading.separator is not None)
    sizes = [file.stat().st_size for file in files]
    if others or kind is None or sum(sizes) < kind.large:
        return None
    chosen = sorted({len(files) * piece // PIECES for piece in range(PIECES)})
    with tempfile.TemporaryDirectory() as folder:
        all_of_it = read = 0.0
        try:
            for number in chosen:
                part = Path(folder, f"{number:06}{ending}")
                taken = kind.take(files[number], part, PIECES // len(chosen))
                if taken is None:
                    return None
                all_of_it, read = all_of_it + taken[0], read + taken[1]
            table = reading.read(part if len(chosen) == 1 else Path(folder), seed)
        except (ds.DagscapeError, pl.exceptions.PolarsError, OSError):
            return None  # the whole file shows what is wrong, if anything is
    beside = sum(sizes) / max(1, sum(sizes[number] for number in chosen))
    rows = round(table.n_rows * beside * all_of_it / max(1.0, read))
    numbers = len(table.numbers)
    states = table.n_variables - numbers
    cells = states * kind.seconds[0] + numbers * kind.seconds[1]
    seconds = STARTING + rows * cells
    where = kind.places if len(files) == 1 else f"{len(chosen)} of {len(files):,} files"
    return Part(table, rows, seconds, f"{where} of the file" if len(files) == 1 else where)


def reading_seconds(path: Path) -> float:
    """Return roughly what it takes to read a table, by its files' sizes alone; 0 if unknown."""
    seconds = 0.0
    try:
        for file in files_of(path):
            ending, packed = split_ending(file)
            if ending in PARQUET and not packed:
                kinds = pl.scan_parquet(file).collect_schema().dtypes()
                rows: int = pl.scan_parquet(file).select(pl.len()).collect().item()
                seconds += rows * sum(_TYPED[kind.is_float()] for kind in kinds)
            elif ending in TEXT and not packed:
                seconds += BYTE * file.stat().st_size
    except (ds.DagscapeError, pl.exceptions.PolarsError, OSError):
        return 0.0  # whoever reads it has a sentence for that
    return seconds


def _format(ending: str, packed: str, *, separated: bool) -> _Format | None:
    if ending in TEXT or (separated and ending not in (*PARQUET, *ARROW)):
        if packed:
            return _Format(_packed_piece, LARGE_PACKED, _PACKED, "the beginning")
        return _Format(_text_pieces, LARGE, _TEXT)
    if ending in (*PARQUET, *ARROW) and not packed:
        return _Format(_typed_pieces, 0, _TYPED)
    return None


def _typed_pieces(path: Path, part: Path, pieces: int) -> tuple[float, float] | None:
    """Write rows from many places of a file that knows how many it has."""
    whole = (pl.scan_parquet if path.suffix.lower() in PARQUET else pl.scan_ipc)(path)
    width = len(whole.collect_schema())
    rows: int = whole.select(pl.len()).collect().item()
    if rows * width * PIECES < LARGE_CELLS * pieces:
        return None
    each = max(LEAST_ROWS, min(PIECE_ROWS, CELLS // (PIECES * width)))
    starts = sorted({rows * piece // pieces for piece in range(pieces)})
    found = pl.concat(pl.collect_all([whole.slice(start, each) for start in starts]))
    (found.write_parquet if path.suffix.lower() in PARQUET else found.write_ipc)(part)
    return rows, found.height


def _text_pieces(path: Path, part: Path, pieces: int) -> tuple[float, float]:
    """Write whole lines from many places of a text file."""
    size = path.stat().st_size
    with open(path, "rb") as whole, open(part, "wb") as made:
        for piece in range(pieces):
            whole.seek(size * piece // pieces)
            read = whole.read(min(PIECE_BYTES, size // pieces + 1))
            begin = read.find(b"\n") + 1 if piece else 0
            made.write(read[begin : read.rfind(b"\n") + 1])
        return size, made.tell()


def _packed_piece(path: Path, part: Path, pieces: int) -> tuple[float, float]:
    """Write the first lines of a packed text file, of which nobody can go to the middle.

    How many more it has is judged by how well these can be packed.
    """
    with open_binary(path, "rb") as whole:
        read = whole.read(pieces * PIECE_BYTES)
    lines = read[: read.rfind(b"\n") + 1]
    part.write_bytes(lines)
    packed = len(zlib.compress(lines, 6))
    return path.stat().st_size * len(lines) / max(1, packed), len(lines)
