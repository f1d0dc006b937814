"""Which score and prior come nearest to the truth: the table of docs/reproduce/accuracy.md.

python reproduce/accuracy.py grid.jsonl [--seeds N] [--seconds S] [--only asia ...] [--ways ...]
python reproduce/accuracy.py grid.jsonl --published [--seeds N] [--seconds S]
python reproduce/accuracy.py grid.jsonl --report [--markdown out.md] [--figure accuracy.svg]

Each line of the file is one answer: a truth, a number of rows, a seed and a way. What is there is
not done again, so that a run can be ended at any time and goes on later. All truths come before the
second seed. Two of them need the folder of data sets (DAGSCAPE_DATA, or beside the repository).
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from _accuracy_tables import tables
from _accuracy_truths import PUBLISHED, PUBLISHED_ROWS, TRUTHS
from _accuracy_ways import AVERAGES, CLIMBS, OPTIMA, PUBLISHED_WAYS, WAYS, measure
from _tables import add_output_options, console, put_out

ROWS = (100, 250, 1000, 5000, 20_000)
Key = tuple[str, int, int, str]


def main() -> None:
    """Fill the file, or tell what is in it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--report", action="store_true", help="tell what the file has")
    parser.add_argument("--published", action="store_true", help="the published benchmark's design")
    parser.add_argument("--seeds", type=int, default=3, metavar="N")
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS)
    parser.add_argument("--seconds", type=float, default=10.0, metavar="S", help="for an optimum")
    parser.add_argument("--only", nargs="+", choices=TRUTHS, default=list(TRUTHS), metavar="TRUTH")
    parser.add_argument(
        "--ways", nargs="+", choices=["optima", "climbs", "averages", *WAYS], metavar="WAY"
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("--figure", type=Path, metavar="FILE", help="draw the regrets")
    add_output_options(parser)
    options = parser.parse_args()
    if not options.report:
        fill(options)
    records = list(read(options.file))
    put_out(console(), options, tables(records), records)
    if options.figure:
        from _accuracy_figures import draw

        draw(records, options.figure)


def fill(options: argparse.Namespace) -> None:
    """Do what is missing in the file."""
    have = {key(record) for record in read(options.file)}
    wanted = [cell for cell in cells(options) if cell not in have]
    options.file.write_text("".join(f"{json.dumps(r)}\n" for r in read(options.file)), "utf-8")
    with (
        options.file.open("a", encoding="utf-8") as file,
        ProcessPoolExecutor(options.workers) as pool,
    ):
        jobs = {pool.submit(one, *cell, options.seconds): cell for cell in wanted}
        try:
            for done in as_completed(jobs):
                file.write(f"{json.dumps(done.result())}\n")
                file.flush()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)  # or Ctrl-C would wait for all of them
            raise


def cells(options: argparse.Namespace) -> Iterator[Key]:
    """Yield what is asked for, all truths of a seed before the next."""
    groups = {"optima": OPTIMA, "averages": AVERAGES, "climbs": CLIMBS}
    usual = PUBLISHED_WAYS if options.published else ["optima", "averages"]
    ways = [way for name in options.ways or usual for way in groups.get(name, [name])]
    sizes = (PUBLISHED_ROWS,) if options.published else options.rows
    truths = PUBLISHED if options.published else options.only
    for seed in range(options.seeds):
        for rows in sizes:
            for truth in truths:
                for way in ways:
                    yield truth, rows, seed, way


def one(truth: str, rows: int, seed: int, way: str, seconds: float) -> dict[str, Any]:
    """Return one line of the file."""
    make = PUBLISHED[truth] if truth in PUBLISHED else TRUTHS[truth].make
    found = measure(make(seed), rows, seed, way, seconds)
    return {"truth": truth, "rows": rows, "seed": seed, "way": way, **found}


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of the file; a last one that was cut off is done again."""
    if path.exists():
        for line in path.read_text("utf-8").splitlines(keepends=True):
            if line.endswith("\n"):
                yield json.loads(line)


def key(record: dict[str, Any]) -> Key:
    """Return which answer it is."""
    return record["truth"], record["rows"], record["seed"], record["way"]


if __name__ == "__main__":
    main()
