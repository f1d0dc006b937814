"""``dagscape parents``: scored parent sets of every variable, in a file that solvers read."""

import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

import dagscape as ds
from dagscape.cli.inputs import (
    Discretize,
    Json,
    Missing,
    Seed,
    Separator,
    chosen_score,
    read_data,
)
from dagscape.cli.output import emit_json, note, note_warnings

INTERRUPTED = 130

STOPPED = {
    "time": "stopped by the time limit",
    "memory": "stopped by the memory limit",
    "interrupt": "stopped by Ctrl-C",
}


def parents(
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="Table: .csv, .tsv, .parquet or .arrow.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="File to write (.jkl, .pss; .gz may follow).",
            show_default=".jkl on stdout",
        ),
    ] = None,
    score: Annotated[
        str, typer.Option(metavar="NAME", help=f"One of {', '.join(ds.SCORES)}.")
    ] = "bic",
    ess: Annotated[
        float | None, typer.Option(help="Equivalent sample size of bdeu; 1 if not given.")
    ] = None,
    max_parents: Annotated[
        int | None,
        typer.Option(
            metavar="K",
            help="The most parents of a variable.",
            show_default="as many as can pay off",
        ),
    ] = None,
    method: Annotated[
        str, typer.Option(metavar="NAME", help="sequential, greedy, independence or hybrid.")
    ] = "sequential",
    time_limit: Annotated[
        float | None, typer.Option(metavar="S", help="Seconds after which to stop.")
    ] = None,
    max_memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Memory at which to stop, such as 4GB.",
            show_default="70 % of what is free",
        ),
    ] = None,
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="Threads.", show_default="one for each core")
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Say nothing unless it ends early.")
    ] = False,
    missing: Missing = "error",
    discretize: Discretize = None,
    separator: Separator = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Score parent sets of every variable, and keep those that can be part of a best network.

    A limit, or Ctrl-C, ends it with the sets found so far. --json describes the result; the sets
    go to the file.
    """
    if json and output is None:
        raise ds.ParameterError("--json needs -o FILE: without it the parent sets go to stdout")
    memory = None if max_memory is None else _bytes(max_memory)
    kind = chosen_score(score, ess)
    table = read_data(data, discretize, missing, separator, seed)

    def select(
        on: ds.Data, most: int | None, progress: Callable[[float], None] | None = None
    ) -> ds.CandidateParents:
        return ds.candidate_parents(
            on,
            score=kind,
            method=method,
            max_parents=most,
            time_limit=time_limit,
            max_memory=memory,
            threads=threads,
            progress=progress,
        )

    # What is wrong with options, names or the file is said before the work, not after it.
    _rehearse(select(ds.Data({name: [0, 1, 0, 1] for name in table.names}), 0), output)
    if method == "sequential" and not quiet:  # the others take the time they are given
        cost = ds.estimate_parents(
            table, score=kind, max_parents=max_parents, max_memory=memory, threads=threads
        )
        beyond = "" if cost.complete else "; larger sets do not fit and follow one by one"
        note(
            f"{cost.sets:,.0f} sets of variables to count at most, "
            f"{_size(cost.bytes)} of memory and up to {_size(cost.list_bytes)} for what is found, "
            f"{duration(cost.seconds)}{beyond}"
        )
    with _bar(not quiet and sys.stderr.isatty(), time_limit) as progress:
        found = select(table, max_parents, progress)
    _write(found, output)
    if json:
        emit_json(_description(table, found, output))
    if found.stopped or not quiet:
        note(_outcome(found, output))
    if not quiet:
        note_warnings(table)
    if found.stopped == "interrupt":
        raise typer.Exit(INTERRUPTED)


def _bytes(text: str) -> int:
    """Return a size that is written like 4GB, 1.5 GiB or 500000 as bytes."""
    found = re.fullmatch(
        r"(\d{1,15}(?:\.\d*)?|\.\d+)\s*(?:([kmgt])(i?)b?|b)?", text.strip().lower()
    )
    if not found:
        raise ds.ParameterError(f'--max-memory must be a size such as 4GB or 500MB, got "{text}"')
    power = "kmgt".index(found[2]) + 1 if found[2] else 0
    return min(int(float(found[1]) * (1024 if found[3] else 1000) ** power), sys.maxsize)


def _rehearse(smallest: ds.CandidateParents, output: Path | None) -> None:
    """Write sets without parents elsewhere, to see whether names and file will do."""
    if output is not None:
        folder = output.parent
        if output.is_dir():
            raise ds.ParameterError(f'"{output}" is a folder; name a file in it')
        if not folder.is_dir():
            raise ds.ParameterError(f'"{output}" cannot be written: there is no folder "{folder}"')
        if not os.access(folder, os.W_OK):
            raise ds.ParameterError(f'"{output}" cannot be written: "{folder}" is read-only')
    with tempfile.TemporaryDirectory() as elsewhere:
        trial = Path(elsewhere, "parents.jkl" if output is None else output.name)
        try:
            smallest.write(trial)
        except ds.DagscapeError as error:
            raise type(error)(str(error).replace(str(trial), str(output or "stdout"))) from None


def _write(found: ds.CandidateParents, output: Path | None) -> None:
    if output is not None:
        found.write(output)
        return
    with tempfile.TemporaryDirectory() as folder:  # so that both ways give the same bytes
        path = Path(folder, "parents.jkl")
        found.write(path)
        with path.open("rb") as file:
            shutil.copyfileobj(file, typer.get_binary_stream("stdout"))


def _size(count: float) -> str:
    units = ["TB", "GB", "MB", "kB", "bytes"]
    while count >= 999.5 and len(units) > 1:
        count /= 1000
        units.pop()
    return f"{count:.3g} {units[-1]}"


def duration(seconds: float) -> str:
    """Return a duration in words, as exact as an estimate deserves."""
    if seconds < 1:
        return "less than a second"
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    hours = seconds / 3600
    if hours < 72:
        return f"{hours:.0f} h"
    days = hours / 24
    return f"{days:,.0f} days" if days < 1000 else "years"


class TimeLeft:
    """What is left of the time, judged by the speed in the later half of the time so far.

    The early speed says little: small sets go first, and they are counted fastest. Pruning can
    spare work that is still in the count, hence "at most".
    """

    def __init__(self, limit: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._clock = clock
        self._start = clock()
        self._seen = [(0.0, 0.0)]

    def at(self, share: float) -> str:
        """Return what to show when this share of the work is done."""
        now = self._clock() - self._start
        while len(self._seen) > 1 and self._seen[1][0] <= now / 2:
            del self._seen[0]
        since, before = self._seen[0]
        if now - self._seen[-1][0] > now / 50:
            self._seen.append((now, share))
        if now < 1 or share <= before:
            return ""
        left = (1 - share) * (now - since) / (share - before)
        if self._limit is not None and left > self._limit - now:
            return f"{duration(max(0.0, self._limit - now))} to the time limit"
        return f"about {duration(left)} left at most" if left >= 1 else "nearly done"


@contextmanager
def _bar(shown: bool, limit: float | None) -> Iterator[Callable[[float], None] | None]:
    """Show a bar on stderr while the block runs; yield what to tell the share done."""
    if not shown:
        yield None
        return
    left = TimeLeft(limit)
    columns = (
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0, left="")
        yield lambda share: bar.update(task, completed=min(share, 1.0), left=left.at(share))


def _outcome(found: ds.CandidateParents, output: Path | None) -> str:
    how_far = "exhaustive"
    if not found.exhaustive:
        most = found.exhaustive_to
        how_far = f"exhaustive to {most} parents" if most else "not exhaustive"
    ended = f"{STOPPED[found.stopped]} after " if found.stopped else ""
    where = "" if output is None else f" in {output}"
    return (
        f"{len(found):,} parent sets of {len(found.names):,} variables{where} "
        f"({how_far}; {ended}{found.seconds:.1f} s)"
    )


def _description(
    table: ds.Data, found: ds.CandidateParents, output: Path | None
) -> dict[str, object]:
    return {
        "file": str(output),
        "score": found.score,
        "method": found.method,
        "rows": table.n_rows,
        "variables": table.n_variables,
        "sets": len(found),
        "exhaustive": found.exhaustive,
        "exhaustive_to": found.exhaustive_to,
        "stopped": found.stopped,
        "relaxed_score": found.relaxed_score,
        "seconds": found.seconds,
        "work": {name: value for name, value in found.work.items() if name != "stopped"},
    }
