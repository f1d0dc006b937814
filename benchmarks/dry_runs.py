"""Hold what dry runs say against what it takes, on ten tables of different kinds.

python benchmarks/dry_runs.py [--only NAME]

Of each table: the CPU seconds of `dagscape learn --dry-run`; then what it says from some of the
rows, as a multiple of what is true of all: rows, bytes of the packed table, and CPU seconds of
reading it, of hill climbing, and of scoring all sets of up to two parents, on one thread. Two is
twice too much; what takes less than a fifth of a second counts as so much.
"""

from __future__ import annotations

import argparse
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table
from web_log import log

import dagscape as ds
from dagscape.cli.part_of_file import part_of
from dagscape.cli.reading import WITH_GAPS
from dagscape.data.reader_process import SHARED

LEAST = 0.2
"""Seconds below which nobody asks how long something takes: they count as so many."""


def sample(name: str, rows: int, file: str) -> Callable[[Path], Path]:
    """Return what writes rows of a network."""

    def write(folder: Path) -> Path:
        ds.load_network(name).sample(rows, seed=1).write(folder / file)
        return folder / file

    return write


def parts(name: str, rows: int, files: int) -> Callable[[Path], Path]:
    """Return what writes rows of a network to several files."""

    def write(folder: Path) -> Path:
        net = ds.load_network(name)
        for number in range(files):
            net.sample(rows // files, seed=number).write(folder / f"part-{number}.parquet")
        return folder

    return write


def numbers(folder: Path) -> Path:
    """Write twenty columns of numbers, each depending on the one before."""
    rng = np.random.default_rng(1)
    columns = [rng.normal(size=300_000)]
    for _ in range(19):
        columns.append(0.5 * columns[-1] + rng.normal(size=300_000))
    frame = pl.DataFrame({f"x{number}": column for number, column in enumerate(columns)})
    frame.write_parquet(folder / "numbers.parquet")
    return folder / "numbers.parquet"


def gaps(folder: Path) -> Path:
    """Write rows of INSURANCE of which a tenth of the cells is missing."""
    rng = np.random.default_rng(1)
    frame = ds.load_network("insurance").sample(300_000, seed=1).to_polars()
    holed = [one.set(pl.Series(rng.random(len(one)) < 0.1), None) for one in frame]
    pl.DataFrame(holed).write_csv(folder / "gaps.csv")
    return folder / "gaps.csv"


def flags(folder: Path) -> Path:
    """Write 200 columns of two states."""
    rng = np.random.default_rng(1)
    cells = rng.random((100_000, 200)) < 0.3
    cells[:, 1::2] ^= cells[:, ::2]
    names = [f"f{number}" for number in range(200)]
    pl.DataFrame(cells, schema=names).write_parquet(folder / "flags.parquet")
    return folder / "flags.parquet"


def visits(folder: Path) -> Path:
    """Write a log of visits."""
    log(300_000).write_parquet(folder / "log.parquet")
    return folder / "log.parquet"


def wide_states(folder: Path) -> Path:
    """Write columns of thirty states, as text."""
    rng = np.random.default_rng(1)
    words = np.array([f"state {number}" for number in range(30)])
    cells = {f"c{number}": words[rng.integers(0, 30, 150_000)] for number in range(25)}
    pl.DataFrame(cells).write_csv(folder / "wide.csv")
    return folder / "wide.csv"


TABLES: dict[str, Callable[[Path], Path]] = {
    "ASIA x 2,000,000, Parquet": sample("asia", 2_000_000, "asia.parquet"),
    "ALARM x 900,000, 30 files": parts("alarm", 900_000, 30),
    "ALARM x 200,000, CSV": sample("alarm", 200_000, "alarm.csv"),
    "CHILD x 400,000, CSV packed": sample("child", 400_000, "child.csv.gz"),
    "HAILFINDER x 300,000, Arrow": sample("hailfinder", 300_000, "hailfinder.arrow"),
    "INSURANCE x 300,000 with gaps, CSV": gaps,
    "20 numbers x 300,000, Parquet": numbers,
    "200 flags x 100,000, Parquet": flags,
    "web log x 300,000, Parquet": visits,
    "25 columns of 30 states x 150,000, CSV": wide_states,
}


def cpu() -> float:
    """Return the CPU seconds of this process and of those that it waited for."""
    SHARED.close()
    used = (resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def seconds(work: Callable[[], object]) -> tuple[float, object]:
    """Return the CPU seconds that something takes, and what comes of it."""
    begin = cpu()
    found = work()
    return max(LEAST, cpu() - begin), found


def compared(path: Path) -> list[float]:
    """Return the seconds of a dry run, and what it says as multiples of what is true."""
    words = [sys.executable, "-m", "dagscape", "learn", str(path), "--dry-run", "--quiet"]
    dry, _ = seconds(lambda: subprocess.run(words, check=True, capture_output=True))  # noqa: S603
    part = part_of(path, WITH_GAPS, 0)
    reading, table = seconds(lambda: WITH_GAPS.read(path, 0))
    assert isinstance(table, ds.Data)  # noqa: S101
    rows, some = (table.n_rows, table) if part is None else (part.rows, part.table)
    read = reading if part is None else max(LEAST, part.seconds)
    said = [rows / table.n_rows, rows / some.n_rows * some.nbytes / table.nbytes, read / reading]
    if table.missing:
        return [dry, *said, math.nan, math.nan]
    climb, _ = seconds(lambda: ds.hill_climb(table, restarts=0))
    score, _ = seconds(lambda: ds.candidate_parents(table, max_parents=2, threads=1))
    estimates = (
        ds.estimate(some, "hill_climb", rows=rows, threads=1),
        ds.estimate(some, "parents", max_parents=2, rows=rows, threads=1),
    )
    for cost, took in zip(estimates, (climb, score), strict=True):
        assert cost.seconds is not None  # noqa: S101
        said.append(max(LEAST, cost.seconds) / took)
    return [dry, *said]


def main() -> None:
    """Print a line for each table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", choices=TABLES, metavar="NAME")
    only = parser.parse_args().only
    shown = Table("table", "dry run, CPU s", "rows", "bytes", "reading", "climbing", "scoring")
    begin = time.process_time()
    for name, write in TABLES.items():
        if only not in (None, name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            dry, *said = compared(write(Path(folder)))
        shown.add_row(name, f"{dry:.1f}", *(f"{each:.2f}" for each in said))
        Console(stderr=True).print(name, [f"{each:.2f}" for each in said])
    Console().print(shown, f"{time.process_time() - begin:.0f} CPU s in all")


if __name__ == "__main__":
    main()
