"""Run dagscape and its peers on the same data, write the JSON, the plots and the page.

python -m benchmarks.compare [--quick] [--data DIR] [--tasks A,B] [--tools A,B] [--out DIR]
                            [--kept FILE]
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
from benchmarks.compare import peers
from benchmarks.compare.datasets import DataSets
from benchmarks.compare.job import Setup
from benchmarks.compare.report.page import draw, page
from benchmarks.compare.runner import CELL_SECONDS, Runner
from benchmarks.compare.runs import joined
from benchmarks.compare.tasks import TASKS, load_task


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    folder = options.out / "compare"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "compare.json"
    before = json.loads(file.read_text("utf-8")) if file.is_file() else None
    if options.again:
        content = before
    else:
        content = _run(options)
        if before and options.tasks != TASKS:
            content = joined(before, content)
        text = json.dumps(content, indent=1, allow_nan=False)
        file.write_text(f"{text}\n", encoding="utf-8")
    draw(content, folder)
    (options.out / "compare.md").write_text(page(content, CELL_SECONDS), encoding="utf-8")
    sys.stderr.write(f"{options.out / 'compare.md'}, {file}\n")
    return 0


def _run(options: argparse.Namespace) -> dict[str, Any]:
    begin = time.perf_counter()
    ended = False
    content = {
        **machine.describe(),
        "peers": peers.versions(options.tools),
        "settings": {"quick": options.quick, "seed": options.seed, "data": bool(options.data)},
    }
    with tempfile.TemporaryDirectory() as scratch:
        data = DataSets(Path(scratch), options.data)
        runner = Runner(data, Path(scratch), options.kept)
        setup = Setup(options.quick, options.seed, options.tools, options.data is not None)
        try:
            for task in map(load_task, options.tasks):
                for job in task.jobs(setup):
                    runner.do(task, job)
        except KeyboardInterrupt:
            ended = True
            sys.stderr.write("stopped: the page has what was measured until now\n")
    content |= {"ended": ended, "seconds": time.perf_counter() - begin, "sources": data.sources()}
    return {**content, "records": runner.records}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer tables and orders, 5 minutes")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of real data sets")
    parser.add_argument(
        "--tasks",
        type=_names(TASKS),
        default=TASKS,
        metavar="A,B",
        help=f"these alone, beside what DIR has of the others: {', '.join(TASKS)}",
    )
    parser.add_argument(
        "--tools", type=_names(peers.TOOLS), default=peers.TOOLS, metavar="A,B", help="all"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("out"), metavar="DIR", help="out; docs for the site"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the orders of columns")
    parser.add_argument(
        "--kept", type=Path, metavar="FILE", help="keep each figure there, and go on from it"
    )
    parser.add_argument(
        "--again", action="store_true", help="measure nothing, write the page from DIR's JSON"
    )
    options = parser.parse_args()
    if options.again and not (options.out / "compare" / "compare.json").is_file():
        parser.error(f"--again needs the JSON of a run, {options.out / 'compare' / 'compare.json'}")
    if options.data:
        options.data = options.data.resolve()
        if not options.data.is_dir():
            parser.error(f"there is no folder {options.data}")
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
