"""One job after the other; what would only take time is left out, and says so."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks.compare import measure
from benchmarks.compare.datasets import DataSets
from benchmarks.compare.job import Job, Record
from benchmarks.compare.tasks import Task

CELL_SECONDS = 20.0  # a case and tool that took so long is not repeated for more orders


class Runner:
    """Runs jobs and keeps their records; those that a file has are not run again."""

    def __init__(self, data: DataSets, scratch: Path, file: Path | None = None) -> None:
        self.records: list[Record] = []
        self._data, self._scratch, self._file = data, scratch, file
        self._known: dict[str, Record] = {}
        if file is not None and file.is_file():
            lines = file.read_text("utf-8").splitlines(keepends=True)
            whole = [line for line in lines if line.endswith("\n")]  # others were cut off
            file.write_text("".join(whole), encoding="utf-8")
            self._known = {_key(record): record for record in map(json.loads, whole)}

    def do(self, task: Task, job: Job) -> None:
        """Run a job, unless its cell has taken long enough or a smaller case was too much."""
        cell = self._cell(job, job.case)
        if any(record["status"] != "done" for record in cell):
            return
        if sum(record["cpu_seconds"] for record in cell) > CELL_SECONDS:
            return
        record: Record = job.record()
        record.pop("environment")
        smaller = self._cell(job, job.after) if job.after else []
        beaten = [other for other in smaller if other["status"] != "done"]
        if known := self._known.get(_key(record)):
            self.records.append(known)
            return
        if beaten:
            first = beaten[0].get("too_much", job.after)
            why = f"not asked: see {first}"
            record |= {"status": "not asked", "why": why, "too_much": first}
        else:
            record |= self._measured(task, job)
        self.records.append(record)
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as lines:
                lines.write(f"{json.dumps(record)}\n")
        _tell(record)

    def _cell(self, job: Job, case: str) -> list[Record]:
        wanted = (job.task, case, job.tool, job.variant)
        names = ("task", "case", "tool", "variant")
        return [r for r in self.records if tuple(r[name] for name in names) == wanted]

    def _measured(self, task: Task, job: Job) -> Record:
        table = self._data.file(job.data, job.shuffle) if job.data else None
        outcome = measure.run(job, table, self._scratch)
        if outcome["status"] != "done":
            return outcome
        measured: Record = outcome["measured"]
        measured["grown_mb"] = measured["grown_bytes"] / 1e6
        return {"status": "done", **measured, **task.judge(job, outcome["answer"], self._data)}


def _key(record: Record) -> str:
    """Return what a job asks for, the same for the same job of another run."""
    names = ("task", "case", "tool", "action", "data", "shuffle", "options", "limit", "variant")
    return json.dumps([record[name] for name in names])


def _tell(record: Record) -> None:
    words = [record["task"], record["case"], record["tool"]]
    words += [record["variant"]] if record["variant"] else []
    if record["shuffle"] is not None:
        words.append(f"order {record['shuffle']}")
    if record["status"] == "done":
        words.append(f"{record['cpu_seconds']:.2f} s")
        words += [f"{name} {record[name]:,.1f}" for name in ("score", "shd") if name in record]
    else:
        words.append(record.get("why", f"over {record['limit']:.0f} s"))
    sys.stderr.write(f"{', '.join(words)}\n")
