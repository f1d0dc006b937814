"""Measure learning from a table like a log of visits to a web site: time against its limit, memory.

python benchmarks/web_log.py [--rows N] [--time-limit S] [--keep DIR]

Forty columns: places and devices, pages and campaigns of 3,000 and 1,000 states, flags, ratings,
and numbers, of which some are skewed and some rounded. A dry run and `dagscape learn` each run in a
process of their own, on the same Parquet file.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table

FLAGS, RATINGS, NUMBERS = 12, 8, 13


def log(rows: int, seed: int = 1) -> pl.DataFrame:
    """Return such a table."""
    rng = np.random.default_rng(seed)
    codes: dict[str, np.ndarray] = {}

    def follow(name: str, states: int, parent: str | None = None, noise: float = 0.3) -> None:
        own = rng.integers(0, states, rows)
        if parent is not None:
            own = np.where(rng.random(rows) < noise, own, (7 * codes[parent] + 3) % states)
        codes[name] = own

    codes["country"] = rng.choice(60, rows, p=np.sort(rng.dirichlet(np.full(60, 0.3)))[::-1])
    follow("browser", 6)
    follow("device", 3, "browser")
    follow("os", 5, "device")
    follow("lang", 20, "country", 0.2)
    follow("page", 3000)
    follow("campaign", 1000, "page")
    for i in range(FLAGS):
        follow(f"flag{i}", 2, ("device", "browser", "os", "country")[i % 4], 0.2 + 0.05 * i)
    for i in range(RATINGS):
        follow(f"rating{i}", 5, f"flag{i}", 0.4)
    columns = [
        pl.Series(name, [f"{name}_{i}" for i in range(own.max() + 1)]).gather(own)
        for name, own in codes.items()
    ]
    base = codes["device"] + 0.2 * codes["flag0"]
    for i in range(NUMBERS):
        values = base + (1 + i / 5) * rng.normal(size=rows)
        base = values if i % 4 == 0 else base
        shown = (np.exp(np.minimum(values, 30)), np.round(10 * values), values)[i % 3]
        columns.append(pl.Series(f"number{i}", shown))
    return pl.DataFrame(columns)


def main() -> None:
    """Make the table, and time both."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=2_000_000, metavar="N")
    parser.add_argument("--time-limit", type=float, default=120.0, metavar="S")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="folder for the table")
    options = parser.parse_args()
    table = Table("command", "seconds", "CPU seconds", "peak, GB")
    with tempfile.TemporaryDirectory() as made:
        folder = options.keep or Path(made)
        folder.mkdir(exist_ok=True)
        log(options.rows).write_parquet(folder / "log.parquet")
        limit = f"--time-limit={options.time_limit:g}"
        calls = {
            "learn --dry-run": ["learn", "log.parquet", limit, "--dry-run"],
            f"learn {limit}": ["learn", "log.parquet", limit, "--out", made],
        }
        for name, words in calls.items():
            used, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            subprocess.run(  # noqa: S603 (ourselves)
                [sys.executable, "-m", "dagscape", *words], cwd=folder, check=True
            )
            seconds = time.perf_counter() - begun
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
            table.add_row(name, f"{seconds:.0f}", f"{cpu:.0f}", f"{after.ru_maxrss / 2**20:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
