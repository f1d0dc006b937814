"""Show the best network and the bound that exact search has after given times, on dense tables.

python benchmarks/gap_table.py [--sets NAME ...] [--seconds S ...] [--picture FILE] [--write DIR]
                               [--data DIR]

Parent sets of at most three, BIC, on the test or validation rows of six tables that others prove in
hours. Each time is a run of its own, with the parent sets scored before. Six sets at 10, 30 and
100 s take 14 minutes. CPU seconds tell how much of the machine a run had. `--write` keeps the
parent sets as DIR/NAME.jkl.gz, for other programs to be run on.
"""

from __future__ import annotations

import argparse
import csv
import os
import time
from pathlib import Path

import polars as pl
from rich.console import Console

import dagscape as ds

BESIDE = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
PARTS = {
    "plants": "test",
    "accidents": "test",
    "baudio": "valid",
    "bnetflix": "valid",
    "jester": "valid",
    "kdd_distinct": "valid",
}
SECONDS = (10.0, 30.0, 100.0)

Points = list[tuple[float, float]]
"""CPU seconds, and the gap then."""


def main() -> None:
    """Do what the command line says: a line for each run, as soon as it is done."""
    options = _options()
    table = Console(highlight=False, markup=False, soft_wrap=True)
    table.print("| rows of | n × rows | kept sets | limit | CPU s | score | bound | gap |")
    table.print("| --- | --- | --: | --: | --: | --: | --: | --: |")
    curves: dict[str, Points] = {}
    for name in options.sets:
        data = part(options.data / "debd", name, PARTS[name])
        parents = ds.candidate_parents(data, score="bic", max_parents=3, threads=options.threads)
        if options.write is not None:
            options.write.mkdir(parents=True, exist_ok=True)
            parents.write(options.write / f"{name}.jkl.gz")
        for seconds in options.seconds:
            begun = time.process_time()
            found = ds.exact(parents, time_limit=seconds, threads=options.threads)
            used = time.process_time() - begun
            score = ds.score(data, found.dag, score="bic")
            if abs(score - found.score) > 1e-9 * abs(score):
                raise AssertionError(f"the search says {found.score}, the data say {score}")
            gap = 0.0 if found.optimal else found.bound - found.score
            curves.setdefault(name, []).append((used, gap))
            words = [
                f"{name}, {PARTS[name]}",
                f"{data.n_variables} × {data.n_rows:,}",
                f"{len(parents):,}",
                f"{seconds:g} s",
                f"{used:.0f}",
                f"{found.score:.2f}",
                f"{found.bound:.2f}",
                "proven" if found.optimal else f"{gap:.1f}",
            ]
            table.print(f"| {' | '.join(words)} |")
            if found.optimal:
                break
    if options.picture is not None:
        draw(curves, options.picture)


def part(folder: Path, name: str, which: str) -> ds.Data:
    """Return the training, validation or test rows, which follow each other in the file."""
    with (folder / "splits.csv").open(encoding="utf-8") as lines:
        row = next(row for row in csv.DictReader(lines) if row["file"] == name)
    sizes = {key: int(row[key]) for key in ("train", "valid", "test")}
    before = list(sizes)[: list(sizes).index(which)]
    frame = pl.read_csv(folder / f"{name}.csv.gz")
    return ds.Data(frame.slice(sum(sizes[key] for key in before), sizes[which]))


def draw(curves: dict[str, Points], path: Path) -> None:
    """Draw the gap against CPU seconds, both on logarithmic scales."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 3.8), layout="constrained")
    axes = figure.subplots()
    for name, points in curves.items():
        open_points = [point for point in points if point[1] > 0]
        if open_points:
            axes.loglog(*zip(*open_points, strict=True), marker="o", label=name)
    axes.set_xlabel("CPU seconds of two threads")
    axes.set_ylabel("bound − score, nats")
    axes.legend(frameon=False)
    axes.grid(visible=True, which="both", linewidth=0.3)
    figure.savefig(path, metadata={"Date": None})


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=list(PARTS), choices=PARTS, metavar="NAME")
    parser.add_argument("--write", type=Path, metavar="DIR", help="keep the parent sets here")
    parser.add_argument("--seconds", nargs="*", type=float, default=list(SECONDS), metavar="S")
    parser.add_argument("--threads", type=int, default=2, metavar="N")
    parser.add_argument("--picture", type=Path, default=None, metavar="FILE", help="an SVG file")
    given = os.environ.get("DAGSCAPE_DATA")
    parser.add_argument("--data", type=Path, default=Path(given) if given else BESIDE)
    return parser.parse_args()


if __name__ == "__main__":
    main()
