"""Run exact search on the public instances of the field, and keep what came of it.

python benchmarks/records.py [NAME ...] [--seconds 600] [--threads 2] [--results FILE] [--data DIR]
python benchmarks/records.py --table          # the table, from what is kept; nothing is run

Three kinds of instances. The sets of `ebnsl`, with any number of parents, by BIC, and by BDeu with
ess 1 where others published that optimum. The validation and test rows of `debd`, with at most
three parents, by BIC. The files of local scores. Each runs in a process of its own, selection of
parent sets included, and is kept as soon as it is done: a run that was cut off goes on where it
was. What is proven, or kept with as long a limit, is not run again. The score of each network is
computed again from its rows; a proven one is compared with the published optimum.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import machine
import polars as pl
from gap_table import BESIDE, part

import dagscape as ds

RESULTS = Path(__file__).resolve().parent / "results" / "records.json"
BDE = ds.BDeu(ess=1.0)
ROUNDING = 0.01
"""Published optima are sums of rounded local scores."""

OTHER_TABLES = {"autos": -1585.7597}
"""Sets whose published optimum (autos: -1577.1598) is of another table, and their own: by a program
that shares nothing with dagscape, which scored all sets of up to 5 parents and went through all
2^26 sets of variables. More than 5 parents cannot pay off with 159 rows."""

SCORE_FILES = {
    "wine.BIC.3": ("wine.BIC.3.jkl", -1258.445909),
    "asia_10000.3": ("asia_10000.3.jkl", None),
    "child-5000": ("child-5000.jkl", None),
}

Record = dict[str, Any]


class Instance(NamedTuple):
    """A problem: where its rows are, and what is asked of them."""

    name: str
    folder: str
    score: str
    max_parents: int | None = None
    rows: str = ""
    known: float | None = None


def main() -> None:
    """Do what the command line says."""
    options = _options()
    if options.worker:
        instance = next(i for i in instances(options.data) if i.name == options.names[0])
        json.dump(solve(instance, options), sys.stdout, allow_nan=False)
        return
    kept: Record = json.loads(options.results.read_text()) if options.results.is_file() else {}
    if not options.table:
        for instance in instances(options.data):
            if options.names and instance.name not in options.names:
                continue
            if _is_kept(kept.get("instances", {}).get(instance.name), options.seconds):
                continue
            record = _spawn(instance, options)
            kept.setdefault("instances", {})[instance.name] = record
            kept |= {"machine": machine.describe()["machine"]}
            options.results.write_text(json.dumps(kept, indent=1, allow_nan=False) + "\n")
            sys.stdout.write(_line(instance.name, record) + "\n")
            sys.stdout.flush()
        return
    sys.stdout.write(table(kept["instances"]))


def instances(data: Path) -> Iterator[Instance]:
    """Return all problems, those that need few columns first in each folder."""
    with (data / "ebnsl" / "known_optima.csv").open(encoding="utf-8") as lines:
        known = {
            (row["data"], row["score"]): float(
                row["gobnilp"] if row["gobnilp"] != "NA" else row["cpbayes"]
            )
            for row in csv.DictReader(lines)
        }
    for path in sorted((data / "ebnsl").glob("*.csv.gz")):
        name = path.name.removesuffix(".csv.gz")
        listed = {"tic-tac-toe": "tic-tac"}.get(name, name)
        optimum = OTHER_TABLES.get(name, known.get((listed, "BIC")))
        yield Instance(f"{name}, BIC", "ebnsl", "bic", known=optimum)
        if name not in OTHER_TABLES and (optimum := known.get((listed, "BDe"))) is not None:
            yield Instance(f"{name}, BDeu 1", "ebnsl", "bdeu", known=optimum)
    with (data / "debd" / "splits.csv").open(encoding="utf-8") as lines:
        sets = sorted(csv.DictReader(lines), key=lambda row: int(row["variables"]))
    for row in sets:
        for rows in ("valid", "test"):
            if int(row[rows]):
                yield Instance(f"{row['file']}, {rows}", "debd", "bic", 3, rows)
    for name, (_, optimum) in SCORE_FILES.items():
        yield Instance(name, "scores", "file", known=optimum)


def solve(instance: Instance, options: argparse.Namespace) -> Record:
    """Prove the optimum, or come as near as the time allows."""
    asked = {"time_limit": options.seconds, "threads": options.threads}
    score = BDE if instance.score == "bdeu" else instance.score
    if instance.score == "file":
        data: ds.Data | None = None
        parents = ds.read_parents(options.data / "scores" / SCORE_FILES[instance.name][0])
        begun, cpu = time.perf_counter(), time.process_time()
        found = ds.exact(parents, **asked)
    else:
        name = instance.name.rpartition(", ")[0]
        folder = options.data / instance.folder
        data = (
            part(folder, name, instance.rows)
            if instance.rows
            else states(folder / f"{name}.csv.gz")
        )
        begun, cpu = time.perf_counter(), time.process_time()
        found = ds.exact(data, score=score, max_parents=instance.max_parents, **asked)
    wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
    if data is not None:
        again = ds.score(data, found.dag, score=score)
        if abs(again - found.score) > 1e-9 * abs(again):
            raise AssertionError(f"the search says {found.score}, the data say {again}")
    proven = found.optimal and (data is None or not found.scope.candidates_only)
    if proven and instance.known is not None and abs(found.score - instance.known) > ROUNDING:
        raise AssertionError(f"proven {found.score}, but {instance.known} is published")
    return {
        "variables": len(found.dag.names),
        "rows": None if data is None else data.n_rows,
        "score": found.score,
        "bound": found.bound,
        "proven": proven,
        "claim": found.claim,
        "complete_to": found.scope.complete_to,
        "method": found.method,
        "sets": found.work["parent_sets"],
        "known": instance.known,
        "seconds": options.seconds,
        "threads": options.threads,
        "wall": round(wall, 2),
        "cpu": round(cpu, 2),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def states(path: Path) -> ds.Data:
    """Read a table whose columns are all states, however many there are."""
    frame = pl.read_csv(path)
    return ds.Data(frame, kinds=dict.fromkeys(frame.columns, "discrete"))


def table(records: dict[str, Record]) -> str:
    """Return the table of what is kept."""
    proven = sum(record.get("proven", False) for record in records.values())
    compared = [r for r in records.values() if r.get("proven") and r.get("known") is not None]
    lines = [
        f"{proven} of {len(records)} are proven. Of {len(compared)} of these the optimum is "
        "published, and is the same.",
        "",
        "| instance | n × rows | limit, threads | CPU s | peak MB | score | outcome |",
        "| --- | --- | --- | --: | --: | --: | --- |",
    ]
    return "\n".join([*lines, *(_line(name, record) for name, record in records.items())]) + "\n"


def _line(name: str, record: Record) -> str:
    if "failed" in record:
        return f"| {name} | | {record['seconds']:g} s | | | | {record['failed']} |"
    size = f"{record['variables']}" + (f" × {record['rows']:,}" if record["rows"] else "")
    if record["proven"]:
        outcome = "proven" + (", as published" if record["known"] is not None else "")
    else:
        gap = record["bound"] - record["score"]
        outcome = f"at most {gap:.1f} nats from the best" if gap else "the best"
        if record["complete_to"] is not None:
            most = record["complete_to"]
            outcome += f" of those with at most {most} parent{'s' * (most != 1)}"
        if record["known"] is not None:
            outcome += f"; {record['score'] - record['known']:+.2f} from the published optimum"
    limit = f"{record['seconds']:g} s, {record['threads']}"
    return (
        f"| {name} | {size} | {limit} | {record['cpu']:.1f} | {record['peak_mb']:,} "
        f"| {record['score']:.2f} | {outcome} |"
    )


def _is_kept(record: Record | None, seconds: float) -> bool:
    return record is not None and (record.get("proven", False) or record["seconds"] >= seconds)


def _spawn(instance: Instance, options: argparse.Namespace) -> Record:
    """Solve an instance in a process of its own, so that its peak memory is its own too."""
    words = [sys.executable, __file__, instance.name, "--worker", "--data", str(options.data)]
    words += ["--seconds", str(options.seconds), "--threads", str(options.threads)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        said = done.stderr.strip().splitlines()
        why = said[-1] if said else f"exit code {done.returncode}"
        return {"failed": why, "seconds": options.seconds}
    record: Record = json.loads(done.stdout)
    return record


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="instances such as 'iris, BIC'")
    parser.add_argument("--seconds", type=float, default=600.0, metavar="S")
    parser.add_argument("--threads", type=int, default=2, metavar="N")
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FILE")
    parser.add_argument("--table", action="store_true", help="show what is kept")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = os.environ.get("DAGSCAPE_DATA")
    parser.add_argument("--data", type=Path, default=Path(given) if given else BESIDE)
    return parser.parse_args()


if __name__ == "__main__":
    main()
