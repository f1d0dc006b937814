"""Run dagscape and its peers on the same data, write the JSON and the page.

python -m benchmarks.compare [--quick] [--data DIR] [--tasks A,B] [--tools A,B] [--out DIR]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks import machine
from benchmarks.compare import measure, peers
from benchmarks.compare.datasets import DataSets
from benchmarks.compare.job import Job, Record, Setup
from benchmarks.compare.tasks import TASKS, Task, load_task


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    setup = Setup(options.quick, options.seed, options.tools, options.data is not None)
    begin = time.perf_counter()
    content: dict[str, Any] = {
        **machine.describe(),
        "peers": peers.versions(),
        "settings": {"quick": options.quick, "seed": options.seed, "data": bool(options.data)},
        "records": [],
    }
    with tempfile.TemporaryDirectory() as scratch:
        data = DataSets(Path(scratch), options.data)
        for task in map(load_task, options.tasks):
            for job in task.jobs(setup):
                record = _do(task, job, data)
                content["records"].append(record)
                _tell(record)
    content["seconds"] = time.perf_counter() - begin
    text = json.dumps(content, indent=1, allow_nan=False)
    (options.out / "compare.json").write_text(f"{text}\n", encoding="utf-8")
    for task in map(load_task, options.tasks):
        some = [record for record in content["records"] if record["task"] == task.name]
        sys.stdout.write(f"\n{task.title}\n\n{task.section(some)}\n")
    return 0


def _do(task: Task, job: Job, data: DataSets) -> Record:
    outcome = measure.run(job, data.file(job.data, job.shuffle) if job.data else None)
    record: Record = {**job.record(), "status": outcome["status"]}
    if outcome["status"] == "failed":
        record["why"] = outcome["why"]
    if outcome["status"] == "done":
        record |= outcome["measured"]
        record["grown_mb"] = record["grown_bytes"] / 1e6
        record |= task.judge(job, outcome["answer"], data)
    return record


def _tell(record: Record) -> None:
    words = [record["task"], record["case"], record["tool"], f"shuffle {record['shuffle']}"]
    if record["status"] == "done":
        words.append(f"{record['cpu_seconds']:.2f} s")
    else:
        words.append(record.get("why", f"over {record['limit']:.0f} s"))
    sys.stderr.write(f"{', '.join(words)}\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer rows and shuffles, 5 minutes")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of real data sets")
    parser.add_argument("--tasks", type=_names(TASKS), default=TASKS, metavar="A,B")
    parser.add_argument("--tools", type=_names(peers.TOOLS), default=peers.TOOLS, metavar="A,B")
    parser.add_argument("--out", type=Path, default=Path("out"), metavar="DIR")
    parser.add_argument("--seed", type=int, default=1, help="of the orders of columns")
    options = parser.parse_args()
    if options.data and not options.data.is_dir():
        parser.error(f"there is no folder {options.data}")
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def _names(known: tuple[str, ...]) -> Any:
    def parse(text: str) -> tuple[str, ...]:
        words = tuple(text.split(","))
        for word in words:
            if word not in known:
                raise argparse.ArgumentTypeError(f'unknown "{word}"; choose {", ".join(known)}')
        return words

    return parse


if __name__ == "__main__":
    sys.exit(main())
