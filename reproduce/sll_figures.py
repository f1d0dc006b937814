"""Figures 2 to 6 of the paper on local learning: SLL and its networks beside other methods.

python reproduce/sll_figures.py [--quick] [--only NETWORK ...] [--store FILE] [--out DIR]

Source: Niinimäki and Parviainen, Local structure discovery in Bayesian networks, UAI 2012,
section 4.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from _data import add_data_option, check_folder
from _sll_data import NETWORKS, ROWS, SETS, alarm, present, sample, state_counts, truths
from _sll_tables import Graph, tables
from _tables import add_output_options, console, put_out

import dagscape as ds

QUICK = 3
"""Data sets of each network and number of rows."""

BDEU = ds.BDeu(ess=1.0)

LOCAL: dict[str, dict[str, Any]] = {
    "SLL": {"method": "sll", "score": BDEU, "max_parents": 5, "exact_limit": 20},
    "HITON": {"method": "hiton", "alpha": 0.05, "max_conditioning": 5, "degrees": "declared"},
}
WHOLE: dict[str, Callable[..., ds.Result]] = {
    "GS": partial(ds.hill_climb, tabu=100, patience=15, wander=False, restarts=0, threads=1),
    "GES": ds.ges,
    "MMHC": partial(ds.mmhc, degrees="declared", tabu=100, patience=15, threads=1),
    # Lines 10 to 15 of Algorithm 5 as they are printed, and with edges that both ends find alone.
    "SLL+C": partial(ds.sll_c, threads=1, spouses="published", skeleton="printed"),
    "SLL+C strict": partial(ds.sll_c, threads=1, spouses="published", skeleton="strict"),
    "SLL+G": partial(ds.sll_g, tabu=100, patience=15, threads=1),
}

Record = dict[str, Any]
Task = tuple[str, int, int]


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    screen = console()
    for name in options.only:
        if not present(options.data, name):
            screen.print(f"{name}: left out, its files are not in {options.data}")
    # By data sets, so that a run that was cut short has some of every network.
    asked = [
        (name, rows, number)
        for number in SETS[: options.sets]
        for rows in options.rows
        for name in options.only
        if present(options.data, name)
    ]
    records = _kept(options.store, asked)
    done = {_task(record) for record in records}
    missing = [task for task in asked if task not in done]
    with screen.status("") as status:
        for i, found in enumerate(_run(options.data, missing, options.workers), start=1):
            records += found
            if options.store:
                with options.store.open("a", encoding="utf-8") as lines:
                    lines.write("".join(f"{json.dumps(record)}\n" for record in found))
            status.update(f"{i} of {len(missing)} data sets")
    records.sort(key=lambda record: asked.index(_task(record)))
    graphs = [described(options.data, name) for name in options.only if present(options.data, name)]
    shown = tables(records, _known_alarm(options.data), graphs)
    put_out(screen, options, shown, records, drawn=True)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        for path in drawn(records, options.out):
            screen.print(f"wrote {path}")
    return 0


def drawn(records: list[Record], folder: Path) -> list[Path]:
    """Draw Figures 2 to 6."""
    from _sll_plots import draw

    return list(draw(records, folder))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument(
        "--quick", action="store_true", help=f"{QUICK} data sets of each kind instead of 10"
    )
    parser.add_argument(
        "--only", nargs="+", choices=NETWORKS, default=NETWORKS, metavar="NETWORK", help="these"
    )
    parser.add_argument(
        "--rows", nargs="+", type=int, choices=ROWS, default=ROWS, metavar="N", help="these sizes"
    )
    parser.add_argument(
        "--store",
        type=Path,
        metavar="FILE",
        help="keep each data set's results there, and do not learn again what it has",
    )
    parser.add_argument(
        "--workers", type=int, metavar="N", default=os.cpu_count(), help="data sets at a time"
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="draw the figures there; needs matplotlib"
    )
    add_output_options(parser)
    options = parser.parse_args()
    check_folder(parser, options.data)
    options.sets = QUICK if options.quick else len(SETS)
    return options


def _task(record: Record) -> Task:
    return record["sample_of"], record["rows"], record["set"]


def _kept(store: Path | None, asked: list[Task]) -> list[Record]:
    """Return what an earlier run of this version kept, of what is asked now."""
    if store is None or not store.is_file():
        return []
    records = [json.loads(line) for line in store.read_text(encoding="utf-8").splitlines()]
    wanted = set(asked)
    return [
        record
        for record in records
        if record["version"] == ds.__version__ and _task(record) in wanted
    ]


def _run(folder: Path, tasks: list[Task], workers: int) -> Iterator[list[Record]]:
    """Learn from the data sets, some at a time in processes of one thread each."""
    if not tasks:
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        try:
            for future in as_completed(pool.submit(_records, folder, task) for task in tasks):
                yield future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _records(folder: Path, task: Task) -> list[Record]:
    """Run all methods on a data set, and judge them by each of the graphs."""
    name, rows, number = task
    data = sample(folder, name, rows, number)
    graphs = truths(folder, name)
    found = {method: _local(data, settings) for method, settings in LOCAL.items()}
    built = {method: _timed(_again(data), search) for method, search in WHOLE.items()}
    return [
        {
            "network": label,
            "sample_of": name,
            "rows": rows,
            "set": number,
            "version": ds.__version__,
            "arcs": len(truth.arcs),
            "blanket_pairs": sum(len(truth.markov_blanket(x)) for x in truth.names) // 2,
            "true_score": ds.score(data, truth, score=BDEU),
            "empty_score": ds.score(data, ds.Dag(truth.names, []), score=BDEU),
            "neighbors": {m: ds.slhd(sets, truth) for m, (sets, _, _) in found.items()},
            "blankets": {
                m: ds.slhd(sets, truth, of="blankets") for m, (_, sets, _) in found.items()
            },
            "score": {
                m: ds.normalized_score(data, result.dag, truth, BDEU)
                for m, (result, _) in built.items()
            },
            "shd": {m: ds.shd(result.dag, truth) for m, (result, _) in built.items()},
            "cpu_seconds": {m: seconds for m, (*_, seconds) in (found | built).items()},
        }
        for label, truth in graphs.items()
    ]


def described(folder: Path, network: str) -> Graph:
    """Return what Table 1 says of a network."""
    graph = truths(folder, network)[network]
    states = state_counts(folder, network)
    parents = [len(graph.parents(x)) for x in graph.names]
    children = [len(graph.children(x)) for x in graph.names]
    return Graph(network, len(graph.names), max(parents), max(children), min(states), max(states))


def _again(data: ds.Data) -> ds.Data:
    """Return the same table, of which nothing is counted yet."""
    return ds.Data.from_codes(data.codes, data.states)


def _local(data: ds.Data, settings: dict[str, Any]) -> tuple[Any, Any, float]:
    """Return neighbors, blankets and the time of both.

    Blankets are learned from neighbors, so their time is that of both.
    """
    table = _again(data)
    start = time.process_time()
    published: Record = {"spouses": "published"} if settings["method"] == "sll" else {}
    blankets = ds.markov_blanket(table, **settings, **published, threads=1)
    seconds = time.process_time() - start
    neighbors = ds.neighbors(table, **settings, threads=1)
    _check_finished(blankets, neighbors)
    return neighbors, blankets, seconds


def _timed(data: ds.Data, search: Callable[..., ds.Result]) -> tuple[ds.Result, float]:
    start = time.process_time()
    result = search(data, score=BDEU)
    seconds = time.process_time() - start
    _check_finished(result)
    return result, seconds


def _check_finished(*found: Any) -> None:
    for result in found:
        if result.stopped:
            raise RuntimeError(
                f"{result.method} was stopped by {result.stopped}: try with --workers 1"
            )


def _known_alarm(folder: Path) -> list[Record]:
    """Learn on the rows for which the distances of other tools are known."""
    given = alarm(folder)
    if given is None:
        return []
    data, truth = given
    lines = []
    for score in (ds.BIC(), BDEU):
        found = _local(data, {**LOCAL["SLL"], "score": score})
        lines.append((f"SLL, {score}", *found))
    lines.append(("HITON", *_local(data, LOCAL["HITON"])))
    return [
        {
            "method": method,
            "neighbors": ds.slhd(neighbors, truth),
            "blankets": ds.slhd(blankets, truth, of="blankets"),
            "cpu_seconds": seconds,
        }
        for method, neighbors, blankets, seconds in lines
    ]


if __name__ == "__main__":
    sys.exit(main())
