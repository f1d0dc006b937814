"""Measure what reading a table of many rows takes: time, and peak memory beside the codes.

python benchmarks/large_tables.py [--rows N] [--parts N] [--keep DIR]

Rows of ALARM are drawn in parts and written as Parquet. Each way to read them runs in a process of
its own, so that its peak memory is its own (with that of the process beside that reads Parquet);
the codes take 37 bytes a row. Ways whose packages are not installed (pyarrow, DuckDB) are
left out, with a line.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import dagscape as ds
from dagscape.data.reader_process import SHARED

MOST_TIMES, BESIDE = 1.5, 500e6
"""What reading may take at most, in memory: so many times the packed table, and so much more."""


def folder(parts: Path) -> Any:
    """Read a folder of files."""
    return ds.read_data(parts)


def mended(parts: Path) -> Any:
    """Read a folder as commands do, which mend what is plain."""
    return ds.read_data(parts, strict=False)


def lazy(parts: Path) -> Any:
    """Read a lazy frame of polars, batch by batch."""
    import polars as pl

    return ds.Data(pl.scan_parquet(parts / "*.parquet"))


def dataset(parts: Path) -> Any:
    """Read a dataset of pyarrow, as a stream of Arrow."""
    import pyarrow.dataset

    return ds.Data(pyarrow.dataset.dataset(parts))


def duckdb(parts: Path) -> Any:
    """Read the answer to SQL in DuckDB, as a stream of Arrow."""
    import duckdb

    return ds.Data(duckdb.sql(f"SELECT * FROM '{parts}/*.parquet'"))  # noqa: S608 (our own name)


WAYS: dict[str, Callable[[Path], Any]] = {
    way.__name__: way for way in (folder, mended, lazy, dataset, duckdb)
}


def measured(name: str, parts: Path) -> dict[str, Any]:
    """Return what one way took, in this process."""
    begin, cpu = time.perf_counter(), time.process_time()
    data = WAYS[name](parts)
    seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
    beside, other = peak_beside(), resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "rows": data.n_rows,
        "packed": data.nbytes,
        "seconds": seconds,
        "cpu": cpu + other.ru_utime + other.ru_stime,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "beside": beside,
        "counts": {name: data.counts(name) for name in sorted(data.names)},
    }


def peak_beside() -> int:
    """Return the peak memory of the process that reads files for this one, once it has ended."""
    SHARED.close()
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


def write(parts: Path, rows: int, files: int) -> None:
    """Write rows of ALARM, so many in each file."""
    net = ds.load_network("alarm")
    for number in range(files):
        some = rows * (number + 1) // files - rows * number // files
        net.sample(some, seed=number).write(parts / f"part-{number:03}.parquet")


def main() -> None:
    """Print a table: a line for each way."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--parts", type=int, default=20)
    parser.add_argument(
        "--keep", type=Path, help="a folder for the files, used again if it has any"
    )
    parser.add_argument("--one", choices=WAYS, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        sys.stdout.write(json.dumps(measured(asked.one, asked.keep)))
        return
    with tempfile.TemporaryDirectory() as made:
        parts = asked.keep or Path(made)
        parts.mkdir(exist_ok=True)
        if not any(parts.iterdir()):
            write(parts, asked.rows, asked.parts)
        size = sum(file.stat().st_size for file in parts.iterdir())
        console = Console()
        table = Table("way", "s", "CPU s", "rows a second", "peak GB", "codes GB", "may take GB")
        seen = []
        for name in WAYS:
            run = subprocess.run(  # noqa: S603 (Python itself)
                [sys.executable, __file__, "--one", name, "--keep", str(parts)],
                capture_output=True,
                text=True,
                check=False,
            )
            if run.returncode:
                console.print(f"{name} is left out: {run.stderr.strip().splitlines()[-1]}")
                continue
            told = json.loads(run.stdout)
            seen.append(told["counts"])
            peak, packed = told["peak"] + told["beside"], told["packed"]
            table.add_row(
                name,
                *(f"{told[key]:.1f}" for key in ("seconds", "cpu")),
                f"{told['rows'] / told['seconds']:,.0f}",
                *(f"{size / 1e9:.2f}" for size in (peak, packed, MOST_TIMES * packed + BESIDE)),
            )
        console.print(f"{asked.rows:,} rows of ALARM, {size / 1e6:,.0f} MB of Parquet")
        console.print(table)
        same = all(counts == seen[0] for counts in seen)
        console.print("all ways count the same" if same else "the tables differ")


if __name__ == "__main__":
    main()
