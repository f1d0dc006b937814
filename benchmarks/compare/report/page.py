"""The page: made whole from the JSON of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.compare.job import Record
from benchmarks.compare.peers import load_peer
from benchmarks.compare.report.ahead import FIGURES, OURS, WORDS, beats
from benchmarks.compare.report.summary import cells, spread
from benchmarks.compare.report.tables import table
from benchmarks.compare.report.words import times
from benchmarks.compare.runs import runs_of
from benchmarks.compare.tasks import TASKS, load_task

ABOUT = """
# dagscape beside other tools

This page is written by `make compare`: pgmpy, pyAgrum, PyBNesian, causal-learn and gies (for series
tigramite and statsmodels) are installed in an environment of their own and run beside dagscape on
the same tables. A sentence that says who is ahead is computed from the figures; why is written by
hand, and shown only where it is so.

<!-- not run: takes half an hour -->
```sh
make compare ARGS=--quick                       # 5 minutes, after the packages are there
make compare ARGS="--out docs"                  # half an hour: this page, its plots and the JSON
make compare ARGS="--out docs --tasks accuracy"  # one task anew; the others stay, with their date
make compare ARGS="--data DIR --tasks hill_climbing,best_effort"   # on real files
```
"""
HOW = """
## How it was measured

- Each measurement is one fresh process with one thread on one core, one at a time. Imports,
  reading the table and bringing it into the form that the tool takes (categories declared) are
  not counted.
- "CPU s" is CPU time; a call that takes less than 0.4 s is repeated on fresh tables for half a
  second, and its shortest wall time stands for it. Shown is the median over orders of the
  columns, in brackets the range; "over 30" means that the process was ended after 30 CPU seconds.
  A tool that did not finish a smaller case is not asked for the larger one, and orders are not
  repeated in a cell that has taken {cell:.0f} s. "× ours" is the ratio to dagscape's median.
- "alarm-1000" is a table of 1,000 rows sampled from the bundled network alarm; "first8" are its
  first 8 columns.
- "orders": the columns are shuffled with fixed seeds, since the answers of other tools change
  with their order. dagscape's do not.
- "MB": by how much the process grew while it learned, of its whole size, with the libraries and
  the table in it. "wall s" is the median.
- Except where defaults are compared ("How near to the truth"), no tool is given a prior on
  structures: for dagscape that is `prior="uniform"`.
- "BIC" is the median, in natural logarithms, of a scorer of its own (NumPy alone,
  `benchmarks/compare/scorer.py`) on every graph that came back; "against ours" is the range over
  orders, above 0 where the peer's network is better than dagscape's median.
- "SHD" counts the pairs of variables that are joined differently in the essential graphs of the
  network found and of the true one.
- Every tool keeps its defaults, except for what makes the task the same.
"""

JSON = "All figures are in [compare.json](compare/compare.json)."
BUSY = 1.0  # load at the start


def page(content: dict[str, Any], cell: float) -> str:
    """Return the page in Markdown."""
    records = content["records"]
    runs = runs_of(content)
    told = [_run(run, named=len(runs) > 1) for run in runs]
    parts = [ABOUT.strip(), *told, _busy(runs), JSON, "## In short", _short(records)]
    parts.append(HOW.strip().format(cell=cell))
    for task, some in by_task(records):
        parts += [f"## {task.title}", task.section(some)]
    return "\n\n".join(filter(None, parts)) + "\n"


def draw(content: dict[str, Any], folder: Path) -> None:
    """Draw the plots of the page."""
    folder.mkdir(parents=True, exist_ok=True)
    for task, some in by_task(content["records"]):
        if task.plots:
            task.plots(some, folder)


def by_task(records: list[Record]) -> list[tuple[Any, list[Record]]]:
    """Return the tasks that were run, with their records, in the order of the page."""
    names = {record["task"] for record in records}
    return [
        (load_task(name), [record for record in records if record["task"] == name])
        for name in TASKS
        if name in names
    ]


def _run(run: dict[str, Any], *, named: bool) -> str:
    """Say of a run when and where it was, and which sections it made if there are others."""
    here, settings = run["machine"], run["settings"]
    versions = {**run["peers"], "Python": run["versions"]["python"]}
    kind = "A quick run" if settings["quick"] else "A full run"
    if run.get("ended"):
        kind = "A run that was ended before it was done"
    data = "sampled tables"
    if settings["data"]:
        told = "; ".join(f"{name}: {source}" for name, source in run["sources"].items())
        data = f"real files where there are any ({told})"
    commit = (run["commit"] or "unknown").rstrip("+")[:9]
    titles = ", ".join(f'"{load_task(name).title}"' for name in run["tasks"])
    return (
        f"{f'{titles}: {kind.lower()}' if named else kind} on {data}, {run['date'][:10]}, "
        f"{run['seconds'] / 60:.0f} minutes: "
        f"{', '.join(f'{name} {version}' for name, version in versions.items())}; {here['cpu']}, "
        f"{here['cores']} cores, {here['memory_bytes'] / 1e9:.0f} GB, load "
        f"{here['load_at_start']:.1f} at the start; commit {commit}."
    )


def _busy(runs: list[dict[str, Any]]) -> str:
    """Say that times are rough, if they are."""
    if all(run["machine"]["load_at_start"] <= BUSY for run in runs):
        return ""
    return (
        "**The machine had other work**: times are too long, ratios rough, and more tools "
        "were ended at their limit than would be on a quiet one."
    )


def _short(records: list[Record]) -> str:
    """Return a row for each task and peer: how much longer it takes, and who is ahead how often."""
    titles = ("task", "peer", "rows", "did not finish", "CPU × ours", *map(_title, FIGURES))
    rows = []
    for task, some in by_task([r for r in records if not r.get("untimed")]):
        if not task.timed:
            continue
        found = cells(some)
        for tool in dict.fromkeys(tool for _, tool in found if tool != OURS):
            cases = [case for case, other in found if other == tool and (case, OURS) in found]
            if cases:
                rows.append([task.title, load_peer(tool).NAME, *_score(found, tool, cases)])
    words = (
        'Rows in which the peer is ahead, by the median: "2 of 8" is 2 of the 8 rows that both '
        "finished.\n\n"
    )
    return words + table(titles, rows, words=2)


def _title(figure: str) -> str:
    return f"ahead in {WORDS[figure]}"


def _score(found: dict[tuple[str, str], list[Record]], tool: str, cases: list[str]) -> list[str]:
    ratios, wins = [], []
    for case in cases:
        ours, theirs = (spread(found[case, who], "cpu_seconds") for who in (OURS, tool))
        if ours and theirs:
            ratios.append(theirs.middle / ours.middle)
    for figure in FIGURES:
        pairs = [(spread(found[c, tool], figure), spread(found[c, OURS], figure)) for c in cases]
        known = [(a.middle, b.middle) for a, b in pairs if a and b]
        count = sum(beats(figure, *pair) for pair in known)
        wins.append(f"{count} of {len(known)}" if known else "")
    ends = list(dict.fromkeys(times(end) for end in (min(ratios), max(ratios)))) if ratios else []
    return [str(len(cases)), str(len(cases) - len(ratios)), " to ".join(ends), *wins]
