"""Run benchmark cases, each in a fresh process, show a table and write JSON.

python benchmarks/run.py [CASE ...] [--data DIR] [--json FILE] [--list] [--threads N]
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import machine
from cases import Case, MissingFileError, Run, load_cases
from rich.console import Console
from rich.table import Table

LONG = 20.0  # seconds: what takes longer is run once
BESIDE = Path(__file__).resolve().parent.parent.parent / "shared" / "data"

Record = dict[str, Any]


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    cases = load_cases()
    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False, soft_wrap=True)
    if options.list:
        for case in cases.values():
            console.print(f"{case.name:<32} {case.what}")
        return 0
    if options.worker:
        _work(cases[options.cases[0]], options.data, options.threads)
        return 0
    chosen = _chosen(cases, options.cases)
    facts = machine.describe()
    console.print(_heading(facts))
    records = []
    for record in _records(chosen, options):
        if why := record.get("skipped") or record.get("failed"):
            word = "skipped" if "skipped" in record else "failed"
            console.print(f"{record['case']}: {word}: {why}")
        records.append(record)
    done = [record for record in records if "measured" in record]
    if done:
        console.print(_table(done), soft_wrap=False)
    for record in done:
        if remark := record["facts"].get("remark"):
            console.print(f"{record['case']}, threads={record['threads']}: {remark}")
    if options.json:
        text = json.dumps({**facts, "cases": records}, indent=2, allow_nan=False)
        options.json.write_text(f"{text}\n", encoding="utf-8")
    return int(any("failed" in record for record in records))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "cases", nargs="*", metavar="CASE", help="names, or patterns such as 'parents-*'; all"
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of data sets")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything measured")
    parser.add_argument("--list", action="store_true", help="list the cases and stop")
    parser.add_argument("--threads", type=int, metavar="N", help="instead of what a case asks for")
    parser.add_argument(
        "--repeat", type=int, default=3, metavar="N", help="runs of a short case; the best counts"
    )
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.data is None:
        given = os.environ.get("DAGSCAPE_DATA")
        options.data = Path(given) if given else BESIDE if BESIDE.is_dir() else None
    if options.repeat < 1 or (options.threads is not None and options.threads < 1):
        parser.error("--repeat and --threads must be positive")
    if options.json and not options.json.parent.is_dir():
        parser.error(f"there is no folder {options.json.parent}")
    return options


def _chosen(cases: dict[str, Case], patterns: list[str]) -> list[Case]:
    for pattern in patterns:
        if not fnmatch.filter(cases, pattern):
            sys.exit(f'no case is called "{pattern}"; --list shows them')
    return [
        case
        for name, case in cases.items()
        if not patterns or any(fnmatch.fnmatch(name, pattern) for pattern in patterns)
    ]


def _records(cases: Iterable[Case], options: argparse.Namespace) -> Iterator[Record]:
    for case in cases:
        for threads in [options.threads] if options.threads else case.threads:
            record = _best(case, threads, options)
            yield record
            if "skipped" in record:
                break


def _best(case: Case, threads: int, options: argparse.Namespace) -> Record:
    """Run a case a few times and return the quickest run, with the seconds of all."""
    runs: list[Record] = []
    while len(runs) < options.repeat:
        record = _spawn(case, threads, options.data)
        if "measured" not in record:
            return record
        runs.append(record)
        if _wall(record) > LONG:
            break
    best = min(runs, key=_wall)
    best["measured"]["wall_seconds_of_all_runs"] = [_wall(record) for record in runs]
    return best


def _wall(record: Record) -> float:
    return float(record["measured"]["wall_seconds"])


def _spawn(case: Case, threads: int, folder: Path | None) -> Record:
    """Run a case in a process of its own, so that its peak memory is its own too."""
    words = [sys.executable, __file__, case.name, "--worker", "--threads", str(threads)]
    words += ["--data", str(folder)] if folder else []
    done = subprocess.run(words, capture_output=True, text=True)  # noqa: S603
    record: Record = {"case": case.name, "what": case.what, "threads": threads}
    if done.returncode:
        said = done.stderr.strip().splitlines()
        return {**record, "failed": said[-1] if said else f"exit code {done.returncode}"}
    return {**record, **json.loads(done.stdout)}


def _work(case: Case, folder: Path | None, threads: int) -> None:
    """Run a case here and write what came of it to stdout, for the process that asked."""
    run = Run(folder, threads)
    try:
        facts = case.function(run)
    except MissingFileError as error:
        json.dump({"skipped": str(error)}, sys.stdout)
        return
    content = {"settings": run.settings, "measured": run.measured, "facts": facts}
    json.dump(content, sys.stdout, allow_nan=False)


def _heading(facts: Record) -> str:
    here = facts["machine"]
    commit = facts["commit"] or "unknown"
    changed = " with changes" if commit.endswith("+") else ""
    return (
        f"{here['cpu']}, {here['cores']} cores, {', '.join(here['instructions'])}; "
        f"dagscape {facts['versions']['dagscape']}, commit {commit[:9]}{changed}; "
        f"load {here['load_at_start']:.1f}"
    )


COLUMNS = ("case", "threads", "wall s", "CPU s", "peak MB", "sets counted", "kept", "relative")


def _table(records: Iterable[Record]) -> Table:
    table = Table(box=None, pad_edge=False)
    for title in COLUMNS:
        table.add_column(title, justify="left" if title == "case" else "right", overflow="fold")
    for record in records:
        measured, facts = record["measured"], record["facts"]
        table.add_row(
            record["case"],
            str(record["threads"]),
            f"{measured['wall_seconds']:.2f}",
            f"{measured['cpu_seconds']:.2f}",
            f"{measured['peak_bytes'] / 1e6:,.0f}",
            _number(facts, "sets_counted", ",d"),
            _number(facts, "sets_kept", ",d"),
            _number(facts, "relaxed_relative_score", ".4f"),
        )
    return table


def _number(facts: Record, name: str, form: str) -> str:
    return format(facts[name], form) if name in facts else ""


if __name__ == "__main__":
    sys.exit(main())
